package css

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestSelectors(t *testing.T) {
	t.Parallel()
	const page = `<main><h1 class="a b">One</h1><p>Two</p><p class="c">Three <b id="x">Four</b></p><ul><li>Five<li>Six</ul></main>`
	for selector, want := range map[string]string{
		"p": "p p", "main p": "p p", "main > p": "p p", "body > p": "", "h1 + p": "p", "h1 ~ p": "p p", "p b": "b", "p:not(.c)": "p",
		"main p > #x": "b", "html body main p b": "b", "h1 ~ p b": "b", ".a.b ~ .c > b": "b", "ul li + li": "li",
		"main > * > b": "b", "p > p": "", "b ~ p": "",
		// Browsers do not know these, and do not hide what they select.
		`p:contains("Two")`: "", "p:matches(T.o)": "", "main:haschild(p)": "", "p[class!=c]": "",
		// What looks at the elements around or inside of one is not read.
		"li:first-child": "", "p:has(b)": "", "b:not(h1 b)": "", "main:has(p > b)": "",
		"p:is(.d, b, :not(h1, ul)), ul li + li": "li", `.\63, P.c`: "p",
	} {
		doc, err := html.Parse(strings.NewReader("<style>" + selector + "{display:none}</style>" + page))
		if err != nil {
			t.Fatal(err)
		}
		sheet := Read(doc, nil)
		var got []string
		for n := range doc.Descendants() {
			_, hides := sheet.Style(n)
			if n.Type == html.ElementNode && n.Data != "head" && n.Data != "style" && hides != 0 {
				got = append(got, n.Data)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s selects %q, want %q", selector, got, want)
		}
	}
}

// Selectors that look far around use the steps of a page up; what follows them hides nothing.
func TestStepsAreBounded(t *testing.T) {
	t.Parallel()
	page := strings.Repeat("<b></b>", 300) + strings.Repeat("<i>", 300) + "<p title='" + strings.Repeat("x", 500_000) + "'>"
	for _, selector := range []string{"u i i i i i i i i", "u ~ b ~ b ~ b ~ b", "p[title*=y]"} {
		doc, err := html.Parse(strings.NewReader("<style>" + strings.Repeat(selector+"{display:none}", 300) + "</style>" + page))
		if err != nil {
			t.Fatal(err)
		}
		sheet := Read(doc, nil)
		sheet.steps = 100_000
		for n := range doc.Descendants() {
			sheet.Style(n)
		}
		if sheet.steps > 0 || sheet.steps < -1000 {
			t.Errorf("%s: %d steps are left", selector, sheet.steps)
		}
	}
}
