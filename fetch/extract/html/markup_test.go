package html

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/html/css"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/markdown/markdowntest"
	"github.com/google/go-cmp/cmp"
)

// marked writes a tree as text and as Markdown, without choosing.
func marked(t testing.TB, src string) document.Document {
	t.Helper()
	doc := parseTree(src)
	readFormulas(doc)
	readRoles(doc)
	prune(doc, css.None())
	w := blockWriter{mark: &markup{base: &url.URL{Scheme: "https", Host: "host.example", Path: "/dir/page"}, notes: findNotes(doc)}}
	w.children(doc)
	w.flush(0)
	var d document.Document
	d.Text, d.Markdown, d.Runs = w.result()
	d.References = w.mark.links.References
	return d
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, html, want string }{
		{"paragraphs", "<p>One</p><p>Two</p>", "One\n\nTwo"},
		{"headings", "<h1>A</h1>x<h3>B <b>c</b></h3>", "# A\n\nx\n\n### B c"},
		{"a heading on two lines", "<h2>A<br>b</h2>", "## A b"},
		{"emphasis", "a <b>bold</b>, <em>it</em>alic and <s>gone</s>", "a **bold**, *it*alic and ~~gone~~"},
		{"emphasis around white space", "a<b> bold </b>b", "a **bold** b"},
		{"emphasis around nothing", "a<b> </b>b", "a b"},
		{"emphasis around blocks", "<b><p>a</p><p>b</p></b>", "**a**\n\n**b**"},
		{"nested emphasis", "<b>a <strong>b</strong> <i>c</i></b>", "**a b *c***"},
		{"line break", "a<br>b", "a  \nb"},
		{"link", "see <a href='/x?a=1'>the page</a>.", "see [the page](https://host.example/x?a=1)."},
		{"link with brackets", "<a href='/a_(b)'>x</a>", "[x](https://host.example/a_%28b%29)"},
		{"link to nowhere", "<a href='javascript:x()'>x</a> <a href='#y'>y</a> <a>z</a>", "x y z"},
		{"link around a heading", "<a href='/x'><h2>Title</h2><p>Lead</p></a>", "## [Title](https://host.example/x)\n\n[Lead](https://host.example/x)"},
		{"user info in a link", "<a href='https://me:pw@other.example/'>x</a>", "[x](https://other.example/)"},
		{"list", "<ul><li>one<li>two</ul>", "- one\n- two"},
		{"ordered list", "<ol start=3><li>one<li>two</ol>", "3. one\n4. two"},
		{"nested list", "<ul><li>one<ul><li>deep</ul><li>two</ul>", "- one\n  - deep\n- two"},
		{"paragraphs in an item", "<ol><li><p>one</p><p>more</p><li>two</ol>", "1. one\n\n   more\n2. two"},
		{"code", "use <code>a*b</code> and <kbd>x `y`</kbd>", "use `a*b` and `` x `y` ``"},
		{"block of code", "<pre><code class='language-go'>if a {\n\tb\n}\n</code></pre>", "```go\nif a {\n\tb\n}\n```"},
		{"code of a highlighter", "<div class='highlight-python'><pre><span>x</span> = 1</pre></div>", "```python\nx = 1\n```"},
		{"code with a fence in it", "<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"},
		{"code in a list", "<ul><li>a<pre>x\ny</pre><li>b</ul>", "- a\n\n  ```\n  x\n  y\n  ```\n- b"},
		{"table", "<table><tr><th>A<th>B<tr><td>1<td>a|b</table>", "| A | B |\n| --- | --- |\n| 1 | a\\|b |"},
		{"table with links and breaks", "<table><tr><td><a href=/x>n</a><td>1<br>2</table>", "| [n](https://host.example/x) | 1 2 |\n| --- | --- |"},
		{"table with a caption", "<table><caption>Sizes</caption><tr><td>1<td>2</table>x", "Sizes\n\n| 1 | 2 |\n| --- | --- |\n\nx"},
		{"quotation", "<p>a</p><blockquote><p>b</p><p>c</p></blockquote><p>d</p>", "a\n\n> b\n>\n> c\n\nd"},
		{"quotation in a list", "<ul><li>a<blockquote>b</blockquote></ul>", "- a\n\n  > b"},
		{"marks in the text", "1 * 2 [x] _y_ a_b `c` <i>d</i> \\* 5 < 6", "1 \\* 2 \\[x] \\_y\\_ a_b \\`c\\` *d* \\\\\\* 5 < 6"},
		{"a text like a list", "<p>- a</p><p>1. b</p><p># c</p><p>+1 d</p>", "\\- a\n\n1\\. b\n\n\\# c\n\n+1 d"},
		{"raised and lowered", "x<sup>2</sup> H<sub>2</sub>O 2<sup>32</sup> 10<sup>−6</sup>", "x² H₂O 2³² 10⁻⁶"},
		{"raised words", "the 1<sup>st</sup> x<sup>a+b</sup>", "the 1<sup>st</sup> x<sup>a+b</sup>"},
		{"a cell over two rows", "<table><tr><th>Port<th>Year<th>m<tr><td rowspan=2>Arden<td>2020<td>4<tr><td>2021<td>5</table>", "| Port | Year | m |\n| --- | --- | --- |\n| Arden | 2020 | 4 |\n| Arden | 2021 | 5 |"},
		{"a cell over two columns", "<table><tr><th colspan=2>Size<th>m<tr><td>a<td>b<td>4</table>", "| Size |  | m |\n| --- | --- | --- |\n| a | b | 4 |"},
		{"a table by roles", "<div role=table><div role=rowgroup><div role=row><span role=columnheader>A</span><span role=columnheader>B</span></div></div><div><div role=row><span role=cell>1</span><span role=cell>2</span></div></div></div>", "| A | B |\n| --- | --- |\n| 1 | 2 |"},
		{"a heading by its role", "<div role=heading aria-level=3>A</div>b", "### A\n\nb"},
		{"a heading that unfolds", "<h3><button>Who pays?</button></h3><p>b</p>", "### Who pays?\n\nb"},
		{"definitions", "<dl><dt>a<dd>b</dl>", "a\n\nb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := marked(t, tt.html)
			if diff := cmp.Diff(tt.want, d.Markdown); diff != "" {
				t.Errorf("Markdown of %s (-want +got):\n%s", tt.html, diff)
			}
			markdowntest.CheckRuns(t, &d)
		})
	}
}

