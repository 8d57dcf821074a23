package html

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// footnotes are the notes of a page: links inside of it that lead to a note, the notes, and the links back.
type footnotes struct {
	refs   map[*html.Node]string // links to a note, and its label
	labels map[*html.Node]string // notes
	back   map[*html.Node]bool   // links from a note to where it is referred to
}

const (
	maxNotes     = 5_000
	maxNoteBytes = 5_000 // of the text of one note; what is longer is a section
)

// findNotes looks for links that are written like references to a note (raised, a number, or said to be one)
// and lead to an element of the page that is short and does not hold the link.
func findNotes(doc *html.Node) footnotes {
	f := footnotes{refs: map[*html.Node]string{}, labels: map[*html.Node]string{}, back: map[*html.Node]bool{}}
	ids := map[string]*html.Node{}
	var links []*html.Node
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if id := firstAttr(n, "id", "name"); id != "" && ids[id] == nil && len(ids) < 20*maxNotes {
			ids[id] = n
		}
		if n.DataAtom == atom.A && len(attr(n, "href")) > 1 && attr(n, "href")[0] == '#' && len(links) < 4*maxNotes {
			links = append(links, n)
		}
	}
	for _, a := range links {
		if len(f.labels) >= maxNotes {
			break
		}
		if !looksLikeReference(a) {
			continue
		}
		note := noteAround(ids[attr(a, "href")[1:]])
		if note == nil || contains(note, a) {
			continue
		}
		label, known := f.labels[note]
		if !known {
			if _, short := shortText(note, maxNoteBytes); f.noteOf(a) != nil || !short {
				continue
			}
			if label = strings.Trim(InlineText(a), "[]() ^"); label == "" {
				label = strconv.Itoa(len(f.labels) + 1)
			}
			f.labels[note] = label
		}
		f.refs[a] = label
	}
	for _, a := range links { // what leads from a note to a reference of it leads back
		if note := f.noteOf(a); note != nil {
			if to := ids[attr(a, "href")[1:]]; to != nil && !contains(note, to) {
				f.back[a] = true
				delete(f.refs, a)
			}
		}
	}
	return f
}

// looksLikeReference reports a link that is raised, says what it is, or is no more than a number or a sign in
// brackets.
func looksLikeReference(a *html.Node) bool {
	says := strings.ToLower(attr(a, "class") + " " + attr(a, "role") + " " + attr(a, "epub:type") + " " + attr(a, "rel") + " " +
		attr(a, "id"))
	if strings.Contains(says, "backlink") || strings.Contains(says, "backref") {
		return false
	}
	short := len(InlineText(a)) <= 8
	for _, word := range []string{"noteref", "footnote", "fnref", "footref", "endnote", "doc-biblioref"} {
		if strings.Contains(says, word) {
			return short
		}
	}
	if within(a, atom.Nav, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6) {
		return false
	}
	text := InlineText(a)
	number := strings.Trim(text, "[]() ")
	isNumber := number != "" && len(number) <= 4 && strings.Trim(number, "0123456789*†‡§abc") == ""
	raised := a.Parent != nil && (a.Parent.DataAtom == atom.Sup || a.Parent.Parent != nil && a.Parent.Parent.DataAtom == atom.Sup) ||
		firstElement(a) != nil && firstElement(a).DataAtom == atom.Sup
	return isNumber && (raised || strings.HasPrefix(text, "["))
}

// noteAround is the block that is the note to which an address leads.
func noteAround(n *html.Node) *html.Node {
	for ; n != nil; n = n.Parent {
		switch n.DataAtom {
		case atom.Li, atom.P, atom.Dd, atom.Div, atom.Aside, atom.Section:
			return n
		case atom.Td, atom.Body, atom.Html, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			return nil
		}
	}
	return nil
}

func (f footnotes) noteOf(n *html.Node) *html.Node {
	for p := n.Parent; p != nil; p = p.Parent {
		if _, ok := f.labels[p]; ok {
			return p
		}
	}
	return nil
}

// refersIn reports an element that holds nothing but a reference to a note.
func (f footnotes) refersIn(n *html.Node) bool {
	for d := range n.Descendants() {
		if _, ok := f.refs[d]; ok {
			return true
		}
	}
	return false
}
