package html

import (
	"cmp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// list is a list that is written.
type list struct {
	kind   string // of its numbers: "1", "a", "A", "i", "I"; empty for bullets and definitions
	next   int    // number of the next item
	step   int    // 1, or -1 for a list in reverse
	item   bool   // the next block begins an item
	number string // of that item
	begun  bool   // an item is written
}

// list writes an ordered list, one with bullets, or one of definitions: a term is an item, and its definition belongs to it.
func (w *writer) list(n *html.Node) {
	w.flush()
	if w.flat > 0 {
		w.children(n)
		return
	}
	w.lists = append(w.lists, newList(n))
	w.children(n)
	w.flush()
	w.lists = w.lists[:len(w.lists)-1]
}

func newList(n *html.Node) *list {
	l := &list{next: 1, step: 1}
	if n.DataAtom != atom.Ol {
		return l
	}
	switch kind := attr(n, "type"); kind {
	case "a", "A", "i", "I":
		l.kind = kind
	case "none": // of its style
	default:
		l.kind = "1"
	}
	start, err := strconv.Atoi(strings.TrimSpace(attr(n, "start")))
	if hasAttr(n, "reversed") {
		l.step, l.next = -1, 0
		for _, c := range Elements(n) {
			if c.DataAtom == atom.Li {
				l.next++
			}
		}
	}
	if err == nil {
		l.next = start
	}
	return l
}

// MarkNumber is the attribute of an item with the number that another format gives it.
const MarkNumber = "~number"

// item writes an item of a list, or a term.
func (w *writer) item(n *html.Node) {
	w.flush()
	if w.flat > 0 {
		w.children(n)
		w.space = true
		return
	}
	if len(w.lists) == 0 { // an item without its list
		w.lists = append(w.lists, &list{})
		defer func() { w.lists = nil }()
	}
	l := w.lists[len(w.lists)-1]
	if value, err := strconv.Atoi(strings.TrimSpace(attr(n, "value"))); err == nil {
		l.next = value
	}
	own, element := ownLabel(n, l.label())
	l.item, l.number, w.skipped = true, cmp.Or(attr(n, MarkNumber), own), element
	if label, ok := w.notes.labels[n]; ok && l.number == "" {
		l.number = "[" + label + "]"
	}
	outer := w.kind
	w.kind = document.Paragraph
	w.children(n)
	w.flush()
	w.kind = outer
	l.item = false
	l.next += l.step
}

var (
	labelText = lazyregexp.New(`^(?:[•·▪■◦‣●○–—*-]|§ ?\d+|[\[(]?(?:\d+(?:\.\d+)*|[a-zA-Z]|[ivxlcIVXLC]+)` +
		`(?:[.)\]]+|$))$`)
	labelNames = lazyregexp.New(`(?i)(?:^|[\s_-])(?:ltx_tag|tag|label|marker|num|number|no)(?:$|[\s_-])`)
)

// ownLabel is the label of an item: that in an element of its own, where its text begins with one, or else the number that a browser
// shows.
func ownLabel(n *html.Node, number string) (label string, in *html.Node) {
	first := n.FirstChild
	for first != nil && first.Type == html.TextNode && strings.TrimSpace(first.Data) == "" {
		first = first.NextSibling
	}
	if first == nil || first.NextSibling == nil || first.DataAtom != atom.Span && first.DataAtom != atom.Div {
		return number, nil
	}
	text, short := shortText(first, 12)
	switch {
	case !short || !labelNames.MatchString(attr(first, "class")) || !labelText.MatchString(text):
		return number, nil
	case strings.Trim(text, "[().]") == strings.TrimSuffix(number, "."), strings.Trim(text, "•·▪■◦‣●○–—*-") == "":
		return number, first
	}
	return text, first
}

// label is the number of the next item as a browser shows it.
func (l *list) label() string {
	letters := ""
	switch l.kind {
	case "":
		return ""
	case "a", "A":
		for n := l.next; n > 0; n = (n - 1) / 26 {
			letters = string(rune('a'+(n-1)%26)) + letters
		}
	case "i", "I":
		letters = strings.ToLower(document.Roman(l.next))
	}
	if letters == "" {
		letters = strconv.Itoa(l.next)
	}
	if l.kind == "A" || l.kind == "I" {
		letters = strings.ToUpper(letters)
	}
	return letters + "."
}
