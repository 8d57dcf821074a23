package archive

import (
	"cmp"
	"strings"

	xhtml "golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/xmltree"
)

// texSigns are the operators, accents and functions that TeX has a command for.
var texSigns = map[string]string{
	"∑": `\sum`, "∏": `\prod`, "∫": `\int`, "∬": `\iint`, "∮": `\oint`, "⋃": `\bigcup`, "⋂": `\bigcap`,
	"̂": `\hat`, "^": `\hat`, "̃": `\tilde`, "~": `\tilde`, "̄": `\bar`, "¯": `\bar`, "⃗": `\vec`, "→": `\vec`, "̇": `\dot`,
	"̈":   `\ddot`,
	"sin": `\sin`, "cos": `\cos`, "tan": `\tan`, "log": `\log`, "ln": `\ln`, "exp": `\exp`, "lim": `\lim`, "max": `\max`, "min": `\min`,
}

// texOf writes a formula in OMML (ECMA-376, part 1, 22.1) as TeX. Elements that it does not know are their content.
func texOf(n *xhtml.Node) string {
	part := func(name string) string {
		if c := xmltree.Child(n, name); c != nil {
			return strings.TrimSpace(texOf(c))
		}
		return ""
	}
	property := func(name, usual string) string {
		if p := xmltree.Child(n, n.Data+"Pr", name); p != nil {
			return val(p)
		}
		return usual
	}
	raised := func(mark, s string) string {
		if s == "" {
			return ""
		}
		return mark + "{" + s + "}"
	}
	many := func(name, between string) string {
		var all []string
		for c := range xmltree.Children(n, name) {
			all = append(all, strings.TrimSpace(texOf(c)))
		}
		return strings.Join(all, between)
	}
	sign := func(s string) string { return cmp.Or(texSigns[s], s) }
	switch n.Data {
	case "t":
		if n.FirstChild != nil {
			return n.FirstChild.Data
		}
		return ""
	case "f":
		return `\frac{` + part("num") + "}{" + part("den") + "}"
	case "sSup", "sSub", "sSubSup", "sPre":
		return part("e") + raised("_", part("sub")) + raised("^", part("sup"))
	case "limLow":
		return part("e") + raised("_", part("lim"))
	case "limUpp":
		return part("e") + raised("^", part("lim"))
	case "rad":
		if degree := part("deg"); degree != "" {
			return `\sqrt[` + degree + "]{" + part("e") + "}"
		}
		return `\sqrt{` + part("e") + "}"
	case "nary":
		return sign(property("chr", "∫")) + raised("_", part("sub")) + raised("^", part("sup")) + " " + part("e")
	case "func":
		return sign(part("fName")) + " " + part("e")
	case "acc":
		return sign(property("chr", "^")) + "{" + part("e") + "}"
	case "bar":
		return `\overline{` + part("e") + "}"
	case "d":
		return property("begChr", "(") + many("e", property("sepChr", "|")) + property("endChr", ")")
	case "m":
		return `\begin{matrix} ` + many("mr", ` \\ `) + ` \end{matrix}`
	case "mr":
		return many("e", " & ")
	case "eqArr":
		return `\begin{matrix} ` + many("e", ` \\ `) + ` \end{matrix}`
	}
	var b strings.Builder
	for c := range n.ChildNodes() {
		if c.Type == xhtml.ElementNode && !strings.HasSuffix(c.Data, "Pr") && !docxGone[c.Data] {
			b.WriteString(texOf(c))
		}
	}
	return b.String()
}
