package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/citeloop/citeloop/internal/report/markup"
	"github.com/citeloop/citeloop/internal/sanitize"
)

var ourAnchor = regexp.MustCompile(`^(?:<a id="(?:source-|p)\d+">|</a>)$`)

var ourTarget = regexp.MustCompile(`^(?:source-|p)\d+$`)

// harmless are the schemes that programs link automatically.
var harmless = regexp.MustCompile(`(?i)^(?:https?|ftp)://`)

// checkMarkdown parses a Markdown report and returns its problems.
func checkMarkdown(d Document, out []byte) (wrong []string) {
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(out))
	anchors := make(map[string]bool)
	var headings []string
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if raw, ok := n.(*ast.RawHTML); ok && entering {
			tag := string(raw.Segments.Value(out))
			if !ourAnchor.MatchString(tag) && !strings.HasPrefix(strings.ToLower(tag), "<br") {
				bad("markup: %q", tag)
			}
			anchors[strings.TrimSuffix(strings.TrimPrefix(tag, `<a id="`), `">`)] = true
		}
		return ast.WalkContinue, nil
	})
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.HTMLBlock:
			bad("a block of markup: %q", n.Lines().Value(out))
		case *ast.Image:
			bad("an image: %q", n.Destination)
		case *ast.Link:
			target, own := strings.CutPrefix(string(n.Destination), "#")
			switch {
			case own && ourTarget.MatchString(target) && !anchors[target]:
				bad("a link to #%s, which is nowhere", target)
			case !own && sanitize.Link(markup.Resolved(string(n.Destination))) == "":
				bad("a link to %q", n.Destination)
			}
		case *ast.AutoLink:
			if u := string(n.URL(out)); n.AutoLinkType == ast.AutoLinkURL && !harmless.MatchString(u) && sanitize.Link(u) == "" {
				bad("a bare link to %q", u)
			}
		case *ast.Heading:
			if n.Parent() == root {
				headings = append(headings, string(n.Lines().Value(out)))
			}
		}
		return ast.WalkContinue, nil
	})
	// Unclosed markup in the text must not affect the rest of the report.
	for _, want := range []string{"How this was researched", "Sources"} {
		want = factsOf(d).words.T(want)
		if !strings.Contains("\n"+strings.Join(headings, "\n")+"\n", "\n"+want+"\n") {
			bad("the heading %q was swallowed", want)
		}
	}
	return wrong
}

func TestMarkdownReadBack(t *testing.T) {
	for _, f := range fixtures(t) {
		t.Run(f.name, func(t *testing.T) {
			for _, w := range checkMarkdown(f.doc, render(t, Markdown, f.doc)) {
				t.Error(w)
			}
		})
	}
}

func TestNeutralize(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"plain", "Nothing *to* do, [here](https://example.org) & `<b>`.", "Nothing *to* do, [here](https://example.org) & `<b>`."},
		{"markup", "a <b>c</b>", "a &lt;b>c&lt;/b>"},
		{"line break", "a<br>b", "a<br>b"},
		{"script's address", "[a](javascript:x)", `\[a](javascript:x)`},
		{"script's address with an entity", "[a](&#106;avascript:x)", `\[a](&#106;avascript:x)`},
		{"script's address by reference", "[a][r]\n\n[r]: javascript:x", "\\[a]\\[r]\n\n[r]: javascript:x"},
		{"image", "![a](https://example.org/x.png)", `\![a](https://example.org/x.png)`},
		{"bare script's address", "<javascript:x>", "&lt;javascript:x>"},
		{"markup around a link", "<div>\n[a](javascript:x)\n</div>", "&lt;div>\n\\[a](javascript:x)\n&lt;/div>"},
		{"open code block", "```go\nx", "```go\nx\n```"},
		{"open longer code block", "~~~~\nx\n~~~", "~~~~\nx\n~~~\n~~~~"},
		{"closed code block", "```\nx\n```", "```\nx\n```"},
		{"comment", "a <!-- b\n\n# c", "a <!-- b\n\n# c"},
		{"comment block", "<!-- b\n\n# c", "&lt;!-- b\n\n# c"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, _ := mdBody(Document{Text: tc.in}, factsOf(Document{}))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestMarkdownEscape(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"plain words, 5 % (a-b)", "plain words, 5 % (a-b)"},
		{"# no heading", `\# no heading`}, {"- no list", `\- no list`}, {"12. no list", `12\. no list`}, {"2024", "2024"},
		{"a|b ]] ) [x](y) <i> `c` *d* _e_ ~f~ &amp; $g$", "a\\|b \\]\\] ) \\[x\\](y) \\<i\\> \\`c\\` \\*d\\* \\_e\\_ \\~f\\~ \\&amp; \\$g\\$"},
		{"two\nlines\u202E\x07", "two lines"}, {"![x]", `\!\[x\]`}, {`\`, `\\`}, {"蛋白质", "蛋白质"},
	} {
		if got := mdEscape(tc.in); got != tc.want {
			t.Errorf("mdEscape(%q) = %q, want %q", tc.in, got, tc.want)
		}
	}
}

func TestMarkdownLinkAddress(t *testing.T) {
	const address = "https://example.org/a_(b)?x=1&copy;=2&lt=*_*#c:~:text=%3Ca%3E"
	root := goldmark.New().Parser().Parse(text.NewReader([]byte(mdLink("here", sanitize.Link(address)))))
	link, ok := root.FirstChild().FirstChild().(*ast.Link)
	if !ok {
		t.Fatal("no link")
	}
	if got := markup.Resolved(string(link.Destination)); got != sanitize.Link(address) {
		t.Errorf("the link has the address %q, want %q", got, sanitize.Link(address))
	}
}
