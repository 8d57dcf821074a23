package html

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// A page hides parts that its reader opens: the answer below a question, the panel of a tab, the prose of a dialog, the note of a
// book behind its mark. Whoever reads the page can see their text. They are told by their control: something visible that names the
// part, or the line before a part that asks a question, or whose class says that it unfolds. Menus are not read.

var (
	foldNames = lazyregexp.New(`(?i)accordi[oa]n|faq|collaps|tab-?(?:content|pane|panel)|tabs_|toggle-?(?:content|panel|body)|answer|` +
		`expand|spoiler|read-?more|show-?more`)
	dialogNames = lazyregexp.New(`(?i)modal|pop-?up|dialog|lightbox`)
	foldLabels  = lazyregexp.New(`(?i)(?:[?？]|(?:read|show|see|view|learn)\s*(?:more|all)|mehr\s*(?:lesen|anzeigen)|weiterlesen|` +
		`(?:voir|lire)\s*(?:plus|la\s*suite)|(?:ver|leer|ler|saiba)\s*(?:más|mais)|(?:leggi|mostra)\s*di\s*più|` +
		`lees\s*meer)[\s.…›»+]*$`)
	overlayNames = lazyregexp.New(`(?i)menu|nav|drawer|flyout|dropdown|tooltip|cookie|consent|search|cart|filter|login|sign-?in|` +
		`overlay|banner`)
)

const (
	maxFoldLabel = 400    // bytes of the line before a part that unfolds
	maxControls  = 20_000 // of a page

	minFoldedProse = 100 // bytes of a text in a part after a button
)

// controlledParts are the ids of the parts that something visible opens.
func controlledParts(doc *html.Node) map[string]bool {
	parts := map[string]bool{}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || len(parts) >= maxControls {
			continue
		}
		for _, a := range n.Attr {
			switch a.Key {
			case "aria-controls":
				for id := range strings.FieldsSeq(a.Val) {
					parts[id] = true
				}
			case "data-target", "data-bs-target":
				parts[strings.TrimPrefix(strings.TrimSpace(a.Val), "#")] = true
			case "href":
				if len(a.Val) > 1 && a.Val[0] == '#' && (hasWord("tab doc-noteref", attr(n, "role")) ||
					hasWord(attr(n, "epub:type"), "noteref") || firstAttr(n, "data-toggle", "data-bs-toggle", "aria-expanded") != "") {
					parts[a.Val[1:]] = true
				}
			}
		}
	}
	delete(parts, "")
	return parts
}

// folded reports a hidden element that a reader opens.
func (p *pruner) folded(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Div, atom.Span, atom.Section, atom.Aside, atom.Dd, atom.Li, atom.Ul, atom.Ol, atom.Article, atom.P, atom.Table:
	default:
		return false
	}
	if within(n, atom.Nav, atom.Header, atom.Footer, atom.Aside) {
		return false
	}
	names := attr(n, "class") + " " + attr(n, "id")
	if role := attr(n, "role"); role == "dialog" || role == "alertdialog" || dialogNames.MatchString(names) || n.Parent != nil &&
		dialogNames.MatchString(attr(n.Parent, "class")) {
		return hasProse(n)
	} else if role == "menu" || overlayNames.MatchString(names) {
		return false
	}
	if p.isControlled(n) || isPanel(n) || n.Parent != nil && isPanel(n.Parent) {
		return true
	}
	if n.Parent != nil {
		names += " " + attr(n.Parent, "class")
	}
	by, label := p.labelOf(n) // a button opens prose, or else a menu
	return label != "" && (foldNames.MatchString(names) || foldLabels.MatchString(label) || by.DataAtom == atom.Button && hasProse(n))
}

// isPanel reports a part that its role calls the panel of a tab, or of the label that it names.
func isPanel(n *html.Node) bool {
	role := attr(n, "role")
	return role == "tabpanel" || (role == "region" || role == "" && n.DataAtom == atom.Section) && attr(n, "aria-labelledby") != ""
}

// hasProse reports a text of some length outside of links.
func hasProse(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.Type == html.TextNode && d.Parent.DataAtom != atom.A && !isScripted(d.Parent) && len(d.Data) >= minFoldedProse {
			return true
		}
	}
	return false
}

// isControlled reports a part that a control names, or that holds nothing else than one, or notes of a book.
func (p *pruner) isControlled(n *html.Node) bool {
	kids := Elements(n)
	return p.controlled[attr(n, "id")] || (len(kids) == 1 || hasAttr(n, "epub:type")) &&
		slices.ContainsFunc(kids, func(kid *html.Node) bool { return p.controlled[attr(kid, "id")] })
}

// labelOf is the visible element before a part, and its line, by which the part is opened.
func (p *pruner) labelOf(n *html.Node) (by *html.Node, label string) {
	for by = n.PrevSibling; by != nil; by = by.PrevSibling {
		if by.Type == html.ElementNode && !isScripted(by) && !p.removed[by] {
			break
		}
	}
	if by != nil {
		if _, hides := p.sheet.Style(by); hides == 0 {
			label, _ = shortText(by, maxFoldLabel)
		}
	}
	return by, label
}
