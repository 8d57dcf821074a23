package review

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// Passage is a window of a source as a reader sees it. Start and End count code points in the source's text; Text is
// what lies between them, Heading the heading that it stands under.
type Passage struct {
	SourceID   string
	Start, End int
	Heading    string
	Text       string
}

// Sizes of what a reader gets for one claim, in code points. 700 for a window is what was tried with readers; less
// for the second and third, because the deciding words are in the first window for nine claims in ten.
var windowChars = [...]int{700, 500, 400}

// Texts is what claims are compared with.
type Texts struct {
	Checker *grounding.Checker
	Text    func(sourceID string) string // the stored text; empty if there is none
	read    map[string]*passages.Text
}

// NewTexts returns the texts of a batch. It is not safe for concurrent use.
func NewTexts(checker *grounding.Checker, text func(sourceID string) string) Texts {
	return Texts{Checker: checker, Text: text, read: map[string]*passages.Text{}}
}

func (t Texts) of(sourceID string) *passages.Text {
	text, ok := t.read[sourceID]
	if !ok {
		text = passages.NewText(t.Text(sourceID))
		t.read[sourceID] = text
	}
	return text
}

func (t Texts) sentences(sourceID string) []passages.Passage { return t.of(sourceID).Sentences }

// passages are the windows around the sentences that fit a claim best, best first.
func (t Texts) passages(claim string, sourceIDs []string) []Passage {
	texts := make([]*passages.Text, len(sourceIDs))
	for i, id := range sourceIDs {
		texts[i] = t.of(id)
	}
	var out []Passage
	for _, c := range passages.Rank(claim, texts, rankedSentences) {
		if len(out) == len(windowChars) {
			break
		}
		id, s := sourceIDs[c.Text], texts[c.Text].Sentences[c.Sentence]
		if slices.ContainsFunc(out, func(p Passage) bool { return p.SourceID == id && p.Start <= s.Start && s.End <= p.End }) {
			continue
		}
		w := t.window(grounding.Evidence{SourceID: id, Start: s.Start, End: s.End, Text: s.Text}, windowChars[len(out)])
		if i := slices.IndexFunc(out, func(p Passage) bool { return p.SourceID == id && p.Start < w.End && w.Start < p.End }); i >= 0 {
			out[i] = t.join(out[i], w)
			continue
		}
		out = append(out, w)
	}
	return out
}

// rankedSentences is how many sentences are looked at for the windows of one claim: a deciding one is among the first
// five for 97 to 100 in 100 true claims of the development sets.
const rankedSentences = 5

// window widens a stretch of a source by whole sentences to at most chars, alternately behind and before it. A
// stretch that is longer stays as it is.
func (t Texts) window(e grounding.Evidence, chars int) Passage {
	cut := t.sentences(e.SourceID)
	first := slices.IndexFunc(cut, func(s passages.Passage) bool { return s.End > e.Start })
	if first < 0 {
		return Passage{SourceID: e.SourceID, Start: e.Start, End: e.End, Text: e.Text}
	}
	last := first
	for last+1 < len(cut) && cut[last+1].Start < e.End {
		last++
	}
	for grew := true; grew; {
		grew = false
		if last+1 < len(cut) && cut[last+1].End-cut[first].Start <= chars {
			last, grew = last+1, true
		}
		if first > 0 && cut[last].End-cut[first-1].Start <= chars {
			first, grew = first-1, true
		}
	}
	return t.between(e.SourceID, cut[first].Start, cut[last].End)
}

func (t Texts) join(a, b Passage) Passage {
	return t.between(a.SourceID, min(a.Start, b.Start), max(a.End, b.End))
}

func (t Texts) between(sourceID string, start, end int) Passage {
	return Passage{SourceID: sourceID, Start: start, End: end, Heading: t.heading(sourceID, start), Text: slice(t.Text(sourceID), start, end)}
}

// heading is what stands above a place and is needed to understand it: the heading of its section, the header of its
// table, the introduction of its list.
func (t Texts) heading(sourceID string, start int) string {
	text := t.of(sourceID)
	at, _ := slices.BinarySearchFunc(text.Sentences, start, func(s passages.Passage, start int) int { return s.Start - start })
	if at >= len(text.Sentences) {
		return ""
	}
	var lines []string
	for _, c := range text.Context(at) {
		if c.End <= start {
			lines = append(lines, strings.TrimLeft(c.Text, "# "))
		}
	}
	return strings.Join(lines, "\n")
}

// slice returns the code points from start to end.
func slice(text string, start, end int) string {
	from, to, n := -1, len(text), 0
	for i := range text {
		if n == start {
			from = i
		}
		if n == end {
			to = i
			break
		}
		n++
	}
	if from < 0 {
		return ""
	}
	return text[from:to]
}

// QuoteFound reports whether a quote is in one of the passages or their headings, compared as quotes are: without
// regard to case, white space, quotation marks and hyphenation, and with omissions marked by an ellipsis.
func QuoteFound(quote string, in []Passage) bool {
	if utf8.RuneCountInString(strings.TrimSpace(quote)) < minQuoteChars {
		return false
	}
	for _, p := range in {
		for _, text := range []string{p.Text, p.Heading} {
			if grade, _ := grounding.GradeQuote(quote, text); grade == grounding.QuoteExact || grade == grounding.QuoteNormalised {
				return true
			}
		}
	}
	return false
}

// minQuoteChars keeps a letter from being a quote (chosen: two characters are a word of Chinese).
const minQuoteChars = 2
