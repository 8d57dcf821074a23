package drawing

import (
	"fmt"
	"strconv"

	"github.com/citeloop/citeloop/internal/translations"
	"github.com/citeloop/citeloop/loopstate"
)

// Ledger draws the parts of a source's text that were shown to the host, and the passages that support claims.
type Ledger struct {
	Chars    int // of the text, in code points
	Shown    loopstate.Spans
	Passages []Passage
	View     loopstate.Span // the part that the page shows; may be empty
}

// Passage supports a claim.
type Passage struct {
	Status string
	Span   loopstate.Span
	Says   string // tooltip
	Href   string // link target, or ""
}

// MaxPassages is how many passages are drawn: more would overlap. The list next to the drawing has all.
const MaxPassages = 120

// Measures of the ledger, in its own units.
const (
	ledgerWide   = 680.0
	ledgerMarks  = 12.0 // center of the marks
	ledgerTop    = 24.0
	ledgerHigh   = 14.0
	ledgerEnd    = 58.0
	ledgerMargin = 8.0
)

// SVG draws the text as a bar: filled where it was shown, with a mark above each passage. It returns "" for an empty
// text.
func (l Ledger) SVG(m translations.Table) string {
	if l.Chars <= 0 {
		return ""
	}
	shown := l.Shown.Of(loopstate.Span{0, l.Chars})
	at := func(char int) float64 {
		return ledgerMargin + float64(min(max(char, 0), l.Chars))/float64(l.Chars)*(ledgerWide-2*ledgerMargin)
	}
	var c canvas
	c.open("ledger", "group", ledgerWide, ledgerEnd, m.T("Text shown to the assistant"),
		m.T("%d of %d characters were shown, in %s.", shown, l.Chars, m.Count(len(l.Shown), strconv.Itoa(len(l.Shown)), "1 part", "%s parts"))+" "+
			m.Count(len(l.Passages), strconv.Itoa(len(l.Passages)), "1 supporting passage is in it.", "%s supporting passages are in it."))
	for _, s := range l.Shown {
		if left, right := at(s[0]), at(s[1]); right > left {
			c.rect("new", left, ledgerTop, max(right-left, 1), ledgerHigh)
		}
	}
	c.rect("frame", ledgerMargin, ledgerTop, ledgerWide-2*ledgerMargin, ledgerHigh)
	if l.View[1] > l.View[0] {
		left, right := at(l.View[0]), at(l.View[1])
		c.line("view", left, ledgerTop+ledgerHigh+4, max(right, left+2), ledgerTop+ledgerHigh+4)
	}
	for _, p := range l.Passages[:min(len(l.Passages), MaxPassages)] {
		x := at((p.Span[0] + p.Span[1]) / 2)
		c.link(p.Href, p.Says, func() {
			c.line("rule", x, ledgerMarks+6, x, ledgerTop+ledgerHigh)
			c.rect("hit", x-7, 0, 14, ledgerTop)
			c.mark(p.Status, false, x, ledgerMarks, largest)
		})
	}
	c.text("soft", ledgerMargin, ledgerEnd-4, "0")
	c.text("end soft", ledgerWide-ledgerMargin, ledgerEnd-4, fmt.Sprint(l.Chars))
	return c.close()
}
