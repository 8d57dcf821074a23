package html

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// part is a block of a page and where it stands.
type part struct {
	document.Block
	region int                    // the element that holds all of it, in page.regions
	chars  int                    // code points without white space
	linked int                    // of them in links
	times  []document.WrittenDate // that its <time> elements name
}

// region is an element of a page.
type region struct {
	node                 *html.Node
	parent               int // -1 for the root
	first, last          int // its parts are first … last-1
	chars, linked, prose int // of its parts
}

// page is a page as parts in reading order, and the elements around them.
type page struct {
	parts   []part
	regions []region
}

// maxRegions bounds the elements of a page whose parts are told apart: the largest of 751 pages has 34,000. Of a larger
// page everything is content.
const maxRegions = 400_000

// partsOf reads all that a tree shows. Trees come from parseTree, so their depth is bounded and recursion is safe.
func partsOf(n *html.Node, notes footnotes) *page {
	w := writer{page: &page{}, place: place{at: -1}, notes: notes}
	w.node(n)
	w.flush()
	w.sum()
	return w.page
}

// sum adds up what the elements hold.
func (p *page) sum() {
	for i := range p.parts {
		b := &p.parts[i]
		prose := 0
		if b.isProse() {
			prose = b.chars
		}
		for r := b.region; r >= 0; r = p.regions[r].parent {
			x := &p.regions[r]
			if x.chars == 0 {
				x.first = i
			}
			x.last, x.chars, x.linked, x.prose = i+1, x.chars+b.chars, x.linked+b.linked, x.prose+prose
		}
	}
}

// isProse reports a block that is a paragraph and no list of links.
func (p *part) isProse() bool {
	return p.chars >= 80 && 5*p.linked < 2*p.chars && strings.ContainsAny(p.Text, ".!?。！？…")
}

// ends reports a text that ends like a sentence.
func (p *part) ends() bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(p.Text, `"'”’»)]`))
	return strings.ContainsRune(".!?:。！？…", last)
}

// BlockText is the text of a tree as lines.
func BlockText(n *html.Node) string {
	var d document.Document
	for _, p := range partsOf(n, footnotes{}).parts {
		d.Blocks = append(d.Blocks, p.Block)
	}
	d.Write()
	return d.Text
}

// InlineText is the text of a node on one line.
func InlineText(n *html.Node) string {
	if n == nil {
		return ""
	}
	w := writer{page: &page{}, place: place{at: -1}, flat: 1}
	w.node(n)
	return strings.TrimSpace(w.line.String())
}

// place is where the walk is.
type place struct {
	at     int    // the element
	block  int    // the block element
	struck bool   // words are struck through
	breaks string // how line breaks of the text are shown, as white-space says it; "" = they are not
}

// writer walks a tree and collects the text of one block in line.
type writer struct {
	*page
	notes footnotes

	place
	line    strings.Builder
	cur     part          // what is collected
	space   bool          // white space was seen that separates what comes next in this line
	marked  bool          // the line has a struckMark that waits for the one behind it
	links   int           // depth of links
	flat    int           // depth of headings and rows: one line, whatever is in them
	kind    document.Kind // of blocks at this place
	label   string        // of the note that begins
	skipped *html.Node    // the element that holds the label of the item
	lists   []*list       // around it
	spans   []rowSpan     // of the table that is written, by column
	added   int           // bytes that wide and high cells added

	waiting []noteInLine // of the line, or the table
	tables  int          // around it
	counts  bool         // the next note in the line has a number
	counted int          // those that have one
}

// flush ends the current block.
func (w *writer) flush() {
	w.endStruck()
	if w.flat > 0 { // blocks in a cell are part of its line
		w.space = true
		return
	}
	if text := strings.TrimRight(w.line.String(), " \n"); text != "" {
		w.emit(text)
	}
	w.line.Reset()
	w.cur, w.space = part{}, false
	if w.tables == 0 {
		w.writeNotes()
	}
}

