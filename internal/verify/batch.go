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
		return Passage{ReviewWindow: w}
	}
	return s[w.SourceID].passage(w.Start, w.End)
}

// ReviewItem is an item as its reader sees it, without its role.
type ReviewItem struct {
	Item     string
	Claim    string
	Passages []Passage
}

// Shown returns an item with the texts of its passages; without text, with their places alone.
func Shown(it loopstate.ReviewItem, text func(sourceID string) *Text) ReviewItem {
	out := ReviewItem{Item: it.Item, Claim: it.Claim}
	for _, w := range it.Passages {
		p := Passage{ReviewWindow: w}
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
