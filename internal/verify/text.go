package verify

import (
	"sync"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/internal/text/quantity"
	"github.com/citeloop/citeloop/internal/text/quote"
	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/loopstate"
)

// Text is a stored text, prepared for checks. Each part is made when it is first needed. It is safe for concurrent use.
type Text struct {
	text    string
	content func() string // without furniture, at the same offsets
	runes   func() []rune
	lines   func() *lines.Text
	quotes  func() *quote.Text
	index   func() *passage.Index
	// quantities are the numbers of the whole text; suspicious tells whether words in it address a model.
	quantities func() []quantity.Quantity
	suspicious func() bool
}

// NewText prepares a text.
func NewText(text string) *Text { return NewPage(text, nil) }

// NewPage prepares the text of a page of which some lines are furniture: quotations are looked for in them, too, passages are not.
func NewPage(text string, furniture lines.Ranges) *Text {
	content := sync.OnceValue(func() string { return furniture.Mask(text) })
	return &Text{
		text:       text,
		content:    content,
		runes:      sync.OnceValue(func() []rune { return []rune(text) }),
		lines:      sync.OnceValue(func() *lines.Text { return lines.NewPage(text, furniture) }),
		quotes:     sync.OnceValue(func() *quote.Text { return quote.New(text) }),
		suspicious: sync.OnceValue(func() bool { return len(sanitize.FindInjections(text)) > 0 }),
		quantities: sync.OnceValue(func() []quantity.Quantity { return quantity.Read(words.Language(text), content()) }),
		index: sync.OnceValue(func() *passage.Index {
			ix := passage.NewIndex()
			ix.Add("", passage.Split(content(), 0))
			return ix
		}),
	}
}

// BytesPerByte is the memory of a Text whose parts are all made, for each byte of its text (measured).
const BytesPerByte = 24

// String returns the text.
func (t *Text) String() string { return t.text }

// Content returns the text with spaces instead of the characters of its furniture, so that offsets stay as they are.
func (t *Text) Content() string { return t.content() }

// Lines returns the numbered lines of the text.
func (t *Text) Lines() *lines.Text { return t.lines() }

// Slice returns the code points [start, end) of the text. Offsets beyond it are its end.
func (t *Text) Slice(start, end int) string {
	r := t.runes()
	start, end = max(0, min(start, len(r))), max(0, min(end, len(r)))
	return string(r[start:max(start, end)])
}

// Source is a source with its text. Text is nil for a source that could not be read.
type Source struct {
	loopstate.Source
	Text *Text
}

// contextChars bounds what is shown on each side of a passage, in code points.
const contextChars = 420

// Surroundings returns the text before and after a passage, which is [start, end) in code points: whole sentences where there are some, so
// that a person can judge the passage.
func Surroundings(text *Text, start, end int) (before, after string) {
	const sentences = 3 // on each side
	before, after = text.Slice(start-contextChars, start), text.Slice(end, end+contextChars)
	if all := words.Sentences(before); len(all) > 1 {
		first := max(0, len(all)-sentences)
		if start > contextChars { // the first one is cut
			first = max(first, 1)
		}
		before = before[all[first].Byte:]
	}
	if all := words.Sentences(after); len(all) > 1 {
		n := len(all)
		if text.Slice(end+contextChars, end+contextChars+1) != "" { // the last one is cut
			n--
		}
		last := all[min(n, sentences)-1]
		after = after[:last.Byte+len(last.Text)]
	}
	return before, after
}
