package reader

import (
	"errors"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/seeded"
)

// Roles of the items of a batch. A reader never sees them.
const (
	RolePending = "pending" // a claim that nobody has read
	RolePlanted = "planted" // a test item: false by construction
	RoleControl = "control" // a test item: true by construction
)

// Sizes of a batch.
const (
	firstTests  = 3  // false test items of a first batch, and as many true ones
	claimsATest = 10 // further claims for one more of each; of a known reader all claims
)

// Counts returns how many false test items, and as many true ones, go with so many pending claims. known is for a reader of whom an
// earlier batch counted. Where the texts are short there are fewer, down to none.
func Counts(pending int, known bool) int {
	if known {
		return max(1, pending/claimsATest)
	}
	return firstTests + max(0, pending-claimsATest)/claimsATest
}

// Candidate is a claim of the text, with the passages that a reader sees beside it.
type Candidate struct {
	Key, Claim string
	Passages   []Passage
	Supported  bool // by a reader that counted: no item of its own, but test items are made from it
	Fixed      bool // has a quotation: never changed
	Front      bool // with a remark or without a line: comes first
}

// Request asks for a batch.
type Request struct {
	Seed       string // secret until the batch is closed; it decides all that is chosen
	Candidates []Candidate
	Blocks     func(sourceID string) []Passage // the blocks of a source that may be shown
	Earlier    []string                        // claims and bases of all items that this reader has seen
	Known      bool                            // a batch of this reader counted
	Most       int                             // items
}

// Item is one thing to read.
type Item struct {
	Role     string
	Key      string // the candidate's; empty for test items
	Kind     string // of a false test item: how it was made
	Claim    string
	Base     string // the sentence that a test item was made from
	Passages []Passage
}

// ErrNothingToRead reports that no candidate waits for a reader.
var ErrNothingToRead = errors.New("reader: no claim waits for a reader")

// Prepare makes a batch in random order: the claims that wait, those in front first, and test items. Nothing that the reader has seen is
// made again.
func Prepare(request Request) ([]Item, error) {
	var front, rest, spare []Candidate
	for _, c := range request.Candidates {
		switch {
		case c.Supported:
			spare = append(spare, c)
		case c.Front:
			front = append(front, c)
		default:
			rest = append(rest, c)
		}
	}
	pending := append(front, rest...)
	if len(pending) == 0 {
		return nil, ErrNothingToRead
	}
	most := len(pending)
	for most > request.Most-2*Counts(most, request.Known) {
		most--
	}
	n, shown := Counts(most, request.Known), pending[:most]
	t := tests{Random: seeded.New(request.Seed), Request: request, shown: shown}
	// Test items are rather made from sentences that are not in this batch: a sentence beside its changed form would be noticed.
	bases := slices.Concat(shuffled(t.Random, slices.Concat(spare, pending[len(shown):])), shuffled(t.Random, slices.Clone(shown)))
	planted, controls := t.make(bases, n)
	if len(planted) < n || len(controls) < n { // rather what the reader has seen than no test
		t.Earlier = nil
		planted, controls = t.make(bases, n)
	}
	items := append(planted, controls...)
	for _, c := range shown {
		items = append(items, Item{Role: RolePending, Key: c.Key, Claim: c.Claim, Passages: c.Passages})
	}
	seeded.Shuffle(t.Random, items)
	return items, nil
}

func shuffled(r *seeded.Random, in []Candidate) []Candidate {
	seeded.Shuffle(r, in)
	return in
}

// tests makes the test items of a batch.
type tests struct {
	*seeded.Random
	Request
	shown []Candidate
}

// make makes n test items of each kind, fewer where the texts are too short.
func (t *tests) make(bases []Candidate, n int) (planted, controls []Item) {
	planted = t.falseOnes(bases, bases, n)
	controls = t.trueOnes(bases, planted, n)
	if len(planted) < n { // the author's sentences offer too little
		var others []Candidate
		for _, it := range t.ofSources(bases) {
			if !t.seen(it.Claim, controls) {
				others = append(others, Candidate{Claim: it.Claim, Passages: it.Passages})
			}
		}
		planted = append(planted, t.falseOnes(others, append(others, bases...), n-len(planted))...)
	}
	return planted, controls
}

// seen reports whether the reader has seen a sentence, or sees it in this batch as another item.
func (t *tests) seen(sentence string, made []Item) bool {
	return slices.Contains(t.Earlier, sentence) || slices.ContainsFunc(made, func(it Item) bool { return it.Claim == sentence })
}

// falseOnes makes n sentences that their passages do not say: by turns one with another figure or name, and one
// beside the lines of another citation.
func (t *tests) falseOnes(bases, beside []Candidate, n int) (out []Item) {
	used := map[string]bool{}
	for turn := 0; turn < 2*n && len(out) < n; turn++ {
		for _, c := range bases {
			if used[c.Claim] || len(c.Passages) == 0 {
				continue
			}
			var it Item
			var ok bool
			if turn%2 == 0 {
				it, ok = t.changed(c)
			} else {
				it, ok = t.moved(c, beside)
			}
			if ok && (it.Kind == kindMoved || !t.seen(it.Claim, out)) {
				used[c.Claim] = true
				out = append(out, it)
				break
			}
		}
	}
	return out
}

// trueOnes takes n sentences that a reader found supported, and sentences of the sources beside their own lines.
func (t *tests) trueOnes(bases []Candidate, planted []Item, n int) (out []Item) {
	made := func(base string) bool {
		return slices.ContainsFunc(planted, func(it Item) bool { return it.Base == base })
	}
	for _, c := range bases {
		if len(out) < n/2 && c.Supported && len(c.Passages) > 0 && !t.seen(c.Claim, out) && !made(c.Claim) {
			out = append(out, Item{Role: RoleControl, Claim: c.Claim, Base: c.Claim, Passages: c.Passages})
		}
	}
	all := t.ofSources(bases)
	for round := range 2 { // blocks that the reader sees anyway cost it less
		for _, it := range all {
			if len(out) < n && (round == 1 || t.showsBlock(it.Passages[0])) && !t.seen(it.Claim, out) && !made(it.Base) {
				out = append(out, it)
			}
		}
	}
	return out
}

func (t *tests) showsBlock(p Passage) bool {
	return slices.ContainsFunc(t.shown, func(c Candidate) bool {
		return slices.ContainsFunc(c.Passages, p.Within)
	})
}

// author reports whether a sentence is one of the author's.
func (t *tests) author(sentence string) bool {
	return slices.ContainsFunc(t.Candidates, func(c Candidate) bool { return strings.TrimSpace(c.Claim) == sentence })
}
