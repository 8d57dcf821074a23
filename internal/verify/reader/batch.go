package reader

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/seeded"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Roles of the items of a batch. A reader never sees them.
const (
	RolePending = "pending" // a claim that nobody has read
	RolePlanted = "planted" // false by construction
	RoleControl = "control" // true by construction
)

// Sizes of a batch. Of four planted errors or controls all must be right, of seven one mistake is forgiven: who guesses passes
// once in 256 times. Five or six would forgive it too early.
const (
	MaxItems   = 40
	few, many  = 4, 7
	fewPending = 16 // claims up to which few planted errors are enough
	maxDraws   = 16 // of planted errors and controls from a short text (chosen)
)

// Counts returns how many planted errors and controls go with so many pending claims. known is for a reader of whom an
// earlier batch was believed. Where the texts are short there may be few of each.
func Counts(pending int, known bool) (planted, controls int) {
	switch {
	case known:
		return 2, 2
	case pending <= fewPending:
		return few, many
	}
	return many, many
}

// Candidate is a claim of the text, with the passages that a reader sees beside it.
type Candidate struct {
	Key, Claim string
	Passages   []Passage
	Supported  bool // by a believed reader: no item of its own, but others are made from it
	Fixed      bool // has a quote: never altered
	Front      bool // with a remark or without a line: comes first
}

// Request asks for a batch.
type Request struct {
	Seed       string // secret until the batch is closed; it decides all that is chosen
	Candidates []Candidate
	Blocks     func(sourceID string) []Passage // the blocks of a source that may be shown, for filling up
	Earlier    []string                        // claims and bases of all items that this reader has seen
	Known      bool                            // a batch of this reader was believed
}

// Item is one thing to read.
type Item struct {
	Role     string
	Key      string // the candidate's; empty for planted errors and controls
	Kind     string // of the change of a planted error
	Claim    string
	Base     string // the sentence that a planted error or a control was made from
	Passages []Passage
}

// Why there is no batch: no candidate waits for a reader, or nothing to test a reader with can be made.
var (
	ErrNothingToRead = errors.New("reader: no claim waits for a reader")
	ErrTooLittleText = errors.New("reader: the texts are too short to test a reader with")
)

// Prepare makes a batch of at most [MaxItems] items in random order: the claims that wait, those in front first, planted
// errors and controls. Nothing that the reader has seen is made again, unless the texts have too few other sentences.
func Prepare(request Request) (items []Item, err error) {
	for draw := range maxDraws { // of a short text, what is drawn first may leave too little for the rest
		if items, err = prepare(request, fmt.Sprintln(request.Seed, draw)); !errors.Is(err, ErrTooLittleText) {
			break
		}
	}
	return items, err
}

func prepare(request Request, seed string) ([]Item, error) {
	w := &writer{Random: seeded.New(seed), Request: request}
	var front, rest, supported []option
	for _, c := range request.Candidates {
		o := option{Item: Item{Role: RolePending, Key: c.Key, Claim: c.Claim, Passages: c.Passages}, fixed: c.Fixed}
		switch {
		case c.Supported:
			o.Item = Item{Role: RoleControl, Claim: c.Claim, Base: c.Claim, Passages: c.Passages}
			supported = append(supported, o)
		case c.Front:
			front = append(front, o)
		default:
			rest = append(rest, o)
		}
	}
	pending := append(front, rest...)
	if len(pending) == 0 {
		return nil, ErrNothingToRead
	}
	wrong, right := Counts(len(pending), request.Known)
	w.pending = pending[:min(len(pending), MaxItems-wrong-right)]
	trueOnes := slices.Concat(supported, w.sentences())
	fixed := func(o option) bool { return o.fixed || len(o.Claim) > maxBytes || !utf8.ValidString(o.Claim) }
	var controls, twins []option
	for _, o := range trueOnes {
		if !fixed(o) {
			o.Claim, o.edits = w.sentence(o).reword(maxEdits)
		}
		controls = append(controls, o)
	}
	controls = w.pick(controls, right, w.pending)
	for _, o := range slices.Concat(w.pending, trueOnes) {
		if !fixed(o) && !contains(controls, o.Claim) {
			twins = append(twins, w.twins(o)...)
		}
	}
	planted := w.pick(twins, wrong, slices.Concat(w.pending, controls))
	if len(planted) == 0 || len(controls) == 0 {
		return nil, ErrTooLittleText
	}
	var items []Item
	for _, o := range slices.Concat(planted, controls, w.pending) {
		items = append(items, o.Item)
	}
	seeded.Shuffle(w.Random, items)
	return items, nil
}

// option is an item that may be made, or a claim that waits.
type option struct {
	Item
	fixed    bool
	plain    bool // false as a program sees that only compares: it is like a claim that waits, or has another number or a negation more or less
	edits    int  // changes of its words
	fromText bool // made from a sentence of the texts
	leans    bool // on other sentences of the text
}

// writer makes planted errors and controls.
type writer struct {
	*seeded.Random
	Request
	pending []option
}

