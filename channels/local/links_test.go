package local

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLinksOf(t *testing.T) {
	long := strings.Repeat("The mill stands by the river. ", 30)
	tests := []struct {
		name, html string
		want       []link
	}{
		{"a paragraph", `<p>To <b>grind</b> grain, see <a href="mill.html#stones">the mill</a>.`,
			[]link{{to: "docs/mill", text: "To grind grain, see the mill."}}},
		{"a term and its definition", `<dl><dt><a href="../mill.html">mill</a></dt><dd><p>Grinds grain.</p><p>Since 1820.</p></dd></dl>`,
			[]link{{to: "mill", text: "mill Grinds grain. Since 1820."}}},
		{"terms without a definition", `<dl><dt>grain, <a href="mill.html">Mill</a></dt><dt>water, <a href="mill.html">Mill</a></dt></dl>`,
			[]link{{to: "docs/mill", text: "grain, Mill\nwater, Mill"}}},
		{"a sentence of a long paragraph", "<p>" + long + `A <a href="dam.html">dam</a> keeps water. ` + long,
			[]link{{to: "docs/dam", text: "A dam keeps water."}}},
		{"items that are not closed", `<ul><li><a href=a.html>one</a> first<li><a href=b.html>two</a> second</ul>`,
			[]link{{to: "docs/a", text: "one first"}, {to: "docs/b", text: "two second"}}},
		{"elsewhere", `<p><a href="https://example.org/a.html">a</a> <a href="/a.html">b</a> <a href="../../a.html">c</a> <a ` +
			`href="#x">d</a> <a href="page.html#x">e</a> <a href="%zz">f</a> <a>g</a>`, nil},
		{"navigation and headings", `<div><a href="next.html">Next</a></div><h2><a href="mill.html">Mill</a></h2>`, nil},
		{"hidden text", `<p><script>secret()</script>See <a href="mill.html">mill</a></p>`, []link{{to: "docs/mill", text: "See mill"}}},
		{"not closed", `<p>See <a href="mill.html">mill`, []link{{to: "docs/mill", text: "See mill"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, linksOf("docs/page.html", []byte(tt.html)), cmp.AllowUnexported(link{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// The links of a page stay within their limits.
func TestLinksOfLimits(t *testing.T) {
	var page strings.Builder
	for i := range maxLinkTargets + 100 {
		page.WriteString("<p><a href=\"" + strings.Repeat("x", 1+i%7) + strings.Repeat("y", i/7) + "\">" + strings.Repeat("word ", 400) +
			"</a>")
	}
	links := linksOf("page.html", []byte(page.String()))
	if len(links) != maxLinkTargets {
		t.Errorf("%d targets", len(links))
	}
	for _, l := range links {
		if len(l.text) > maxTargetText {
			t.Fatalf("%d bytes about %s", len(l.text), l.to)
		}
	}
}
