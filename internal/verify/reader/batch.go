package reader

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/seeded"
	"github.com/citeloop/citeloop/loopstate"
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

// VoidBatches is the maximum number of void batches in one call of a model, and in a row of the host: who could try
// without end would pass by chance.
const VoidBatches = 2

// maxSupported bounds the supported claims that a batch is made from. Chosen: a batch makes at most 14 items.
const maxSupported = 60

// Batch is what a batch is made from.
type Batch struct {
	pending   []loopstate.ReviewCandidate // claims that wait, those in front first
	supported []loopstate.ReviewCandidate // claims that a believed reader found supported: they have no item of their own
	known     bool                        // an earlier batch of the reader counted
	earlier   []string                    // all sentences of earlier batches, and what they were made from
	most      int                         // items
}

// Texts has the texts of the sources that claims cite.
type Texts interface {
	Window(w loopstate.ReviewWindow) Passage // with its text
	Blocks(sourceID string) []Passage        // that may be shown
}

// NextBatch returns what the next batch of a loop is made from, for a reader; a whole one has all that waits.
func NextBatch(st *loopstate.State, who loopstate.Reader, whole bool) Batch {
	b := Batch{most: loopstate.MaxReviewItems}
	if whole {
		b.most = loopstate.MaxItems
	}
	for _, front := range []bool{true, false} {
		for _, c := range st.PendingReviews() {
			if c.Front == front {
				b.pending = append(b.pending, c)
			}
		}
	}
	for _, c := range st.Candidates {
		if st.Readings[c.Key].Answer == loopstate.AnswerSupported {
			b.supported = append(b.supported, c)
		}
	}
	b.supported = b.supported[max(0, len(b.supported)-maxSupported):]
	for _, r := range st.Reviews {
		b.known = b.known || r.Status == loopstate.BatchCounted && slices.Contains(r.Readers, who)
		for _, it := range r.Items {
			b.earlier = append(b.earlier, it.Claim, it.Base)
		}
	}
	b.known = b.known && VoidLast(st, who) == 0 // a reader that failed is tested in full again
	return b
}

// VoidLast counts the void batches of a reader since its last counted one.
func VoidLast(st *loopstate.State, who loopstate.Reader) (n int) {
	for _, r := range st.Reviews {
		switch {
		case !slices.Contains(r.Readers, who):
		case r.Status == loopstate.BatchVoid:
			n++
		case r.Status == loopstate.BatchCounted:
			n = 0
		}
	}
	return n
}

// Cited returns the ids of the sources that the batch is made of.
func (b Batch) Cited() map[string]bool {
	cited := map[string]bool{}
	for _, c := range slices.Concat(b.pending, b.supported) {
		for _, id := range c.SourceIDs {
			cited[id] = true
		}
	}
	return cited
}

// Items makes the items in random order, deterministically from the seed, the claims and the texts: the claims that wait, those in front
// first, and test items. Nothing that the reader has seen is made again. The seed is secret until the batch is closed. The error is a
// [*loopstate.Error] if nothing waits.
func (b Batch) Items(seed string, texts Texts) ([]loopstate.ReviewItem, error) {
	most := len(b.pending)
	for most > 0 && most > b.most-2*Counts(most, b.known) {
		most--
	}
	if most == 0 {
		return nil, &loopstate.Error{Code: loopstate.CodeNothingToRead, Subject: "claims"}
	}
	t := tests{Random: seeded.New(seed), Texts: texts, earlier: b.earlier, termsOf: map[string]map[string]bool{}}
	pending := t.withTexts(b.pending)
	t.supported = shuffled(t.Random, t.withTexts(b.supported))
	t.shown, t.all = pending[:most], slices.Concat(pending, t.supported)
	// Test items are rather made from sentences that are not in this batch: a sentence beside its changed form would be noticed.
	bases := slices.Concat(shuffled(t.Random, slices.Concat(t.supported, pending[most:])), shuffled(t.Random, slices.Clone(t.shown)))
	n := Counts(most, b.known)
	planted, controls := t.make(bases, n)
	if len(planted) < n || len(controls) < n { // rather what the reader has seen than no test
		t.earlier = nil
		planted, controls = t.make(bases, n)
	}
	items := append(planted, controls...)
	for _, c := range t.shown {
		items = append(items, loopstate.ReviewItem{Role: RolePending, Key: c.Key, Claim: c.Claim, Passages: c.Passages})
	}
	seeded.Shuffle(t.Random, items)
	return items, nil
}

