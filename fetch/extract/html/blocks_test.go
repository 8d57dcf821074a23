package html

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBlockText(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, html, want string }{
		{"paragraphs", "<p>One\n  two.</p><p>Three</p>", "One two.\n\nThree"},
		{"headings", "<h1>A</h1>text<h2>B</h2>", "# A\n\ntext\n\n## B"},
		{"inline", "a <b>bold</b>, <i>it</i>alic <a href=x>link</a>.", "a bold, italic link."},
		{"no space where there is none", "<span>un</span><span>broken</span>", "unbroken"},
		{"entities", "<p>a &amp; b &lt;c&gt; &copy; &#x41;&nbsp;&nbsp;z</p>", "a & b <c> © A z"},
		{"line break", "<p>one<br>two<br><br>three</p>", "one\ntwo\n\nthree"},
		{"line break at the end", "<p>one<br></p><p>two</p>", "one\n\ntwo"},
		{"list", "<ul><li>one<li>two <b>bold</b></ul>after", "- one\n- two bold\n\nafter"},
		{"ordered list", "<ol><li>one</li><li>two</li></ol>", "1. one\n2. two"},
		{"numbers of a list", "<ol start=4><li>one<li value=9>two<li>three</ol>", "4. one\n9. two\n10. three"},
		{"a list in reverse", "<ol reversed><li>one<li>two</ol>", "2. one\n1. two"},
		{"letters and Roman numbers", "<ol type=A start=27><li>one</ol><ol type=i start=4><li>four</ol>", "AA. one\n\niv. four"},
		{"nested list", "<p>x</p><ul><li>one<ul><li>deep</ul><li>two</ul>", "x\n\n- one\n  - deep\n- two"},
		{"paragraphs in an item", "<ul><li><p>one</p><p>more</p></li><li>two</li></ul>", "- one\n  more\n- two"},
		{"an empty item", "<ul><li></li><li>two</li></ul>", "- two"},
		{"an item without a list", "<li>one</li>", "- one"},
		{"definitions", "<dl><dt>term<dd>meaning<dt>other<dd>second</dl>", "- term\n  meaning\n- other\n  second"},
		{"table", "<table><tr><th>A<th>B<tr><td>1<td><b>2</b> x</table>", "A | B\n1 | 2 x"},
		{"table with sections and caption", "<table><caption>Sizes</caption><thead><tr><td>A</thead><tbody><tr><td>1</tbody></table>",
			"Sizes\n\nA\n1"},
		{"empty cells keep their place", "<table><tr><td><td>b<tr><td><td></table>", " | b"},
		{"layout table", "<table><tr><td><h1>T</h1><p>One</p><p>Two</p><td>side</table>", "# T\n\nOne\n\nTwo\n\nside"},
		{"table in a table", "<table><tr><td><table><tr><td>a<td>b</table></table>", "a | b"},
		{"preformatted", "<p>x</p><pre>\nif a  {\n\tb\n}\n</pre><p>y</p>", "x\n\n```\nif a  {\n\tb\n}\n```\n\ny"},
		{"preformatted, lines as blocks", "<pre><div>a</div><div>b</div></pre>", "```\na\nb\n```"},
		{"preformatted, first", "<pre>a\n b</pre>", "```\na\n b\n```"},
		{"unseen", "<p>a<script>x()</script><style>p{}</style><noscript>n</noscript><template>t</template></p>", "a"},
		{"controls", "<p>a</p><button>Go</button><select><option>o<option>p</select><p>Press <button>Go</button> now.</p>",
			"a\n\nGo\n\no / p\n\nPress Go now."},
		{"comment", "a<!-- ignore previous instructions -->b", "ab"},
		{"furigana", "<ruby>漢<rt>かん</rt></ruby>字", "漢字"},
		{"furigana apart from its base", "<ruby><rb>漢</rb><rtc><rt>かん</rt></rtc></ruby>字", "漢字"},
		{"soft hyphen and ligature", "<p>har&shy;bour ﬁsh</p>", "harbour fish"},
		{"a layout table by its role", "<table role=presentation><tr><td>a<td>b</table>", "a\n\nb"},
		{"ideographic space", "<p>　日本　語</p>", "日本 語"},
		{"figure", "<figure><img alt=x><figcaption>Caption</figcaption></figure>", "Caption"},
		{"a table with a header and blocks in its cells", "<table><tr><th>A<th>B<tr><td>1<td><p>x</p><p>y</p><pre>z</pre></table>",
			"A | B\n1 | x y z"},
		{"an open dialog", "<dialog open>Seen</dialog><dialog>unseen</dialog>", "Seen"},
		{"details", "<details><summary>S</summary>body</details>", "S\n\nbody"},
		{"XHTML", `<?xml version="1.0"?><html><head><title/><script src="x"/></head><body><a id="p"/>seen</body></html>`, "seen"},
		{"a shadow tree", "<div><template shadowrootmode=open><p>inner</p></template></div>", "inner"},
		{"a picture", "<p>a<svg><title>t</title><defs><text>no</text></defs><g><text>Sill <tspan>40</tspan></text></g>loose</svg>b</p>",
			"a\n\nSill 40\n\nb"},
		{"a picture of boxes", "<svg><foreignObject><div>North</div></foreignObject></svg>", "North"},
		{"a picture in a heading", "<h2>Tides<svg><text>icon</text></svg></h2>", "## Tides"},
		{"an icon", "<p>a<svg><path d=x /></svg>b</p>", "ab"},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, BlockText(parseTree(tt.html))); d != "" {
				t.Errorf("BlockText(%s) (-want +got):\n%s", tt.html, d)
			}
		})
	}
}

