package archive

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	xhtml "golang.org/x/net/html"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// DOCX reads a Word document with the numbers that Word shows, its tables, notes, links and formulas. Changes count as
// accepted. Its decompressed size is limited to maxBytes.
func DOCX(ctx context.Context, body []byte, maxBytes int64) (x document.Extraction, err error) {
	a, err := openArchive(body, maxBytes)
	if err != nil {
		return x, err
	}
	name := a.mainPart()
	main, err := a.tree(name)
	if err != nil {
		return x, damaged("DOCX", err)
	}
	var parts [5]*xhtml.Node
	for i, part := range []string{
		"docProps/core.xml", "word/styles.xml", "word/numbering.xml", "word/footnotes.xml", "word/endnotes.xml",
	} {
		if parts[i], err = a.part(part); err != nil {
			return x, err
		}
	}
	coreProperties(parts[0], &x.Document)
	w := &docxWriter{docxStyles: readStyles(parts[1]), numbers: readNumbers(parts[2]),
		refs: map[string]string{}, d: &x.Document}
	w.blocks(main)
	w.notes(xmltree.Child(parts[3], "footnotes"), "footnote")
	w.notes(xmltree.Child(parts[4], "endnotes"), "endnote")
	w.note = ""
	if err := w.margins(a); err != nil {
		return x, err
	}
	if err := ctx.Err(); err != nil {
		return x, err
	}
	x.Title = document.Title(document.First(w.title, x.Title, w.firstHeading))
	printed := "" // of the title page: a program fills in the account as the author
	for _, b := range x.Blocks[:min(len(x.Blocks), 60)] {
		printed += strings.ToLower(b.Text) + " "
	}
	x.Authors = slices.DeleteFunc(x.Authors, func(name string) bool {
		words := strings.Fields(strings.ToLower(name))
		return !strings.Contains(printed, words[len(words)-1])
	})
	if len(w.authors) >= max(1, len(x.Authors)) { // the account is that of one of them
		x.Authors = w.authors
	}
	x.PublishedAt = "" // the day of the file
	return x, nil
}

// docxWriter makes blocks of WordprocessingML (ECMA-376, part 1, 17).
type docxWriter struct {
	docxStyles
	numbers      *docxNumbers
	d            *document.Document
	cell         *[]string         // paragraphs of the cell that is read; nil outside of tables
	refs         map[string]string // numbers of notes by kind and id, in the order of their references
	footnotes    int               // referred to so far
	endnotes     int
	note         string // the number of the note that is read; "" in the text
	title        string
	firstHeading string
	authors      []string // in paragraphs of the style for them
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
		case c.Data == "altChunk":
			w.d.Partial = "a part of the document is in another format and was not read"
		default:
			w.blocks(c)
		}
	}
}

func (w *docxWriter) table(n *xhtml.Node) {
	begins := true
	above := map[int]string{} // cells that go on in the row below, by column
	each(n, "tr", func(tr *xhtml.Node) {
		properties := xmltree.Child(tr, "trPr")
		column := columns(xmltree.Child(properties, "gridBefore"), 0)
		cells := make([]string, column, column+8)
		each(tr, "tc", func(tc *xhtml.Node) {
			of := xmltree.Child(tc, "tcPr")
			text, goesOn := w.cellText(tc), xmltree.Child(of, "vMerge")
			switch {
			case goesOn == nil:
				delete(above, column)
			case val(goesOn) == "restart":
				if above[column] = text; len(text) > maxRepeated {
					delete(above, column)
				}
			default:
				text = above[column]
			}
			cells = append(append(cells, make([]string, column-len(cells))...), text)
			column += columns(xmltree.Child(of, "gridSpan"), 1)
		})
		if xmltree.Child(properties, "del") != nil || isOn(xmltree.Child(properties, "hidden")) {
			w.d.HiddenChars += utf8.RuneCountInString(strings.Join(cells, ""))
			return
		}
		if strings.Join(cells, "") != "" {
			w.add(document.Block{Kind: document.Row, Text: strings.Join(cells, document.CellMark), Begins: begins})
			begins = false
		}
	})
}

// maxRepeated bounds a text that is repeated in the rows below, in bytes; a longer one is no name.
const maxRepeated = 100

// columns is the number of columns that a property says; Word has 63 at most.
func columns(property *xhtml.Node, usual int) int {
	if n, err := strconv.Atoi(val(property)); err == nil && n >= usual {
		return min(n, 63)
	}
	return usual
}

func (w *docxWriter) cellText(tc *xhtml.Node) string {
	var paragraphs []string
	w.cell = &paragraphs
	w.blocks(tc)
	w.cell = nil
	return strings.Join(paragraphs, " ")
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
			w.note = w.noteNumber(n)
			w.blocks(n)
		}
	}
}

