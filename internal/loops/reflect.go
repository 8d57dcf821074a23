package loops

import (
	"context"

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
		return withTexts{Payload: p, texts: [][]byte{[]byte(in.Synthesis)}}, nil
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
			out.Parts = views.PartsOf(st)
		}
		return nil
	})
	return out, err
}

// RoundsQuestion is the question to the user before closing a round after which the loop needs a confirmation to continue.
type RoundsQuestion struct {
	Query        string // of the loop
	Round        int    // the round to be closed
	MaterialGaps int    // number of material gaps that stay open
	Least, Most  int    // valid answers: total rounds, from Round+1 to the round limit
	Ends         string // why the loop would end even with more rounds, or ""
}

// AskRounds asks the user how many rounds the loop may take in total. Zero means no confirmation: the user declined, did
// not answer, or gave an invalid answer. An error ends the call before anything is changed.
type AskRounds func(ctx context.Context, q RoundsQuestion) (rounds int, err error)

// Reflect closes the round, or records what a call says about the critic of the draft alone. It stores the synthesis as a text of the loop, so that it survives the compaction of the
// host's conversation.
//
// If the decision after the round would be to escalate the budget, Reflect first asks the user. It records a confirmation
// before it closes the round; without one, the decision tells what is missing. If ask is nil, nobody is asked.
//
// A repeat with the same operation does not close another round and does not ask again. operation may be empty.
func (s *Service) Reflect(ctx context.Context, loop, operation string, in loopstate.CloseInput, ask AskRounds) (Reflected, error) {
	if err := s.checkPoints(ctx, loop, in.Critique.Points); err != nil {
		return Reflected{}, err
	}
	if in.SynthesisHash = ""; in.Synthesis != "" {
		in.SynthesisHash = loopstate.HashText([]byte(in.Synthesis)).String()
	}
	if ask != nil && !in.OnlyCritique() {
		q, due, err := s.roundsQuestion(ctx, loop, operation, in)
		if err != nil {
			return Reflected{}, err
		}
		if due {
			rounds, err := ask(ctx, q)
			if err != nil {
				return Reflected{}, err
			}
			// The confirmation first: after a crash between the two, the round can still be closed.
			if rounds >= q.Least && rounds <= q.Most {
				if _, err := s.Update(ctx, loop, "", loopstate.UpdateInput{ConfirmRounds: rounds}); err != nil {
					return Reflected{}, err
				}
			}
		}
	}
	return s.reflect(ctx, loop, operation, in)
}

// roundsQuestion closes the round on a copy of the loop, to find out whether the loop would then need a confirmation. It
// makes no copy in earlier rounds and in loops with a confirmation.
func (s *Service) roundsQuestion(ctx context.Context, loop, operation string, in loopstate.CloseInput) (q RoundsQuestion, due bool, err error) {
	var closed loopstate.Closed
	var seq int64
	var copied []byte
	err = s.view(ctx, loop, func(st *loopstate.State) error {
		closing := st.Round + 1
		if closing < loopstate.ConfirmBeyondRounds || st.ConfirmedRounds > closing || st.RoundCap() <= closing {
			return nil
		}
		if _, done := st.Ops[operation]; done {
			return nil
		}
		var err error
		if closed, err = st.Close(in); err != nil {
			return nil // reflect returns the same error
		}
		seq = st.Seq
		copied, err = st.MarshalSnapshot()
		return err
	})
	if err != nil || copied == nil {
		return q, false, err
	}
	st, err := loopstate.UnmarshalSnapshot(copied)
	if err != nil {
		return q, false, err
	}
	e, err := loopstate.NewEvent(loop, seq+1, s.Now(), "asking", closed)
	if err != nil {
		return q, false, err
	}
	if st, err = loopstate.Apply(st, e); err != nil {
		return q, false, err
	}
	if loopstate.DecideAction(st).NextAction != loopstate.EscalateBudget {
		return q, false, nil
	}
	q = RoundsQuestion{Query: st.Query, Round: st.Round, MaterialGaps: len(st.MaterialGaps()), Least: st.Round + 1, Most: st.RoundCap()}
	st.ConfirmedRounds = q.Most // on the copy
	if d := loopstate.DecideAction(st); d.NextAction == loopstate.Finalize {
		q.Ends = d.StopReason
	}
	return q, q.Most >= q.Least, nil
}
