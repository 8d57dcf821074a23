package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// docs/mechanisms.md names tests and files as evidence for each mechanism. These tests check that the table is complete
// and that the evidence exists.

// mechanisms are the numbers that the table must have, each once.
func mechanisms() []string {
	var all []string
	for i := range 5 {
		all = append(all, fmt.Sprintf("D%d", i+1))
	}
	for i := range 184 {
		all = append(all, strconv.Itoa(i+1))
	}
	for i := range 15 {
		if c := fmt.Sprintf("C%d", i+1); c != "C13" { // the list of conflicts has no C13
			all = append(all, c)
		}
	}
	return all
}

// marks are the valid values of the second column. The document explains them.
var marks = []string{"held", "asked", "host", "otherwise", "part", "not yet"}

func TestMechanismsAreShown(t *testing.T) {
	doc, err := os.ReadFile("docs/mechanisms.md")
	if err != nil {
		t.Fatal(err)
	}
	tree, err := readProject(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faultsOf(string(doc), mechanisms(), tree) {
		t.Error(fault)
	}
	for _, mark := range marks {
		if !strings.Contains(string(doc), "| **"+mark+"** |") {
			t.Errorf("the document does not explain the mark %q", mark)
		}
	}
}

// tableHead is the first line of each table of mechanisms. Other tables are not checked.
const tableHead = "| number | how | what | shown by |"

// faultsOf lists the faults of a document: missing, repeated or unknown numbers, rows without words or evidence, and
// missing evidence.
func faultsOf(doc string, numbers []string, p project) []string {
	var faults []string
	seen := map[string]int{}
	inTable := false
	for i, line := range strings.Split(doc, "\n") {
		fault := func(format string, args ...any) {
			faults = append(faults, fmt.Sprintf("line %d: ", i+1)+fmt.Sprintf(format, args...))
		}
		switch {
		case line == tableHead:
			inTable = true
			continue
		case !strings.HasPrefix(line, "|"):
			inTable = false
			continue
		case !inTable || strings.Trim(line, "|-: ") == "":
			continue
		}
		cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
		if len(cells) != 4 {
			fault("has %d cells, not 4: %.60s", len(cells), line)
			continue
		}
		for j := range cells {
			cells[j] = strings.TrimSpace(cells[j])
		}
		number, mark, what, shown := cells[0], cells[1], cells[2], cells[3]
		seen[number]++
		if !slices.Contains(numbers, number) {
			fault("%q is no mechanism", number)
		}
		if !slices.Contains(marks, mark) {
			fault("%s has the mark %q; there are %s", number, mark, strings.Join(marks, ", "))
		}
		if len(strings.Fields(what)) < 2 {
			fault("%s says nothing", number)
		}
		references := codeSpan.FindAllStringSubmatch(shown, -1)
		if len(references) == 0 {
			fault("%s names no evidence", number)
		}
		for _, ref := range references {
			if why := p.lacks(ref[1]); why != "" {
				fault("%s: %s", number, why)
			}
		}
	}
	for _, n := range numbers {
		if seen[n] != 1 {
			faults = append(faults, fmt.Sprintf("%s is there %d times, want once", n, seen[n]))
		}
	}
	return faults
}

var (
	codeSpan = regexp.MustCompile("`([^`]+)`")
	// testReference is a test or a row of one: loopstate.TestDecide/two sign-offs.
	testReference = regexp.MustCompile(`^([a-z][a-z0-9]*\.(?:Test|Fuzz|Example|Benchmark)\w*)(?:/(.+))?$`)
)

// project is the tree in which evidence is looked for.
type project struct {
	files fs.FS
	tests map[string]map[string]bool // "loopstate.TestDecide" -> the names that its subtests can have
}

// readProject finds the tests of a tree. A test is named by its folder, in the root by main.
func readProject(files fs.FS) (project, error) {
	p := project{files, map[string]map[string]bool{}}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		source, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, source, 0)
		if err != nil {
			return err
		}
		pkg := path.Base(path.Dir(name))
		if pkg == "." {
			pkg = "main"
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Body != nil {
				p.tests[pkg+"."+f.Name.Name] = rowsOf(f.Body)
			}
		}
		return nil
	})
	return p, err
}

// rowsOf are the names that a test's subtests can have: the texts in its body, and for tables whose rows are
// named by their first two fields (a number and a prompt) these with a space between.
func rowsOf(body *ast.BlockStmt) map[string]bool {
	rows := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if s, ok := text(n); ok {
				rows[s] = true
			}
		case *ast.CompositeLit:
			if len(n.Elts) < 2 {
				break
			}
			first, isText := text(n.Elts[0])
			second, alsoText := text(n.Elts[1])
			if isText && alsoText {
				rows[first+" "+second] = true
			}
		}
		return true
	})
	return rows
}

// lacks says why a reference leads nowhere, or "" when it leads to a test or a file.
func (p project) lacks(reference string) string {
	m := testReference.FindStringSubmatch(reference)
	if m == nil {
		if !fs.ValidPath(reference) {
			return reference + " is neither a test nor a path inside of the project"
		}
		if _, err := fs.Stat(p.files, reference); err != nil {
			return "there is no file " + reference
		}
		return ""
	}
	test, row := m[1], m[2]
	rows, ok := p.tests[test]
	switch {
	case !ok:
		return "there is no test " + test
	case row != "" && !rows[row]:
		return fmt.Sprintf("%s has no row %q", test, row)
	}
	return ""
}

