package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/tools"
)

const module = "github.com/citeloop/citeloop"

// rule lists the packages of this module that a package may import, and the reason. "fetch/..." means everything below
// fetch. An unused permission is not an error.
type rule struct {
	may []string
	why string
}

// rules is the architecture: imports run only downwards in this list. A package without a rule fails the test, so that a
// new one is placed deliberately.
var rules = map[string]rule{
	// Programs.
	"":                   {[]string{"internal/cli"}, "main only starts the command line"},
	"packaging/mcpb":     {[]string{"internal/cli", "tools"}, "the bundle's manifest lists the real tools and settings"},
	"packaging/wrappers": {[]string{"internal/cli"}, "packages for npm have the program's version"},
	"packaging/notices":  {nil, "collects the licences of modules"},
	"examples/hostagent": {[]string{"internal/llm", "internal/research"}, "shows the built-in host in one small file"},
	"internal/e2e":       {nil, "runs the built binary from outside"},

	// Interfaces to people, clients and models.
	"internal/cli": {[]string{"channels/...", "fetch/...", "internal/...", "loopstate/...", "server/...", "tools"},
		"the command line wires everything together"},
	"internal/cli/install": {[]string{"internal/cli/console", "internal/cli/safefile", "internal/cli/setup", "internal/sanitize"},
		"adds citeloop to clients and removes it"},
	"internal/project": {[]string{"internal/sanitize"}, "reads the settings of a project, which the user may not have written"},
	"internal/demo": {[]string{"internal/text/...", "internal/verify/reader", "internal/research", "internal/sanitize"},
		"a scripted host with the same client as research"},
	"internal/research": {[]string{"internal/llm", "internal/sanitize"},
		"a host with a model; it uses the server only through its tools"},
	"server": {[]string{"internal/loops", "internal/prompts", "internal/wording", "loopstate",
		"server/...", "tools/..."}, "transports around the tools"},
	"server/resources": {[]string{"internal/loops", "internal/report", "internal/sanitize", "internal/verify", "loopstate", "tools"},
		"loops as MCP resources"},
	"server/access":   {[]string{"internal/loops", "internal/sanitize"}, "tokens and OAuth determine the owner of the loops"},
	"server/metrics":  {[]string{"internal/loops"}, "metrics observe the calls of tools"},
	"tools/progress":  {nil, "reports of a call that takes long"},
	"tools/arguments": {[]string{"internal/sanitize", "internal/wording"}, "what models send, decoded by the schemas of the tools"},
	"tools": {[]string{"internal/audit", "internal/references", "internal/sanitize", "tools/...", "internal/docid",
		"internal/wording", "channels", "fetch", "internal/text/...", "internal/verify/...", "internal/loops",
		"internal/report", "loopstate"}, "arguments, answers and error texts for the use cases"},
	"internal/web": {[]string{"fetch", "internal/loops", "internal/report/...", "internal/review", "internal/sanitize",
		"internal/verify/...", "internal/wording", "loopstate", "server/access"},
		"the page for people calls the same use cases as the tools"},

	// Use cases.
	"internal/loops": {[]string{"internal/wording", "internal/archive", "internal/bounded", "internal/docid", "internal/duplicate",
		"channels", "channels/auto", "fetch/...", "internal/text/...", "internal/verify/...", "internal/folder",
		"internal/llm/...", "internal/prompts", "internal/report/...", "internal/sanitize/...", "loopstate"},
		"one method for each use case"},
	"internal/bounded": {nil, "a cache bounded in bytes"},
	"internal/folder": {[]string{"internal/wording", "fetch", "internal/sanitize", "loopstate"},
		"a loop as files on the user's machine"},
	"internal/hooks": {[]string{"internal/lazyregexp", "internal/loops", "internal/verify", "loopstate"},
		"two hooks of clients: the brief after a compaction, a check of the last message"},
	"internal/audit": {[]string{"channels", "internal/docid", "internal/outcome", "internal/references", "internal/sanitize"},
		"looks up reference lists; references compares them"},
	"internal/prompts": {[]string{"internal/sanitize/...", "internal/text/words", "internal/wording", "loopstate"},
		"prompts are texts made from a state"},
	"internal/llm": {[]string{"internal/llm", "internal/sanitize", "internal/verify", "loopstate"},
		"the endpoint client and the reader on top of it"},
	"internal/archive": {[]string{"internal/sanitize", "loopstate", "loopstate/storage"}, "a loop as one file, with hashes"},

	// Rendering.
	"internal/wording": {[]string{"loopstate"}, "error texts that all interfaces share"},
	"internal/report": {[]string{"internal/wording", "internal/docid", "internal/text/...", "internal/verify/...",
		"internal/report/...", "internal/sanitize", "loopstate"}, "the formats of a report"},
	"internal/review": {[]string{"internal/report", "internal/sanitize", "internal/text/lines", "internal/verify/...", "loopstate"},
		"a batch of a review beside its lines, in the page and as a file"},
	"internal/report/bibliography": {[]string{"internal/sanitize", "internal/text/words"}, "sources as BibTeX, CSL-JSON and RIS"},

	// Searching and reading.
	"channels/source": {[]string{"channels", "channels/local", "channels/normal", "fetch", "fetch/extract/document",
		"internal/docid", "internal/sanitize"}, "the search sources, on the frame"},
	"channels/auto": {[]string{"channels", "channels/normal"}, "chooses channels for a query"},
	"channels": {[]string{"channels/normal", "fetch", "fetch/address", "fetch/extract/limit", "internal/docid",
		"internal/resilience", "internal/sanitize", "internal/text/words"}, "the frame of all sources: it knows none of them"},
	"channels/normal": {[]string{"internal/docid", "internal/sanitize", "internal/text/words"}, "one spelling of what sources send"},
	"channels/local": {[]string{"fetch/...", "internal/docid", "internal/lazyregexp", "internal/sanitize", "internal/text/..."},
		"the user's folders as a channel, on SQLite FTS5"},
	"fetch": {[]string{"fetch/...", "internal/docid", "internal/resilience", "internal/sanitize/..."},
		"fetches pages safely"},
	"fetch/browser":             {[]string{"fetch", "fetch/address", "fetch/extract/document"}, "renders pages that need JavaScript"},
	"internal/docid":            {nil, "identity of a document"},
	"internal/cputime":          {nil, "processor time of work that is bounded"},
	"fetch/browser/browsertest": {[]string{"fetch/browser"}, "Chromium for tests"},
	"internal/resilience":       {nil, "one policy of rates, retries and circuits for all that send requests"},
	"fetch/address":             {nil, "normalises web addresses"},
	"fetch/extract": {[]string{"fetch/address", "fetch/extract/...", "internal/cputime", "internal/docid",
		"internal/sanitize/...", "internal/text/lines"}, "converts bytes to a document; a format imports another only if it contains it"},

	// The domain: pure.
	"loopstate": {[]string{"internal/docid", "internal/duplicate", "internal/text/lines", "internal/text/query", "internal/text/words"},
		"events, fold and decisions; its gaps have texts in six languages"},
	"loopstate/postgres":     {[]string{"loopstate/..."}, "a store"},
	"loopstate/sqlite":       {[]string{"loopstate/..."}, "a store"},
	"loopstate/storetest":    {[]string{"loopstate"}, "the suite that every store passes"},
	"loopstate/storage":      {[]string{"loopstate"}, "what both stores share"},
	"internal/text/words":    {nil, "tokens, stems, sentences, language: all other packages of texts need these at most"},
	"internal/text/query":    {[]string{"internal/text/words"}, "queries, topics and dates in words"},
	"internal/text/draft":    {[]string{"internal/text/words"}, "sentences of a Markdown text and what they cite"},
	"internal/duplicate":     {[]string{"internal/text/words"}, "near copies of a text: which sources are one origin"},
	"internal/text/lines":    {[]string{"internal/text/words"}, "numbered lines and what belongs to one"},
	"internal/text/passage":  {[]string{"internal/text/words"}, "the one ranking of text"},
	"internal/text/quantity": {[]string{"internal/text/words"}, "numbers, dates and units"},
	"internal/text/quote":    {[]string{"internal/text/words"}, "where a text has quoted words"},
	"internal/references": {[]string{"internal/docid", "internal/lazyregexp", "internal/text/words"},
		"reads lists of references and compares entries with records (pure)"},
	"internal/verify": {[]string{"internal/docid", "internal/sanitize", "internal/text/...", "internal/verify/...", "loopstate"},
		"the one engine: claims, texts and readings to verdicts"},
	"internal/verify/remark": {[]string{"internal/text/quantity", "internal/text/words"}, "what can be said of a claim without a reader"},
	"internal/verify/reader": {[]string{"internal/seeded", "internal/text/...", "loopstate"},
		"what a reader gets, and whether to believe it"},
	"internal/outcome":    {nil, "verdicts of checks by the command line, their exit codes and encoding"},
	"internal/sanitize":   {[]string{"internal/sanitize/..."}, "makes untrusted text safe to show"},
	"internal/seeded":     {nil, "random choices that can be replayed"},
	"internal/lazyregexp": {nil, "compiles regular expressions at their first use; every package may import it"},
	"internal/datafile":   {nil, "reads embedded lists; every package may import it"},
}

