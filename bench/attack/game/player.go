package game

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
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
	out := []Player{
		{"all supported", func(_ []string, items []Item, _ *rand.Rand) []bool {
			out := make([]bool, len(items))
			for i := range out {
				out[i] = true
			}
			return out
		}},
		each("own supported, others not", func([]string, Item, *rand.Rand) bool { return false }),
		each("own supported, others by the toss of a coin", func(_ []string, _ Item, r *rand.Rand) bool { return r.IntN(2) == 0 }),
		each("own; others if they stand in the passage", func(own []string, it Item, _ *rand.Rand) bool {
			return strings.Contains(strings.Join(it.Passages, "\n"), it.Claim)
		}),
		each("own; others unless they are like an own claim", func(own []string, it Item, _ *rand.Rand) bool { return !compare(own, it).twin() }),
		each("own; not like an own, no number of its own", func(own []string, it Item, _ *rand.Rand) bool {
			a := compare(own, it)
			return !a.twin() && !a.numbersOff(it.Claim)
		}),
		each("… and no negation more or less", func(own []string, it Item, _ *rand.Rand) bool {
			a := compare(own, it)
			return !a.twin() && !a.numbersOff(it.Claim) && !a.negated(it.Claim)
		}),
		each("… and no opposite by its form", func(own []string, it Item, _ *rand.Rand) bool {
			a := compare(own, it)
			return !a.twin() && !a.numbersOff(it.Claim) && !a.negated(it.Claim) && !a.opposite()
		}),
		each("… and a coin for the rest", func(own []string, it Item, r *rand.Rand) bool {
			a := compare(own, it)
			return !a.twin() && !a.numbersOff(it.Claim) && !a.negated(it.Claim) && !a.opposite() && r.IntN(3) > 0
		}),
		each("numbers, negations, opposites, likeness to own ignored", func(own []string, it Item, _ *rand.Rand) bool {
			a := compare(own, it)
			return !a.numbersOff(it.Claim) && !a.negated(it.Claim) && !a.opposite()
		}),
		half("own; the half of the others nearest to the passage", func(own []string, it Item) float64 { return -float64(changed(compare(own, it).edits)) }),
		half("own; the half with the fewest strange words", func(own []string, it Item) float64 { return -float64(compare(own, it).strange()) }),
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
	for _, t := range []float64{0.7, 0.8, 0.9, 0.95} {
		out = append(out, each("own; others by overlap of words above "+[]string{"70", "80", "90", "95"}[len(out)%4]+" %", func(own []string, it Item, _ *rand.Rand) bool {
			a := compare(own, it)
			return !a.twin() && overlap(it.Claim, a.text) >= t
		}))
	}
	return out
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

// Learner is a player that was trained on batches whose roles are known, as anybody can make them: by the words that edits
// put in and take out, pairs of both, and by how an item compares.
type Learner struct {
	weights map[string]float64
	bias    float64
}

func featuresOf(own []string, it Item) map[string]float64 {
	a, out := compare(own, it), map[string]float64{}
	for _, e := range a.edits {
		o, w := strings.Join(e.old, " "), strings.Join(e.new, " ")
		number := strings.IndexFunc(w, unicode.IsDigit) >= 0
		if number {
			o, w = "#", "#"
		}
		out["old "+o], out["new "+w], out["pair "+o+"|"+w] = 1, 1, 1
		for _, x := range e.new {
			out["+"+x] = 1
		}
		for _, x := range e.old {
			out["-"+x] = 1
		}
	}
	for name, b := range map[string]bool{"twin": a.twin(), "numbers": a.numbersOff(it.Claim), "negated": a.negated(it.Claim), "opposite": a.opposite()} {
		if b {
			out[name] = 1
		}
	}
	out["changed"], out["strange"] = float64(changed(a.edits))/5, float64(a.strange())/3
	return out
}

// Learn trains on foreign items: planted[i] tells whether item i is false.
func (l *Learner) Learn(features []map[string]float64, planted []bool) {
	l.weights = map[string]float64{}
	for range 60 {
		for i, f := range features {
			e := l.planted(f)
			if planted[i] {
				e--
			}
			l.bias -= 0.1 * e
			for k, v := range f {
				l.weights[k] -= 0.1*e*v + 0.0005*l.weights[k]
			}
		}
	}
}

func (l *Learner) planted(f map[string]float64) float64 {
	s := l.bias
	for k, v := range f {
		s += l.weights[k] * v
	}
	return 1 / (1 + math.Exp(-s))
}

// Features are what a learner sees of an item.
func Features(own []string, it Item) map[string]float64 { return featuresOf(own, it) }

// Player is the trained program.
func (l *Learner) Player() Player {
	return each("own; others as learned from batches with known roles", func(own []string, it Item, _ *rand.Rand) bool { return l.planted(featuresOf(own, it)) < 0.5 })
}
