package grounding

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

// addMeanings looks the tokens up in the lexicon.
func (r *reader) addMeanings(w *wording, found []lexicon.Match) {
	at := 0
	known := r.lexicon != nil
	for i := range w.tokens {
		if t := &w.tokens[i]; t.number == 0 && !known && !t.han {
			t.function = isStop(t.fold) || utf8.RuneCountInString(t.fold) <= 2 && !t.capital
		}
	}
	ends := r.addGapped(w)
	for _, m := range found {
		for at < len(w.tokens) && w.tokens[at].end <= m.Start {
			at++
		}
		last := at
		for last+1 < len(w.tokens) && w.tokens[last+1].start < m.End {
			last++
		}
		if at == len(w.tokens) || w.tokens[at].start >= m.End {
			continue
		}
		if at == last && ends[at] { // "statt" of "findet … statt" denies nothing
			continue
		}
		r.addMatch(w, m, at, last)
	}
	if known && r.language != "zh" && r.language != "ja" { // "nahm den Plan an", "turned off": what ends a clause is part of the verb
		for i := range w.tokens {
			t := &w.tokens[i]
			if t.joins && t.function && (t.preposed || r.language == "de") && (i+1 == len(w.tokens) || w.tokens[i+1].segment != t.segment) {
				t.function, t.joins, t.preposed = false, false, false
			}
		}
	}
	r.addPreventions(w)
	for i := range w.operators {
		o := &w.operators[i]
		for j := o.first; j <= o.last; j++ {
			if w.tokens[j].number == 0 {
				w.tokens[j].operator = i + 1
			}
		}
	}
}

// addGapped gives the ends of phrases with a gap the key of their group, and returns the tokens that are such an end.
func (r *reader) addGapped(w *wording) map[int]bool {
	var ends map[int]bool
	for i := range w.tokens {
		for _, g := range r.lexicon.Gapped(w.tokens[i].word) {
			for j := i + 1; j < len(w.tokens) && w.tokens[j].segment == w.tokens[i].segment; j++ {
				if w.tokens[j].word != g.Last || j+1 < len(w.tokens) && w.tokens[j+1].clause == w.tokens[i].clause && !w.tokens[j+1].joins {
					continue
				}
				w.tokens[i].keys = append(w.tokens[i].keys, "="+g.Name)
				w.tokens[j].keys = append(w.tokens[j].keys, "="+g.Name)
				if ends == nil {
					ends = make(map[int]bool)
				}
				ends[j] = true
				break
			}
		}
	}
	return ends
}

