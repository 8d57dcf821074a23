package loops

import (
	"slices"
	"time"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// LoopDetail is a loop for a page that shows all of it. Its lists are complete; Claims are the current ones.
type LoopDetail struct {
	View
	Closed         int // rounds closed now; View.Round is the number at the shown moment
	StartedAt      time.Time
	UpdatedAt      time.Time // at the shown moment
	Complexity     string
	RoundCap       int   // see [loopstate.State.RoundCap]
	Gaps           []Gap // of any status, the one to pursue first
	Contradictions []loopstate.Contradiction
	Bad            []loopstate.BadURL
	Failures       []string // of the evaluator
	Abort          string   // why the user aborted the loop
	Budget         loopstate.Budget
	Usage          loopstate.Usage // reported by the host
	RoundBegan     time.Time       // start of the open round
	Review         verify.ReviewNeeded
	Unread         int     // claims for a reader
	Batches        []Batch // in order
	Imported       *ImportNotice
	Draft          *loopstate.Draft             // the delivered text, see [Service.Delivered]
	Readings       map[string]loopstate.Reading // of Claims, by their ids
}

// ImportNotice describes where a loop comes from that was imported. It does not depend on the shown moment: the log of an
// archive may contain forged events of that kind.
type ImportNotice struct {
	loopstate.Import
	Unchecked int // current claims whose verdict rests on a review elsewhere, which was not repeated
}

func ImportOf(st *loopstate.State) *ImportNotice {
	if st.Import == nil {
		return nil
	}
	n := ImportNotice{Import: *st.Import}
	for _, c := range st.CurrentClaims() {
		if c.Check != nil && slices.Contains(c.Check.Flags, loopstate.FlagImported) {
			n.Unchecked++
		}
	}
	return &n
}

// Batch is a review batch without its items.
type Batch struct {
	ID, Status        string
	Items, Answered   int
	Planted, Controls loopstate.Tally // zero while the batch is open
}

func batchesOf(st *loopstate.State) []Batch {
	var out []Batch
	for _, r := range st.Reviews {
		b := Batch{ID: r.Batch, Status: r.Status, Items: len(r.Items), Answered: len(r.Answers)}
		if r.Status != loopstate.BatchOpen {
			b.Planted, b.Controls = r.Planted, r.Controls
		}
		out = append(out, b)
	}
	return out
}

// From copies the state, because callers of view must not keep parts of it.
func (p *LoopDetail) From(st *loopstate.State) {
	p.View = headOf(st, "panorama")
	p.Rounds, p.Searches, p.Claims = slices.Clone(st.Rounds), slices.Clone(st.Searches), slices.Clone(st.CurrentClaims())
	p.Sources = viewedSources(st)
	p.Unread = len(st.PendingReviews())
	p.Readings = map[string]loopstate.Reading{}
	for _, c := range p.Claims {
		if c.Check != nil {
			if r, ok := st.Readings[c.Check.Key]; ok && c.Check.Reviewed != "" {
				p.Readings[c.ID] = r
			}
		}
	}
	p.StartedAt, p.UpdatedAt, p.Complexity, p.RoundCap, p.Abort = st.StartedAt, st.UpdatedAt, st.Complexity, st.RoundCap(), st.Abort
	p.Budget, p.Usage, p.RoundBegan = st.Budget, st.Usage, st.Open.StartedAt
	p.Review, p.Batches = verify.Needed(st), batchesOf(st)
	if st.Draft != nil {
		draft := *st.Draft
		p.Draft = &draft
	}
	tried := st.Tried()
	for _, g := range st.GapsWith("all") {
		p.Gaps = append(p.Gaps, Gap{g, tried[g.ID].String()})
	}
	p.Contradictions, p.Bad, p.Failures = slices.Clone(st.Contradictions), slices.Clone(st.Bad), slices.Clone(st.Failures)
}

// Gap is a gap with a summary of its searches: "searched 4 channels 7 times: 5 empty, 2 blocked".
type Gap struct {
	loopstate.Gap
	Tried string `json:"tried"`
}