const (
	// Bounds of what is looked at for planted errors and controls.
	maxSourceBytes = 100_000
	maxBytes       = 1_200 // of a block that is shown for one sentence, and of a claim that is altered
	maxSentences   = 200

	// What it costs to take an item, in code points by which it is longer or shorter than its model. All are chosen.
	lastCost  = 10_000 // of what was seen before, leans on other sentences, or shows by comparing where half of the items do
	maxEdits  = 3      // of an item, so that no likeness to its passage or to a claim tells what it is
	otherCost = 300    // of each edit less, or of having figures, or being from the texts, where the model has none or is not; a third for each earlier one of its kind
)

// sentences are controls from sentences of the cited texts that read as claims do.
func (w *writer) sentences() (out []option) {
	seen := map[string]bool{}
	for _, c := range w.Candidates {
		for _, p := range c.Passages {
			if !seen[p.SourceID] {
				seen[p.SourceID] = true
				out = append(out, w.sentencesOf(p.SourceID)...)
			}
		}
	}
	seeded.Shuffle(w.Random, out)
	return out[:min(len(out), maxSentences)]
}

func (w *writer) sentencesOf(source string) (out []option) {
	size := 0
	for _, b := range w.Blocks(source) {
		if size += len(b.Text); size > maxSourceBytes {
			break
		}
		if len(b.Text) > maxBytes || has(b.Heading+"\n"+b.Text, "refuting") {
			continue
		}
		for _, s := range words.Sentences(b.Text) {
			claimed := func(c Candidate) bool { return c.Claim == s.Text }
			if usable(s.Text) && !contains(out, s.Text) && !slices.ContainsFunc(w.Candidates, claimed) {
				it := Item{Role: RoleControl, Claim: s.Text, Base: s.Text, Passages: []Passage{b}}
				out = append(out, option{Item: it, fromText: true, leans: leans(s.Text)})
			}
		}
	}
	return out
}

func (w *writer) sentence(o option) sentence {
	near := textOf(o.Passages)
	return sentence{w.Random, o.Claim, cmp.Or(words.Language(o.Claim), words.Language(near)), near, o.Role == RolePending}
}

func contains(options []option, base string) bool {
	return slices.ContainsFunc(options, func(o option) bool { return o.Base == base })
}

// kinds are the ways to make a sentence false, as logs name them.
var kinds = []string{"number", "unit", "negation", "direction", "quantifier", "certainty"}

// twins are the changed forms of a sentence, one of each kind that it offers. Of a pending one, of which nobody knows whether it is
// true, only those that are false in any case: the passages have the old words, no bound or range, and nothing like the new ones.
func (w *writer) twins(o option) (out []option) {
	s := w.sentence(o)
	for _, kind := range kinds {
		all := swaps(s, kind)
		if kind == "number" {
			all = otherNumbers(s)
		}
		seeded.Shuffle(w.Random, all)
		for _, t := range all {
			decided := !s.pending || kind == "number" || len(occurrences(s.near, strings.ToLower(t.old))) > 0 && !alike(s.near, t.new)
			if !decided || t.text == o.Claim || strings.Contains(s.near, t.text) {
				continue
			}
			text, edits := sentence{s.Random, t.text, s.language, s.near, s.pending}.reword(maxEdits, t)
			if slices.Contains(w.Earlier, text) {
				continue
			}
			it := Item{Role: RolePlanted, Kind: kind, Claim: text, Base: o.Claim, Passages: o.Passages}
			easy := s.pending || kind == "number" || has(text, "negative") != has(o.Claim, "negative")
			out = append(out, option{Item: it, edits: edits, plain: easy, fromText: o.fromText, leans: o.leans})
			break
		}
	}
	return out
}

// pick takes n items of many kinds, each near to the shape of a random model, and from the texts if that is: likeness to a passage
// must not tell what is planted. Those of passages that the reader gets anyway cost it less. If there are less it takes few or none, unless the reader is known.
func (w *writer) pick(from []option, n int, models []option) (out []option) {
	made, plain, shown := map[string]int{}, 0, map[string]bool{} // of a kind; passages that the batch has anyway
	for _, o := range w.pending {
		for _, p := range o.Passages {
			shown[p.place()] = true
		}
	}
	for len(from) > 0 && len(models) > 0 && len(out) < n {
		model := models[w.Intn(len(models))]
		cost := func(o option) int {
			d := utf8.RuneCountInString(o.Claim) - utf8.RuneCountInString(model.Claim)
			d = max(d, -d) + otherCost/3*made[o.Kind] + 2*otherCost*(maxEdits-o.edits)
			if slices.Contains(w.Earlier, o.Base) || o.leans || o.plain && 2*plain+1 >= n {
				d += lastCost
			}
			if !shown[o.Passages[0].place()] {
				d += utf8.RuneCountInString(o.Passages[0].Text)
			}
			if o.fromText != model.fromText {
				d += otherCost
			}
			if figure.MatchString(o.Claim) != figure.MatchString(model.Claim) {
				d += otherCost
			}
			return d
		}
		seeded.Shuffle(w.Random, from)
		best := slices.MinFunc(from, func(a, b option) int { return cost(a) - cost(b) })
		if made[best.Kind]++; best.plain {
			plain++
		}
		out = append(out, best)
		from = slices.DeleteFunc(from, func(o option) bool { return o.Base == best.Base })
	}
	if len(out) < n && !w.Known {
		out = out[:len(out)/few*few]
	}
	return out
}