// noteNumber is the number of a note or of a reference to it: footnotes are counted 1, 2, 3, endnotes i, ii, iii.
func (w *docxWriter) noteNumber(n *xhtml.Node) string {
	kind := n.Data[:strings.Index(n.Data, "note")]
	key := kind + xmltree.Attr(n, "id")
	if w.refs[key] == "" {
		if kind == "end" {
			w.endnotes++
			w.refs[key] = "[" + formatNumber(w.endnotes, "lowerRoman") + "]"
		} else {
			w.footnotes++
			w.refs[key] = fmt.Sprintf("[%d]", w.footnotes)
		}
	}
	return w.refs[key]
}

// margins adds the headers and footers of pages, each once.
func (w *docxWriter) margins(a *archive) error {
	seen := map[string]bool{}
	for _, kind := range []string{"header", "footer"} {
		for i := 1; i <= 3; i++ { // the first page, odd and even ones
			root, err := a.part(fmt.Sprintf("word/%s%d.xml", kind, i))
			if err != nil {
				return err
			}
			var lines []string
			w.cell = &lines
			w.blocks(root)
			w.cell = nil
			if text := strings.Join(lines, "\n"); !seen[text] {
				seen[text] = true
				w.add(document.Block{Kind: document.Furniture, Text: text})
			}
		}
	}
	return nil
}

func (w *docxWriter) add(b document.Block) {
	if b.Text != "" || b.Number != "" {
		w.d.Blocks = append(w.d.Blocks, b)
	}
}

// paragraph reads a paragraph, and then the text boxes in it.
func (w *docxWriter) paragraph(n *xhtml.Node) {
	properties := xmltree.Child(n, "pPr")
	named := val(xmltree.Child(properties, "pStyle"))
	style := w.styles[named]
	line := docxLine{docxWriter: w, style: style}
	line.add(n)
	line.strike(false)
	text := line.out.String()
	w.d.Invisible += sanitize.CountInvisible(text)
	if !style.code {
		text = squeeze(text)
	}
	if text = document.Tidy(text); text != "" {
		w.place(text, named, style, properties)
	} else if isShown(xmltree.Child(properties, "rPr"), style) { // an empty paragraph counts, too
		if number, _, _ := w.number(style, properties); number != "" && w.cell != nil {
			*w.cell = append(*w.cell, number)
		}
	}
	for _, box := range line.boxes {
		w.blocks(box)
	}
}

// isShown reports whether the mark of an empty paragraph, with these properties, is neither deleted nor hidden.
func isShown(mark *xhtml.Node, style docxStyle) bool {
	style.hide(mark)
	return !style.hidden && xmltree.Child(mark, "del") == nil && xmltree.Child(mark, "moveFrom") == nil
}

