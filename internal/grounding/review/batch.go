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

// Sizes of a batch. A reader who guesses passes once in 256 times: with four planted errors, all of which must be caught,
// and seven controls, of which one may be refused, and with seven or more of each, where one mistake is forgiven. Five or
// six planted errors would forgive it too early. A careful reader refuses one control in forty, so that four controls
// without a spare one would void one batch in ten.
const (
	MaxItems      = 40
	minPlanted    = 4
	manyPlanted   = 7
	minControls   = 7
	plantedShare  = 4  // one planted error for so many claims
	minSample     = 3  // grounded claims
	sampleShare   = 10 // one grounded claim for so many pending ones
	MaxPendingNow = 23 // pending claims whose sample, planted errors and controls still fit into MaxItems
)

// Work estimates what reading so many pending claims takes: the batches, and the items in them with samples, planted errors
// and controls. A batch may have fewer where the texts are short.
func Work(pending int) (batches, items int) {
	for ; pending > 0; pending -= MaxPendingNow {
		n := min(pending, MaxPendingNow)
		n += sampleFor(n)
		batches, items = batches+1, items+n+plantedFor(n)+controlsFor(n)
	}
	return batches, items
}

// sampleFor returns how many grounded claims go with so many pending ones.
func sampleFor(pending int) int { return max(minSample, (pending+sampleShare-1)/sampleShare) }

// plantedFor returns how many planted errors go with so many claims.
func plantedFor(claims int) int {
	made := max(minPlanted, (claims+plantedShare-1)/plantedShare)
	if made > minPlanted {
		made = max(made, manyPlanted)
	}
	return made
}

// controlsFor returns how many controls go with so many claims.
func controlsFor(claims int) int { return max(minControls, plantedFor(claims)) }

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
		case !c.Grounded:
			pending = append(pending, c)
		default:
			grounded = append(grounded, c)
		}
	}
	if len(pending) == 0 {
		return nil, ErrNothingToRead
	}
	pending = pending[:min(len(pending), MaxPendingNow)]
	shuffle(r, grounded)
	sample := grounded[:min(len(grounded), sampleFor(len(pending)))]

	var items []Item
	for _, c := range pending {
		items = append(items, Item{Role: RolePending, Key: c.Key, Claim: c.Claim, Passages: texts.passages(c.Claim, c.SourceIDs)})
	}
	for _, c := range sample {
		items = append(items, Item{Role: RoleSample, Key: c.Key, Claim: c.Claim, Passages: texts.passages(c.Claim, c.SourceIDs)})
	}
	shared := newPool(texts, items)
	wrong, right := plantedFor(len(items)), controlsFor(len(items))
	var planted, controls []Item
	for _, from := range []material{{before: before}, {before: before, loose: true}, {loose: true}} {
		w := newWriter(r, shared.clone(), items, candidates, from)
		p, c := w.items(wrong, right)
		if planted == nil || min(len(p), len(c)) > min(len(planted), len(controls)) {
			planted, controls = p, c
		}
		if len(p) >= wrong && len(c) >= right {
			break
		}
	}
	if min(len(planted), len(controls)) < minPlanted {
		return nil, ErrTooLittleText
	}
	if len(planted) < manyPlanted {
		planted = planted[:minPlanted]
	}
	if len(controls) < minControls {
		controls = controls[:minPlanted]
	}
	items = slices.Concat(items, planted, controls)
	texts.label(items)
	return arrange(r, items), nil
}
