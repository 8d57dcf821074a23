package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/citeloop/citeloop"

// mayImport is the house: which rooms of the project each room may use. Imports run downwards only; a room
// that is missing here fails the test, so that a new one is placed on purpose.
var mayImport = map[string][]string{
	"":                            {"internal/cli"},
	"internal/cli":                {"server/access", "fetch/browser", "channels", "channels/local", "internal/demo", "fetch/extract", "fetch", "internal/cli/install", "internal/llm", "internal/loops", "loopstate", "loopstate/postgres", "loopstate/sqlite", "internal/grounding/passages", "internal/report", "internal/research", "server", "server/telemetry", "internal/verify", "internal/web"},
	"packaging/mcpb":              {"internal/cli"},
	"packaging/manual":            {"internal/cli"},
	"internal/demo":               {"internal/grounding/passages"}, // a host: it knows the server by its tools alone
	"internal/research":           {},                              // a host as well
	"server":                      {"server/access", "server/apps", "internal/loops", "loopstate", "internal/prompts", "server/resources", "tools"},
	"server/resources":            {"server/apps", "internal/report/drawing", "internal/loops", "loopstate", "tools"},
	"server/conformance":          {"channels", "fetch", "internal/loops", "loopstate/sqlite", "server", "tools"}, // a program for .ci alone
	"internal/web":                {"server/access", "internal/report/drawing", "fetch", "internal/sanitize", "internal/grounding", "internal/loops", "loopstate", "internal/report", "internal/wording"},
	"server/apps":                 {"internal/report/drawing", "internal/sanitize", "internal/loops", "loopstate", "internal/wording"},
	"internal/wording":            {"loopstate"},
	"server/access":               {"internal/loops"},
	"server/telemetry":            {"channels", "fetch", "internal/loops"},
	"tools":                       {"channels", "fetch", "internal/grounding", "internal/loops", "loopstate", "internal/grounding/passages", "internal/report"},
	"internal/cli/install":        {},
	"internal/llm":                {"internal/grounding", "internal/grounding/passages"},
	"internal/verify":             {"fetch/extract", "fetch", "internal/sanitize", "internal/grounding", "internal/sanitize/injection", "loopstate"},
	"internal/loops":              {"channels", "fetch", "internal/grounding", "internal/sanitize/injection", "internal/llm", "loopstate", "internal/grounding/passages", "internal/prompts", "internal/report", "internal/warc"},
	"internal/prompts":            {"loopstate"},
	"internal/report":             {"internal/report/drawing", "internal/sanitize", "loopstate"},
	"internal/report/drawing":     {"internal/sanitize", "loopstate"},
	"internal/sanitize":           {},
	"internal/warc":               {},
	"channels":                    {"fetch/address", "channels/local", "fetch", "loopstate"},
	"channels/local":              {"channels/local/index", "fetch/extract/document", "fetch"},
	"channels/local/index":        {"internal/grounding/passages"},
	"fetch/browser":               {"fetch/address", "fetch/extract/document", "fetch"},
	"fetch/browser/browsertest":   {"fetch/browser"},
	"fetch":                       {"fetch/address", "fetch/extract", "fetch/extract/document", "fetch/extract/limit", "loopstate", "fetch/extract/mail"},
	"fetch/extract":               {"fetch/extract/archive", "fetch/extract/charset", "fetch/extract/document", "fetch/extract/feed", "fetch/extract/html", "fetch/extract/jats", "fetch/extract/pdf", "fetch/extract/plain", "internal/sanitize/injection", "fetch/extract/mail"},
	"fetch/extract/mail":          {},
	"fetch/extract/archive":       {"fetch/extract/charset", "fetch/extract/document", "fetch/extract/html", "fetch/extract/limit", "fetch/extract/xmlread", "loopstate"},
	"fetch/extract/feed":          {"fetch/address", "fetch/extract/document", "fetch/extract/html", "fetch/extract/plain", "fetch/extract/xmlread"},
	"fetch/extract/html":          {"fetch/extract/document", "fetch/extract/markdown", "internal/sanitize/injection", "loopstate"},
	"fetch/extract/jats":          {"fetch/extract/document", "fetch/extract/html", "fetch/extract/limit", "fetch/extract/xmlread", "internal/sanitize/injection", "loopstate"},
	"fetch/extract/markdown":      {"fetch/extract/document"},
	"fetch/extract/runtest":       {"fetch/extract/document"},
	"fetch/extract/pdf":           {"fetch/extract/document", "fetch/extract/limit", "fetch/extract/markdown", "loopstate"},
	"fetch/extract/pdf/pdftest":   {},
	"fetch/extract/plain":         {"fetch/extract/document", "loopstate"},
	"fetch/extract/charset":       {"fetch/extract/document"},
	"fetch/extract/xmlread":       {"fetch/extract/limit"},
	"fetch/extract/document":      {"fetch/address", "loopstate"},
	"fetch/extract/limit":         {},
	"fetch/address":               {},
	"internal/grounding":          {"internal/grounding/passages"},
	"internal/sanitize/injection": {},
	"internal/grounding/passages": {},
	"loopstate":                   {},
	"loopstate/postgres":          {"loopstate", "loopstate/rowformat", "loopstate/watching"},
	"loopstate/sqlite":            {"loopstate", "loopstate/rowformat", "loopstate/watching"},
	"loopstate/rowformat":         {},
	"loopstate/watching":          {},
	"loopstate/storetest":         {"loopstate"},
	"examples/scriptedhost":       {},
	"examples/hostagent":          {"internal/research"},
}

