package loops

import (
	"context"

	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// Reflected is the result of Reflect: the closed round, and what to do next.
type Reflected struct {
	Version   int64
	Round     loopstate.Round
	Decision  wording.Decision
	Gaps      []string // open ones, best first
	Rejected  []loopstate.Rejected
	Remaining loopstate.Amounts
	Parts     []string // what the text must answer, if the decision is to write it
	Write     bool     // the whole text is to be written now
}

// Reflect closes the round. It stores the synthesis as a text of the loop, so that it survives the compaction of the host's
// conversation. A repeat with the same operation does not close another round. operation may be empty.
func (s *Service) Reflect(ctx context.Context, loop, operation string, in loopstate.CloseInput) (out Reflected, err error) {
	if in.SynthesisHash = ""; in.Synthesis != "" {
		in.SynthesisHash = loopstate.HashText([]byte(in.Synthesis)).String()
	}
	request := asked(in)
	err = change(ctx, s, loop, operation, request, func(st *loopstate.State) (loopstate.Payload, error) {
		p, err := st.Close(in)
		if err != nil {
			return nil, err
		}
		if p.Asked = request; in.Synthesis == "" {
			return p, nil
		}
		return withTexts{Payload: p, texts: [][]byte{[]byte(in.Synthesis)}}, nil
	}, func(st *loopstate.State, p *loopstate.Closed, _ loopstate.Event) error {
		out = Reflected{Version: st.Seq, Round: st.Rounds[len(st.Rounds)-1], Decision: wording.Advised(st), Gaps: wordsOf(st.OpenGaps()),
			Rejected: p.Rejected, Remaining: st.Remaining()}
		if out.Decision.NextAction == loopstate.Finalize {
			out.Write, out.Parts = st.Draft == nil, partsOf(st)
		}
		return nil
	})
	return out, err
}

// partsOf lists what the answer to a loop's question has to cover: the parts of the question, rubrics, dimensions, and the
// sub-questions of the first round.
func partsOf(st *loopstate.State) []string {
	parts := append(Subjects(st.Query), st.Rubrics...)
	for _, d := range st.Dimensions {
		parts = append(parts, d.Dimension)
	}
	for _, g := range st.Gaps {
		if g.OpenedRound == 1 && g.Material && g.Status != loopstate.GapUnanswerable && !st.IsEntityGap(g) {
			parts = append(parts, g.Gap)
		}
	}
	return parts
}
