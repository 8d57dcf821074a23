package html

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// texOf translates presentation MathML to TeX. Symbols stay what they are. What it does not know it reads as the row of its
// children, so that no symbol is lost. The depth is bounded by that of the tree.
func texOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return strings.TrimSpace(n.Data)
	}
	if n.Type != html.ElementNode {
		return ""
	}
	kids := Elements(n)
	part := func(i int) string {
		if i < len(kids) {
			return texOf(kids[i])
		}
		return ""
	}
	base := func() string {
		if s := part(0); utf8.RuneCountInString(s) > 1 {
			return "{" + s + "}"
		}
		return part(0)
	}
	switch n.Data {
	case "annotation", "annotation-xml", "mphantom":
		return ""
	case "mtext", "ms":
		if s := inlineMath(n); s != "" {
			return `\text{` + strings.NewReplacer(`\`, "", "{", "", "}", "", "$", "").Replace(s) + "}"
		}
		return ""
	case "mspace":
		return " "
	case "mfrac":
		return `\frac{` + part(0) + "}{" + part(1) + "}"
	case "msqrt":
		return `\sqrt{` + texRow(kids, "") + "}"
	case "mroot":
		return `\sqrt[` + part(1) + "]{" + part(0) + "}"
	case "msup", "mover":
		return base() + "^{" + part(1) + "}"
	case "msub", "munder":
		return base() + "_{" + part(1) + "}"
	case "msubsup", "munderover":
		return base() + "_{" + part(1) + "}^{" + part(2) + "}"
	case "mfenced":
		open, end := "(", ")"
		for _, a := range n.Attr {
			switch a.Key {
			case "open":
				open = a.Val
			case "close":
				end = a.Val
			}
		}
		return open + texRow(kids, ", ") + end
	case "mtable":
		rows := make([]string, len(kids))
		for i, row := range kids {
			rows[i] = texRow(Elements(row), " & ")
		}
		return `\begin{matrix} ` + strings.Join(rows, ` \\ `) + ` \end{matrix}`
	case "semantics":
		return part(0)
	}
	if len(kids) == 0 {
		return inlineMath(n)
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
			(utf8.RuneCountInString(s) > 1 && n.Data == "mi" || nodes[i-1].Data == "mi" && len(inlineMath(nodes[i-1])) > 1) {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	return b.String()
}

// inlineMath is the bare text of a leaf, without signs that nobody sees: applied, times, separated, plus.
func inlineMath(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(strings.Trim(d.Data, "\u2061\u2062\u2063\u2064"))
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
