package game

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Item is what a reader sees of one item.
type Item struct {
	ID, Claim string
	Passages  []string // headings and texts
}

// Player says which items it calls supported. own are the claims that the host submitted.
type Player struct {
	Name  string
	Stamp func(own []string, items []Item, r *rand.Rand) []bool
}

// each makes a player that stamps its own claims and judges every other item alone.
func each(name string, supported func(own []string, it Item, r *rand.Rand) bool) Player {
	return Player{name, func(own []string, items []Item, r *rand.Rand) []bool {
		out := make([]bool, len(items))
		for i, it := range items {
			out[i] = slices.Contains(own, it.Claim) || supported(own, it, r)
		}
		return out
	}}
}

// against is the comparison of a foreign item with the sentence of its passages, and with the own claim, nearest to it.
type against struct {
	text     string // all that is shown
	edits    []edit // from the nearest sentence shown
	sentence string
	own      []edit // from the nearest own claim
	ownWords int
}

func compare(own []string, it Item) against {
	out := against{text: strings.Join(it.Passages, "\n")}
	out.edits, out.sentence = nearest(it.Claim, Sentences(out.text))
	var at string
	out.own, at = nearest(it.Claim, own)
	out.ownWords = len(words(at))
	return out
}

// twin reports whether the item is an own claim but for few words.
func (a against) twin() bool {
	return a.ownWords > 0 && float64(changed(a.own)) <= 0.25*float64(a.ownWords) && changed(a.own) <= changed(a.edits)
}

// numbersOff reports whether the claim has a number that is not in the text, or another one than the sentence.
func (a against) numbersOff(claim string) bool {
	in := numbers(a.text)
	for _, n := range numbers(claim) {
		if !slices.Contains(in, n) {
			return true
		}
	}
	return false
}

func (a against) negated(claim string) bool { return negations(claim) != negations(a.sentence) }

// strange reports whether an edit puts in words that the text has nowhere.
func (a against) strange() int {
	n, in := 0, words(a.text)
	for _, e := range a.edits {
		for _, w := range e.new {
			if !slices.Contains(in, w) {
				n++
				break
			}
		}
	}
	return n
}

// opposite reports whether words seem to be opposites by their form: un-, in-, dis-, -less.
func (a against) opposite() bool {
	for _, e := range a.edits {
		for _, o := range e.old {
			for _, w := range e.new {
				for _, p := range []string{"un", "in", "im", "dis", "ir", "non-"} {
					if w == p+o || o == p+w {
						return true
					}
				}
				if strings.HasSuffix(w, "er") && strings.HasSuffix(o, "er") || strings.HasSuffix(w, "est") && strings.HasSuffix(o, "est") {
					return true
				}
			}
		}
	}
	return false
}

// Players are the programs, from the simplest to those that compare most.
func Players() []Player {
	return []Player{
		{"all supported", func(_ []string, items []Item, _ *rand.Rand) []bool {
			out := make([]bool, len(items))
			for i := range out {
				out[i] = true
			}
			return out
		}},
		each("own supported, others not", func([]string, Item, *rand.Rand) bool { return false }),
		each("own; others by overlap of words above 90 %", func(own []string, it Item, _ *rand.Rand) bool {
			a := compare(own, it)
			return !a.twin() && overlap(it.Claim, a.text) >= 0.9
		}),
		half("own; the half by all of these together", func(own []string, it Item) float64 {
			a := compare(own, it)
			s := -float64(changed(a.edits)) - 2*float64(a.strange())
			for _, b := range []bool{a.twin(), a.numbersOff(it.Claim), a.negated(it.Claim), a.opposite()} {
				if b {
					s -= 20
				}
			}
			return s
		}),
	}
}

// half makes a player that stamps its own claims and, of the others, the half with the highest scores.
func half(name string, score func(own []string, it Item) float64) Player {
	return Player{name, func(own []string, items []Item, r *rand.Rand) []bool {
		out := make([]bool, len(items))
		type one struct {
			i     int
			score float64
		}
		var rest []one
		for i, it := range items {
			if out[i] = slices.Contains(own, it.Claim); !out[i] {
				rest = append(rest, one{i, score(own, it) + r.Float64()/1000})
			}
		}
		slices.SortFunc(rest, func(a, b one) int { return int(math.Copysign(1, b.score-a.score)) })
		for k, o := range rest {
			out[o.i] = k < (len(rest)*7+6)/11 // 7 of 11 in a first batch are controls
			if len(rest) != 11 {
				out[o.i] = k < (len(rest)+1)/2
			}
		}
		return out
	}}
}
