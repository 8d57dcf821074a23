package html

import (
	_ "embed" // texnames.txt
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/datafile"
	"golang.org/x/net/html"
)

// texOf translates presentation MathML to TeX. What it does not know it reads as the row of its children, so
// that no symbol is lost. The depth is bounded by that of the tree.
func texOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return texSymbols(strings.TrimSpace(n.Data))
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
	switch n.Data {
	case "annotation", "annotation-xml", "mphantom":
		return ""
	case "mtext", "ms":
		if s := inlineMath(n); s != "" {
			return `\text{` + strings.NewReplacer(`\`, "", "{", "", "}", "", "$", "").Replace(s) + "}"
		}
		return ""
	case "mi":
		s := inlineMath(n)
		if utf8.RuneCountInString(s) > 1 {
			return texName(s)
		}
		return texSymbols(s)
	case "mo":
		return texOperator(inlineMath(n))
	case "mn":
		return inlineMath(n)
	case "mspace":
		return " "
	case "mfrac":
		return `\frac{` + part(0) + "}{" + part(1) + "}"
	case "msqrt":
		return `\sqrt{` + texRow(kids) + "}"
	case "mroot":
		return `\sqrt[` + part(1) + "]{" + part(0) + "}"
	case "msup":
		return texBase(part(0)) + "^{" + part(1) + "}"
	case "msub":
		return texBase(part(0)) + "_{" + part(1) + "}"
	case "msubsup", "munderover":
		return texBase(part(0)) + "_{" + part(1) + "}^{" + part(2) + "}"
	case "munder":
		return texBase(part(0)) + "_{" + part(1) + "}"
	case "mover":
		if accent := texNames()["accents"][strings.TrimSpace(textOf(kids, 1))]; accent != "" {
			return accent + "{" + part(0) + "}"
		}
		return texBase(part(0)) + "^{" + part(1) + "}"
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
		parts := make([]string, len(kids))
		for i := range kids {
			parts[i] = part(i)
		}
		return texSymbols(open) + strings.Join(parts, ", ") + texSymbols(end)
	case "mtable":
		rows := make([]string, len(kids))
		for i, row := range kids {
			cells := Elements(row)
			parts := make([]string, len(cells))
			for k, c := range cells {
				parts[k] = texRow(Elements(c))
			}
			rows[i] = strings.Join(parts, " & ")
		}
		return `\begin{matrix} ` + strings.Join(rows, ` \\ `) + ` \end{matrix}`
	}
	if len(kids) == 0 {
		return texSymbols(inlineMath(n))
	}
	if n.Data == "semantics" {
		return part(0)
	}
	return texRow(kids)
}

// texRow writes expressions one behind the other, apart where a command would run into a letter.
func texRow(nodes []*html.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		s := texOf(n)
		if s == "" {
			continue
		}
		if b.Len() > 0 && endsInCommand(b.String()) && isAlphanumeric(s[0]) {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	return b.String()
}

func endsInCommand(s string) bool {
	i := len(s)
	for i > 0 && 'a' <= s[i-1]|0x20 && s[i-1]|0x20 <= 'z' {
		i--
	}
	return i > 0 && i < len(s) && s[i-1] == '\\'
}

// texBase is what carries an index: one symbol, or a group.
func texBase(s string) string {
	if utf8.RuneCountInString(s) <= 1 || s[0] == '\\' && endsInCommand(s) && strings.Count(s, `\`) == 1 {
		return s
	}
	return "{" + s + "}"
}

func textOf(nodes []*html.Node, i int) string {
	if i < len(nodes) {
		return inlineMath(nodes[i])
	}
	return ""
}

// inlineMath is the bare text of a leaf.
func inlineMath(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func texName(s string) string {
	switch s {
	case "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "log", "ln", "exp", "lim", "max", "min",
		"sup", "inf", "det", "dim", "ker", "gcd", "arg", "deg", "Pr":
		return `\` + s
	}
	if strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 || !isAlphanumeric(byte(r)) }) >= 0 {
		return texSymbols(s)
	}
	return `\mathrm{` + s + "}"
}

func texOperator(s string) string {
	switch s {
	case "\u2061", "\u2062", "\u2063", "\u2064": // applied, times, separated, plus: not seen
		return ""
	case "{", "}":
		return `\` + s
	}
	return texSymbols(s)
}

// texSymbols writes each symbol by its name in TeX, where it has one.
func texSymbols(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 || strings.ContainsRune(`%#&$_{}`, r) }) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		name, known := texNames()["names"][string(r)]
		switch {
		case known:
			if b.Len() > 0 && endsInCommand(b.String()) && isAlphanumeric(name[0]) {
				b.WriteByte(' ')
			}
			b.WriteString(name)
		case strings.ContainsRune(`%#&$_{}`, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			if endsInCommand(b.String()) && r < 0x80 && isAlphanumeric(byte(r)) {
				b.WriteByte(' ')
			}
			b.WriteRune(r)
		}
	}
	return b.String()
}

//go:embed texnames.txt
var texNameList string

// texNames are the names of symbols in TeX, in the list "names", and of signs over a symbol, in "accents".
var texNames = sync.OnceValue(func() map[string]map[string]string {
	lists := map[string]map[string]string{"names": {}, "accents": {}}
	for list, line := range datafile.Sections(texNameList) {
		symbol, name, _ := strings.Cut(line, " ")
		lists[list][symbol] = name
	}
	return lists
})
