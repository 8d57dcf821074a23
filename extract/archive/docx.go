package archive

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/extract/document"
	"github.com/citeloop/citeloop/extract/xmlread"
)

// DOCX reads a document of a word processor: headings, lists, tables and footnotes as Markdown writes them, so
// that nothing of the structure is lost in the text. All of it may unpack to maxBytes.
func DOCX(body []byte, maxBytes int64) (document.Extraction, error) {
	a, err := openArchive(body, maxBytes)
	if err != nil {
		return document.Extraction{}, err
	}
	return readDOCX(a)
}

func readDOCX(a *archive) (document.Extraction, error) {
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
	styles := map[string]int{}
	if b, err := a.read("word/styles.xml"); err == nil {
		if styles, err = headingStyles(b); err != nil {
			return document.Extraction{}, err
		}
	}
	w := docxWriter{styles: styles}
	if err := w.read(main); err != nil {
		return document.Extraction{}, err
	}
	for _, name := range []string{"footnotes", "endnotes"} {
		b, err := a.read("word/" + name + ".xml")
		if err != nil {
			continue
		}
		notes := docxWriter{notes: true, kind: name[:1]}
		if err := notes.read(b); err != nil {
			return document.Extraction{}, err
		}
		w.blocks = append(w.blocks, notes.blocks...)
	}
	x.Text = strings.Trim(document.Clean(w.text()), "\n")
	if x.Title == "" {
		x.Title = document.Title(document.First(w.title, w.firstHeading))
	}
	x.ContentType, x.Chars = document.TypeDOCX, utf8.RuneCountInString(x.Text)
	return x, nil
}

// docxWriter turns WordprocessingML (ECMA-376, part 1, 17) into blocks, in one pass without recursion.
type docxWriter struct {
	styles map[string]int // level of a heading by the id of its style
	notes  bool           // the document is one of notes
	kind   string         // f for footnotes, e for endnotes

	blocks       []docxBlock
	title        string
	firstHeading string

	para   strings.Builder
	style  string
	level  int // outline level that the paragraph itself states, from 1
	list   int // depth of the list item, from 1; 0 = none
	inText bool
	skip   int // depth inside of what is not shown
	cells  []string
	cell   []string
	tables int // depth; an inner table is written into its cell
	note   string
}

type docxBlock struct {
	text string
	item bool // of a list or a table: no blank line between two of them
}

// Elements whose content is not text of the document: what was deleted, field codes, the old form of a drawing.
var docxHidden = map[string]bool{"del": true, "moveFrom": true, "instrText": true, "delText": true, "Fallback": true, "rPrChange": true, "pPrChange": true}

func (w *docxWriter) read(b []byte) error {
	return xmlread.Walk(b, w.start, w.end, func(s string) {
		if w.inText && w.skip == 0 {
			w.para.WriteString(s)
		}
	})
}

func (w *docxWriter) start(e xml.StartElement) {
	if w.skip > 0 || docxHidden[e.Name.Local] {
		w.skip++
		return
	}
	switch e.Name.Local {
	case "p":
		w.paragraph() // one inside of another is a text box
	case "pStyle":
		w.style = xmlread.Attr(e, "val")
	case "outlineLvl":
		if n, err := strconv.Atoi(xmlread.Attr(e, "val")); err == nil && n >= 0 && n < 6 {
			w.level = n + 1
		}
	case "numPr":
		w.list = max(w.list, 1)
	case "ilvl":
		if n, err := strconv.Atoi(xmlread.Attr(e, "val")); err == nil && n >= 0 && n < 9 {
			w.list = n + 1
		}
	case "numId":
		if xmlread.Attr(e, "val") == "0" { // takes a paragraph out of the list of its style
			w.list = 0
		}
	case "t":
		w.inText = true
	case "tab":
		w.para.WriteByte(' ')
	case "br", "cr":
		w.para.WriteByte('\n')
	case "noBreakHyphen":
		w.para.WriteByte('-')
	case "footnoteReference", "endnoteReference":
		if id := xmlread.Attr(e, "id"); id != "" && len(id) < 8 {
			w.para.WriteString("[^" + noteLabel(e.Name.Local[:1], id) + "]")
		}
	case "footnote", "endnote":
		w.note = xmlread.Attr(e, "id")
		if kind := xmlread.Attr(e, "type"); kind != "" && kind != "normal" { // the separators
			w.note = ""
			w.skip = 1
		}
	case "tbl":
		if w.tables++; w.tables == 1 {
			w.add(docxBlock{}) // ends the list before it
		}
	}
}

