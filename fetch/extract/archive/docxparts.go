package archive

import (
	"encoding/xml"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/limit"
)

// docxParts is what the other parts of a Word document say about its text.
type docxParts struct {
	styles  map[string]docxStyle
	numbers map[string]map[int]bool // by the id of a numbering: the numbered levels
	links   map[string]string       // addresses by the id of a relation
}

// docxStyle is the format of paragraphs with a style.
type docxStyle struct {
	level  int // of a heading; 0 = none
	code   bool
	quote  bool
	hidden bool // its text is not shown
	strike bool
}

// maxDOCXParts bounds the styles, numberings and links.
const maxDOCXParts = 10_000

// readStyles reads which styles are headings, by outline level or by common names, and which are code and quotations.
func (w *docxParts) readStyles(b []byte) error {
	id := ""
	return limit.WalkXML(b, func(e xml.StartElement) {
		if e.Name.Local == "style" {
			id = limit.Attr(e, "styleId")
			return
		}
		style := w.styles[id]
		on := func() bool { v := limit.Attr(e, "val"); return v != "0" && v != "false" }
		switch e.Name.Local {
		case "outlineLvl":
			if n, err := strconv.Atoi(limit.Attr(e, "val")); err == nil && n >= 0 && n < 6 {
				style.level = n + 1
			}
		case "vanish", "webHidden":
			style.hidden = on()
		case "strike", "dstrike":
			style.strike = on()
		case "basedOn": // styles come after those that they are based on
			base := w.styles[limit.Attr(e, "val")]
			style.hidden, style.strike = base.hidden, base.strike
		case "name":
			name := strings.ToLower(limit.Attr(e, "val"))
			if rest, ok := strings.CutPrefix(name, "heading "); ok && style.level == 0 {
				if n, err := strconv.Atoi(rest); err == nil && n > 0 && n < 7 {
					style.level = n
				}
			}
			style.code = strings.Contains(name, "preformatted") || strings.Contains(name, "source code") || name == "code" || name == "verbatim"
			style.quote = name == "quote" || name == "intense quote" || name == "block text" || name == "quotations"
		default:
			return
		}
		if id != "" && len(w.styles) < maxDOCXParts {
			w.styles[id] = style
		}
	}, func(xml.EndElement) {}, func(string) {})
}

// readNumbering reads which levels of lists are numbered.
func (w *docxParts) readNumbering(b []byte) error {
	abstract := map[string]map[int]bool{}
	id, number, level := "", "", 0
	return limit.WalkXML(b, func(e xml.StartElement) {
		switch e.Name.Local {
		case "abstractNum":
			id, number = limit.Attr(e, "abstractNumId"), ""
		case "lvl":
			level, _ = strconv.Atoi(limit.Attr(e, "ilvl"))
		case "numFmt":
			if format := limit.Attr(e, "val"); number == "" && format != "bullet" && format != "none" && len(abstract) < maxDOCXParts {
				if abstract[id] == nil {
					abstract[id] = map[int]bool{}
				}
				abstract[id][level] = true
			}
		case "num":
			number = limit.Attr(e, "numId")
		case "abstractNumId":
			if number != "" && len(w.numbers) < maxDOCXParts {
				w.numbers[number] = abstract[limit.Attr(e, "val")]
			}
		}
	}, func(xml.EndElement) {}, func(string) {})
}

// readLinks reads the addresses of the document's links.
func (w *docxParts) readLinks(b []byte) error {
	return limit.WalkXML(b, func(e xml.StartElement) {
		if e.Name.Local == "Relationship" && limit.Attr(e, "TargetMode") == "External" && len(w.links) < maxDOCXParts {
			w.links[limit.Attr(e, "Id")] = limit.Attr(e, "Target")
		}
	}, func(xml.EndElement) {}, func(string) {})
}
