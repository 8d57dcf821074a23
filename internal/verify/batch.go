package verify

import (
	"errors"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// Claims are read in batches, with planted errors and true controls among them. A batch is opened and answered by the steps
// of [loopstate.State.OpenBatch] and [loopstate.State.AnswerBatch]; what is in it and what an answer means is decided here.

// VoidBatches is the maximum number of void batches in one call of a model, and in a row of the host: who could try
// without end would pass by chance.
const VoidBatches = 2

// maxSupported bounds the supported claims that a batch is made from. Chosen: a batch makes at most 14 items.
const maxSupported = 60

// Batch is what a batch is made from.
type Batch struct {
	Candidates []loopstate.ReviewCandidate // that are to be read
	Supported  []loopstate.ReviewCandidate // by a believed reader
	Known      bool                        // an earlier batch of the reader counted
	earlier    []string                    // all sentences of earlier batches, and what they were made from
	most       int                         // items
}

// NextBatch returns what the next batch of a loop is made from, for a reader; a whole one has all that waits.
func NextBatch(st *loopstate.State, who loopstate.Reader, whole bool) Batch {
	b := Batch{Candidates: st.PendingReviews(), most: loopstate.MaxReviewItems}
	if whole {
		b.most = loopstate.MaxItems
	}
	for _, c := range st.Candidates {
		if st.Readings[c.Key].Answer == loopstate.AnswerSupported {
			b.Supported = append(b.Supported, c)
		}
	}
	b.Supported = b.Supported[max(0, len(b.Supported)-maxSupported):]
	for _, r := range st.Reviews {
		b.Known = b.Known || r.Status == loopstate.BatchCounted && slices.Contains(r.Readers, who)
		for _, it := range r.Items {
			b.earlier = append(b.earlier, it.Claim, it.Base)
		}
	}
	if VoidLast(st, who) > 0 { // a reader that failed is tested in full again
		b.Known = false
	}
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
	for _, c := range slices.Concat(b.Candidates, b.Supported) {
		for _, id := range c.SourceIDs {
			cited[id] = true
		}
	}
	return cited
}

// Items makes the items, deterministically from the seed, the candidates and the texts. The error is a [*loopstate.Error] if
// nothing waits.
func (b Batch) Items(seed string, sources map[string]Source) ([]loopstate.ReviewItem, error) {
	request := reader.Request{Seed: seed, Earlier: b.earlier, Known: b.Known, Most: b.most,
		Blocks: func(id string) []reader.Passage { return sources[id].Blocks() }}
	for i, c := range slices.Concat(b.Candidates, b.Supported) {
		out := reader.Candidate{Key: c.Key, Claim: c.Claim, Supported: i >= len(b.Candidates), Fixed: c.Quoted, Front: c.Front}
		for _, w := range c.Passages {
			out.Passages = append(out.Passages, sources[w.SourceID].Window(w))
		}
		request.Candidates = append(request.Candidates, out)
	}
	items, err := reader.Prepare(request)
	if errors.Is(err, reader.ErrNothingToRead) {
		return nil, &loopstate.Error{Code: loopstate.CodeNothingToRead, Subject: "claims"}
	}
	out := make([]loopstate.ReviewItem, len(items))
	for i, it := range items {
		out[i] = loopstate.ReviewItem{Role: it.Role, Key: it.Key, Kind: it.Kind, Claim: it.Claim, Base: it.Base,
			Passages: windows(it.Passages)}
		for j, p := range it.Passages {
			out[i].Passages[j].Heading = p.Heading
		}
	}
	return out, err
}

// ReviewItem is an item as its reader sees it, without its role.
type ReviewItem struct {
	Item     string
	Claim    string
	Passages []reader.Passage
}

// Shown returns an item with the texts of its passages; without text, with their places alone.
func Shown(it loopstate.ReviewItem, text func(sourceID string) *Text) ReviewItem {
	out := ReviewItem{Item: it.Item, Claim: it.Claim}
	for _, w := range it.Passages {
		p := reader.Passage{SourceID: w.SourceID, Start: w.Start, End: w.End, Heading: w.Heading, Lines: w.Lines}
		if text != nil {
			p.Text = text(p.SourceID).Slice(p.Start, p.End)
		}
		out.Passages = append(out.Passages, p)
	}
	return out
}

// FindQuotes returns the answers with whether their quotes are in what was shown.
func FindQuotes(answers []loopstate.ReviewAnswer, shown map[string]ReviewItem) []loopstate.ReviewAnswer {
	out := slices.Clone(answers)
	for i := range out {
		out[i].Item = strings.TrimSpace(out[i].Item)
		out[i].Found = reader.QuoteFound(out[i].Quote, shown[out[i].Item].Passages)
	}
	return out
}

// ReviewNeeded counts the claims for a second reader.
type ReviewNeeded struct {
	Pending int    // claims that nobody has read
	Batch   string // the open batch, or ""
}

// Needed counts what a loop wants read.
func Needed(st *loopstate.State) ReviewNeeded {
	out := ReviewNeeded{Pending: len(st.PendingReviews())}
	if r := st.OpenReview(); r != nil {
		out.Batch = r.Batch
	}
	return out
}
