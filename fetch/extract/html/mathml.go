package html

import (
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
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
		if accent := texAccents[strings.TrimSpace(textOf(kids, 1))]; accent != "" {
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
	return strings.Join(strings.FieldsFunc(b.String(), document.IsSpace), " ")
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
		name, known := texNames[r]
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

// texAccents are signs over a symbol.
var texAccents = map[string]string{
	"\u0302": `\hat`, "\u0303": `\tilde`, "\u0304": `\bar`, "\u0307": `\dot`, "\u0308": `\ddot`, "\u030c": `\check`, "¯": `\bar`, "‾": `\overline`, "^": `\hat`, "ˆ": `\hat`, "~": `\tilde`, "˜": `\tilde`, "→": `\vec`, "⃗": `\vec`, "˙": `\dot`, ".": `\dot`, "¨": `\ddot`, "⏞": `\overbrace`, "_": `\underline`,
}

// texNames are the symbols in use in papers.
var texNames = map[rune]string{
	'α': `\alpha`, 'β': `\beta`, 'γ': `\gamma`, 'δ': `\delta`, 'ε': `\varepsilon`, 'ϵ': `\epsilon`, 'ζ': `\zeta`, 'η': `\eta`, 'θ': `\theta`, 'ϑ': `\vartheta`,
	'ι': `\iota`, 'κ': `\kappa`, 'λ': `\lambda`, 'μ': `\mu`, 'µ': `\mu`, 'ν': `\nu`, 'ξ': `\xi`, 'π': `\pi`, 'ρ': `\rho`, 'σ': `\sigma`, 'ς': `\varsigma`,
	'τ': `\tau`, 'υ': `\upsilon`, 'φ': `\varphi`, 'ϕ': `\phi`, 'χ': `\chi`, 'ψ': `\psi`, 'ω': `\omega`,
	'Γ': `\Gamma`, 'Δ': `\Delta`, 'Θ': `\Theta`, 'Λ': `\Lambda`, 'Ξ': `\Xi`, 'Π': `\Pi`, 'Σ': `\Sigma`, 'Υ': `\Upsilon`, 'Φ': `\Phi`, 'Ψ': `\Psi`, 'Ω': `\Omega`,
	'∑': `\sum`, '∏': `\prod`, '∫': `\int`, '∬': `\iint`, '∮': `\oint`, '∂': `\partial`, '∇': `\nabla`, '√': `\surd`, '∞': `\infty`,
	'±': `\pm`, '∓': `\mp`, '×': `\times`, '÷': `\div`, '·': `\cdot`, '⋅': `\cdot`, '∗': `*`, '∘': `\circ`, '−': `-`, '⊕': `\oplus`, '⊗': `\otimes`, '†': `\dagger`,
	'≤': `\le`, '≥': `\ge`, '≠': `\ne`, '≈': `\approx`, '≃': `\simeq`, '≅': `\cong`, '≡': `\equiv`, '∼': `\sim`, '∝': `\propto`, '≪': `\ll`, '≫': `\gg`, '⩽': `\leqslant`, '⩾': `\geqslant`,
	'∈': `\in`, '∉': `\notin`, '∋': `\ni`, '⊂': `\subset`, '⊆': `\subseteq`, '⊃': `\supset`, '⊇': `\supseteq`, '∪': `\cup`, '∩': `\cap`, '∅': `\emptyset`, '∖': `\setminus`,
	'∀': `\forall`, '∃': `\exists`, '¬': `\neg`, '∧': `\wedge`, '∨': `\vee`, '⊥': `\perp`, '∥': `\|`, '‖': `\|`, '∣': `|`,
	'→': `\to`, '←': `\leftarrow`, '↔': `\leftrightarrow`, '⇒': `\Rightarrow`, '⇐': `\Leftarrow`, '⇔': `\Leftrightarrow`, '↦': `\mapsto`, '⟶': `\longrightarrow`,
	'⟨': `\langle`, '⟩': `\rangle`, '⌊': `\lfloor`, '⌋': `\rfloor`, '⌈': `\lceil`, '⌉': `\rceil`, '…': `\dots`, '⋯': `\cdots`, '⋮': `\vdots`, '⋱': `\ddots`,
	'ℝ': `\mathbb{R}`, 'ℕ': `\mathbb{N}`, 'ℤ': `\mathbb{Z}`, 'ℚ': `\mathbb{Q}`, 'ℂ': `\mathbb{C}`, 'ℓ': `\ell`, 'ℏ': `\hbar`, 'ℒ': `\mathcal{L}`, '′': `'`, '°': `^{\circ}`,
}
