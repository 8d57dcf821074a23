package local

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/channels/local/index"
)

func TestLinksOf(t *testing.T) {
	long := strings.Repeat("The mill stands by the river. ", 30)
	tests := []struct {
		name, html string
		want       []index.Link
	}{
		{"a paragraph", `<p>To <b>grind</b> grain, see <a href="mill.html#stones">the mill</a>.`, []index.Link{{To: "docs/mill.html", Text: "To grind grain, see the mill."}}},
		{"a term and its definition", `<dl><dt><a href="../mill.html">mill</a></dt><dd><p>Grinds grain.</p><p>Since 1820.</p></dd></dl>`, []index.Link{{To: "mill.html", Text: "mill Grinds grain."}}},
		{"terms without a definition", `<dl><dt>grain, <a href="mill.html">Mill</a></dt><dt>water, <a href="mill.html">Mill</a></dt></dl>`, []index.Link{{To: "docs/mill.html", Text: "grain, Mill\nwater, Mill"}}},
		{"a sentence of a long paragraph", "<p>" + long + `A <a href="dam.html">dam</a> keeps water. ` + long, []index.Link{{To: "docs/dam.html", Text: "A dam keeps water."}}},
		{"items that are not closed", `<ul><li><a href=a.html>one</a> first<li><a href=b.html>two</a> second</ul>`, []index.Link{{To: "docs/a.html", Text: "one first"}, {To: "docs/b.html", Text: "two second"}}},
		{"elsewhere", `<p><a href="https://example.org/a.html">a</a> <a href="/a.html">b</a> <a href="../../a.html">c</a> <a href="#x">d</a> <a href="page.html#x">e</a> <a href="%zz">f</a> <a>g</a>`, nil},
		{"navigation and headings", `<div><a href="next.html">Next</a></div><h2><a href="mill.html">Mill</a></h2>`, nil},
		{"hidden text", `<p><script>secret()</script>See <a href="mill.html">mill</a></p>`, []index.Link{{To: "docs/mill.html", Text: "See mill"}}},
		{"not closed", `<p>See <a href="mill.html">mill`, []index.Link{{To: "docs/mill.html", Text: "See mill"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, linksOf("docs/page.html", strings.NewReader(tt.html))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The links of a page stay within their limits.
func TestLinksOfLimits(t *testing.T) {
	var page strings.Builder
	for i := range maxLinkTargets + 100 {
		page.WriteString("<p><a href=\"" + strings.Repeat("x", 1+i%7) + strings.Repeat("y", i/7) + "\">" + strings.Repeat("word ", 400) + "</a>")
	}
	links := linksOf("page.html", strings.NewReader(page.String()))
	if len(links) != maxLinkTargets {
		t.Errorf("%d targets", len(links))
	}
	for _, l := range links {
		if len(l.Text) > maxTargetText {
			t.Fatalf("%d bytes about %s", len(l.Text), l.To)
		}
	}
}
