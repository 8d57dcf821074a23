package grounding

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// The kinds of changes between two wordings.
const (
	ChangedNumber   = "number"
	ChangedDate     = "date"
	ChangedPolarity = "negation"
	ChangedName     = "name"
)

// Change is what differs between two wordings of one statement. Was and Is are the words of each. Where only one
// of them denies something, they are what is denied, with "not" on that side.
type Change struct{ Kind, Was, Is string }

// Wording is a statement taken apart for comparing it with other wordings of the same.
type Wording struct {
	said    reading
	content []string // terms that are neither names nor numbers, sorted, each once
	all     map[string]bool
}

// NewWording reads one statement. The analyzer remembers stems from one statement to the next; it must not be in
// use elsewhere at the same time, nor while wordings read with it are compared.
func NewWording(text string, a *passages.Analyzer) *Wording {
	w := &Wording{said: readClaim(text, a), all: map[string]bool{}}
	for _, t := range w.said.terms {
		w.all[t.term] = true
		if !t.named {
			w.content = append(w.content, t.term)
		}
	}
	slices.Sort(w.content)
	w.content = slices.Compact(w.content)
	return w
}

// leastContent is how many words of content a statement must have to be recognised in other words (chosen).
const leastContent = 3

// Kept is how much of the content of w, names and numbers apart, is in other: 0 to 1.
func (w *Wording) Kept(other *Wording) float64 {
	if len(w.content) < leastContent {
		return 0
	}
	n := 0
	for _, t := range w.content {
		if other.all[t] {
			n++
		}
	}
	return float64(n) / float64(len(w.content))
}

// Changes compares what w said with another wording of it: numbers and dates that were replaced, a negation
// on one side only, and names that were exchanged. What the other merely leaves out or adds is no difference.
// Whether both speak of the same is for the caller to know; see Kept.
func (w *Wording) Changes(other *Wording) []Change {
	out := w.numbers(other)
	if found, ok := polarityMismatch(w.said.text, other.said.text, w.said.analyzer); ok {
		d := Change{ChangedPolarity, found.word, "not " + found.word}
		if found.byClaim {
			d.Was, d.Is = d.Is, d.Was
		}
		out = append(out, d)
	}
	return append(out, w.names(other)...)
}

// numbers pairs the numbers of w that other lacks with those of the same form that only other has.
func (w *Wording) numbers(other *Wording) []Change {
	has := func(list []quantity, q quantity) bool {
		return slices.ContainsFunc(list, func(n quantity) bool { return q.matches(n) || n.matches(q) })
	}
	var out []Change
	taken := make([]bool, len(other.said.numbers))
	for _, q := range w.said.numbers {
		if has(other.said.numbers, q) {
			continue
		}
		for i, n := range other.said.numbers {
			if taken[i] || n.kind != q.kind || !q.sameForm(n) || has(w.said.numbers, n) {
				continue
			}
			taken[i] = true
			kind := ChangedNumber
			if q.kind == date || q.kind == clock || len(yearsOf([]quantity{q})) > 0 {
				kind = ChangedDate
			}
			out = append(out, Change{kind, w.written(q), other.written(n)})
			break
		}
	}
	return out
}

func (w *Wording) written(q quantity) string {
	return strings.TrimSpace(w.said.text[q.start:q.end])
}

// names finds a name of w of which other has nothing, where other has one of which w has nothing.
func (w *Wording) names(other *Wording) []Change {
	missing, added := w.only(other), other.only(w)
	if len(missing) == 0 || len(added) == 0 || initialsOf(missing[0]) == plainLetters(added[0]) || initialsOf(added[0]) == plainLetters(missing[0]) {
		return nil
	}
	return []Change{{ChangedName, missing[0], added[0]}}
}

// only lists the names of w of which other has no word.
func (w *Wording) only(other *Wording) []string {
	var out []string
	for _, n := range w.said.names {
		foreign := func(i int) bool { return other.all[w.said.terms[i].term] }
		if !slices.ContainsFunc(n.terms, foreign) && utf8.RuneCountInString(n.text) > 1 {
			out = append(out, n.text)
		}
	}
	return out
}

// initialsOf is what a name of several words is shortened to.
func initialsOf(name string) string {
	var b strings.Builder
	for _, word := range strings.Fields(name) {
		r, _ := utf8.DecodeRuneInString(word)
		b.WriteRune(r)
	}
	return plainLetters(b.String())
}