func text(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}

// The check itself must be able to fail: each broken document is caught, and says what is wrong.
func TestFaultsOfMechanisms(t *testing.T) {
	tree, err := readProject(fstest.MapFS{
		"README.md":                     {Data: []byte("x")},
		"main_test.go":                  {Data: []byte("package main\n\nfunc TestWhole() {}\n")},
		"shape/a_test.go":               {Data: []byte("package shape\n\nfunc TestRound() { _ = []row{{\"a row\", 1}, {\"12\", \"critic\"}} }\n\nfunc (x y) TestMethod() {}\n\nfunc other() { _ = \"elsewhere\" }\n")},
		"shape/testdata/b_test.go":      {Data: []byte("package b\n\nfunc TestHidden() {}\n")},
		"shape/shape.go":                {Data: []byte("package shape\n\nfunc TestNotInATestFile() {}\n")},
		"prompts/templates/critic.txt":  {Data: []byte("x")},
		"elsewhere/other/other_test.go": {Data: []byte("package other\n\nfunc FuzzOther() {}\n")},
	})
	if err != nil {
		t.Fatal(err)
	}
	const good1, good2 = "| 1 | held | two words | `shape.TestRound/a row`, `README.md` |", "| C1 | asked | two words | `prompts/templates/critic.txt` |"
	doc := func(rows ...string) string {
		return "# Title\n\n| mark | meaning |\n| --- | --- |\n| **held** | not looked at |\n\n" + tableHead + "\n| --- | --- | --- | --- |\n" + strings.Join(rows, "\n") + "\n\nThe end.\n"
	}
	with := func(shown string) string { return doc("| 1 | held | two words | "+shown+" |", good2) }
	tests := []struct {
		name, doc string
		want      []string
	}{
		{"nothing is wrong", doc(good1, good2), nil},
		{"two tables", doc(good1) + doc(good2), nil},
		{"a row by its number and its prompt", with("`shape.TestRound/12 critic`"), nil},
		{"a test of the root", with("`main.TestWhole`"), nil},
		{"a fuzz target of a package in a folder", with("`other.FuzzOther`"), nil},
		{"words around the evidence", with("see `main.TestWhole` for it"), nil},
		{"a number is missing", doc(good1), []string{"C1 is there 0 times, want once"}},
		{"a number is there twice", doc(good1, good1, good2), []string{"1 is there 2 times, want once"}},
		{"an unknown number", doc(good1, good2, "| C13 | held | two words | `README.md` |"), []string{`line 11: "C13" is no mechanism`}},
		{"no table at all", "# Title\n", []string{"1 is there 0 times, want once", "C1 is there 0 times, want once"}},
		{"a cell too few", doc(good1, "| C1 | asked | two words |"), []string{"line 10: has 3 cells, not 4: | C1 | asked | two words |", "C1 is there 0 times, want once"}},
		{"a cell too many", doc(good1, "| C1 | asked | two | words | `README.md` |"), []string{"line 10: has 5 cells, not 4: | C1 | asked | two | words | `README.md` |", "C1 is there 0 times, want once"}},
		{"an unknown mark", doc(good1, "| C1 | done | two words | `README.md` |"), []string{`line 10: C1 has the mark "done"; there are held, asked, host, otherwise, part, not yet`}},
		{"no words", doc(good1, "| C1 | held |  | `README.md` |"), []string{"line 10: C1 says nothing"}},
		{"no evidence", with("the critic"), []string{"line 9: 1 names no evidence"}},
		{"no such test", with("`shape.TestSquare`"), []string{"line 9: 1: there is no test shape.TestSquare"}},
		{"one of two tests is missing", with("`shape.TestRound`, `shape.TestSquare`"), []string{"line 9: 1: there is no test shape.TestSquare"}},
		{"no such row", with("`shape.TestRound/another row`"), []string{`line 9: 1: shape.TestRound has no row "another row"`}},
		{"a row of another function", with("`shape.TestRound/elsewhere`"), []string{`line 9: 1: shape.TestRound has no row "elsewhere"`}},
		{"the number of a row without its prompt", with("`shape.TestRound/12 coverage`"), []string{`line 9: 1: shape.TestRound has no row "12 coverage"`}},
		{"a method", with("`shape.TestMethod`"), []string{"line 9: 1: there is no test shape.TestMethod"}},
		{"not in a test file", with("`shape.TestNotInATestFile`"), []string{"line 9: 1: there is no test shape.TestNotInATestFile"}},
		{"in testdata", with("`testdata.TestHidden`"), []string{"line 9: 1: there is no test testdata.TestHidden"}},
		{"no such package", with("`cellar.TestRound`"), []string{"line 9: 1: there is no test cellar.TestRound"}},
		{"no such file", with("`prompts/templates/poem.txt`"), []string{"line 9: 1: there is no file prompts/templates/poem.txt"}},
		{"a file outside", with("`../outside/notes.md`"), []string{"line 9: 1: ../outside/notes.md is neither a test nor a path inside of the project"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, faultsOf(tt.doc, []string{"1", "C1"}, tree)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	if _, err := readProject(fstest.MapFS{"shape/broken_test.go": {Data: []byte("package shape\n\nfunc {")}}); err == nil {
		t.Error("a test file that is no Go is read")
	}
}
