package hooks

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// said is the output of all commands of the tests.
const said = "docs/a.md:3:alpha\nalpha\n"

func TestTouchedByAShell(t *testing.T) {
	file := func(paths ...string) (out []File) {
		for _, p := range paths {
			out = append(out, File{Path: p, Output: said})
		}
		return out
	}
	for _, tt := range []struct {
		command string
		files   []File
		pages   []string
	}{
		{"cat docs/a.md", file("/p/docs/a.md"), nil},
		{"cat /etc/hosts 'b c.md' d\\ e.md", file("/etc/hosts", "/p/b c.md", "/p/d e.md"), nil},
		{"cd docs && cat a.md", file("/p/docs/a.md"), nil},
		{"cd docs; sed -n '10,20p' a.md | head -5", file("/p/docs/10,20p", "/p/docs/a.md"), nil}, // a word that is no file proves nothing
		{"ls -la\ncat a.md || cat b.md 2>/dev/null", file("/p/a.md", "/p/b.md"), nil},
		{`grep -n "alpha$" docs/a.md`, file("/p/docs/a.md"), nil},
		{`grep -rn alpha docs`, file("/p/docs/a.md", "/p/alpha", "/p/docs"), nil},
		{`rg -n 'al*pha' | sort | uniq -c`, file("/p/docs/a.md", "/p/al*pha"), nil},
		{"/usr/bin/cat a.md | tee b.md", file("/p/a.md"), nil},
		{"curl -sSL https://example.org/a?b=c", nil, []string{"https://example.org/a?b=c"}},
		{"curl -s 'https://example.org/a' | head -50", nil, []string{"https://example.org/a"}},

		// Words whose meaning is not in their letters, and commands that show no file.
		{`cat $FILE "$HOME/a.md" "a$(ls)" *.md {a,b}.md ~/a.md`, nil, nil},
		{"cat `ls`", nil, nil},
		{"cat 'a.md", nil, nil},
		{"cat # a.md", file("/p/a.md"), nil},
		{"python3 -c 'print(1)' a.md", nil, nil},
		{"sudo cat a.md", nil, nil},
		{"cd $X && cat a.md", nil, nil},
		{"cd && cat a.md", nil, nil},
		{"curl -o x https://example.org/", nil, nil},
		{"curl -H 'Authorization: x' https://example.org/", nil, nil},
		{"curl -u a:b https://example.org/", nil, nil},
		{"curl https://a:b@example.org/", nil, nil},
		{"curl -d x=1 https://example.org/", nil, nil},
		{"curl ftp://example.org/", nil, nil},
		{"cat " + strings.Repeat("x", maxCommandBytes), nil, nil},
	} {
		got := Touched(Event{Name: ToolUsed, Tool: "Bash", Dir: "/p", Input: Input{Command: tt.command}, Response: Response{Text: said}})
		if diff := cmp.Diff(Touch{Files: tt.files, Pages: tt.pages}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.command, diff)
		}
	}
}