// squeeze makes one blank of the blanks within each line.
func squeeze(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// place adds a paragraph where its style and its properties say.
func (w *docxWriter) place(text, named string, style docxStyle, properties *xhtml.Node) {
	number, depth, listed := w.number(style, properties)
	level := cmp.Or(style.level, levelOf(xmltree.Child(properties, "outlineLvl"), 6))
	b := document.Block{Text: text, Number: number}
	last := &document.Block{}
	if n := len(w.d.Blocks); n > 0 {
		last = &w.d.Blocks[n-1]
	}
	switch {
	case w.cell != nil:
		*w.cell = append(*w.cell, strings.TrimSpace(number+" "+strings.ReplaceAll(text, "\n", " ")))
		return
	case w.note != "" && last.Kind == document.Note && last.Number == w.note: // its second paragraph
		last.Text += "\n" + text
		return
	case w.note != "":
		b.Kind, b.Number = document.Note, w.note
	case strings.EqualFold(named, "Title"):
		w.title = document.First(w.title, text)
		b.Kind, b.Level = document.Heading, 1
	case strings.EqualFold(named, "Author"):
		w.authors = document.AddAuthor(w.authors, text)
	case style.contents:
		b.Kind = document.Furniture
	case level > 0:
		w.firstHeading = document.First(w.firstHeading, text)
		b.Kind, b.Level = document.Heading, min(level, 6)
	case style.code && last.Kind == document.Code:
		last.Text += "\n" + text
		return
	case style.code:
		b.Kind = document.Code
	case listed:
		b.Kind, b.Level, b.Begins = document.Item, depth, last.Kind != document.Item && depth == 1
	case style.caption:
		b.Kind = document.Caption
	case style.quote:
		b.Kind = document.Quote
	}
	w.add(b)
}

// number counts a paragraph of a list and returns its number as Word shows it, "" for a bullet. The properties of a paragraph
// come before those of its style, and the numbering 0 removes it from a list.
func (w *docxWriter) number(style docxStyle, properties *xhtml.Node) (number string, depth int, listed bool) {
	list := xmltree.Child(properties, "numPr")
	id := cmp.Or(val(xmltree.Child(list, "numId")), style.list)
	if id == "" || id == "0" {
		return "", 0, false
	}
	level := levelOf(xmltree.Child(list, "ilvl"), maxLevels)
	if level == 0 {
		level = cmp.Or(w.numbers.levelOfStyle(id, style.id), style.listLevel, 1)
	}
	return w.numbers.next(id, level-1), level, true
}

// docxLine writes the text of one paragraph.
type docxLine struct {
	*docxWriter
	out    strings.Builder
	style  docxStyle
	boxes  []*xhtml.Node // text boxes
	struck bool          // the last written text is struck through
	codes  []bool        // of fields in each other: what is read is the code of the field, not what it shows
}

// add reads the runs, links and formulas of an element.
func (l *docxLine) add(n *xhtml.Node) {
	for c := range n.ChildNodes() {
		switch {
		case docxGone[c.Data]:
		case c.Data == "r":
			l.run(c, xmltree.Child(c, "rPr"))
		case c.Data == "oMath":
			if tex := strings.TrimSpace(texOf(c)); tex != "" {
				mark := "$"
				if n.Data == "oMathPara" {
					mark = "$$"
				}
				l.strike(false)
				l.out.WriteString(mark + tex + mark)
			}
		default:
			l.add(c)
		}
	}
}

func (l *docxLine) strike(on bool) {
	if on != l.struck {
		l.struck = on
		l.out.WriteString("~~")
	}
}

// run reads the content of a run.
func (l *docxLine) run(n, properties *xhtml.Node) {
	named := l.styles[val(xmltree.Child(properties, "rStyle"))]
	style := docxStyle{hidden: l.style.hidden || named.hidden, strike: l.style.strike || named.strike}
	style.hide(properties)
	for c := range n.ChildNodes() {
		if c.Data == "fldChar" {
			l.field(xmltree.Attr(c, "fldCharType"))
		}
		if slices.Contains(l.codes, true) {
			continue
		}
		switch c.Data {
		case "t":
			if c.FirstChild == nil {
				continue
			}
			text := c.FirstChild.Data
			if font := xmltree.Attr(xmltree.Child(properties, "rFonts"), "ascii"); font == "Symbol" || font == "Wingdings" {
				text = symbolic(font, text)
			}
			if style.hidden {
				l.d.HiddenChars += utf8.RuneCountInString(text)
				continue
			}
			l.strike(style.strike)
			l.out.WriteString(raised(text, val(xmltree.Child(properties, "vertAlign"))))
		case "sym":
			if code, err := strconv.ParseUint(xmltree.Attr(c, "char"), 16, 16); err == nil && code > ' ' && !style.hidden {
				l.out.WriteString(symbolic(xmltree.Attr(c, "font"), string(rune(code))))
			}
		case "tab":
			l.out.WriteString("\t")
		case "noBreakHyphen":
			l.out.WriteString("-")
		case "br", "cr":
			l.out.WriteString("\n")
		case "footnoteReference", "endnoteReference":
			if xmltree.Attr(c, "id") != "" && !style.hidden {
				l.out.WriteString(l.noteNumber(c))
			}
		case "txbxContent":
			l.boxes = append(l.boxes, c)
		default:
			if !docxGone[c.Data] {
				l.run(c, properties)
			}
		}
	}
}

// field notes the beginning, the middle or the end of a field. Those that go on in the next paragraph show what is there.
func (l *docxLine) field(part string) {
	last := len(l.codes) - 1
	switch {
	case part == "begin":
		l.codes = append(l.codes, true)
	case last < 0:
	case part == "separate":
		l.codes[last] = false
	case part == "end":
		l.codes = l.codes[:last]
	}
}

// wingdings are the signs of this font that stand for a word, by their codes.
var wingdings = map[rune]rune{0x6c: '●', 0x6e: '■', 0x6f: '□', 0xa7: '▪', 0xa8: '□', 0xd8: '➢', 0xdf: '←', 0xe0: '→',
	0xe1: '↑', 0xe2: '↓', 0xe8: '→', 0xf0: '⇨', 0xfb: '✗', 0xfc: '✓', 0xfd: '☒', 0xfe: '☑'}

// symbols are the characters of the font Symbol from 0xA0 on, and symbolLetters its letters.
var (
	symbols = []rune("€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠" +
		"≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑")
	symbolLetters = []rune("ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_" +
		" αβχδεφγηιϕκλμνοπθρστυϖωξψζ")
)

// symbolic writes the characters of a font of symbols, which stand in the private area. Those of other fonts are pictures.
func symbolic(font, text string) string {
	return strings.Map(func(r rune) rune {
		at := r & 0xff
		switch {
		case r < 0xf000 || r > 0xf0ff:
			return r
		case font == "Symbol" && at >= 'A' && int(at-'A') < len(symbolLetters):
			return symbolLetters[at-'A']
		case font == "Symbol" && at >= 0xa0 && int(at-0xa0) < len(symbols):
			return symbols[at-0xa0]
		case font == "Wingdings" && wingdings[at] != 0:
			return wingdings[at]
		}
		return -1
	}, text)
}

// raised writes numbers above or below the line with the characters for them: 10⁵ is not 105.
func raised(text, where string) string {
	if where == "superscript" || where == "subscript" {
		if s, ok := document.Raised(text, where == "subscript"); ok {
			return s
		}
	}
	return text
}