// pure rooms do no input or output and look at no clock: their answers depend on their arguments alone.
var pure = []string{"loopstate", "internal/grounding/passages", "internal/grounding", "internal/sanitize/injection", "internal/prompts", "channels/local/index", "fetch/extract/mail", "internal/report/drawing", "internal/sanitize", "internal/wording"}

// impure packages, and why a pure room must not use them.
var impure = map[string]string{
	"os": "disk and environment", "os/exec": "processes", "net": "network", "net/http": "network", "io/ioutil": "disk",
	"database/sql": "disk", "log": "output", "log/slog": "output", "math/rand": "randomness", "math/rand/v2": "randomness",
	"crypto/rand": "randomness", "syscall": "the system", "time/tzdata": "data of the machine",
}

type goPackage struct {
	ImportPath string
	Dir        string
	Imports    []string
	GoFiles    []string
}

func packages(t *testing.T) map[string]goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,GoFiles", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := map[string]goPackage{}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for dec.More() {
		var p goPackage
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all[strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")] = p
	}
	return all
}

func TestImportsRunDownwards(t *testing.T) {
	all := packages(t)
	for room, p := range all {
		allowed, known := mayImport[room]
		if !known {
			t.Errorf("%s is in no room of mayImport: say there what it may use", p.ImportPath)
			continue
		}
		for _, imported := range p.Imports {
			if inner, ok := strings.CutPrefix(imported, module+"/"); ok && !slices.Contains(allowed, inner) {
				t.Errorf("%s imports %s, which is not below it", room, inner)
			}
			if imported == "testing" && room != "loopstate/storetest" && room != "fetch/browser/browsertest" {
				t.Errorf("%s links the testing package into the binary", room)
			}
		}
	}
	for room := range mayImport {
		if _, ok := all[room]; !ok {
			t.Errorf("mayImport names %q, which is not a package", room)
		}
	}
}

func TestPureRooms(t *testing.T) {
	all := packages(t)
	for _, room := range pure {
		for _, imported := range all[room].Imports {
			if why, bad := impure[imported]; bad {
				t.Errorf("%s imports %s (%s)", room, imported, why)
			}
		}
		for _, name := range all[room].GoFiles {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(all[room].Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains([]string{"Now", "Since", "Until", "After", "Tick", "Sleep", "NewTimer", "NewTicker"}, sel.Sel.Name) {
					t.Errorf("%s/%s uses time.%s", room, name, sel.Sel.Name)
				}
				return true
			})
		}
	}
}

// Panics, exits and package-level init functions below main would take decisions away from it.
func TestNoPanicBelowMain(t *testing.T) {
	for room, p := range packages(t) {
		if room == "" || room == "loopstate/storetest" || room == "server/conformance" || strings.HasPrefix(room, "examples/") || strings.HasPrefix(room, "packaging/") { // programs of their own
			continue
		}
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					if n.Name.Name == "init" && n.Recv == nil {
						t.Errorf("%s/%s has an init function", room, name)
					}
				case *ast.CallExpr:
					switch f := n.Fun.(type) {
					case *ast.Ident:
						if f.Name == "panic" {
							t.Errorf("%s/%s panics", room, name)
						}
					case *ast.SelectorExpr:
						x, ok := f.X.(*ast.Ident)
						if ok && (x.Name == "os" && f.Sel.Name == "Exit" || x.Name == "log" && strings.HasPrefix(f.Sel.Name, "Fatal")) {
							t.Errorf("%s/%s ends the process", room, name)
						}
					}
				}
				return true
			})
		}
	}
}

func TestEveryPackageHasOneComment(t *testing.T) {
	for room, p := range packages(t) {
		comments := 0
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.ParseComments|parser.PackageClauseOnly)
			if err != nil {
				t.Fatal(err)
			}
			if file.Doc != nil {
				comments++
			}
		}
		if comments != 1 {
			t.Errorf("package %q has %d package comments, want 1", room, comments)
		}
	}
}

// Names that say nothing about what is inside.
func TestNoShelves(t *testing.T) {
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
