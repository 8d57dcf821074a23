package html

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/xmltree"
)

// mathForms are the elements that have a form in TeX: {n} is the part n of it, {b} the first one as a base.
var mathForms = map[string]string{
	"mfrac": `\frac{{0}}{{1}}`, "mroot": `\sqrt[{1}]{{0}}`, "msup": "{b}^{{1}}", "mover": "{b}^{{1}}", "msub": "{b}_{{1}}",
	"munder": "{b}_{{1}}", "msubsup": "{b}_{{1}}^{{2}}", "munderover": "{b}_{{1}}^{{2}}", "semantics": "{0}",
	"annotation": "", "annotation-xml": "", "mphantom": "", "mspace": " ",
}

// texOf translates presentation MathML to TeX. Symbols stay what they are. What it does not know it reads as the row of its
// children, so that no symbol is lost. The depth is bounded by that of the tree.
func texOf(n *html.Node) string {
	kids := Elements(n)
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
	switch n.Data {
	case "mtext", "ms":
		if s := bareText(n); s != "" {
			return `\text{` + strings.NewReplacer(`\`, "", "{", "", "}", "", "$", "").Replace(s) + "}"
		}
		return ""
	case "msqrt":
		return `\sqrt{` + texRow(kids, "") + "}"
	case "mtable":
		rows := make([]string, len(kids))
		for i, row := range kids {
			rows[i] = texRow(Elements(row), " & ")
		}
		return `\begin{matrix} ` + strings.Join(rows, ` \\ `) + ` \end{matrix}`
	case "mfenced":
		open, end := "(", ")"
		if hasAttr(n, "open") {
			open = attr(n, "open")
		}
		if hasAttr(n, "close") {
			end = attr(n, "close")
		}
		return open + texRow(kids, ", ") + end
	}
	if len(kids) == 0 {
		return bareText(n)
	}
	return texRow(kids, "")
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