// ruleOf returns the rule of a package: its own, or that of its nearest parent folder.
func ruleOf(name string) (rule, bool) {
	for {
		if r, ok := rules[name]; ok {
			return r, true
		}
		cut := strings.LastIndexByte(name, '/')
		if cut < 0 {
			return rule{}, false
		}
		name = name[:cut]
	}
}

func (r rule) allows(imported string) bool {
	return imported == "internal/lazyregexp" || imported == "internal/datafile" || slices.ContainsFunc(r.may, func(pattern string) bool {
		folder, subtree := strings.CutSuffix(pattern, "/...")
		return imported == folder || subtree && strings.HasPrefix(imported, folder+"/")
	})
}

// pure packages do no input or output and read no clock: their results depend only on their arguments. A folder includes
// everything below it.
var pure = []string{"internal/docid", "internal/duplicate", "internal/text", "internal/verify", "internal/sanitize", "internal/prompts",
	"channels/normal", "fetch/extract/mail"}

// isPure reports whether a package must be pure. Of loopstate and the packages below it, only loopstate itself is.
func isPure(name string) bool {
	return name == "loopstate" || slices.ContainsFunc(pure, func(folder string) bool {
		return name == folder || strings.HasPrefix(name, folder+"/")
	})
}

// impure has the packages that a pure package must not use, and the reasons.
var impure = map[string]string{
	"os": "disk and environment", "os/exec": "processes", "net": "network", "net/http": "network", "io/ioutil": "disk",
	"database/sql": "disk", "log": "output", "log/slog": "output", "math/rand": "randomness", "math/rand/v2": "randomness",
	"crypto/rand": "randomness", "syscall": "operating system", "time/tzdata": "data of the machine",
}

