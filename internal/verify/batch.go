package verify

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// Claims are read in batches, with planted errors and true controls among them. A batch is opened and answered by the steps
// of [loopstate.State.OpenBatch] and [loopstate.State.AnswerBatch]; package reader decides what is in it.

// Shelf has sources by their ids, as [reader.Texts] of a batch.
type Shelf map[string]Source

// Blocks returns the blocks of a source, see [Source.Blocks].
func (s Shelf) Blocks(id string) []Passage { return s[id].Blocks() }

// Window returns a recorded passage with its text and heading.
func (s Shelf) Window(w loopstate.ReviewWindow) Passage {
	if s[w.SourceID].Text == nil {
		return w
	}
	return s[w.SourceID].passage(w.Start, w.End)
}

// ReviewItem is an item as its reader sees it: without its role, and with the texts of its passages.
type ReviewItem = loopstate.ReviewItem

// Shown returns an item for its reader.
func Shown(it ReviewItem, sources map[string]Source) ReviewItem {
	out := ReviewItem{Item: it.Item, Claim: it.Claim, Passages: slices.Clone(it.Passages)}
	for i, p := range out.Passages {
		out.Passages[i].Text = sources[p.SourceID].Text.Slice(p.Start, p.End)
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
	if r := st.Review(""); r != nil {
		out.Batch = r.Batch
	}
	return out
}