// emit adds a block.
func (w *writer) emit(text string) {
	p := w.cur
	p.Text = text
	if p.Kind == document.Paragraph {
		p.Kind = w.kind
	}
	if n := len(w.lists); n > 0 && p.Kind == document.Heading { // of an item, whose number is the heading's
		if l := w.lists[n-1]; l.item && l.number != "" && p.Level > 1 { // the page's own is in a path that leads to it
			p.Number, l.item, l.begun = l.number, false, true
		}
	} else if n > 0 && p.Kind != document.Note {
		p.Level = n
		if l := w.lists[n-1]; l.item && p.Kind == document.Paragraph {
			p.Kind, p.Number, p.Begins = document.Item, l.number, !l.begun
			l.item, l.begun = false, true
		}
	}
	if p.Kind == document.Note { // a page that writes the mark of its note has it in the text
		rest, has := strings.CutPrefix(strings.TrimLeft(text, "[(^ "), strings.Trim(w.label, "[]"))
		if !has || rest != "" && isAlphanumeric(rest[0]) {
			p.Number = w.label
			if len(text) > 1 && strings.IndexByte(".:)]", text[0]) >= 0 && text[1] == ' ' { // it stood behind the mark
				p.Text = text[2:]
			}
		}
		w.label = ""
	}
	w.parts = append(w.parts, p)
}

func (w *writer) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c)
	}
}

// as writes the children of an element as blocks of a kind.
func (w *writer) as(kind document.Kind, n *html.Node) {
	outer := w.kind
	w.flush()
	w.kind = kind
	w.children(n)
	w.flush()
	w.kind = outer
}

func (w *writer) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		w.text(n.Data)
		return
	case html.DocumentNode:
		w.children(n)
		return
	case html.ElementNode:
	default:
		return
	}
	if isUnread(n) || w.notes.back[n] || n == w.skipped {
		return
	}
	switch {
	case isNoteMark(n):
		w.counts = w.counts || hasClass(n, "sidenote-number")
		return
	case isNoteInLine(n):
		w.putOff(n)
		return
	}
	outer, boxed := w.enter(n), hasAttr(n, markBox)
	w.space = w.space || boxed
	w.element(n)
	w.space = w.space || boxed
	w.leave(outer)
}

// enter notes that the walk is in an element, and returns where it was.
func (w *writer) enter(n *html.Node) (outer place) {
	outer = w.place
	w.struck = w.struck || isStruck(n) || hasAttr(n, markStruck)
	switch how := attr(n, MarkLines); how {
	case "", "inherit":
	case "pre", "pre-wrap", "pre-line", "break-spaces":
		w.breaks = how
	default:
		w.breaks = ""
	}
	if len(w.regions) >= maxRegions {
		return outer
	}
	w.regions = append(w.regions, region{node: n, parent: w.at})
	w.at = len(w.regions) - 1
	if w.flat == 0 && (isBlock(n.DataAtom) || displayed(n)) {
		w.block = w.at
	}
	return outer
}

func (w *writer) leave(outer place) {
	if w.place = outer; !w.struck {
		w.endStruck()
	}
}

// struckMark stands before and after words that are struck through, in the text as in Markdown: who quotes them must see
// that their author took them back.
const struckMark = "~~"

func (w *writer) endStruck() {
	if w.marked {
		w.line.WriteString(struckMark)
	}
	w.marked = false
}

