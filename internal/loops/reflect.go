package loops

import (
	"context"

	"github.com/citeloop/citeloop/internal/states"
	"github.com/citeloop/citeloop/internal/views"
	"github.com/citeloop/citeloop/loopstate"
)

// Reflected is the result of Reflect: the closed round, and what to do next.
type Reflected struct {
	StateID   string
	Version   int64
	Round     *loopstate.Round // nil if the call closed none
	Decision  loopstate.Decision
	Gaps      []loopstate.Gap
	Rejected  []loopstate.Rejected
	Remaining loopstate.Remaining
	Parts     []string          // what the text must answer, if the decision is to write it
	Points    []loopstate.Point // of critics, that the author has not answered
	Write     bool              // the whole text is to be written now
}

func (s *Service) reflect(ctx context.Context, loop, operation string, in loopstate.CloseInput) (Reflected, error) {
	var out Reflected
	var counted loopstate.Answered
	err := s.change(ctx, loop, operation, func(st *loopstate.State) (loopstate.Payload, error) {
		if in.OnlyCritique() {
			p, err := st.Criticise(in.Critique)
			if err != nil {
				return nil, err
			}
			counted = s.meter.of(loop)
			p.AnswerCount = counted
			return p, nil
		}
		in.SynthesisHash = ""
		if in.Synthesis != "" {
			in.SynthesisHash = loopstate.HashText([]byte(in.Synthesis)).String()
		}
		p, err := st.Close(in)
		if err != nil {
			return nil, err
		}
		counted = s.meter.of(loop)
		p.Answers = counted
		if in.Synthesis == "" {
			return p, nil
		}
		if err := s.checkLargeSpace(ctx, "synthesis", len(in.Synthesis)); err != nil {
			return nil, err
		}
		return states.WithTexts{Payload: p, Texts: [][]byte{[]byte(in.Synthesis)}}, nil
	}, func(st *loopstate.State, e loopstate.Event) error {
		s.meter.add(loop, "", loopstate.Answered{Calls: -counted.Calls, Chars: -counted.Chars}) // now in the log
		out = Reflected{StateID: loop, Version: st.Seq, Decision: loopstate.Decide(st), Gaps: st.OpenGaps(), Remaining: st.Remaining(), Points: st.UnansweredPoints()}
		if e.Kind != loopstate.KindCriticised {
			p, err := payloadOf[loopstate.Closed](e)
			if err != nil {
				return err
			}
			row := st.Rounds[len(st.Rounds)-1]
			out.Round, out.Rejected = &row, p.Rejected
		}
		finished := out.Decision.NextAction == loopstate.Finalize
		if finished {
			out.Gaps = views.WithoutDebts(out.Gaps)
		}
		if out.Write = st.WantsDraft() || finished && st.Checked == nil; out.Write || finished {
			out.Parts = partsOf(st)
		}
		return nil
	})
	return out, err
}

// partsOf lists what the answer to a loop's question has to cover: the parts of the question, rubrics, dimensions, and the
// sub-questions of the first round.
func partsOf(st *loopstate.State) []string {
	parts := append(views.Subjects(st.Query), st.Rubrics...)
	for _, d := range st.Dimensions {
		parts = append(parts, d.Dimension)
	}
	for _, g := range st.Gaps {
		if g.OpenedRound == 1 && g.Material && g.Debt == "" && g.Status != loopstate.GapUnanswerable && !st.IsEntityGap(g) {
			parts = append(parts, g.Gap)
		}
	}
	return parts
}
