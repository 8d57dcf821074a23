package html

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	maxFormulas     = 20_000
	maxFormulaBytes = 4_000 // of TeX; long derivations reach 2,000
)

// readFormulas puts TeX in the place of formulas: of MathML, by its own annotation or translated; of KaTeX and
// MathJax, in what they render and in the scripts that they render from. It must run before the tree is
// pruned, since a part of each is hidden or a script.
func readFormulas(doc *html.Node) {
	left := maxFormulas
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		for c := n.FirstChild; c != nil && left > 0; {
			next := c.NextSibling
			if c.Type == html.ElementNode {
				if tex, display, ok := formulaIn(c); ok {
					left--
					if tex != "" {
						n.InsertBefore(formulaNode(tex, display), c)
					}
					n.RemoveChild(c)
				} else {
					walk(c)
				}
			}
			c = next
		}
	}
	walk(doc)
}

func formulaNode(tex string, display bool) *html.Node {
	if display {
		return With(&html.Node{Type: html.ElementNode, Data: formulaTag, Attr: []html.Attribute{{Key: "display", Val: "block"}}},
			TextNode("$$"+tex+"$$"))
	}
	return With(&html.Node{Type: html.ElementNode, Data: formulaTag}, TextNode("$"+tex+"$"))
}

// The elements in which KaTeX, MathJax and Wikipedia show formulas, in a line or displayed.
var (
	inlineFormulas    = []string{"katex", "mwe-math-element", "MathJax"}
	displayedFormulas = []string{"katex-display", "mwe-math-element-block", "MathJax_Display"}
)

func hasClass(n *html.Node, names ...string) bool {
	class := attr(n, "class")
	return slices.ContainsFunc(names, func(name string) bool { return hasWord(class, name) })
}

// formulaIn reads an element that is a formula as a whole. MathJax 2 shows what a script beside it says.
func formulaIn(n *html.Node) (tex string, display, ok bool) {
	if mode, isSource := sourceMode(n); isSource {
		return tidyTeX(n.FirstChild.Data), strings.Contains(mode, "display"), true
	}
	display = hasClass(n, displayedFormulas...) || attr(n, "display") == "block" || attr(n, "display") == "true"
	switch {
	case n.Data == "math":
		return mathTeX(n), display || attr(n, "mode") == "display" || inEquation(n), true
	case n.DataAtom == atom.Img:
		tex = tidyTeX(attr(n, "alt"))
		isFormula := formulaClass.MatchString(attr(n, "class")) || formulaAddress.MatchString(attr(n, "src")) ||
			strings.Contains(attr(n, "src"), "/math/") && !isPlain(tex)
		return tex, false, isFormula && isTeX(tex)
	case isMathJax(n) && hasSource(n):
		return "", false, true
	case n.Data != "mjx-container" && !hasClass(n, displayedFormulas...) && !hasClass(n, inlineFormulas...):
		return "", false, false
	}
	if m := firstMath(n); m != nil {
		return mathTeX(m), display || attr(m, "display") == "block", true
	}
	return "", false, false
}

// Pictures of formulas, with TeX as their text, have these classes or addresses. Those in a folder /math/ may be other pictures.
var (
	formulaClass   = lazyregexp.New(`(?i)(?:^|\s)(?:latex|math|tex|mwe-math-fallback-image-\w+)(?:\s|$)`)
	formulaAddress = lazyregexp.New(`(?i)latex\.php|codecogs`)
	threeLetters   = lazyregexp.New(`\pL{3}`)
)

// isPlain reports words without a sign of TeX.
func isPlain(s string) bool { return threeLetters.MatchString(s) && !strings.ContainsAny(s, `\^_={}`) }

// sourceMode reports a script that holds the TeX of a formula, and how it is shown.
func sourceMode(n *html.Node) (mode string, ok bool) {
	kind, mode, _ := strings.Cut(attr(n, "type"), ";")
	return mode, n.DataAtom == atom.Script && n.FirstChild != nil && strings.TrimSpace(kind) == "math/tex"
}

func isMathJax(n *html.Node) bool {
	class := attr(n, "class")
	return strings.HasPrefix(class, "MathJax") || strings.Contains(class, " MathJax")
}

// hasSource reports an element of MathJax with the script behind it.
func hasSource(n *html.Node) bool {
	for n = n.NextSibling; n != nil && (n.Type != html.ElementNode || isMathJax(n)); n = n.NextSibling {
	}
	if n == nil {
		return false
	}
	_, ok := sourceMode(n)
	return ok
}

// inEquation reports a formula in an element of its own for equations.
func inEquation(n *html.Node) bool {
	for p, depth := n.Parent, 0; p != nil && depth < 3; p, depth = p.Parent, depth+1 {
		if hasClass(p, "ltx_equation", "disp-formula") {
			return true
		}
	}
	return false
}

func firstMath(n *html.Node) *html.Node {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == "math" {
			return d
		}
	}
	return nil
}

// mathTeX is a MathML formula as TeX: the source that it carries, when that can be the same formula, else a
// translation.
func mathTeX(math *html.Node) string {
	for d := range math.Descendants() {
		if d.Type == html.ElementNode && d.Data == "annotation" && d.FirstChild != nil &&
			strings.Contains(strings.ToLower(attr(d, "encoding")), "tex") {
			if tex := tidyTeX(d.FirstChild.Data); isTeX(tex) {
				return tex
			}
		}
	}
	if tex := tidyTeX(attr(math, "alttext")); isTeX(tex) {
		return tex
	}
	return tidyTeX(texOf(math))
}

var (
	texCommand = lazyregexp.New(`\\[A-Za-z]+(\s*\{[A-Za-z* ]*\})?`)
	texWords   = lazyregexp.New(`[A-Za-z]{4,}[ ,.]+[A-Za-z]{2,}[ ,.]+[A-Za-z]{2,}`)
)

// isTeX refuses sources that are prose: a source is not shown, so it must not say what the formula does not.
func isTeX(s string) bool {
	return s != "" && len(s) <= maxFormulaBytes && !texWords.MatchString(texCommand.ReplaceAllString(s, ""))
}

// tidyTeX writes a formula on one line, without the dollars and the style that some put around it.
func tidyTeX(s string) string {
	s = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(s), "% <![CDATA["), "%]]>")
	s = sanitize.Line(s)
	for _, pair := range [][2]string{{"$$", "$$"}, {"$", "$"}, {`\(`, `\)`}, {`\[`, `\]`}, {`{\displaystyle`, `}`}, {`{\textstyle`, `}`}} {
		if len(s) > len(pair[0])+len(pair[1]) && strings.HasPrefix(s, pair[0]) && strings.HasSuffix(s, pair[1]) {
			s = strings.TrimSpace(s[len(pair[0]) : len(s)-len(pair[1])])
		}
	}
	if len(s) > maxFormulaBytes {
		return ""
	}
	return s
}
