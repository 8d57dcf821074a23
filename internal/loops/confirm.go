package loops

import (
	"context"

	"github.com/citeloop/citeloop/loopstate"
)

// RoundsQuestion is what the user is asked before a round is closed after which the loop must not go on
// without their word.
type RoundsQuestion struct {
	Query        string // what the loop researches
	Round        int    // the round that is about to be closed
	MaterialGaps int    // material gaps that stay open when it is
	Least, Most  int    // the rounds in all that an answer may name: one more than Round, and the round limit
	Ends         string // why the loop would end even so; empty when more rounds would let it go on
}

// AskRounds asks the user how many rounds the loop may take in all. Zero means that they confirmed nothing:
// they declined, did not answer, or answered something that is no number of rounds. An error ends the call
// before anything was changed.
type AskRounds func(ctx context.Context, q RoundsQuestion) (rounds int, err error)

// ReflectAsking is [Service.Reflect] for a host whose user can be asked: where the decision after closing the
// round would be to escalate the budget, the user is asked first, while nothing is done yet. If they confirm
// more rounds, that is recorded and the round closed; if not, the round is closed and the decision says what
// is missing. A nil ask asks nobody.
//
// operation recognises a repeat of a call that carries the user's answer: the round is then closed once, and
// nobody is asked again. It may be empty.
func (s *Service) ReflectAsking(ctx context.Context, loop, operation string, in loopstate.CloseInput, ask AskRounds) (Reflected, error) {
	if ask != nil {
		q, due, err := s.roundsQuestion(ctx, loop, operation, in)
		if err != nil {
			return Reflected{}, err
		}
		if due {
			rounds, err := ask(ctx, q)
			if err != nil {
				return Reflected{}, err
			}
			// The confirmation first: a crash between the two leaves a loop whose round can be closed, not a
			// round whose row says that the user was never asked.
			if rounds >= q.Least && rounds <= q.Most {
				if _, err := s.Update(ctx, loop, "", loopstate.UpdateInput{ConfirmRounds: rounds}); err != nil {
					return Reflected{}, err
				}
			}
		}
	}
	return s.reflect(ctx, loop, operation, in)
}

// roundsQuestion closes the round on a copy of the loop, to see whether the loop would then wait for the
// user. Before the round that needs a confirmation it costs one look at the state, and so it does when the
// loop has one already.
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
		if in.Synthesis != "" {
			in.SynthesisHash = loopstate.HashText([]byte(in.Synthesis)).String()
		}
		var err error
		if closed, err = st.Close(in); err != nil {
			return nil // Reflect answers the same error
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
	if loopstate.Decide(st).NextAction != loopstate.EscalateBudget {
		return q, false, nil
	}
	q = RoundsQuestion{Query: st.Query, Round: st.Round, MaterialGaps: len(st.MaterialGaps()), Least: st.Round + 1, Most: st.RoundCap()}
	st.ConfirmedRounds = q.Most // the copy is ours
	if d := loopstate.Decide(st); d.NextAction == loopstate.Finalize {
		q.Ends = d.StopReason
	}
	return q, q.Most >= q.Least, nil
}