type goPackage struct {
	ImportPath string
	Dir        string
	Imports    []string
	GoFiles    []string
}

// listed are the packages of the module, by their paths in it.
var listed = sync.OnceValues(func() (map[string]goPackage, error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,GoFiles", "./...").Output()
	all := map[string]goPackage{}
	for dec := json.NewDecoder(bytes.NewReader(out)); err == nil && dec.More(); {
		var p goPackage
		err = dec.Decode(&p)
		all[strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")] = p
	}
	return all, err
})

func packages(t *testing.T) map[string]goPackage {
	t.Helper()
	all, err := listed()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return all
}

// parsed returns the syntax of the package's files, by their names.
func (p goPackage) parsed(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = file
	}
	return files
}

// calls returns what the package calls or names of other packages, such as time.Now, and what it calls without one, such as panic, by the
// file.
func (p goPackage) calls(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	for name, file := range p.parsed(t) {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok {
					found[x.Name+"."+n.Sel.Name] = name
				}
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.Ident); ok {
					found[f.Name] = name
				}
			case *ast.FuncDecl:
				if n.Name.Name == "init" && n.Recv == nil {
					found["init"] = name
				}
			}
			return true
		})
	}
	return found
}

func TestImportsRunDownwards(t *testing.T) {
	all := packages(t)
	for name, p := range all {
		r, known := ruleOf(name)
		if !known {
			t.Errorf("no rule for %s: say in rules what it may import, and why", p.ImportPath)
			continue
		}
		for _, imported := range p.Imports {
			if inner, ok := strings.CutPrefix(imported, module+"/"); ok && !r.allows(inner) {
				t.Errorf("%s must not import %s (%s)", name, inner, r.why)
			}
			if imported == "testing" && name != "loopstate/storetest" && name != "fetch/browser/browsertest" {
				t.Errorf("%s links the testing package into the binary", name)
			}
		}
	}
	for name, r := range rules {
		if _, ok := all[name]; !ok {
			t.Errorf("a rule names %q, which is not a package", name)
		}
		if r.why == "" {
			t.Errorf("the rule of %q gives no reason", name)
		}
	}
}

