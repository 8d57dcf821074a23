package html

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// footnotes are the notes of a page: links inside of it that lead to a note, the notes, and what leads back.
type footnotes struct {
	refs   map[*html.Node]string // links to a note, and its label
	labels map[*html.Node]string // notes
	back   map[*html.Node]bool   // links from a note to where it is referred to, with what is around them alone
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
		to := ids[attr(a, "href")[1:]]
		note := noteAround(to)
		if note == nil || contains(note, a) {
			continue
		}
		label, known := f.labels[note]
		if !known {
			if _, short := shortText(note, maxNoteBytes); f.noteOf(a) != nil || !short {
				continue
			}
			if label = strings.Trim(bareText(a), "[]() ^"); label == "" {
				label = strconv.Itoa(len(f.labels) + 1)
			}
			f.labels[note] = label
			f.back[to] = to.DataAtom == atom.Dt // which is the label
		}
		f.refs[a] = label
	}
	f.findBack(ids, links)
	return f
}

// noteMark is the mark of a note, or a part of a line that holds it.
type noteMark struct{ at, note *html.Node }

// findBack finds the links that lead from a note to a mark of it, or are said to, and those outside of it with a sign as their words.
// Other links of a note belong to its text.
func (f footnotes) findBack(ids map[string]*html.Node, links []*html.Node) {
	marks := map[noteMark]bool{}
	for a := range f.refs {
		note := noteAround(ids[attr(a, "href")[1:]])
		for p := a; p != nil && !isBlock(p.DataAtom); p = p.Parent {
			marks[noteMark{p, note}] = true
		}
	}
	var found []*html.Node
	for _, a := range links {
		note := f.noteOf(a)
		if note == nil {
			continue
		}
		to := ids[attr(a, "href")[1:]]
		_, isNote := f.labels[noteAround(to)]
		outside := to != nil && !contains(note, to)
		if saysBack(a) || outside && (marks[noteMark{to, note}] || saysLittle(bareText(a)) && !isNote) {
			f.back[a] = true
			delete(f.refs, a)
			found = append(found, a)
		}
	}
	for _, a := range found {
		note := f.noteOf(a)
		for p, left := a.Parent, 100; p != note && f.leadsBack(p, &left); p = p.Parent {
			f.back[p] = true
		}
	}
}

// saysLittle reports words of a link that are an arrow, a number or a letter.
func saysLittle(text string) bool {
	text = strings.Trim(text, "[]().,:;^* \u00a0\ufe0e\ufe0f")
	return utf8.RuneCountInString(text) <= 1 || len(text) <= 4 && strings.Trim(text, "0123456789") == ""
}

// leadsBack reports an element that holds nothing but links back and the signs around them. It looks at few nodes only.
func (f footnotes) leadsBack(n *html.Node, left *int) bool {
	if *left--; *left < 0 || n.Type == html.TextNode && strings.Trim(n.Data, "[](),.:;^ \t\n\u00a0") != "" {
		return false
	}
	for c := n.FirstChild; c != nil && !f.back[n]; c = c.NextSibling {
		if !f.leadsBack(c, left) {
			return false
		}
	}
	return true
}

// linkNames are what a link says that it is.
func linkNames(a *html.Node) string {
	says := []string{attr(a, "class"), attr(a, "role"), attr(a, "epub:type"), attr(a, "rel"), attr(a, "id")}
	return strings.ToLower(strings.Join(says, " "))
}

var (
	backNames = lazyregexp.New(`backlink|backref|reversefootnote`)
	noteNames = lazyregexp.New(`noteref|footnote|fnref|footref|endnote|doc-biblioref`)
)

func saysBack(a *html.Node) bool { return backNames.MatchString(linkNames(a)) }

// looksLikeReference reports a link that is raised, says what it is, or is no more than a number or a sign in
// brackets.
func looksLikeReference(a *html.Node) bool {
	text := bareText(a)
	switch {
	case saysBack(a):
		return false
	case noteNames.MatchString(linkNames(a)):
		return len(text) <= 8
	case within(a, atom.Nav, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6):
		return false
	}
	number := strings.Trim(text, "[]() ")
	isNumber := number != "" && len(number) <= 4 && strings.Trim(number, "0123456789*†‡§abc") == ""
	raised := a.Parent != nil && (a.Parent.DataAtom == atom.Sup || a.Parent.Parent != nil && a.Parent.Parent.DataAtom == atom.Sup) ||
		xmltree.First(a) != nil && xmltree.First(a).DataAtom == atom.Sup
	return isNumber && (raised || strings.HasPrefix(text, "["))
}

// noteAround is the block that is the note to which an address leads.
func noteAround(n *html.Node) *html.Node {
	for ; n != nil; n = n.Parent {
		switch n.DataAtom {
		case atom.Li, atom.P, atom.Dd, atom.Div, atom.Aside, atom.Section:
			return n
		case atom.Dt: // the label of what follows
			for n = n.NextSibling; n != nil && n.DataAtom != atom.Dd; n = n.NextSibling {
			}
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

// isNoteInLine reports a note that stands within a line: those of LaTeXML, Distill and Tufte.
func isNoteInLine(n *html.Node) bool {
	return !isBlock(n.DataAtom) && (n.Data == "d-footnote" || hasClass(n, "ltx_note", "sidenote", "marginnote"))
}

// isNoteMark reports a part of such a note, or a neighbour of it, that shows its mark.
func isNoteMark(n *html.Node) bool {
	return hasClass(n, "ltx_note_mark", "ltx_tag_note", "ltx_note_type", "margin-toggle")
}

// noteInLine is a note that is written behind its line, or behind the table in which that is.
type noteInLine struct {
	node *html.Node
	mark string
}

// putOff writes the mark of a note in its line, and keeps the note for later. Those without a mark of their own are counted.
func (w *writer) putOff(n *html.Node) {
	mark := ""
	for d := range n.Descendants() {
		if mark == "" && hasClass(d, "ltx_note_mark") {
			mark = bareText(d)
		}
	}
	if n.Data == "d-footnote" || w.counts {
		w.counted++
		mark = strconv.Itoa(w.counted)
	}
	if w.counts = false; mark != "" {
		w.mark(mark)
	}
	w.waiting = append(w.waiting, noteInLine{n, mark})
}

// writeNotes writes the notes that wait for the end of their line.
func (w *writer) writeNotes() {
	waiting := w.waiting
	w.waiting = nil
	for _, note := range waiting {
		w.note(note.node, note.mark)
	}
}

// note writes a note with its label.
func (w *writer) note(n *html.Node, label string) {
	if w.flush(); label != "" {
		w.label = "[" + label + "]"
	}
	w.as(document.Note, n)
	w.label = ""
}