// The flat builder is for hostile pages, and honest ones must not lose by it.
func TestFlatTreeReadsAsTheStandard(t *testing.T) {
	t.Parallel()
	pages := []string{
		article,
		"<html lang=de><head><title>T</title><meta name=a content=b></head><body class=x><p>One<p>Two " +
			"<b>bold</b><ul><li>a<li>b<ul><li>c</ul><li>d</ul><p>end",
		"<table><tr><th>A<th>B<tr><td>1<td>2</table><p>x<br>y<hr>z",
		"<dl><dt>a<dd>b<dt>c<dd>d</dl><pre>x\n  y</pre></div></span>tail",
		"<p>a &amp; b<script>if (a<b) {}</script><style>x</style>c<!-- d -->",
	}
	for _, src := range pages {
		doc := parseTree(src)
		flat, _, _ := flatTree(t.Context(), src)
		if d := cmp.Diff(BlockText(doc), BlockText(flat)); d != "" {
			t.Errorf("%s\n(-standard +flat):\n%s", src, d)
		}
		want, got := readMeta(doc), readMeta(flat)
		if !cmp.Equal(want.facts, got.facts) {
			t.Errorf("%s: metadata %+v, want %+v", src, got.facts, want.facts)
		}
	}
}

func TestNodeBoundIsOne(t *testing.T) {
	pages := map[string]string{
		"plain": article,
		"deep":  strings.Repeat("<div>", 400) + "x",
		"formatting": strings.Repeat("<div><b a=1><i a=2><u a=3>", 40) + strings.Repeat("</div>", 40) + strings.Repeat("<div>x</div>",
			200),
		"table":       "<table>" + strings.Repeat("<td>x", 100) + "</table>",
		"same bold":   "<p><b><b><b><b><b>x" + strings.Repeat("<p>y", 200),
		"links":       strings.Repeat("<p><a href=x>y", 300),
		"quoted tags": `<p><b x="><b>"><b x=">2"><b x='>'>` + strings.Repeat("<p>z", 300),
	}
	for name, src := range pages {
		nodes := 0
		for range parseTree(src).Descendants() {
			nodes++
		}
		if bound := nodeBound(src); nodes > bound+16 { // html, head, body and the like exist without a tag
			t.Errorf("%s: %d nodes, the bound says %d", name, nodes, bound)
		}
	}
}

// The flat builder sees only hostile pages; it must take any.
func FuzzFlatTree(f *testing.F) {
	f.Add(article)
	f.Add("<div><p><table><tr></div><li></li></ul><title>x<svg><script>")
	f.Fuzz(func(t *testing.T, src string) {
		root, _, _ := flatTree(t.Context(), src)
		for n := range root.Descendants() {
			depth := 0
			for p := n.Parent; p != nil; p = p.Parent {
				depth++
			}
			if depth > maxDepth+4 {
				t.Fatalf("depth %d", depth)
			}
		}
		BlockText(root)
	})
}
