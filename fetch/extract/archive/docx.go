package archive

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/html"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
)

// DOCX reads a Word document with its headings, lists, tables, notes, links and formulas. Its decompressed size is limited
// to maxBytes.
func DOCX(ctx context.Context, body []byte, maxBytes int64) (document.Extraction, error) {
	a, err := openArchive(body, maxBytes)
	if err != nil {
		return document.Extraction{}, err
	}
	return readDOCX(ctx, a)
}

func readDOCX(ctx context.Context, a *archive) (x document.Extraction, err error) {
	main, err := a.tree("word/document.xml")
	if err != nil {
		return x, damaged("DOCX", err)
	}
	var parts [6]*xhtml.Node
	for i, name := range []string{
		"docProps/core.xml", "word/styles.xml", "word/numbering.xml", "word/_rels/document.xml.rels", "word/footnotes.xml", "word/endnotes.xml",
	} {
		if parts[i], err = a.part(name); err != nil {
			return x, err
		}
	}
	coreProperties(parts[0], &x.Document)
	w := &docxWriter{docxParts: readParts(parts[1], parts[2], parts[3]), root: html.Element(atom.Body)}
	w.blocks(main)
	w.links = nil // those of notes are in another part
	w.notes(xmltree.Child(parts[4], "footnotes"), "footnote")
	w.notes(xmltree.Child(parts[5], "endnotes"), "endnote")
	if err := ctx.Err(); err != nil {
		return x, err
	}
	out := html.NewWhole(nil, w.root)
	out.Part(w.root)
	out.Document(&x.Document)
	w.front(&x.Document)
	x.HiddenChars = w.hiddenChars
	x.ContentType, x.Chars = document.TypeDOCX, utf8.RuneCountInString(x.Text)
	return x, nil
}

// front keeps of the properties of a file what its title page prints: programs fill them with the account and the template. It
// adds what else the page says.
func (w *docxWriter) front(d *document.Document) {
	p := document.TitlePage{Text: d.Text}
	for line := range strings.SplitSeq(d.Text, "\n") {
		if line = strings.TrimSpace(line); line != "" && len(p.Lines) < document.TitleLines {
			p.Lines = append(p.Lines, line)
		}
	}
	shown := document.Title(document.First(w.title, w.firstHeading))
	if !strings.Contains(document.Squeeze(strings.Join(p.Lines, "")), document.Squeeze(d.Title)) {
		d.Title = shown
	}
	d.Title = cmp.Or(d.Title, shown)
	p.Title = cmp.Or(document.Title(w.title), d.Title)
	d.Authors = slices.DeleteFunc(d.Authors, func(name string) bool { return !p.Prints(name) })
	authors := p.Authors()
	if len(w.authors) > 0 {
		authors = w.authors
	}
	if len(authors) >= len(d.Authors) { // the account is that of one of them
		d.Authors = authors
	}
	d.PublishedAt, d.DOI = p.Published(), p.DOI()
}

// docxWriter converts WordprocessingML (ECMA-376, part 1, 17) to an HTML tree.
type docxWriter struct {
	docxParts
	root         *xhtml.Node
	cell         *xhtml.Node   // of the table that is read; nil outside of tables
	lists        []*xhtml.Node // around the next item, outermost first
	note         string        // the label of the note that is read; "" in the text
	title        string
	firstHeading string
	authors      []string // in paragraphs of the style for them
	hiddenChars  int
}

// blocks reads the paragraphs and tables of an element. Those of a table in a table become text of the cell.
func (w *docxWriter) blocks(n *xhtml.Node) {
	for c := range n.ChildNodes() {
		switch {
		case docxGone[c.Data]:
		case c.Data == "p":
			w.paragraph(c)
		case c.Data == "tbl" && w.cell == nil:
			w.table(c)
		default:
			w.blocks(c)
		}
	}
}

func (w *docxWriter) table(n *xhtml.Node) {
	w.lists = nil
	table := html.Element(atom.Table)
	w.root.AppendChild(table)
	each(n, "tr", func(tr *xhtml.Node) {
		row := html.Element(atom.Tr)
		each(tr, "tc", func(tc *xhtml.Node) {
			w.cell = html.Element(atom.Td)
			row.AppendChild(w.cell)
			w.blocks(tc)
			w.cell = nil
		})
		properties := xmltree.Child(tr, "trPr")
		if xmltree.Child(properties, "del") != nil || isOn(xmltree.Child(properties, "hidden")) {
			w.hiddenChars += utf8.RuneCountInString(html.InlineText(row))
			return
		}
		table.AppendChild(row)
	})
}