func (w *writer) element(n *html.Node) {
	if (n.DataAtom == atom.Sup || n.DataAtom == atom.Sub) && !w.notes.refersIn(n) {
		if s, ok := raise(n); ok {
			w.text(s)
			return
		}
		w.children(n)
		return
	}
	if _, ok := w.notes.refs[n]; ok {
		w.mark(bareText(n))
		return
	}
	if n.Namespace == "svg" {
		w.picture(n)
		return
	}
	if label, ok := w.notes.labels[n]; ok && n.DataAtom != atom.Li && w.flat == 0 {
		w.note(n, label)
		return
	}
	switch n.DataAtom {
	case atom.A:
		w.anchor(n)
	case atom.Time:
		w.time(n)
	case atom.Br:
		w.newline()
	case atom.Pre, atom.Listing, atom.Xmp, atom.Plaintext:
		w.preformatted(n)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		w.heading(n)
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir, atom.Dl:
		w.list(n)
	case atom.Li, atom.Dt:
		w.item(n)
	case atom.Table:
		w.table(n)
	case atom.Caption, atom.Figcaption:
		w.as(document.Caption, n)
	case atom.Blockquote:
		w.as(document.Quote, n)
	case atom.Q:
		w.text("“")
		w.children(n)
		w.space = false
		w.text("”")
	case atom.Button, atom.Select, atom.Textarea, atom.Input:
		w.formControl(n)
	default:
		if !isBlock(n.DataAtom) && !displayed(n) {
			w.children(n)
			return
		}
		w.flush()
		w.children(n)
		w.flush()
	}
}

// picture writes the words of a picture, which are no part of the text around it. Where they stand in it is not computed.
func (w *writer) picture(n *html.Node) {
	switch {
	case w.flat > 0:
	case n.Data == "text" || n.Data == "foreignObject":
		w.as(document.Furniture, n)
	case n.Data == "tspan" || n.Data == "textPath":
		w.children(n)
	default:
		for _, c := range Elements(n) {
			w.node(c)
		}
	}
}

// heading writes a heading on one line.
func (w *writer) heading(n *html.Node) {
	w.flush()
	if w.flat > 0 {
		w.children(n)
		return
	}
	w.flat++
	w.children(n)
	w.flat--
	w.cur.Kind, w.cur.Level = document.Heading, int(n.Data[1]-'0')
	w.flush()
}

// preformatted writes a block with its white space.
func (w *writer) preformatted(n *html.Node) {
	if w.flush(); w.flat > 0 {
		w.children(n)
		return
	}
	var raw strings.Builder
	verbatim(n, &raw)
	text := strings.TrimRight(strings.TrimLeft(sanitize.Visible(raw.String()), "\n"), " \t\n")
	if text == "" {
		return
	}
	w.count(text)
	w.cur.Kind, w.cur.region = document.Code, w.at
	w.emit(text)
	w.cur = part{}
}

func verbatim(n *html.Node, b *strings.Builder) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(c.Data)
		case c.Type != html.ElementNode || isUnread(c) || c.DataAtom == atom.Button:
		case c.DataAtom == atom.Br:
			b.WriteByte('\n')
		case isStruck(c):
			b.WriteString(struckMark)
			verbatim(c, b)
			b.WriteString(struckMark)
		default:
			verbatim(c, b)
			// highlighters wrap each line of code in a block of its own, without a newline
			if isBlock(c.DataAtom) && b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
				b.WriteByte('\n')
			}
		}
	}
}

// formControl writes what a control of a form says, as a block of its own unless it stands in a sentence.
func (w *writer) formControl(n *html.Node) {
	inline := w.flat > 0 || w.line.Len() > 0 && n.DataAtom == atom.Button && !hasOnlyElements(n.Parent)
	w.space = true
	if !inline {
		w.flush()
	}
	switch n.DataAtom {
	case atom.Select:
		var options []string
		for d := range n.Descendants() {
			if text := strings.TrimSpace(xmltree.Text(d)); d.DataAtom == atom.Option && text != "" && len(options) < maxOptions {
				options = append(options, text)
			}
		}
		w.text(strings.Join(options, " / "))
	case atom.Input:
		switch attr(n, "type") {
		case "submit", "button", "reset":
			w.text(attr(n, "value"))
		case "", "text", "search", "email":
			w.text(attr(n, "placeholder"))
		}
	default:
		w.children(n)
	}
	if !inline {
		w.flush()
	}
	w.space = true
}

const maxOptions = 500 // choices of a control that are written
