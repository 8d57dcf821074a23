package passage

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Passage is a stretch of a text. Start and End count Unicode code points, half open, and Text is the text between them.
type Passage struct {
	Start, End int
	Text       string
	Section    string // the heading above, unless Text begins with one
}

// block is a sentence of a text, or several that go together.
type block struct {
	words.Span
	opens bool // a paragraph, or what follows a comment
}

// to returns the stretch of a text from one to another.
func to(text string, first, last words.Span) words.Span {
	return words.Span{Start: first.Start, End: last.End, Byte: first.Byte, Text: text[first.Byte : last.Byte+len(last.Text)]}
}

// in returns spans of a part of a text as spans of the text.
func in(part words.Span, spans []words.Span) []words.Span {
	for i := range spans {
		spans[i].Start, spans[i].End, spans[i].Byte = spans[i].Start+part.Start, spans[i].End+part.Start, spans[i].Byte+part.Byte
	}
	return spans
}

// comment matches what is for editors. One that does not end is text.
var comment = lazyregexp.New(`(?s)<!--(?:-?>|.*?-->)`)

// sentences returns the sentences of a text outside its comments.
func sentences(text string) (out []block) {
	part := words.Span{}
	for _, next := range append(comment.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		part.Text = text[part.Byte:next[0]]
		end := part.Byte
		for i, s := range in(part, words.Sentences(part.Text)) {
			breaks := strings.Count(text[end:s.Byte], "\n")
			out = append(out, block{s, i == 0 || breaks > 1 || breaks == 1 && s.Text[0] == '#'})
			end = s.Byte + len(s.Text)
		}
		part.Start += utf8.RuneCountInString(text[part.Byte:next[1]])
		part.Byte = next[1]
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