// each calls f for the parts of a table, which controls and marks of changes may enclose.
func each(n *xhtml.Node, part string, f func(*xhtml.Node)) {
	for c := range n.ChildNodes() {
		switch {
		case docxGone[c.Data]:
		case c.Data == part:
			f(c)
		default:
			each(c, part, f)
		}
	}
}

// notes reads the footnotes or the endnotes.
func (w *docxWriter) notes(list *xhtml.Node, kind string) {
	for n := range xmltree.Children(list, kind) {
		if class := xmltree.Attr(n, "type"); class == "" || class == "normal" { // others are separators
			w.note = noteLabel(n)
			w.blocks(n)
		}
	}
}

// noteLabel is the number of a note or of a reference to it. It distinguishes footnotes from endnotes, because both are
// numbered from 1.
func noteLabel(n *xhtml.Node) string {
	id := xmltree.Attr(n, "id")
	if strings.HasPrefix(n.Data, "endnote") {
		return "e" + id
	}
	return id
}

// paragraph reads a paragraph, and then the text boxes in it.
func (w *docxWriter) paragraph(n *xhtml.Node) {
	properties := xmltree.Child(n, "pPr")
	named := val(xmltree.Child(properties, "pStyle"))
	line := docxLine{docxWriter: w, para: html.Element(atom.P), style: w.styles[named]}
	line.add(n, "")
	if text := html.InlineText(line.para); text != "" {
		w.place(line.para, text, named, properties)
	}
	for _, box := range line.boxes {
		w.blocks(box)
	}
}

// place adds a paragraph where its style and its properties say.
func (w *docxWriter) place(para *xhtml.Node, text, named string, properties *xhtml.Node) {
	style, list := w.styles[named], xmltree.Child(properties, "numPr")
	number := val(xmltree.Child(list, "numId"))
	level := cmp.Or(style.level, levelOf(xmltree.Child(properties, "outlineLvl"), 6))
	if w.cell != nil {
		if w.cell.FirstChild != nil {
			w.cell.AppendChild(html.Element(atom.Br))
		}
		html.Adopt(w.cell, para)
		return
	}
	if number == "0" { // removes a paragraph from the list of its style
		list = nil
	}
	if list == nil {
		w.lists = nil
	}
	last := w.root.LastChild
	switch {
	case w.note != "" && last != nil && xmltree.Attr(last, "id") == "note-"+w.note: // its second paragraph
		last.AppendChild(html.Element(atom.Br))
		html.Adopt(last, para)
	case w.note != "":
		para.Attr = append(para.Attr, xhtml.Attribute{Key: "id", Val: "note-" + w.note})
		w.root.AppendChild(para)
	case strings.EqualFold(named, "Title"):
		w.title = document.First(w.title, text)
		w.head(1, para)
	case strings.EqualFold(named, "Author"):
		w.authors = document.AddAuthor(w.authors, text)
		w.root.AppendChild(para)
	case level > 0:
		w.firstHeading = document.First(w.firstHeading, text)
		w.head(level, para)
	case list != nil:
		depth := cmp.Or(levelOf(xmltree.Child(list, "ilvl"), 9), 1)
		w.item(depth, w.numbers[number][depth-1], para)
	case style.code:
		if last == nil || last.DataAtom != atom.Pre {
			last = html.Element(atom.Pre)
			w.root.AppendChild(last)
		} else {
			last.AppendChild(html.TextNode("\n"))
		}
		html.Adopt(last, para)
	case style.quote:
		w.root.AppendChild(html.With(html.Element(atom.Blockquote), para))
	default:
		w.root.AppendChild(para)
	}
}

func (w *docxWriter) head(level int, para *xhtml.Node) {
	h := html.Element([]atom.Atom{atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}[min(max(level, 1), 6)-1])
	html.Adopt(h, para)
	w.root.AppendChild(h)
}