func TestPurePackages(t *testing.T) {
	for name, p := range packages(t) {
		if !isPure(name) {
			continue
		}
		for _, imported := range p.Imports {
			if why, bad := impure[imported]; bad {
				t.Errorf("%s imports %s (%s)", name, imported, why)
			}
		}
		called := p.calls(t)
		for _, clock := range strings.Fields("Now Since Until After Tick Sleep NewTimer NewTicker") {
			if file, bad := called["time."+clock]; bad {
				t.Errorf("%s/%s uses time.%s", name, file, clock)
			}
		}
	}
}

// Only main may end the process: packages below it have no init functions and no panics.
func TestNoPanicBelowMain(t *testing.T) {
	for name, p := range packages(t) {
		if name == "" || name == "loopstate/storetest" || strings.HasPrefix(name, "examples/") ||
			strings.HasPrefix(name, "packaging/") { // programs of their own
			continue
		}
		called := p.calls(t)
		for _, end := range strings.Fields("init panic os.Exit log.Fatal log.Fatalf log.Fatalln") {
			if file, bad := called[end]; bad {
				t.Errorf("%s/%s has %s", name, file, end)
			}
		}
	}
}

func TestEveryPackageHasOneComment(t *testing.T) {
	for name, p := range packages(t) {
		comments := 0
		for _, file := range p.parsed(t) {
			if file.Doc != nil {
				comments++
			}
		}
		if comments != 1 {
			t.Errorf("package %q has %d package comments, want 1", name, comments)
		}
	}
}

// Names of files and folders must describe their content.
func TestNoMeaninglessNames(t *testing.T) {
	forbidden := []string{"util", "utils", "common", "helper", "helpers", "misc", "types", "models"}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		name := strings.TrimSuffix(strings.TrimSuffix(d.Name(), ".go"), "_test")
		if (d.IsDir() || strings.HasSuffix(d.Name(), ".go")) && slices.Contains(forbidden, name) {
			t.Errorf("%s: name it for what it provides", strconv.Quote(path))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The domain and the use cases do not depend on MCP: their sources name no tools, and those of the domain no arguments.
// Texts for callers are made in tools, internal/cli and internal/web. Struct tags are exempt, as keys of stored data.
func TestArchDomainNamesNoTool(t *testing.T) {
	named := argumentNames(t)
	hostTexts := []string{"internal/loops/brief.go"} // tells a host what to do next
	for _, pkg := range []string{"loopstate", "internal/loops"} {
		for name, file := range packages(t)[pkg].parsed(t) {
			path := pkg + "/" + name
			if slices.Contains(hostTexts, path) {
				continue
			}
			for _, text := range wordsOf(file) {
				forbidden := tools.Names()
				if pkg == "loopstate" && name != "decide.go" { // the names of its rules are parts of stored decisions
					forbidden = slices.Concat(forbidden, named)
				}
				for _, word := range forbidden {
					if strings.Contains(word, "_") && strings.Contains(text, word) {
						t.Errorf("%s names %s: %.80s", path, word, text)
					}
				}
			}
		}
	}
}

// wordsOf returns the comments and the string literals of a file, without struct tags.
func wordsOf(file *ast.File) (all []string) {
	for _, group := range file.Comments {
		all = append(all, group.Text())
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			n.Tag = nil
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				all = append(all, n.Value)
			}
		}
		return true
	})
	return all
}

// argumentNames are the arguments of all tools, and the fields within them.
func argumentNames(t *testing.T) (names []string) {
	t.Helper()
	var walk func(gjson.Result)
	walk = func(schema gjson.Result) {
		for name, property := range schema.Get("properties").Map() {
			names = append(names, name)
			walk(property)
		}
		for _, inner := range schema.Get("anyOf").Array() {
			walk(inner)
		}
		if items := schema.Get("items"); items.Exists() {
			walk(items)
		}
	}
	for _, name := range tools.Names() {
		walk(gjson.Get(released(t, "tools/schemas/"+name+".json"), "inputSchema"))
	}
	return names
}

// maxColumns bounds a line of Go in bytes, with a tab as four: wide characters take two columns, and three bytes.
const maxColumns = 140

func TestLinesFitAScreen(t *testing.T) {
	t.Parallel()
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			if len(strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    ")) > maxColumns {
				t.Errorf("%s:%d is longer than %d columns", path, n, maxColumns)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
