package drawing

import (
	_ "embed"
	"fmt"
	"html"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"github.com/citeloop/citeloop/internal/sanitize"
)

//go:embed drawing.css
var style string

// Style is the style sheet of the drawings in a page, for light, dark and paper. Its custom properties begin with
// "--d-", its rules with ".drawing".
func Style() string { return style }

//go:embed look.css
var look string

// Look is the colours and letters that every page of ours has, for light and dark: the report and the page of a loop
// look the same, and a verdict has the same colour in a text as in a drawing.
func Look() string { return look }

// canvas is a drawing as it is written.
type canvas struct{ b strings.Builder }

func (c *canvas) add(format string, args ...any) { fmt.Fprintf(&c.b, format, args...) }

// fits is the width up to which a drawing may be made a little smaller to fit a screen of 1,280 and stays legible;
// broader ones have the class "broad", and are to be scrolled.
const fits = 1200.0

// open begins a drawing of a size in its own units, of which 16 are as wide as the letter m of the page around it, so
// that it grows with the page's letters. id is what its title and description are found by; role is how
// it is read out: as one image, or as a group where its marks are links.
func (c *canvas) open(id, role string, width, height float64, title, desc string) {
	class := "drawing"
	if width > fits {
		class += " broad"
	}
	c.add(`<svg class="%s" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%sem" height="%sem" role="%s" aria-labelledby="%s-title" aria-describedby="%s-desc">`,
		class, num(width), num(height), ems(width), ems(height), role, id, id)
	c.add(`<title id="%s-title">%s</title><desc id="%s-desc">%s</desc>`, id, escape(title), id, escape(desc))
}

func (c *canvas) text(class string, x, y float64, says string) {
	c.add(`<text class="%s" x="%s" y="%s">%s</text>`, class, num(x), num(y), escape(says))
}

func (c *canvas) line(class string, x1, y1, x2, y2 float64) {
	c.add(`<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, num(x1), num(y1), num(x2), num(y2))
}

func (c *canvas) rect(class string, x, y, w, h float64) {
	c.add(`<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`, class, num(x), num(y), num(w), num(h))
}

func (c *canvas) close() string {
	c.b.WriteString("</svg>")
	return c.b.String()
}

func ems(v float64) string {
	return strings.TrimRight(strings.TrimRight(strconv.FormatFloat(v/16, 'f', 3, 64), "0"), ".")
}

// num writes a coordinate with at most one digit after the point.
func num(v float64) string {
	s := strconv.FormatFloat(v, 'f', 1, 64)
	return strings.TrimSuffix(s, ".0")
}

// escape is text of others as SVG text, on one line. XML has no place for two characters of Unicode.
func escape(s string) string {
	return html.EscapeString(noncharacters.Replace(sanitize.Line(s)))
}

var noncharacters = strings.NewReplacer("\uFFFE", "", "\uFFFF", "")

// clip cuts a text to a number of columns, of which a letter of Chinese, Japanese or Korean takes two.
func clip(s string, columns int) string {
	at := 0
	for i, r := range s {
		w := 1
		if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
			w = 2
		}
		if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
			w = 0
		}
		if at += w; at > columns {
			cut := []rune(s[:i])
			return strings.TrimRightFunc(string(cut[:max(0, len(cut)-1)]), unicode.IsSpace) + "…"
		}
	}
	return s
}

// plural counts a thing in words.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
