package verdict

import (
	"errors"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/internal/verify"
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
}

// NextBatch returns what the next batch of a loop is made from, for a reader.
func NextBatch(st *loopstate.State, who loopstate.Reader, candidates []loopstate.ReviewCandidate) Batch {
	b := Batch{Candidates: candidates}
	for _, c := range st.AllCandidates() {
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
func VoidLast(st *loopstate.State, who loopstate.Reader) int {
	n := 0
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
// nothing waits, or if the texts are too short to test a reader with.
func (b Batch) Items(seed string, sources map[string]verify.Source) ([]loopstate.ReviewItem, error) {
	request := reader.Request{Seed: seed, Earlier: b.earlier, Known: b.Known,
		Blocks: func(id string) []reader.Passage { return sources[id].Blocks() }}
	add := func(candidates []loopstate.ReviewCandidate, supported bool) {
		for _, c := range candidates {
			out := reader.Candidate{Key: c.Key, Claim: c.Claim, Supported: supported, Fixed: c.Quoted, Front: c.Front}
			for _, w := range c.Passages {
				out.Passages = append(out.Passages, sources[w.SourceID].Window(w))
			}
			request.Candidates = append(request.Candidates, out)
		}
	}
	add(b.Candidates, false)
	add(b.Supported, true)
	items, err := reader.Prepare(request)
	switch {
	case errors.Is(err, reader.ErrNothingToRead):
		return nil, &loopstate.Error{Code: loopstate.CodeNothingToRead, Subject: "claims"}
	case errors.Is(err, reader.ErrTooLittleText):
		return nil, &loopstate.Error{Code: loopstate.CodeTooLittleText, Subject: "sources"}
	case err != nil:
		return nil, err
	}
	out := make([]loopstate.ReviewItem, len(items))
	for i, it := range items {
		out[i] = loopstate.ReviewItem{Role: it.Role, Key: it.Key, Kind: it.Kind, Claim: it.Claim, Base: it.Base,
			Passages: verify.Windows(it.Passages)}
		for j, p := range it.Passages {
			out[i].Passages[j].Heading = p.Heading
		}
	}
	return out, nil
}

// ReviewItem is an item as its reader sees it, without its role.
type ReviewItem struct {
	Item     string
	Claim    string
	Passages []reader.Passage
}

// Places returns the places of an item's passages.
func Places(it loopstate.ReviewItem) []reader.Passage {
	out := make([]reader.Passage, len(it.Passages))
	for i, p := range it.Passages {
		out[i] = reader.Passage{SourceID: p.SourceID, Start: p.Start, End: p.End, Heading: p.Heading, Lines: p.Lines}
	}
	return out
}

// Shown returns an item with the texts of its passages.
func Shown(it loopstate.ReviewItem, text func(sourceID string) *verify.Text) ReviewItem {
	out := ReviewItem{Item: it.Item, Claim: it.Claim, Passages: Places(it)}
	for i, p := range out.Passages {
		out.Passages[i].Text = text(p.SourceID).Slice(p.Start, p.End)
	}
	return out
}

// Asked is what was asked of a reader, as far as its answers need it.
type Asked struct {
	items   []loopstate.ReviewItem
	waiting map[string]bool // pending items
	cited   map[string][]verify.Passage
	again   map[string]bool // they are second looks
}

// AskedIn returns what a batch of a loop asked.
func AskedIn(st *loopstate.State, batch string) Asked {
	out := Asked{waiting: map[string]bool{}, cited: map[string][]verify.Passage{}, again: map[string]bool{}}
	if r, ok := st.ReviewByID(batch); ok {
		out.items = slices.Clone(r.Items)
	}
	keys := map[string]string{}
	for _, it := range out.items {
		if it.Role != loopstate.ReviewPending {
			continue
		}
		out.waiting[it.Item] = true
		if _, again := st.FirstLooks[it.Key]; again {
			out.again[it.Item], keys[it.Key] = true, it.Item
		}
	}
	for _, c := range st.AllCandidates() {
		if item, ok := keys[c.Key]; ok {
			out.cited[item] = Places(loopstate.ReviewItem{Passages: c.Passages})
		}
	}
	return out
}

// Items returns what was asked.
func (a Asked) Items() []loopstate.ReviewItem { return a.items }

// Looks is what second looks search.
type Looks struct {
	Index   *passage.Index // of the passages of sources
	Sources map[string]verify.Source
}

// Take returns answers with what the loop records: whether their quotes are in what was shown and, for a claim that this does not
// support, what else may; after that second look, the block that does. looks is called if there is something to search.
func (a Asked) Take(answers []loopstate.ReviewAnswer, shown map[string]ReviewItem,
	looks func() (Looks, error)) ([]loopstate.ReviewAnswer, error) {
	out := slices.Clone(answers)
	fails := func(x loopstate.ReviewAnswer) bool {
		says := x.Counts()
		return a.waiting[x.Item] && !a.again[x.Item] && (says == loopstate.AnswerPartly || says == loopstate.AnswerNotStated)
	}
	searches := false
	for i := range out {
		x := &out[i]
		x.Item = strings.TrimSpace(x.Item)
		x.Found = reader.QuoteFound(x.Quote, shown[x.Item].Passages)
		searches = searches || a.again[x.Item] || fails(*x)
	}
	if !searches {
		return out, nil
	}
	look, err := looks()
	if err != nil {
		return nil, err
	}
	for i := range out {
		switch x, it := &out[i], shown[out[i].Item]; {
		case a.again[x.Item] && x.Found:
			x.Place = verify.Place(x.Quote, it.Passages, a.cited[x.Item], look.Sources)
		case fails(*x):
			x.Elsewhere = verify.Windows(verify.SecondLook(look.Index, it.Claim, it.Passages, look.Sources))
		}
	}
	return out, nil
}
