package loops

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/loopstate"
)

// LoopDetail is a loop for a person who looks at all of it at once. Its lists are whole; Claims are those of the
// last verification and those recorded since.
type LoopDetail struct {
	View
	Closed         int // rounds that are closed by now; Round is how many were at the moment that is shown
	StartedAt      time.Time
	UpdatedAt      time.Time // of the moment that is shown
	Complexity     string
	RoundCap       int   // rounds that may be closed as things stand
	Gaps           []Gap // of any status, the one to pursue first
	Contradictions []loopstate.Contradiction
	Bad            []loopstate.BadURL
	Failures       []string // of the evaluator
	Abort          string   // why the loop was stopped
	Budget         loopstate.Budget
	Usage          loopstate.Usage // that the host has reported so far
	RoundBegan     time.Time       // the round that was under way
	Review         ReviewNeeded    // what waits for a second reader
	Batches        []Batch         // that second readers were asked to read, in order
	Unseen         string          // how much is probably not found yet; empty while nothing was found twice, and where the decision says it
}

// Batch is a batch of a review without what it asks.
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

// Detail looks at a loop as it is now (round 0), or as it was when a round ended.
func (s *Service) Detail(ctx context.Context, loop string, round int) (LoopDetail, error) {
	var p LoopDetail
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		p.Closed = st.Round
		if round == 0 {
			p.from(st)
		}
		return nil
	})
	if err != nil || round == 0 {
		return p, err
	}
	return p, s.viewAt(ctx, loop, round, func(st *loopstate.State) error { p.from(st); return nil })
}

// ShownOf is what the host was shown of a source of the caller's loop: the read ledger. Looking at it is not reading.
func (s *Service) ShownOf(ctx context.Context, loop, id string) (loopstate.Spans, error) {
	var shown loopstate.Spans
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		shown = slices.Clone(st.ShownOf(id))
		return nil
	})
	return shown, err
}

// from copies what is shown: nothing of a state may be kept.
func (p *LoopDetail) from(st *loopstate.State) {
	p.View = headOf(st, "panorama")
	p.Rounds, p.Searches, p.Claims = slices.Clone(st.Rounds), slices.Clone(st.Searches), slices.Clone(st.CurrentClaims())
	p.Sources = viewedSources(st)
	p.StartedAt, p.UpdatedAt, p.Complexity, p.RoundCap, p.Abort = st.StartedAt, st.UpdatedAt, st.Complexity, st.RoundCap(), st.Abort
	p.Budget, p.Usage, p.RoundBegan = st.Budget, st.Usage, st.Open.StartedAt
	p.Review, p.Batches = reviewNeeded(st), batchesOf(st)
	tried := st.Tried()
	for _, g := range st.GapsWith("all") {
		p.Gaps = append(p.Gaps, Gap{g, tried[g.ID].String()})
	}
	p.Contradictions, p.Bad, p.Failures = slices.Clone(st.Contradictions), slices.Clone(st.Bad), slices.Clone(st.Failures)
	if u, ok := st.Unseen(); ok && !strings.Contains(p.Decision.Because, u.String()) {
		p.Unseen = u.String()
	}
}
