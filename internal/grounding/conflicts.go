package grounding

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

const (
	// sameTopic is the share of a claim's words (numbers left out) that a sentence must have to speak of the
	// same quantity. High on purpose: rather no conflict than a wrong one.
	sameTopic = 0.75
	// sameValue is the relative difference below which two values are one, rounded differently.
	sameValue = 0.02
	// maxConflicts bounds the answer.
	maxConflicts = 100
)

// statement is a sentence that gives one quantity.
type statement struct {
	doc, sentence int
	quantity      quantity
	topic         bitset
}

// Conflicts looks for quantities of a claim to which two sources give different values: both sentences
// have the claim's names and most of its other words, the same unit, the same years, and no other number of
// that unit. Near-duplicate sources are no second voice.
func (c *Checker) Conflicts(claim Claim) []Conflict {
	var out []Conflict
	r := readClaim(claim.Text, new(passages.Analyzer))
	for _, q := range r.numbers {
		if q.kind == cardinal && q.unit != "" && countUnit(r.numbers, q.unit) == 1 {
			out = append(out, c.conflictsOver(r, q)...)
		}
	}
	return out[:min(len(out), maxConflicts)]
}

func countUnit(list []quantity, unit string) int {
	n := 0
	for _, q := range list {
		if q.kind == cardinal && q.unit == unit {
			n++
		}
	}
	return n
}

// conflictsOver compares what the sources say about one number of a claim.
func (c *Checker) conflictsOver(r reading, q quantity) []Conflict {
	years := yearsOf(r.numbers)
	topic := r
	topic.numbers, topic.workings = nil, nil
	m := c.compare(topic, c.docs)
	var said []statement
	for _, s := range m.ranked {
		if s.weight < sameTopic || !m.hasNames(s) {
			continue
		}
		if n, ok := m.only(s, q.unit, years); ok {
			said = append(said, statement{doc: s.doc, sentence: s.sentence, quantity: n, topic: s.covers})
		}
	}
	slices.SortStableFunc(said, func(a, b statement) int { return cmp.Compare(a.doc, b.doc) })
	var out []Conflict
	var a passages.Analyzer
	for i, x := range said {
		for _, y := range said[i+1:] {
			if x.doc == y.doc || !differ(x.quantity, y.quantity) || c.duplicate(c.docs[x.doc], c.docs[y.doc]) {
				continue
			}
			ex, ey := c.docs[x.doc].evidence(x.sentence, x.sentence), c.docs[y.doc].evidence(y.sentence, y.sentence)
			if _, denied := polarityMismatch(ex.Text, ey.Text, &a); denied {
				continue
			}
			out = append(out, m.conflict(x, y, ex, ey))
		}
	}
	return out
}

// hasNames reports whether a sentence, or the title of its source, has every name of the claim.
func (m *comparison) hasNames(s sentenceRef) bool {
	for i, u := range m.units {
		if u.named && !s.covers.has(i) && !m.titled(s.doc, i) {
			return false
		}
	}
	return true
}

func (m *comparison) titled(doc, unit int) bool {
	return slices.Contains(passages.Terms(m.docs[doc].Title), m.claim.terms[m.units[unit].index].term)
}

// only returns the one exact number of a unit in a sentence that speaks of the same years.
func (m *comparison) only(s sentenceRef, unit string, years []int) (quantity, bool) {
	var numbers []quantity
	for _, n := range m.docs[s.doc].numbersIn(s.sentence) {
		numbers = append(numbers, n.quantity)
	}
	if countUnit(numbers, unit) != 1 || !slices.Equal(yearsOf(numbers), years) {
		return quantity{}, false
	}
	for _, n := range numbers {
		if n.kind == cardinal && n.unit == unit {
			return n, n.relation == exactly || n.relation == about
		}
	}
	return quantity{}, false
}

// yearsOf lists the years that numbers speak of, each once, ascending.
func yearsOf(list []quantity) []int {
	var out []int
	for _, q := range list {
		switch {
		case q.kind == date && q.year != 0:
			out = append(out, q.year)
		case q.kind == cardinal && !q.word && q.value >= 1500 && q.value < 2100 && q.value == math.Trunc(q.value) && q.step == 1 && !measured(q.unit):
			out = append(out, int(q.value))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// measured reports whether a unit makes a number an amount, whatever it looks like.
func measured(unit string) bool {
	return unit == "%" || unit == "pp" || strings.ContainsAny(unit, "$€£¥₹")
}

func differ(a, b quantity) bool {
	if a.matches(b) || b.matches(a) {
		return false
	}
	return math.Abs(a.value-b.value) > sameValue*math.Max(math.Abs(a.value), math.Abs(b.value))
}

func (m *comparison) conflict(x, y statement, ex, ey Evidence) Conflict {
	var words []string
	const most = 6
	for i, u := range m.units {
		if x.topic.has(i) && y.topic.has(i) && len(words) < most {
			words = append(words, m.claim.terms[u.index].surface)
		}
	}
	glue := " "
	if m.claim.chinese {
		glue = "、"
	}
	topic := strings.Join(words, glue)
	va := strings.TrimSpace(m.valueText(x, ex.Text))
	vb := strings.TrimSpace(m.valueText(y, ey.Text))
	return Conflict{Topic: topic, A: ex, B: ey, ValueA: va, ValueB: vb,
		Because: fmt.Sprintf("%s says %s, %s says %s of the same: %s.", ex.SourceID, va, ey.SourceID, vb, topic)}
}

// valueText is the number as the sentence writes it, with the currency sign before it.
func (m *comparison) valueText(s statement, sentence string) string {
	start := s.quantity.start
	return sentence[start-len(currencyAtEnd(sentence[:start]).word) : s.quantity.end]
}