func shuffled(r *seeded.Random, in []loopstate.ReviewCandidate) []loopstate.ReviewCandidate {
	seeded.Shuffle(r, in)
	return in
}

// tests makes the test items of a batch.
type tests struct {
	*seeded.Random
	Texts
	shown, supported, all []loopstate.ReviewCandidate // claims of the batch, those found supported, and all
	earlier               []string                    // see [Batch]
	termsOf               map[string]map[string]bool  // by the text of a passage
}

// withTexts returns claims whose passages have their texts.
func (t *tests) withTexts(in []loopstate.ReviewCandidate) []loopstate.ReviewCandidate {
	out := slices.Clone(in)
	for i := range out {
		out[i].Passages = slices.Clone(out[i].Passages)
		for j, w := range out[i].Passages {
			out[i].Passages[j] = t.Window(w)
		}
	}
	return out
}

// make makes n test items of each kind, fewer where the texts are too short.
func (t *tests) make(bases []loopstate.ReviewCandidate, n int) (planted, controls []loopstate.ReviewItem) {
	planted = t.falseOnes(bases, bases, n)
	controls = t.trueOnes(bases, planted, n)
	if len(planted) < n { // the author's sentences offer too little
		var others []loopstate.ReviewCandidate
		for _, it := range t.ofSources(bases) {
			if !t.seen(it.Claim, controls) {
				others = append(others, loopstate.ReviewCandidate{Claim: it.Claim, Passages: it.Passages})
			}
		}
		planted = append(planted, t.falseOnes(others, append(others, bases...), n-len(planted))...)
	}
	return planted, controls
}

// seen reports whether the reader has seen a sentence, or sees it in this batch as another item.
func (t *tests) seen(sentence string, made []loopstate.ReviewItem) bool {
	return slices.Contains(t.earlier, sentence) ||
		slices.ContainsFunc(made, func(it loopstate.ReviewItem) bool { return it.Claim == sentence })
}

// falseOnes makes n sentences that their passages do not say: by turns one with another figure or name, and one
// beside the lines of another citation.
func (t *tests) falseOnes(bases, beside []loopstate.ReviewCandidate, n int) (out []loopstate.ReviewItem) {
	used, still := map[string]bool{}, map[string]bool{} // still: those that cannot be moved
	for turn := 0; turn < 2*n && len(out) < n; turn++ {
		for _, c := range bases {
			if used[c.Claim] || len(c.Passages) == 0 || turn%2 == 1 && still[c.Claim] {
				continue
			}
			var it loopstate.ReviewItem
			var ok bool
			if turn%2 == 0 {
				it, ok = t.changed(c)
			} else {
				it, ok = t.moved(c, beside)
				still[c.Claim] = !ok
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
func (t *tests) trueOnes(bases []loopstate.ReviewCandidate, planted []loopstate.ReviewItem, n int) (out []loopstate.ReviewItem) {
	made := func(base string) bool {
		return slices.ContainsFunc(planted, func(it loopstate.ReviewItem) bool { return it.Base == base })
	}
	for _, c := range t.supported {
		if len(out) < n/2 && len(c.Passages) > 0 && !t.seen(c.Claim, out) && !made(c.Claim) {
			out = append(out, testItem(RoleControl, "", c.Claim, c.Claim, c.Passages))
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
	return slices.ContainsFunc(t.shown, func(c loopstate.ReviewCandidate) bool { return slices.ContainsFunc(c.Passages, p.Within) })
}

// author reports whether a sentence is one of the author's.
func (t *tests) author(sentence string) bool {
	return slices.ContainsFunc(t.all, func(c loopstate.ReviewCandidate) bool { return strings.TrimSpace(c.Claim) == sentence })
}
