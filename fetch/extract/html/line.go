package html

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// text adds running text, its white space collapsed where the page does so.
func (w *writer) text(s string) {
	line, rest, more := strings.Cut(s, "\n")
	for ; more && w.breaks != "" && w.flat == 0; line, rest, more = strings.Cut(rest, "\n") {
		w.words(line)
		w.newline()
		next := strings.TrimLeft(rest, " ")
		if indent := len(rest) - len(next); w.breaks != "pre-line" && next != "" && next[0] != '\n' && w.line.Len() > 0 {
			w.line.WriteString(strings.Repeat(" ", min(indent, maxIndent)))
			rest = next
		}
	}
	w.words(line)
	if more {
		w.words("\n" + rest)
	}
}

const maxIndent = 40 // of a line

// words adds running text on one line.
func (w *writer) words(s string) {
	for len(s) > 0 {
		i := strings.IndexFunc(s, unicode.IsSpace)
		if i < 0 {
			i = len(s)
		}
		if i == 0 {
			w.space = true
			s = strings.TrimLeftFunc(s, unicode.IsSpace)
			continue
		}
		if word := document.SplitLigatures(sanitize.Visible(s[:i])); word != "" {
			if w.space && w.line.Len() > 0 && !strings.HasSuffix(w.line.String(), "\n") {
				w.line.WriteByte(' ')
			}
			if w.struck && !w.marked {
				w.marked = true
				w.line.WriteString(struckMark)
			}
			w.space = false
			w.count(word)
			w.line.WriteString(word)
		}
		s = s[i:]
	}
}

// count adds a word to what is known of the block.
func (w *writer) count(word string) {
	switch {
	case len(w.regions) == 0:
	case w.cur.chars == 0:
		w.cur.region = w.at
	case w.cur.region != w.at:
		w.cur.region = w.block
	}
	n := utf8.RuneCountInString(word)
	if w.cur.chars += n; w.links > 0 {
		w.cur.linked += n
	}
}

// newline is a <br>: a line break, and the end of the block when it comes twice.
func (w *writer) newline() {
	w.endStruck()
	w.space = w.flat > 0
	switch line := w.line.String(); {
	case w.flat > 0 || line == "":
	case strings.HasSuffix(line, "\n"):
		w.flush()
	default:
		w.line.WriteByte('\n')
	}
}

// anchor writes the words of a link, but not the sign by which a heading links to itself.
func (w *writer) anchor(n *html.Node) {
	switch href := attr(n, "href"); {
	case href == "":
		w.children(n)
		return
	case href[0] == '#' && isSign(n):
		return
	}
	w.links++
	w.children(n)
	w.links--
}

// mark writes the mark of a note in brackets, so that it is not read as a part of the word or the number before it.
func (w *writer) mark(label string) {
	if !strings.HasPrefix(label, "[") && !strings.HasPrefix(label, "(") && !strings.HasSuffix(w.line.String(), "[") {
		label = "[" + label + "]"
	}
	w.text(label)
}

// time writes what a <time> shows, and keeps the day that it names.
func (w *writer) time(n *html.Node) {
	from := w.line.Len()
	w.children(n)
	if day := document.FirstDate(attr(n, "datetime")); len(day) == len("2006-01-02") && from <= w.line.Len() {
		w.cur.times = append(w.cur.times, document.WrittenDate{Date: day, Start: from, End: w.line.Len()})
	}
}

// raise writes what a <sup> or <sub> holds above or below the line, so that 2 to the power of 32 does not become 232, and "^" before
// an exponent that has no raised form, such as "6.5"; ok is false when it is to be read as it is: "1st".
func raise(n *html.Node) (raised string, ok bool) {
	const maxRaisedBytes = 12
	s, short := shortText(n, maxRaisedBytes)
	if !short || !strings.ContainsAny(s, "0123456789ni") {
		return "", false
	}
	if raised, ok = document.Raised(s, n.DataAtom == atom.Sub); ok {
		return raised, true
	}
	isExponent := n.DataAtom == atom.Sup && strings.Trim(s, "0123456789.,/*·×+-−– ()") == "" && strings.ContainsAny(s, "0123456789")
	return "^" + s, isExponent
}
