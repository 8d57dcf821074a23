package passage

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/words"
)

// Passage is a stretch of a text. Start and End count Unicode code points, half open, and Text is the text between them.
type Passage struct {
	Start, End int
	Text       string
	Section    string // the heading above, unless Text begins with one
}

// block is a stretch of a text in both measures: code points for callers, bytes for slicing.
type block struct {
	start, end         int
	byteStart, byteEnd int
	opens              bool // a paragraph, or what follows a comment
}

func (b block) of(text string) string { return text[b.byteStart:b.byteEnd] }

func (b block) passage(text string) Passage {
	return Passage{Start: b.start, End: b.end, Text: b.of(text)}
}

// pieces returns parts of a block, between which there is only white space.
func (b block) pieces(text string, parts []words.Span) (out []block) {
	at := b.byteStart
	for i, s := range parts {
		from := at
		at += strings.Index(text[at:], s.Text)
		piece := block{start: b.start + s.Start, end: b.start + s.End, byteStart: at, byteEnd: at + len(s.Text)}
		breaks := strings.Count(text[from:at], "\n")
		piece.opens = i == 0 || breaks > 1 || breaks == 1 && s.Text[0] == '#'
		out = append(out, piece)
		at = piece.byteEnd
	}
	return out
}

// maxLead is the length of the longest line that may lead to the next one (chosen).
const maxLead = 120

// leads reports whether a passage is a line that leads to the next one: no sentence, list item or row of a table.
func leads(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	return len(s) <= utf8.UTFMax*maxLead && utf8.RuneCountInString(s) <= maxLead && !strings.Contains(s, "\n") &&
		!strings.ContainsRune(".!;,。！；，", last) && (last == '?' || !words.OpensItem(s))
}

// admonitions are headings of remarks, which do not begin a section.
var admonitions = []string{"note", "tip", "warning", "caution", "important", "hinweis", "tipp", "warnung", "achtung", "wichtig"}

// headingOf returns the heading of a section that a passage begins with: a line that leads to a paragraph of the passage.
func headingOf(text string) string {
	line, _, above := strings.Cut(text, "\n\n")
	if strings.HasPrefix(line, "#") {
		line, _, above = strings.Cut(text, "\n")
	}
	title := strings.TrimSpace(strings.TrimLeft(line, "#"))
	if !above || !leads(line) || strings.HasSuffix(line, ":") || strings.ContainsAny(title, "={}$") || // a line of code
		slices.Contains(admonitions, strings.ToLower(title)) {
		return ""
	}
	return title
}