func (r *reader) addMatch(w *wording, m lexicon.Match, first, last int) {
	if m.Kind == lexicon.Relation && first == last {
		w.tokens[first].preposed = true // "since", "after"
	}
	if n := w.tokens[first].number; n > 0 && (m.Kind != lexicon.Rate && m.Kind != lexicon.Equivalent || m.End <= w.numbers[n-1].end) {
		return
	}
	switch m.Kind {
	case lexicon.Bound: // the number has it as its relation
		if slices.ContainsFunc(w.numbers, func(q quantity) bool { return q.bound == [2]int{m.Start, m.End} }) {
			for i := first; i <= last; i++ {
				w.tokens[i].function = true
			}
		}
	case lexicon.Case:
		if m.Class == "behind" && first > 0 && w.tokens[first-1].segment == w.tokens[first].segment {
			w.tokens[first-1].part = m.Name
		} else if m.Class == "before" {
			w.opensPart(last, m.Name)
		}
	case lexicon.Function:
		if m.Class == "light" && !(r.language == "ja" || r.language == "zh") { // "gave" and "took" are no forms of "be"
			return
		}
		if first == last && abbreviates(w.text[w.tokens[first].start:w.tokens[first].end]) { // WHO is no pronoun
			return
		}
		for i := first; i <= last; i++ {
			w.tokens[i].function = true
		}
		switch m.Class {
		case "preposition":
			w.tokens[first].joins, w.tokens[first].preposed = true, true
		case "respective":
			w.respective = append(w.respective, w.tokens[first].sentence)
		case "coordination", "comparison":
			w.tokens[first].joins, w.tokens[first].links = true, m.Class
		case "conjunction", "discourse":
			w.tokens[first].joins = true
		case "copula":
			w.tokens[last].copula = true
		case "determiner":
			w.tokens[first].determiner = true
			w.tokens[first].genitive = r.language == "de" && (w.tokens[first].fold == "des" || w.tokens[first].fold == "eines")
		}
		if first == last && (m.Class == "conjunction" || m.Class == "coordination" || m.Class == "comparison" && !w.tokens[first].han || w.tokens[first].fold == "which" || w.tokens[first].fold == "who") {
			for i := first; i < len(w.tokens); i++ {
				w.tokens[i].clause++
			}
		}
	case lexicon.Unit, lexicon.Calendar:
		w.tokens[last].time = w.tokens[last].time || m.Kind == lexicon.Unit && m.Class == "time" || m.Class == "weekday" || m.Class == "season"
	case lexicon.Place:
		w.tokens[first].place = m.Name
	case lexicon.Cause:
		w.tokens[first].causes = max(w.tokens[first].causes, 1)
		if m.Class == "cause" {
			w.tokens[first].causes = 2
		}
	case lexicon.Anaphor:
		if m.Class == "relative" {
			w.tokens[first].relative = true
			return
		}
		w.tokens[first].anaphor = m.Class
	case lexicon.Opposite:
		if last > first {
			w.phrases = append(w.phrases, phrase{w.text[m.Start:m.End], span{first, last}})
		}
	case lexicon.Equivalent:
		for i := first; i <= last; i++ {
			w.tokens[i].keys = append(w.tokens[i].keys, "="+m.Name)
		}
	case lexicon.Paraphrase:
		for i := first; i <= last; i++ {
			w.tokens[i].keys = append(w.tokens[i].keys, "="+m.Class+":"+m.Name)
		}
	case lexicon.Attribution:
		if m.Class != "noun" {
			for i := first; i <= last; i++ {
				w.tokens[i].speech = true
			}
		}
	default:
		if r.changes(w, m, first, last) {
			if n := len(w.operators); n > 0 && w.operators[n-1].first <= first && w.operators[n-1].last >= first {
				if first > w.operators[n-1].first && last > w.operators[n-1].last { // it only overlaps: ほとん|どの
					return
				}
				w.operators[n-1].meanings = append(w.operators[n-1].meanings, m.Entry)
				w.operators[n-1].last = max(w.operators[n-1].last, last)
				return
			}
			w.operators = append(w.operators, operator{meanings: []lexicon.Entry{m.Entry}, first: first, last: last})
		}
	}
}

// abbreviates reports whether a word is written in capitals throughout.
func abbreviates(word string) bool {
	return utf8.RuneCountInString(word) > 1 && strings.ToUpper(word) == word && strings.ToLower(word) != word
}

// changes reports whether a match changes what the words around it say. Words that do so only sometimes ("in",
// "by", "when") do not count.
func (r *reader) changes(w *wording, m lexicon.Match, first, last int) bool {
	word := w.tokens[first].fold
	switch m.Kind {
	case lexicon.Negation, lexicon.Myth:
		return m.Kind == lexicon.Negation || m.Class == "myth" || m.Class == refuted
	case lexicon.Averted:
		return m.Class == "unreal" || m.Class == "almost" && !r.measured(w, last)
	case lexicon.Quantifier:
		if w.tokens[last].number > 0 { // "the two"
			return false
		}
		beforeNumber := last+1 < len(w.tokens) && w.tokens[last+1].number > 0 // "some 20", "all 61" is more than a number
		return m.Class != "first" && !(beforeNumber && (m.Name == "some" || m.Class == "only"))
	case lexicon.Certainty:
		if m.Class == "epistemic" {
			return m.Value != 4
		}
		if m.Class == "realisation" {
			return m.Value == 1 || m.Value == 2
		}
		return true
	case lexicon.Relation:
		return m.Class == "before" || m.Class == "after" || m.Class == "until" || m.Class == "since" && (word == "since" || r.language != "en")
	case lexicon.Condition:
		return m.Class != "although" && m.Class != "sometimes"
	case lexicon.Rate:
		return true
	}
	return false
}
