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

// Style is the style sheet for drawings in a page: light, dark and print. Its custom properties begin with "--d-", its
// rules with ".drawing".
func Style() string { return style }

//go:embed look.css
var look string

// PageStyle is the style sheet that all pages share, with colors and fonts for light and dark.
func PageStyle() string { return look }

// canvas builds a drawing.
type canvas struct{ b strings.Builder }

func (c *canvas) add(format string, args ...any) { fmt.Fprintf(&c.b, format, args...) }

// fits is the maximum width of a drawing that stays legible when scaled to a screen of 1,280 pixels. Wider ones get the
// class "broad" and scroll.
const fits = 1200.0

// open starts a drawing. 16 of its units are one em, so that it scales with the page's font. id is the prefix of the ids
// of title and description. role is "img", or "group" if its marks are links.
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

// num formats a coordinate with at most one decimal.
func num(v float64) string {
	s := strconv.FormatFloat(v, 'f', 1, 64)
	return strings.TrimSuffix(s, ".0")
}

// escape returns untrusted text as SVG text on one line. XML forbids two characters of Unicode.
func escape(s string) string {
	return html.EscapeString(noncharacters.Replace(sanitize.Line(s)))
}

var noncharacters = strings.NewReplacer("\uFFFE", "", "\uFFFF", "")

// columnsOf returns the columns that a character takes.
func columnsOf(r rune) int {
	if k := width.LookupRune(r).Kind(); k == width.EastAsianWide || k == width.EastAsianFullwidth {
		return 2
	}
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	return 1
}

// clip cuts a text to a number of columns. Chinese, Japanese and Korean letters take two.
func clip(s string, columns int) string {
	at := 0
	for i, r := range s {
		if at += columnsOf(r); at > columns {
			cut := []rune(s[:i])
			return strings.TrimRightFunc(string(cut[:max(0, len(cut)-1)]), unicode.IsSpace) + "…"
		}
	}
	return s
}
