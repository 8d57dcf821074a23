package archive

import (
	"cmp"
	"context"
	"encoding/xml"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	xhtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/html"
	"github.com/citeloop/citeloop/fetch/extract/limit"
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

func readDOCX(ctx context.Context, a *archive) (document.Extraction, error) {
	main, err := a.read("word/document.xml")
	if err != nil {
		return document.Extraction{}, damaged("DOCX", err)
	}
	var x document.Extraction
	if core, err := a.read("docProps/core.xml"); err == nil {
		if _, err := coreProperties(core, &x.Document); err != nil {
			return document.Extraction{}, err
		}
	}
	w := newDOCXWriter()
	for name, read := range map[string]func([]byte) error{"word/styles.xml": w.readStyles, "word/numbering.xml": w.readNumbering, "word/_rels/document.xml.rels": w.readLinks} {
		if b, err := a.read(name); err == nil {
			if err := read(b); err != nil {
				return document.Extraction{}, err
			}
		}
	}
	if err := w.read(main); err != nil {
		return document.Extraction{}, err
	}
	for _, name := range []string{"footnotes", "endnotes"} {
		b, err := a.read("word/" + name + ".xml")
		if err != nil {
			continue
		}
		w.kind, w.links = name[:1], nil // their links are in another part
		if err := w.read(b); err != nil {
			return document.Extraction{}, err
		}
	}
	if err := ctx.Err(); err != nil {
		return document.Extraction{}, err
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

// docxWriter converts WordprocessingML (ECMA-376, part 1, 17) to an HTML tree, in one pass without recursion.
type docxWriter struct {
	docxParts
	kind string // the current part: f for footnotes, e for endnotes, "" for the text

	root         *xhtml.Node
	lists        []*xhtml.Node // around the next item, outermost first
	title        string
	firstHeading string
	authors      []string // in paragraphs of the style for them

	para   *xhtml.Node
	style  string
	level  int // outline level of the paragraph itself, from 1
	list   int // depth of the list item, from 1; 0 = none
	number string
	run    docxRun
	inRun  bool
	last   docxRun     // format of the last written text,
	inner  *xhtml.Node // and the element that contains it
	href   string
	inText bool
	skip   int // depth in elements without shown text
	table  *xhtml.Node
	row    *xhtml.Node
	cell   *xhtml.Node
	tables int // depth; an inner table becomes text of its cell
	note   string
	math   *docxMath

	inRow       bool // in the properties of a row,
	rowGone     bool // which is deleted or hidden
	hiddenChars int
}

// shown is a run with what a style says about it.
func (w *docxWriter) shown(run docxRun, style docxStyle) docxRun {
	run.hidden, run.strike = run.hidden || style.hidden, run.strike || style.strike
	return run
}

// docxRun is the format of a run of text.
type docxRun struct {
	bold, italic, strike, hidden bool
	raise                        string // sup, sub
	href                         string
}

func newDOCXWriter() *docxWriter {
	return &docxWriter{docxParts: docxParts{map[string]docxStyle{}, map[string]map[int]bool{}, map[string]string{}}, root: html.Element(atom.Body), para: html.Element(atom.P)}
}

// Elements without text of the document: deletions, field codes, old forms of drawings.
var docxHidden = map[string]bool{"moveFrom": true, "instrText": true, "delText": true, "Fallback": true, "rPrChange": true, "pPrChange": true}

func (w *docxWriter) read(b []byte) error {
	return limit.WalkXML(b, w.start, w.end, func(s string) {
		switch {
		case w.skip > 0:
		case w.math != nil:
			w.math.text(s)
		case w.inText:
			w.text(s)
		}
	})
}

func (w *docxWriter) start(e xml.StartElement) {
	if w.skip == 0 && e.Name.Local == "del" && w.inRow { // the row is deleted, not words in it
		w.rowGone = true
	}
	if w.skip > 0 || docxHidden[e.Name.Local] || e.Name.Local == "del" {
		w.skip++
		return
	}
	if w.math != nil {
		w.math.start(e)
		return
	}
	val := limit.Attr(e, "val")
	on := val != "0" && val != "false" && val != "none"
	switch e.Name.Local {
	case "p":
		w.paragraph() // a nested one is a text box
	case "pStyle":
		w.style = val
	case "outlineLvl":
		if n, err := strconv.Atoi(val); err == nil && n >= 0 && n < 6 {
			w.level = n + 1
		}
	case "numPr":
		w.list = max(w.list, 1)
	case "ilvl":
		if n, err := strconv.Atoi(val); err == nil && n >= 0 && n < 9 {
			w.list = n + 1
		}
	case "numId":
		if w.number = val; val == "0" { // removes a paragraph from the list of its style
			w.list = 0
		}
	case "r":
		w.run, w.inRun = w.shown(docxRun{}, w.styles[w.style]), true
	case "rStyle":
		if w.inRun {
			w.run = w.shown(w.run, w.styles[val])
		}
	case "vanish", "webHidden", "specVanish":
		if w.inRun {
			w.run.hidden = on
		}
	case "trPr":
		w.inRow = w.tables == 1
	case "hidden":
		w.rowGone = w.rowGone || w.inRow && on
	case "b":
		w.run.bold = w.inRun && on
	case "i":
		w.run.italic = w.inRun && on
	case "strike", "dstrike":
		w.run.strike = w.inRun && on
	case "vertAlign":
		w.run.raise = map[string]string{"superscript": "sup", "subscript": "sub"}[val]
	case "hyperlink":
		w.href = w.links[limit.Attr(e, "id")]
	case "t":
		w.inText = true
	case "tab":
		if w.inRun {
			w.text(" ")
		}
	case "br", "cr":
		w.para.AppendChild(html.Element(atom.Br))
		w.inner = nil
	case "noBreakHyphen":
		w.text("-")
	case "footnoteReference", "endnoteReference":
		if id := limit.Attr(e, "id"); id != "" && len(id) < 8 {
			label := noteLabel(e.Name.Local[:1], id)
			w.para.AppendChild(html.With(html.Element(atom.A, "href", "#note-"+label, "class", "footnote-ref"), html.TextNode("["+label+"]")))
			w.inner = nil
		}
	case "footnote", "endnote":
		w.note = noteLabel(w.kind, limit.Attr(e, "id"))
		if kind := limit.Attr(e, "type"); kind != "" && kind != "normal" { // the separators
			w.note = ""
			w.skip = 1
		}
	case "oMath":
		w.math = newDOCXMath()
	case "tbl":
		if w.tables++; w.tables == 1 {
			w.paragraph()
			w.lists = nil
			w.table = html.Element(atom.Table)
			w.root.AppendChild(w.table)
		}
	case "tr":
		if w.tables == 1 {
			w.row = html.Element(atom.Tr)
			w.table.AppendChild(w.row)
		}
	case "tc":
		if w.tables == 1 && w.row != nil {
			w.cell = html.Element(atom.Td)
			w.row.AppendChild(w.cell)
		}
	}
}

// noteLabel distinguishes footnotes from endnotes, because both are numbered from 1.
func noteLabel(kind, id string) string {
	if kind == "e" {
		return "e" + id
	}
	return id
}

func (w *docxWriter) end(e xml.EndElement) {
	if w.skip > 0 {
		w.skip--
		return
	}
	if w.math != nil {
		if !w.math.end(e) {
			return
		}
		if formula := html.Formula(w.math.root); formula != nil {
			w.para.AppendChild(formula)
			w.inner = nil
		}
		w.math = nil
		return
	}
	switch e.Name.Local {
	case "t":
		w.inText = false
	case "r":
		w.run, w.inRun = docxRun{}, false
	case "hyperlink":
		w.href = ""
	case "p":
		w.paragraph()
	case "tc":
		if w.tables == 1 {
			w.cell = nil
		}
	case "trPr":
		w.inRow = false
	case "tr":
		if w.tables == 1 {
			if w.rowGone && w.row != nil {
				w.hiddenChars += utf8.RuneCountInString(html.InlineText(w.row))
				w.table.RemoveChild(w.row)
			}
			w.row, w.rowGone = nil, false
		}
	case "tbl":
		w.tables = max(w.tables-1, 0)
	}
}

// text adds words to the paragraph, in elements for their format.
func (w *docxWriter) text(s string) {
	run := w.run
	if run.hidden {
		w.hiddenChars += utf8.RuneCountInString(s)
		return
	}
	run.href = w.href
	if w.inner != nil && run == w.last {
		w.inner.AppendChild(html.TextNode(s))
		return
	}
	at := w.para
	into := func(a atom.Atom, attrs ...string) {
		n := html.Element(a, attrs...)
		at.AppendChild(n)
		at = n
	}
	if run.href != "" {
		into(atom.A, "href", run.href)
	}
	if run.bold {
		into(atom.Strong)
	}
	if run.italic {
		into(atom.Em)
	}
	if run.strike {
		into(atom.Del)
	}
	switch run.raise {
	case "sup":
		into(atom.Sup)
	case "sub":
		into(atom.Sub)
	}
	at.AppendChild(html.TextNode(s))
	w.last, w.inner = run, at
}

// paragraph ends the current paragraph.
func (w *docxWriter) paragraph() {
	para, style, level, list, number := w.para, w.styles[w.style], w.level, w.list, w.number
	named := w.style
	w.para, w.inner, w.style, w.level, w.list, w.number = html.Element(atom.P), nil, "", 0, 0, ""
	text := html.InlineText(para)
	if text == "" {
		return
	}
	if style.level > 0 {
		level = style.level
	}
	if w.tables > 0 {
		if w.cell != nil {
			if w.cell.FirstChild != nil {
				w.cell.AppendChild(html.Element(atom.Br))
			}
			html.Adopt(w.cell, para)
		}
		return
	}
	if list == 0 {
		w.lists = nil
	}
	switch {
	case w.kind != "":
		if w.note == "" {
			return
		}
		if last := w.root.LastChild; last != nil && html.Attribute(last, "id") == "note-"+w.note { // its second paragraph
			last.AppendChild(html.Element(atom.Br))
			html.Adopt(last, para)
			return
		}
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
	case list > 0:
		w.item(list, w.numbers[number][list-1], para)
	case style.code:
		pre := w.root.LastChild
		if pre == nil || pre.DataAtom != atom.Pre {
			pre = html.Element(atom.Pre)
			w.root.AppendChild(pre)
		} else {
			pre.AppendChild(html.TextNode("\n"))
		}
		html.Adopt(pre, para)
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