// item adds an item to the list at its depth, inside the last item of the outer list.
func (w *docxWriter) item(depth int, counts bool, para *xhtml.Node) {
	kind := atom.Ul
	if counts {
		kind = atom.Ol
	}
	w.lists = w.lists[:min(depth, len(w.lists))]
	if n := len(w.lists); n == depth && w.lists[n-1].DataAtom != kind {
		w.lists = w.lists[:n-1]
	}
	for len(w.lists) < depth {
		list, around := html.Element(kind), w.root
		if n := len(w.lists); n > 0 {
			if around = w.lists[n-1].LastChild; around == nil {
				around = html.Element(atom.Li)
				w.lists[n-1].AppendChild(around)
			}
		}
		around.AppendChild(list)
		w.lists = append(w.lists, list)
	}
	li := html.Element(atom.Li)
	html.Adopt(li, para)
	w.lists[depth-1].AppendChild(li)
}

// docxLine writes the text of one paragraph.
type docxLine struct {
	*docxWriter
	para  *xhtml.Node
	style docxStyle
	boxes []*xhtml.Node // text boxes

	last  docxRun     // format of the last written text,
	inner *xhtml.Node // and the element that contains it
}

// docxRun is the format of a run of text.
type docxRun struct {
	bold, italic, strike, hidden bool
	raise                        string // superscript, subscript
	href                         string
}

// add reads the runs, links and formulas of an element.
func (l *docxLine) add(n *xhtml.Node, href string) {
	for c := range n.ChildNodes() {
		switch {
		case docxGone[c.Data]:
		case c.Data == "r":
			l.run(c, l.formatOf(xmltree.Child(c, "rPr"), href))
		case c.Data == "hyperlink":
			l.add(c, l.links[xmltree.Attr(c, "id")])
		case c.Data == "oMath":
			if formula := html.Formula(mathML(c, false)); formula != nil {
				l.put(formula)
			}
		default:
			l.add(c, href)
		}
	}
}

func (l *docxLine) formatOf(properties *xhtml.Node, href string) docxRun {
	named := l.styles[val(xmltree.Child(properties, "rStyle"))]
	style := docxStyle{hidden: l.style.hidden || named.hidden, strike: l.style.strike || named.strike}
	style.hide(properties)
	return docxRun{
		bold: isOn(xmltree.Child(properties, "b")), italic: isOn(xmltree.Child(properties, "i")), strike: style.strike, hidden: style.hidden,
		raise: val(xmltree.Child(properties, "vertAlign")), href: href,
	}
}

// run reads the content of a run.
func (l *docxLine) run(n *xhtml.Node, format docxRun) {
	for c := range n.ChildNodes() {
		switch c.Data {
		case "t":
			if c.FirstChild != nil {
				l.text(c.FirstChild.Data, format)
			}
		case "tab":
			l.text(" ", format)
		case "noBreakHyphen":
			l.text("-", format)
		case "br", "cr":
			l.put(html.Element(atom.Br))
		case "footnoteReference", "endnoteReference":
			if label := noteLabel(c); xmltree.Attr(c, "id") != "" && len(label) < 9 {
				l.put(html.With(html.Element(atom.A, "href", "#note-"+label, "class", "footnote-ref"), html.TextNode("["+label+"]")))
			}
		case "txbxContent":
			l.boxes = append(l.boxes, c)
		default:
			if !docxGone[c.Data] {
				l.run(c, format)
			}
		}
	}
}

// put adds an element that no run continues.
func (l *docxLine) put(n *xhtml.Node) {
	l.para.AppendChild(n)
	l.inner = nil
}

// text adds words, in elements for their format.
func (l *docxLine) text(s string, format docxRun) {
	if format.hidden {
		l.hiddenChars += utf8.RuneCountInString(s)
		return
	}
	if l.inner == nil || format != l.last {
		l.last, l.inner = format, l.para
		into := func(on bool, a atom.Atom, attrs ...string) {
			if on {
				n := html.Element(a, attrs...)
				l.inner.AppendChild(n)
				l.inner = n
			}
		}
		into(format.href != "", atom.A, "href", format.href)
		into(format.bold, atom.Strong)
		into(format.italic, atom.Em)
		into(format.strike, atom.Del)
		into(format.raise == "superscript", atom.Sup)
		into(format.raise == "subscript", atom.Sub)
	}
	l.inner.AppendChild(html.TextNode(s))
}
