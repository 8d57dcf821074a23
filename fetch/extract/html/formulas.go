package html

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
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
			if tex, display, ok := formulaIn(c); ok {
				left--
				if tex != "" {
					n.InsertBefore(formulaNode(tex, display), c)
				}
				n.RemoveChild(c)
			} else {
				walk(c)
			}
			c = next
		}
	}
	walk(doc)
}

func formulaNode(tex string, display bool) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: formulaTag}
	if display {
		n.Attr = []html.Attribute{{Key: "display", Val: "block"}}
		return With(n, TextNode("$$"+tex+"$$"))
	}
	return With(n, TextNode("$"+tex+"$"))
}

func hasClass(n *html.Node, names ...string) bool {
	class := attr(n, "class")
	return class != "" && slices.ContainsFunc(names, func(name string) bool { return hasWord(class, name) })
}

// formulaIn reads an element that is a formula as a whole. MathJax 2 shows what a script beside it says; KaTeX, MathJax and Wikipedia
// have MathML in what they show.
func formulaIn(n *html.Node) (tex string, display, ok bool) {
	if n.Type != html.ElementNode {
		return "", false, false
	}
	if mode, isSource := sourceMode(n); isSource {
		return tidyTeX(n.FirstChild.Data), strings.Contains(mode, "display"), true
	}
	displayed := hasClass(n, "katex-display", "mwe-math-element-block", "MathJax_Display")
	switch {
	case n.Data == "math":
		return mathTeX(n), attr(n, "display") == "block" || attr(n, "mode") == "display" || inEquation(n), true
	case n.DataAtom == atom.Img:
		tex = tidyTeX(attr(n, "alt"))
		isFormula := formulaClass.MatchString(attr(n, "class")) || formulaAddress.MatchString(attr(n, "src"))
		return tex, false, isFormula && isTeX(tex)
	case isMathJax(n) && hasSource(n):
		return "", false, true
	case displayed || n.Data == "mjx-container" || hasClass(n, "katex", "mwe-math-element", "MathJax"):
		for m := range n.Descendants() {
			if m.Type == html.ElementNode && m.Data == "math" {
				return mathTeX(m), displayed || attr(n, "display") == "true" || attr(m, "display") == "block", true
			}
		}
	}
	return "", false, false
}

// Pictures of formulas, with TeX as their text, have these classes or addresses.
var (
	formulaClass   = lazyregexp.New(`(?i)(?:^|\s)(?:latex|math|tex|mwe-math-fallback-image-\w+)(?:\s|$)`)
	formulaAddress = lazyregexp.New(`(?i)latex\.php|codecogs`)
)

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

// mathForms are the elements of which each child has its place in TeX: {n} is the part n, {b} the first one as a base.
var mathForms = map[string]string{
	"mfrac": `\frac{{0}}{{1}}`, "mroot": `\sqrt[{1}]{{0}}`, "msup": "{b}^{{1}}", "mover": "{b}^{{1}}", "msub": "{b}_{{1}}",
	"munder": "{b}_{{1}}", "msubsup": "{b}_{{1}}^{{2}}", "munderover": "{b}_{{1}}^{{2}}", "semantics": "{0}",
	"annotation": "", "annotation-xml": "", "mphantom": "", "mspace": " ",
}

// mathRows are those whose children stand in a row: what is before, between and behind them.
var mathRows = map[string][3]string{
	"msqrt": {`\sqrt{`, "", "}"}, "mfenced": {"(", ", ", ")"}, "mtr": {"", " & ", ""},
	"mtable": {`\begin{matrix} `, ` \\ `, ` \end{matrix}`},
}

// texOf translates presentation MathML to TeX. Symbols stay what they are. What it does not know it reads as the row of its
// children, so that no symbol is lost. The depth is bounded by that of the tree.
func texOf(n *html.Node) string {
	kids, row := Elements(n), mathRows[n.Data]
	if form, ok := mathForms[n.Data]; ok {
		var parts [3]string
		for i, kid := range kids[:min(len(kids), len(parts))] {
			parts[i] = texOf(kid)
		}
		base := parts[0]
		if utf8.RuneCountInString(base) > 1 {
			base = "{" + base + "}"
		}
		return strings.NewReplacer("{0}", parts[0], "{1}", parts[1], "{2}", parts[2], "{b}", base).Replace(form)
	}
	switch {
	case n.Data == "mtext":
		return `\text{` + strings.NewReplacer(`\`, "", "{", "", "}", "", "$", "").Replace(bareText(n)) + "}"
	case len(kids) == 0:
		return bareText(n)
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "open":
			row[0] = a.Val
		case "close":
			row[2] = a.Val
		}
	}
	return row[0] + texRow(kids, row[1]) + row[2]
}

// texRow writes expressions one behind the other. Words and numbers stand apart from each other, such as sin x.
func texRow(nodes []*html.Node, between string) string {
	var b strings.Builder
	for i, n := range nodes {
		s := texOf(n)
		if i > 0 {
			b.WriteString(between)
		}
		if s == "" {
			continue
		}
		if before := b.String(); between == "" && before != "" && isAlphanumeric(before[len(before)-1]) && isAlphanumeric(s[0]) &&
			(utf8.RuneCountInString(s) > 1 && n.Data == "mi" || nodes[i-1].Data == "mi" && len(bareText(nodes[i-1])) > 1) {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	return b.String()
}

// bareText is the text of an element without marks, and without signs that nobody sees: applied, times, separated, plus.
func bareText(n *html.Node) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if 0x2061 <= r && r <= 0x2064 {
			return -1
		}
		return r
	}, xmltree.Text(n))), " ")
}
