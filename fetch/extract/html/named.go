package html

import (
	"strconv"
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
	case "grid", "treegrid":
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
	"rowgroup": atom.Tbody, "row": atom.Tr, "columnheader": atom.Th, "rowheader": atom.Th, "cell": atom.Td, "gridcell": atom.Td, "caption": atom.Caption,
}

func hasRole(n *html.Node, role string) bool {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && strings.EqualFold(strings.TrimSpace(attr(d, "role")), role) {
			return true
		}
	}
	return false
}

// readNames reads what classes and types of elements show: tables that are built of other elements, letters of lists, the
// kind of a note that only a picture shows. It removes the signs by which headings link to themselves.
func readNames(doc *html.Node) {
	var tables, lists, marks, signs []*html.Node
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch class := strings.ToLower(attr(n, "class")); {
		case n.DataAtom == atom.A && strings.HasPrefix(attr(n, "href"), "#") && isSign(n):
			signs = append(signs, n)
		case n.DataAtom == atom.Ol && letterOf(attr(n, "type"), 1) != "":
			lists = append(lists, n)
		case class == "":
		case (n.DataAtom == atom.Div || n.DataAtom == atom.Section) && containsAny(class, tableNames) && rowsOf(n) != nil:
			tables = append(tables, n)
		case n.FirstChild == nil && attr(n, "title") != "" && strings.Contains(class, "icon") && hasNamedParent(n, noteNames):
			marks = append(marks, n)
		}
	}
	for _, n := range signs {
		n.Parent.RemoveChild(n)
	}
	for _, n := range marks {
		n.AppendChild(TextNode(attr(n, "title")))
	}
	for _, n := range lists {
		writeLetters(n)
	}
	for _, n := range tables {
		rows := rowsOf(n)
		if n.Parent == nil || rows == nil {
			continue
		}
		for _, row := range rows {
			for _, cell := range Elements(row) {
				rename(cell, atom.Td)
			}
			rename(row, atom.Tr)
		}
		rename(n, atom.Table)
	}
}

var (
	tableNames = []string{"table", "spec", "attributes"}
	noteNames  = []string{"admonition", "callout", "notecard", "markdown-alert", "note-box", "tip-box", "warning-box"}
)

const (
	minNamedRows  = 3
	maxNamedCells = 8
	maxNamedCell  = 160 // bytes
)

// rowsOf are the rows of a table that is built of divs: all its elements, each of the same number of short cells, which are
// elements without text between them and without blocks in them. It is nil for anything else.
func rowsOf(n *html.Node) []*html.Node {
	rows := Elements(n)
	if len(rows) < minNamedRows {
		return nil
	}
	width := 0
	for _, row := range rows {
		if row.DataAtom != atom.Div && row.DataAtom != atom.Span || !hasOnlyElements(row) {
			return nil
		}
		cells := Elements(row)
		if len(cells) < 2 || len(cells) > maxNamedCells || width > 0 && len(cells) != width {
			return nil
		}
		width = len(cells)
		for _, cell := range cells {
			if cell.DataAtom != atom.Div && cell.DataAtom != atom.Span || hasBlockOrLink(cell) {
				return nil
			}
			if _, ok := shortText(cell, maxNamedCell); !ok && shownChars(cell) > 0 {
				return nil
			}
		}
	}
	return rows
}

// hasBlockOrLink reports a cell that holds more than a value: a card, a menu.
func hasBlockOrLink(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && (d.DataAtom == atom.A || d.DataAtom == atom.Button || d.DataAtom == atom.Img || isBlock(d.DataAtom)) {
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

// hasNamedParent reports an element with one of these names at most four steps up.
func hasNamedParent(n *html.Node, names []string) bool {
	for p, steps := n.Parent, 0; p != nil && steps < 5; p, steps = p.Parent, steps+1 {
		if p.DataAtom != atom.Body && containsAny(strings.ToLower(attr(p, "class")), names) {
			return true
		}
	}
	return false
}

// writeLetters writes the letters or Roman numbers of a list before its items, since texts refer to them.
func writeLetters(list *html.Node) {
	kind := attr(list, "type")
	number := 1
	if start, err := strconv.Atoi(attr(list, "start")); err == nil && start > 0 {
		number = start
	}
	for _, item := range Elements(list) {
		if item.DataAtom == atom.Li {
			item.InsertBefore(TextNode(letterOf(kind, number)+") "), item.FirstChild)
			number++
		}
	}
	rename(list, atom.Ul)
}

// letterOf is the label of an item of a list of this type, or "" for a list that is numbered in digits.
func letterOf(kind string, number int) string {
	label := ""
	switch kind {
	case "a", "A":
		for ; number > 0; number = (number - 1) / 26 {
			label = string(rune('a'+(number-1)%26)) + label
		}
	case "i", "I":
		for _, r := range []struct {
			value int
			sign  string
		}{{100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}} {
			for ; number >= r.value && len(label) < 20; number -= r.value {
				label += r.sign
			}
		}
	}
	if kind == "A" || kind == "I" {
		return strings.ToUpper(label)
	}
	return label
}
