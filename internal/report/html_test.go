package report

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

// parsed is a page as a browser parses it.
type parsed struct {
	root *html.Node
	ids  map[string]*html.Node
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func hasClass(n *html.Node, class string) bool {
	for _, c := range strings.Fields(attr(n, "class")) {
		if c == class {
			return true
		}
	}
	return false
}

func content(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

func find(n *html.Node, match func(*html.Node) bool) []*html.Node {
	var out []*html.Node
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && match(d) {
			out = append(out, d)
		}
	}
	return out
}

func tag(names ...string) func(*html.Node) bool {
	return func(n *html.Node) bool {
		for _, name := range names {
			if n.Data == name {
				return true
			}
		}
		return false
	}
}

// ours are the allowed elements and attributes. Others come from untrusted text.
var ours = map[string]string{
	"html": "lang", "head": "", "meta": "charset http-equiv content name", "title": "id", "style": "", "body": "",
	"a": "class href rel tabindex", "header": "class", "p": "class dir lang", "h1": "dir lang", "h2": "id lang dir", "h3": "id dir lang tabindex", "h4": "dir", "h5": "dir", "h6": "dir",
	"span": "class id aria-hidden lang data-n", "bdi": "class title lang", "time": "datetime", "div": "class role aria-label aria-labelledby tabindex id", "strong": "dir",
	"br": "", "wbr": "", "ul": "class aria-label", "ol": "class start", "li": "dir value id tabindex", "nav": "aria-label class", "aside": "class aria-label", "main": "",
	"article": "id class tabindex aria-label lang", "section": "id class tabindex aria-label aria-labelledby lang", "dl": "class", "details": "class", "summary": "", "dt": "dir", "dd": "dir",
	"blockquote": "class dir lang", "mark": "", "q": "dir", "code": "", "pre": "dir tabindex", "em": "", "del": "", "hr": "", "figure": "class", "figcaption": "",
	"table": "class", "thead": "", "tbody": "", "tr": "", "th": "scope class dir", "td": "class dir", "footer": "",
	"svg": "class xmlns viewbox viewBox width height role aria-labelledby aria-describedby", "desc": "id", "g": "aria-hidden", "path": "class d", "polygon": "class points", "rect": "class x y width height", "text": "class x y", "line": "class x1 y1 x2 y2", "polyline": "class points", "circle": "class cx cy r",
}

// clean returns text as HTML can represent it. strings.Map replaces invalid UTF-8.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !strings.ContainsRune("\r\n\t", r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// checkPage parses a page and returns its problems.
func checkPage(d Document, out []byte) (wrong []string) {
	bad := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if !utf8.Valid(out) {
		bad("the page is not UTF-8")
	}
	root, err := html.Parse(bytes.NewReader(out))
	if err != nil {
		return append(wrong, err.Error())
	}
	p := parsed{root: root, ids: make(map[string]*html.Node)}
	level := 0
	for n := range root.Descendants() {
		if n.Type == html.CommentNode {
			bad("a comment: %.40q", n.Data)
		}
		if n.Type != html.ElementNode {
			continue
		}
		allowed, ok := ours[n.Data]
		if !ok {
			bad("element <%s>", n.Data)
		}
		for _, a := range n.Attr {
			known := false
			for _, name := range strings.Fields(allowed) {
				known = known || name == a.Key
			}
			if !known {
				bad("attribute %s of <%s>", a.Key, n.Data)
			}
		}
		if id := attr(n, "id"); id != "" {
			if p.ids[id] != nil {
				bad("id %q twice", id)
			}
			p.ids[id] = n
		}
		if len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
			if l := int(n.Data[1] - '0'); l > level+1 {
				bad("<%s> after a heading of level %d", n.Data, level)
			} else {
				level = l
			}
		}
		if n.Data == "a" {
			for up := n.Parent; up != nil; up = up.Parent {
				if up.Data == "a" {
					bad("a link inside of a link")
				}
			}
			u, err := url.Parse(attr(n, "href"))
			switch {
			case err != nil:
				bad("a link that is no address: %q", attr(n, "href"))
			case strings.HasPrefix(attr(n, "href"), "#"):
			case u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "file" || attr(n, "rel") != "noreferrer noopener nofollow":
				bad("a link to %q, rel %q", attr(n, "href"), attr(n, "rel"))
			}
		}
	}
	if got := len(find(root, tag("h1"))); got != 1 {
		bad("%d first headings", got)
	}
	for _, a := range find(root, tag("a")) {
		if target, ok := strings.CutPrefix(attr(a, "href"), "#"); ok && p.ids[target] == nil {
			bad("a link to #%s, which is nowhere", target)
		}
	}
	for _, name := range []string{"aria-labelledby", "aria-describedby"} {
		for _, n := range find(root, func(n *html.Node) bool { return attr(n, name) != "" }) {
			if p.ids[attr(n, name)] == nil {
				bad("a label that is nowhere: %s", attr(n, name))
			}
		}
	}
	for _, n := range find(root, tag("details")) { // only counted items and tables of drawings may be folded
		if hasClass(n, "table") {
			if len(find(n, tag("table"))) != 1 || len(find(n.Parent, tag("svg"))) != 1 {
				bad("a fold for a table without one, or without a drawing beside it")
			}
			continue
		}
		first := n.FirstChild
		items := find(n, tag("li", "dt"))
		if first == nil || first.Data != "summary" || content(first) != factsOf(d).words.T("%d more", len(items)) || len(find(n, tag("details", "summary"))) != 1 || len(items) < 2 {
			bad("a fold of %d items that says %q", len(items), content(n)[:min(40, len(content(n)))])
		}
	}
	for i, x := range d.Contradictions { // each side is quoted verbatim
		var want, got []string
		for _, q := range x.Passages {
			if strings.TrimSpace(q.Text) != "" {
				want = append(want, clean(q.Text))
			}
		}
		if box := p.ids[fmt.Sprintf("contradiction-%d", i+1)]; box != nil {
			for _, m := range find(box, citedStretch) {
				got = append(got, content(m))
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			bad("the sides of contradiction %d (-want +got):\n%s", i+1, diff)
		}
	}
	links := make(map[string][]*html.Node) // class and target
	for _, a := range find(root, tag("a")) {
		for _, class := range []string{"verdict", "cite"} {
			if hasClass(a, class) {
				links[class+attr(a, "href")] = append(links[class+attr(a, "href")], a)
			}
		}
	}
	for i, s := range d.Sentences {
		v := s.Verdict()
		signs := links[fmt.Sprintf("verdict#p%d", i+1)]
		if len(signs) != 1 {
			bad("sentence %d has %d verdicts beside it", i+1, len(signs))
		} else if got := content(signs[0]); got != v.Sign+" "+factsOf(d).words.T(v.Word) || !hasClass(signs[0], v.Class) {
			bad("sentence %d is shown as %q, want %q", i+1, got, v.Sign+" "+v.Word)
		}
		for j, r := range s.Receipts {
			id := fmt.Sprintf("r%d-%d", i+1, j+1)
			cited := false // or another receipt of its source, which stands beside it
			for k, other := range s.Receipts {
				cited = cited || other.SourceID == r.SourceID && len(links[fmt.Sprintf("cite#r%d-%d", i+1, k+1)]) > 0
			}
			if !cited {
				bad("no citation leads to receipt %s", id)
			}
			if p.ids[id] == nil {
				bad("receipt %s is not there", id)
				continue
			}
			marks := find(p.ids[id], citedStretch)
			passage, left := head(r.Passage)
			if (left != "") != strings.Contains(content(p.ids[id]), "more characters of the passage are not shown") {
				bad("receipt %s does not say whether its passage is whole", id)
			}
			if len(marks) != 1 || content(marks[0]) != clean(passage) {
				bad("receipt %s does not highlight its passage: %s", id, cmp.Diff(clean(passage), content(p.ids[id])))
				continue
			}
			quote := content(marks[0].Parent)
			if left == "" && !strings.Contains(quote, clean(r.Before)+clean(r.Passage)+clean(r.After)) {
				bad("receipt %s does not show what is around its passage: %q", id, quote)
			}
		}
	}
	return wrong
}

func TestHTMLReadBack(t *testing.T) {
	for _, f := range fixtures(t) {
		t.Run(f.name, func(t *testing.T) {
			for _, w := range checkPage(f.doc, render(t, HTML, f.doc)) {
				t.Error(w)
			}
		})
	}
}

func TestCheckPageFindsProblems(t *testing.T) {
	d := english(t)
	page := string(render(t, HTML, d))
	for _, tc := range []struct{ name, old, new string }{
		{"a script", "<main>", "<main><script>x</script>"},
		{"an event handler", "<main>", `<main onclick="x">`},
		{"a picture", "<main>", `<main><img src="https://example.org/x.png">`},
		{"a target that is gone", `id="r1-1"`, `id="r1-9"`},
		{"an id twice", `id="r1-1"`, `id="p1"`},
		{"another passage", `data-n="212"></span>A send`, `data-n="212"></span>A sent`},
		{"a verdict without words", `<span class="word">not in the source</span>`, ""},
		{"a script's address", `href="https://go.dev/ref/mem"`, `href="javascript:x"`},
		{"another side of a contradiction", `<span class="cited">A mutex was`, `<span class="cited">A mutex is`},
		{"a fold that counts wrongly", "<summary>2 more</summary>", "<summary>1 more</summary>"},
		{"a heading that skips", "<h2 dir=\"auto\">Executive Summary</h2>", "<h4 dir=\"auto\">Executive Summary</h4>"},
	} {
		changed := strings.Replace(page, tc.old, tc.new, 1)
		if changed == page {
			t.Errorf("%s: the page is unchanged", tc.name)
		}
		if len(checkPage(d, []byte(changed))) == 0 {
			t.Errorf("%s: not found", tc.name)
		}
	}
}

func TestHTMLPolicy(t *testing.T) {
	root, err := html.Parse(bytes.NewReader(render(t, HTML, english(t))))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range find(root, tag("meta")) {
		if attr(m, "http-equiv") != "Content-Security-Policy" {
			continue
		}
		got := attr(m, "content")
		if got != Policy() {
			t.Errorf("the page's policy is %q, want %q", got, Policy())
		}
		for _, want := range []string{"default-src 'none'", "base-uri 'none'", "form-action 'none'", "style-src 'sha256-"} {
			if !strings.Contains(got, want) {
				t.Errorf("policy %q lacks %q", got, want)
			}
		}
		if strings.Contains(got, "unsafe") {
			t.Errorf("unsafe policy %q", got)
		}
	}
	style := find(root, tag("style"))
	if len(style) != 1 || content(style[0]) != styleSheet() {
		t.Error("the policy has another hash than the style sheet")
	}
	if strings.Contains(styleSheet(), "url(") || strings.Contains(styleSheet(), "@import") {
		t.Error("the style sheet loads something")
	}
}

// citedStretch is the element of a passage, between what surrounds it.
func citedStretch(n *html.Node) bool { return n.Data == "span" && hasClass(n, "cited") }
