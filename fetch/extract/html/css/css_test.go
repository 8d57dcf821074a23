package css

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// FuzzStyles holds the reading of sheets to bounds: it ends, and hides nothing by a selector that is not there.
func FuzzStyles(f *testing.F) {
	for _, css := range []string{
		".x{display:none}", "#x,div.x{visibility:hidden}", "@media print{.x{display:none}}", "/* .x{ */.y{color:#fff;background:rgb(255,255,255)}",
		"@media screen{.x{display:none", ".x:not(.y)>i:nth-child(2n+1){opacity:calc(1 - (2*.5))}", "p{&.x{--a:none;display:var(--a,var(--a))}}", `.\78{c\6flor:#fff\9}`, "@import 'a';.x{font-size:0", "}}}{;{", ".{display:none}", ".x{position:fixed;left:-1e9px}", "@keyframes a{from{top:0}to{top:1px}}.x{display:none}",
	} {
		f.Add(css)
	}
	f.Fuzz(func(t *testing.T, css string) {
		doc, err := html.Parse(strings.NewReader(`<p class="x y" id="x" style="color:red"><i>a</i></p>`))
		if err != nil {
			t.Fatal(err)
		}
		s := None()
		s.read(normalize(css), scope{holds: always, layer: unlayered})
		for n := range doc.Descendants() {
			s.Style(n)
		}
		if s.steps > maxSteps || s.left > maxStyleRules {
			t.Errorf("%q: %d steps and %d rules are left", css, s.steps, s.left)
		}
	})
}

// Layers that are named first are weaker, wherever their rules are, and the other way round for important rules.
func TestOrderOfLayers(t *testing.T) {
	t.Parallel()
	for css, hidden := range map[string]bool{
		"@layer a,b;@layer b{p{display:none}}@layer a{p{display:block}}":                     true,
		"@layer a{p{display:none}}@layer b{p{display:block}}":                                false,
		"@layer a,b;@layer b{p{display:none!important}}@layer a{p{display:block!important}}": false,
		"p{display:block}@layer a{p{display:none}}":                                          false,
		"@layer{p{display:none}}@layer{p{display:block}}":                                    false,
		"@layer a{p{display:none!important}}p{display:block!important}":                      true,
	} {
		doc, err := html.Parse(strings.NewReader("<style>" + css + "</style><p>a"))
		if err != nil {
			t.Fatal(err)
		}
		s := Read(doc, nil)
		for n := range doc.Descendants() {
			if n.Data == "p" && (s.Style(n).Hides&ByDisplay != 0) != hidden {
				t.Errorf("%s: hidden %t, want %t", css, !hidden, hidden)
			}
		}
	}
}