// noteLabel keeps footnotes and endnotes apart, which are numbered each from 1.
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
	switch e.Name.Local {
	case "t":
		w.inText = false
	case "p":
		w.paragraph()
	case "tc":
		if w.tables == 1 {
			w.cells = append(w.cells, strings.Join(w.cell, " "))
			w.cell = nil
		}
	case "tr":
		if w.tables == 1 {
			if row := strings.Join(w.cells, " | "); strings.Trim(row, " |") != "" {
				w.add(docxBlock{row, true})
			}
			w.cells = nil
		}
	case "tbl":
		if w.tables--; w.tables == 0 {
			w.add(docxBlock{}) // ends the table
		}
	}
}

// paragraph ends the paragraph that is being read.
func (w *docxWriter) paragraph() {
	text := strings.TrimSpace(w.para.String())
	level, list := w.level, w.list
	if n := w.styles[w.style]; n > 0 {
		level = n
	}
	style := w.style
	w.para.Reset()
	w.style, w.level, w.list = "", 0, 0
	switch {
	case text == "":
	case w.tables > 0:
		w.cell = append(w.cell, strings.ReplaceAll(text, "\n", " "))
	case w.notes:
		if w.note == "" {
			return
		}
		w.add(docxBlock{fmt.Sprintf("[^%s]: %s", noteLabel(w.kind, w.note), text), false})
	case strings.EqualFold(style, "Title"):
		if w.title == "" {
			w.title = text
		}
		w.add(docxBlock{"# " + text, false})
	case level > 0:
		if w.firstHeading == "" {
			w.firstHeading = text
		}
		w.add(docxBlock{strings.Repeat("#", min(level, 6)) + " " + strings.ReplaceAll(text, "\n", " "), false})
	case list > 0:
		w.add(docxBlock{strings.Repeat("  ", list-1) + "- " + text, true})
	default:
		w.add(docxBlock{text, false})
	}
}

// add keeps a block; one without text ends a run of items.
func (w *docxWriter) add(b docxBlock) { w.blocks = append(w.blocks, b) }

func (w *docxWriter) text() string {
	var out strings.Builder
	item := false
	for _, b := range w.blocks {
		if b.text == "" {
			item = false
			continue
		}
		if out.Len() > 0 {
			if item && b.item {
				out.WriteByte('\n')
			} else {
				out.WriteString("\n\n")
			}
		}
		out.WriteString(b.text)
		item = b.item
	}
	return out.String()
}

// headingStyles reads which styles are headings: by their outline level, or by the names that every word
// processor gives them.
func headingStyles(b []byte) (map[string]int, error) {
	levels := map[string]int{}
	id := ""
	err := xmlread.Walk(b, func(e xml.StartElement) {
		switch e.Name.Local {
		case "style":
			id = xmlread.Attr(e, "styleId")
		case "outlineLvl":
			if n, err := strconv.Atoi(xmlread.Attr(e, "val")); err == nil && n >= 0 && n < 6 && id != "" && len(levels) < 1_000 {
				levels[id] = n + 1
			}
		case "name":
			name := strings.ToLower(xmlread.Attr(e, "val"))
			if rest, ok := strings.CutPrefix(name, "heading "); ok {
				if n, err := strconv.Atoi(rest); err == nil && n > 0 && n < 7 && levels[id] == 0 {
					levels[id] = n
				}
			}
		}
	}, func(xml.EndElement) {}, func(string) {})
	return levels, err
}
