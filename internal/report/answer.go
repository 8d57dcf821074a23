package report

import (
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/report/style"
)

// Answer is a delivered text as HTML, with its citations and verdicts.
type Answer struct {
	Title, Text template.HTML
	Cut         bool         // the text is longer
	Counts      []StateCount // of all its sentences, best first
}

// StateCount counts the sentences or claims of one verdict and basis.
type StateCount struct {
	style.Verdict
	N int
}

// AnswerOf writes the start of a document's text, at most chars code points, with headings below those of a section. Sources
// have their ids as labels.
func AnswerOf(d Document, chars int, to Links) Answer {
	d.Sources = slices.Clone(d.Sources)
	for i := range d.Sources {
		d.Sources[i].Number = 0
	}
	var a Answer
	d.Text, a.Cut = cutAtBlock(d.Text, chars)
	d.Sentences = slices.Clone(d.Sentences)
	for end, i := utf8.RuneCountInString(d.Text), 0; i < len(d.Sentences); i++ {
		if s := &d.Sentences[i]; s.End > end {
			s.End, s.Markers = 0, nil
		}
	}
	f := factsOf(d)
	a.Counts = CountStates(f.Sentences, Sentence.Verdict)
	title, text, _ := bodyHTML(bodyOf(f.Document), &citer{facts: f, linked: make(map[[2]int]bool), to: &to}, 3)
	a.Title, a.Text = template.HTML(title), template.HTML(text) //nolint:gosec // bodyHTML escapes
	return a
}

// CountStates counts items by their verdicts.
func CountStates[T any](items []T, verdict func(T) style.Verdict) []StateCount {
	counts := map[string]StateCount{}
	for _, item := range items {
		v := verdict(item)
		counts[v.Word] = StateCount{v, counts[v.Word].N + 1}
	}
	var out []StateCount
	for _, s := range states {
		if c, ok := counts[s.word]; ok {
			out = append(out, c)
		}
	}
	return out
}

// cutAtBlock returns the blocks at the start of a Markdown text that have at most chars code points together, and whether
// more follow. A longer first block is cut within.
func cutAtBlock(text string, chars int) (string, bool) {
	if utf8.RuneCountInString(text) <= chars {
		return text, false
	}
	text = string([]rune(text)[:chars])
	if at := strings.LastIndex(text, "\n\n"); at > 0 {
		text = text[:at+1]
	}
	return text, true
}