// Lists and quotations in one another put no more before a line than a few of them would, so that a page cannot
// grow by its depth.
func TestMarkdownOfDeepPagesIsBounded(t *testing.T) {
	t.Parallel()
	for _, open := range []string{"<ul><li>a ", "<ol><li>a ", "<blockquote>a ", "<ul><li><blockquote>a "} {
		src := strings.Repeat(open, 5_000)
		if d := marked(t, src); len(d.Markdown) > 20*len(src) || len(d.Text) > 20*len(src) {
			t.Errorf("%q: %d bytes of source, %d of Markdown, %d of text", open, len(src), len(d.Markdown), len(d.Text))
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add(article)
	f.Add("<ul><li>a<ol><li><pre>x\n\ny</pre><table><tr><td>a<td><ul><li>b</table><blockquote>c<br><br>d")
	f.Add("<p>x<sup><a href=#n>1</a></sup><math><mi>x</mi></math><p id=n><a href=#r>^</a> note `*_[<b>")
	f.Fuzz(func(t *testing.T, src string) {
		d := marked(t, src)
		if !utf8.ValidString(d.Markdown) {
			t.Fatalf("%q", d.Markdown)
		}
		markdowntest.CheckPieces(t, &d)
	})
}

func TestReferences(t *testing.T) {
	t.Parallel()
	d := marked(t, `<p><a href="https://other.example/a#x">One</a> <a href="https://other.example/a">again</a> <a href="/own">own</a>
		<a href="https://doi.org/10.1234/ABC">paper</a> <a href="https://sub.host.example/y">sister</a> <a href="mailto:a@b.example">mail</a></p>`)
	want := []document.Reference{
		{URL: "https://other.example/a", Text: "One"},
		{URL: "https://doi.org/10.1234/ABC", DOI: "10.1234/abc", Text: "paper"},
	}
	if diff := cmp.Diff(want, d.References); diff != "" {
		t.Errorf("references (-want +got):\n%s", diff)
	}
}