func TestTouchedByTools(t *testing.T) {
	patch := "*** Begin Patch\n*** Add File: report.md\n+# R\n*** End Patch"
	many := ""
	for i := range 20 {
		many += fmt.Sprintf("f%d.md:1:alpha\n", i)
	}
	tests := []struct {
		name string
		e    Event
		want Touch
	}{
		{"Read", Event{Tool: "Read", Input: Input{Path: "/p/a.md"}, Response: Response{Start: 3, Lines: 2}}, Touch{Files: []File{{Path: "/p/a.md", Start: 3, Lines: 2}}}},
		{"Read of a picture", Event{Tool: "Read", Input: Input{Path: "/p/a.png"}}, Touch{}},
		{"read_file", Event{Tool: "read_file", Input: Input{Path: "a.md"}, Response: Response{Text: "alpha"}}, Touch{Files: []File{{Path: "/p/a.md", Output: "alpha"}}}},
		{"Grep", Event{Tool: "Grep", Input: Input{Path: "docs"}, Response: Response{Text: said}}, Touch{Files: []File{{Path: "/p/docs/a.md", Output: said}, {Path: "/p/docs", Output: said}}}},
		{"Grep that found nothing", Event{Tool: "Grep"}, Touch{}},
		{"Grep with many files", Event{Tool: "Grep", Response: Response{Text: many}}, Touch{Files: func() (out []File) {
			for i := range maxFiles {
				out = append(out, File{Path: fmt.Sprintf("/p/f%d.md", i), Output: many})
			}
			return out
		}()}},
		{"WebFetch", Event{Tool: "WebFetch", Input: Input{URL: "https://example.org/a"}}, Touch{Pages: []string{"https://example.org/a"}}},
		{"WebFetch of a file", Event{Tool: "WebFetch", Input: Input{URL: "file:///etc/passwd"}}, Touch{}},
		{"web_fetch", Event{Tool: "web_fetch", Input: Input{Prompt: "Read (https://example.org/a), then https://example.org/b."}}, Touch{Pages: []string{"https://example.org/a", "https://example.org/b"}}},
		{"WebSearch", Event{Tool: "WebSearch", Input: Input{Query: "q"}, Response: Response{Leads: []Lead{{"T", "https://example.org/"}}}}, Touch{Query: "q", Leads: []Lead{{"T", "https://example.org/"}}}},
		{"Write", Event{Tool: "Write", Input: Input{Path: "/p/report.md"}}, Touch{Written: "/p/report.md"}},
		{"Write of code", Event{Tool: "Write", Input: Input{Path: "/p/main.go"}}, Touch{}},
		{"a patch", Event{Tool: "apply_patch", Input: Input{Command: patch}}, Touch{Written: "/p/report.md"}},
		{"a patch in a shell", Event{Tool: "Bash", Input: Input{Command: "apply_patch <<'EOF'\n" + patch + "\nEOF"}}, Touch{Written: "/p/report.md"}},
		{"curl without an answer", Event{Tool: "Bash", Input: Input{Command: "curl -s https://example.org/"}}, Touch{}},
		{"curl without a network", Event{Tool: "Bash", Input: Input{Command: "curl https://example.org/"}, Response: Response{Text: "curl: (6) Could not resolve host: example.org"}}, Touch{}},
		{"another tool", Event{Tool: "Glob", Input: Input{Path: "/p"}}, Touch{}},
		{"a folder that is not absolute", Event{Tool: "read_file", Dir: "x", Input: Input{Path: "a.md"}, Response: Response{Text: "alpha"}}, Touch{}},
	}
	for _, tt := range tests {
		tt.e.Name = ToolUsed
		if tt.e.Dir == "" {
			tt.e.Dir = "/p"
		}
		if diff := cmp.Diff(tt.want, Touched(tt.e)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	if got := Touched(Event{Name: Stopped, Tool: "Read", Dir: "/p", Input: Input{Path: "/p/a"}, Response: Response{Start: 1}}); len(got.Files) > 0 {
		t.Error("the end of a turn touches a file")
	}
}

func TestShown(t *testing.T) {
	const text = "# Title\n\nalpha line\n}\nbeta line\n}\ngamma line\n"
	tests := []struct {
		name, output string
		want         []Range
	}{
		{"whole", text, []Range{{1, 1}, {3, 7}}},
		{"one line", "beta line\n", []Range{{5, 5}}},
		{"grep -n", "3:alpha line\n7:gamma line\n", []Range{{3, 3}, {7, 7}}},
		{"grep with a name", "docs/a.md:3:alpha line\ndocs/a.md-4-}\n", []Range{{3, 4}}},
		{"grep with a name alone", "docs/a.md:alpha line\n", []Range{{3, 3}}},
		{"cat -n", "     5\tbeta line\n     6\t}\n", []Range{{5, 6}}},
		{"Gemini CLI", "L3: alpha line\n", []Range{{3, 3}}},
		{"another file", "delta line\n}\n", nil},
		{"only marks", "}\n}\n", nil},
		{"nothing", "", nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Shown(tt.output, text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestShownMarkup(t *testing.T) {
	const text = "# Preemption\n\nA job of a lower tier is requeued, if it can be, or else it is cancelled by the controller.\n\nThe grace time & its default stand in the partition's entry.\n"
	tests := []struct {
		name, output string
		want         []Range
	}{
		{"two lines of a paragraph", "<p><i>A job</i> of a lower tier is\nrequeued, if it can be, or else it is <b>cancelled</b>\n", []Range{{3, 3}}},
		{"grep -n, an entity", "88:<p>The grace time &amp; its default stand\n", []Range{{5, 5}}},
		{"backwards", "<p>The grace time &amp; its default stand\nA job of a lower tier is requeued\n", []Range{{3, 3}, {5, 5}}},
		{"within a tag", "class=\"a\">A job of a lower tier is requeued, <a\n", []Range{{3, 3}}},
		{"short", "<h1>Preemption</h1>\n", nil},
		{"another page", "<p>Nothing of this stands in the text above.</p>\n", nil},
		{"nothing", "", nil},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, ShownMarkup(tt.output, text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func FuzzShown(f *testing.F) {
	f.Add("a.md:3:alpha\n", "alpha\nbeta\n")
	f.Add("<p>a long line of a page of markup\n", "# T\na long line of a page of markup\n")
	f.Fuzz(func(t *testing.T, output, text string) {
		for _, ranges := range [][]Range{Shown(output, text), ShownMarkup(output, text)} {
			last := 0
			for _, r := range ranges {
				if r.First <= last || r.Last < r.First || r.Last > strings.Count(text, "\n")+1 {
					t.Fatalf("%v after line %d", r, last)
				}
				last = r.Last
			}
		}
	})
}

func FuzzCommand(f *testing.F) {
	f.Add("cd docs && sed -n '1,20p' a.md | grep -n \"x$\" ; cat 'b c'")
	f.Fuzz(func(t *testing.T, command string) {
		for _, words := range commandsOf(command) {
			if len(words) == 0 {
				t.Fatalf("an empty command in %q", command)
			}
		}
		Touched(Event{Name: ToolUsed, Tool: "Bash", Dir: "/p", Input: Input{Command: command}, Response: Response{Text: said}})
	})
}
