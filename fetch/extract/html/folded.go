package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// A page hides parts that its reader opens: the answer below a question, the panel of a tab. Their text is content, and
// whoever reads the page can see it. They are told by their control: something visible that names the part, or the line
// before a part whose class says that it unfolds. Menus and dialogs, which open over the page, are not read.

var (
	foldNames    = lazyregexp.New(`(?i)accordi[oa]n|faq|collaps|tab-?(?:content|pane|panel)|toggle-?(?:content|panel|body)|answer|expand|spoiler|read-?more|show-?more`)
	overlayNames = lazyregexp.New(`(?i)menu|nav|modal|popup|dialog|drawer|flyout|dropdown|tooltip|cookie|consent|search|cart|filter|login|sign-?in|lightbox|overlay|banner`)
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
				if len(a.Val) > 1 && a.Val[0] == '#' && (attr(n, "role") == "tab" || firstAttr(n, "data-toggle", "data-bs-toggle", "aria-expanded") != "") {
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
	case atom.Div, atom.Section, atom.Dd, atom.Li, atom.Ul, atom.Ol, atom.Article, atom.P, atom.Table:
	default:
		return false
	}
	if within(n, atom.Nav, atom.Header, atom.Footer, atom.Aside) {
		return false
	}
	names := attr(n, "class") + " " + attr(n, "id")
	role := attr(n, "role")
	if overlayNames.MatchString(names) || role == "dialog" || role == "menu" || role == "alertdialog" {
		return false
	}
	if p.isControlled(n) || isPanel(n) || n.Parent != nil && isPanel(n.Parent) {
		return true
	}
	return (foldNames.MatchString(names) || isBelowButton(n)) && p.hasLabelBefore(n)
}

// isPanel reports a part that its role calls the panel of a tab, or of the label that it names.
func isPanel(n *html.Node) bool {
	role := attr(n, "role")
	return role == "tabpanel" || (role == "region" || role == "" && n.DataAtom == atom.Section) && attr(n, "aria-labelledby") != ""
}

// isBelowButton reports prose directly after a button, which opens it. What a button opens otherwise is a menu.
func isBelowButton(n *html.Node) bool {
	before := n.PrevSibling
	for before != nil && before.Type != html.ElementNode {
		before = before.PrevSibling
	}
	if before == nil || before.DataAtom != atom.Button {
		return false
	}
	for d := range n.Descendants() {
		if d.Type == html.TextNode && d.Parent.DataAtom != atom.A && !isScripted(d.Parent) && len(d.Data) >= minFoldedProse {
			return true
		}
	}
	return false
}

// isControlled reports a part that a control names, or that holds nothing else than one.
func (p *pruner) isControlled(n *html.Node) bool {
	if p.controlled[attr(n, "id")] {
		return true
	}
	kids := Elements(n)
	return len(kids) == 1 && p.controlled[attr(kids[0], "id")]
}

// hasLabelBefore reports an element with a visible line before it, by which it is opened.
func (p *pruner) hasLabelBefore(n *html.Node) bool {
	for before := n.PrevSibling; before != nil; before = before.PrevSibling {
		if before.Type != html.ElementNode || isScripted(before) || p.removed[before] {
			continue
		}
		if p.sheet.Style(before).Hides != 0 {
			return false
		}
		label, ok := shortText(before, maxFoldLabel)
		return ok && label != ""
	}
	return false
}
