package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// readRoles turns elements into what their ARIA roles say that they are: tables that are built of other elements, and
// headings. A table whose role is presentation stays one; isLayout reads it as blocks.
func readRoles(doc *html.Node) {
	var walk func(n *html.Node, inTable bool)
	walk = func(n *html.Node, inTable bool) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type != html.ElementNode {
				continue
			}
			inside := inTable
			if a := roleElement(c, inTable); a != 0 {
				rename(c, a)
				inside = inside || a == atom.Table
			}
			walk(c, inside)
		}
	}
	walk(doc, false)
}

// roleElement is the element that a role stands for, or 0 when the element stays what it is. The parts of a table count
// inside of one alone.
func roleElement(n *html.Node, inTable bool) atom.Atom {
	switch n.DataAtom {
	case atom.Div, atom.Span, atom.P, atom.Ul, atom.Li, atom.Ol, atom.Section, atom.Dl, atom.Dt, atom.Dd, 0:
	default:
		return 0
	}
	role := strings.ToLower(strings.TrimSpace(attr(n, "role")))
	switch role {
	case "":
		return 0
	case "heading":
		if level := attr(n, "aria-level"); len(level) == 1 && level >= "1" && level <= "6" {
			return atom.Lookup([]byte("h" + level))
		}
		return atom.H2 // the level that the standard gives it
	case "table":
		return atom.Table
	case "grid", "treegrid": // others lay out cards, or slides
		if hasRole(n, "columnheader") {
			return atom.Table
		}
		return 0
	}
	if !inTable {
		return 0
	}
	return tableRoles[role]
}

// tableRoles are the elements that the roles of the parts of a table stand for.
var tableRoles = map[string]atom.Atom{
	"rowgroup": atom.Tbody, "row": atom.Tr, "columnheader": atom.Th, "rowheader": atom.Th, "cell": atom.Td, "gridcell": atom.Td,
	"caption": atom.Caption,
}

func hasRole(n *html.Node, role string) bool {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && strings.EqualFold(strings.TrimSpace(attr(d, "role")), role) {
			return true
		}
	}
	return false
}

// isSign reports a link of which the text is a sign alone.
func isSign(n *html.Node) bool {
	text, ok := shortText(n, len("🔗\ufe0f"))
	return ok && (text == "¶" || text == "#" || text == "🔗" || text == "🔗\ufe0f")
}
