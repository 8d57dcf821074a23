package review

import (
	"errors"
	"slices"

	"github.com/citeloop/citeloop/internal/grounding"
)

// Role says why an item is in a batch. A reader never sees it.
type Role string

// The roles.
const (
	RolePending Role = "pending" // a claim that wording could not decide
	RoleSample  Role = "sample"  // a claim that wording grounded
	RolePlanted Role = "planted" // false by construction
	RoleControl Role = "control" // true by construction
)

// Sizes of a batch. A reader who guesses passes once in 256 times with four planted errors and four controls, all of
// which must be judged right, and as rarely with seven of each, where one mistake is forgiven. Five or six would
// forgive it too early: once in 28 or 83 times. So a batch has four of each, or seven and more.
const (
	MaxItems      = 40
	minPlanted    = 4
	manyPlanted   = 7
	plantedShare  = 4 // one planted error for so many claims
	minSample     = 3
	sampleShare   = 10 // one grounded claim for so many pending ones
	maxPendingNow = 22 // pending claims whose sample, planted errors and controls still fit into MaxItems
)

// Work estimates what reading so many pending claims takes: the batches, and the items in them with samples, planted errors
// and controls. A batch may have fewer where the texts are short.
func Work(pending int) (batches, items int) {
	for ; pending > 0; pending -= maxPendingNow {
		n := min(pending, maxPendingNow)
		n += sampleFor(n)
		batches, items = batches+1, items+n+2*plantedFor(n)
	}
	return batches, items
}

// sampleFor returns how many grounded claims go with so many pending ones.
func sampleFor(pending int) int { return max(minSample, (pending+sampleShare-1)/sampleShare) }

// plantedFor returns how many planted errors, and as many controls, go with so many claims.
func plantedFor(claims int) int {
	made := max(minPlanted, (claims+plantedShare-1)/plantedShare)
	if made > minPlanted {
		made = max(made, manyPlanted)
	}
	return made
}

// Candidate is a claim that may be read.
type Candidate struct {
	Key       string   // identifies claim, citations and texts; the caller's
	Claim     string   // the sentence
	SourceIDs []string // what it cites
	Grounded  bool     // by wording: it may be sampled; else it waits for a reader; neither if it is Supported
	Supported bool     // by a believed reader: no item of its own, but others are made from it
	Fixed     bool     // cites a quote that must stay: never altered to make another item
}

// Item is one thing to read.
type Item struct {
	Role     Role
	Key      string // the candidate's; empty for planted errors and controls
	Kind     grounding.DifferenceKind
	Claim    string
	Base     string // the true sentence that a planted error or a control was made from
	Passages []Passage
}

// ErrNothingToRead: no candidate waits for a reader.
var ErrNothingToRead = errors.New("review: no claim waits for a reader")

// ErrTooLittleText: the texts do not have enough sentences to make planted errors and controls from, so that no
// reader could be tested.
var ErrTooLittleText = errors.New("review: the texts are too short to test a reader with")

// Prepare makes a batch of at most MaxItems items: pending claims in their order as far as they fit, a sample of the
// grounded ones, planted errors and controls, shuffled. Planted errors and controls are made from claims that a reader
// supported earlier, because their style is that of the pending ones, and where these are too few, from grounded claims
// and sentences of the texts. The seed decides everything that is chosen. before are the planted errors and
// controls of earlier batches, and what they were made from: no new one is among them, unless the texts have too few
// others.
func Prepare(seed string, candidates []Candidate, texts Texts, before []string) ([]Item, error) {
	r := newRandom(seed)
	var pending, grounded []Candidate
	for _, c := range candidates {
		switch {
		case c.Supported:
		case !c.Grounded && len(pending) < maxPendingNow:
			pending = append(pending, c)
		case c.Grounded:
			grounded = append(grounded, c)
		}
	}
	if len(pending) == 0 {
		return nil, ErrNothingToRead
	}
	shuffle(r, grounded)
	sample := grounded[:min(len(grounded), sampleFor(len(pending)))]

	var items []Item
	for _, c := range pending {
		items = append(items, Item{Role: RolePending, Key: c.Key, Claim: c.Claim, Passages: texts.passages(c.Claim, c.SourceIDs)})
	}
	for _, c := range sample {
		items = append(items, Item{Role: RoleSample, Key: c.Key, Claim: c.Claim, Passages: texts.passages(c.Claim, c.SourceIDs)})
	}
	made := plantedFor(len(items))
	var planted, controls []Item
	for _, from := range []material{{before: before}, {before: before, loose: true}, {loose: true}} {
		w := newWriter(r, texts, items, candidates, from)
		p, c := w.planted(made), w.controls(made)
		if planted == nil || min(len(p), len(c)) > min(len(planted), len(controls)) {
			planted, controls = p, c
		}
		if min(len(p), len(c)) >= made {
			break
		}
	}
	switch n := min(len(planted), len(controls)); {
	case n < minPlanted:
		return nil, ErrTooLittleText
	case n < manyPlanted:
		planted, controls = planted[:minPlanted], controls[:minPlanted]
	}
	items = slices.Concat(items, planted, controls)
	shuffle(r, items)
	return items, nil
}
