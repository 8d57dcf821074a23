package loops

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/verdict"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// readNow has the sentences whose cited lines have changed read beside the texts as they are now, and compares the answers with those
// before. Without a configured reader they are offered to the next one, and the answers are compared by the recheck after it.
func (s *Service) readNow(ctx context.Context, loop string, d report.Document, out *Recheck) error {
	moved, err := s.moveCitations(ctx, loop, d, out)
	if err != nil || len(moved) == 0 {
		return err
	}
	check := VerifyInput{Loop: loop, Coverage: loopstate.CoverageAll}
	for _, m := range moved {
		check.Claims = append(check.Claims, m.claim)
	}
	v, err := s.offer(ctx, check)
	if err != nil {
		return err
	}
	for counted := true; counted && s.ClaimReader != nil && len(v.Plan.Next) > 0; { // a batch that counts leaves fewer
		var flags []string
		switch counted, flags, err = s.readByEndpoint(ctx, loop, false); {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil: // what was found stays so without the reader
			s.Logger.Warn("the sentences whose lines have changed were not read", "loop", loop, "error", err)
			flags = append(flags, FlagNotReviewed+": the reader failed; the log of the server says why")
		}
		out.Flags = append(out.Flags, flags...)
		if v, err = s.examine(ctx, check); err != nil {
			return err
		}
	}
	for i, m := range moved {
		for _, n := range m.sentences {
			out.Sentences[n].answer(m.before, v.Claims[i])
		}
	}
	return nil
}

// movedClaim is a waiting sentence that cites the texts as they are now, with the answer before and its places among the waiting ones.
type movedClaim struct {
	claim     verify.Claim
	before    string
	sentences []int
}

// moveCitations returns the waiting sentences with the nearest lines of the texts as they are now in place of those that have changed.
func (s *Service) moveCitations(ctx context.Context, loop string, d report.Document, out *Recheck) ([]movedClaim, error) {
	current, wanted := map[string]string{}, map[string]bool{} // source -> its text as it is now
	for _, row := range out.Sources {
		if row.Now != "" {
			current[row.SourceID], wanted[row.Now] = row.Now, true
		}
	}
	sources, err := peek(ctx, s, loop, func(st *loopstate.State) []loopstate.Source { return slices.Clone(st.Sources) })
	if err != nil {
		return nil, err
	}
	texts, err := s.prepared(ctx, sources, func(id string) string { return id }, wanted)
	if err != nil {
		return nil, err
	}
	type waitingAt struct{ claimID, text, sourceID, lines string }
	waits := map[waitingAt][]int{} // a text can say the same twice
	for i, w := range out.Sentences {
		at := waitingAt{w.ClaimID, w.Text, w.SourceID, w.Lines}
		waits[at] = append(waits[at], i)
	}
	var moved []movedClaim
	for _, sentence := range d.Sentences {
		var m movedClaim
		var cites []string
		for _, r := range sentence.Receipts {
			lost := waits[waitingAt{sentence.ClaimID, sentence.Text, r.SourceID, r.Lines}]
			now := texts[current[r.SourceID]]
			switch {
			case len(lost) == 0:
				cites = append(cites, r.SourceID+":"+r.Lines)
			case now.Text != nil:
				var nearest []string
				for _, p := range now.Best(r.Passage) { // the sentence itself may be in another language
					nearest = append(nearest, p.SourceID+":"+p.Lines)
				}
				for _, n := range lost {
					out.Sentences[n].NowLines = strings.Join(nearest, "; ")
				}
				m.sentences = append(m.sentences, lost...)
				cites = append(cites, nearest...)
			}
		}
		if len(m.sentences) == 0 || utf8.RuneCountInString(sentence.Text) > loopstate.MaxTextChars {
			continue
		}
		if len(moved) == maxClaims {
			out.Flags = append(out.Flags, fmt.Sprintf("%s: more than %d sentences wait, and only so many are read", FlagNotReviewed, maxClaims))
			break
		}
		if sentence.Reading != nil {
			m.before = sentence.Reading.Answer
		}
		m.claim = verify.New(sentence.Text, cites...)
		moved = append(moved, m)
	}
	return moved, nil
}

// offer checks claims and gives those that nobody has read to the next reader, beside the loop's text. They are no claims of the loop.
func (s *Service) offer(ctx context.Context, in VerifyInput) (verdict.Verification, error) {
	v, err := s.examine(ctx, in)
	if err != nil || len(v.Plan.Next) == 0 {
		return v, err
	}
	return v, s.change(ctx, in.Loop, "", func(st *loopstate.State) (loopstate.Payload, error) {
		offered := map[string]bool{}
		for _, c := range st.AllCandidates() {
			offered[c.Key] = true
		}
		if !slices.ContainsFunc(v.Plan.Next, func(key string) bool { return !offered[key] }) {
			return nil, nil
		}
		return st.Verify(loopstate.Verified{Verdict: v.Verdict, Groundedness: v.Groundedness, Threshold: v.Threshold, Draft: true, Scratch: true,
			Candidates: v.Candidates(), Coverage: in.Coverage, Readings: v.Reused}, nil, "")
	}, func(*loopstate.State, loopstate.Event) error { return nil })
}

// answer sets what a reader says of a waiting sentence beside the text as it is now.
func (w *WaitingSentence) answer(before string, now verify.Claim) {
	w.Before = before
	if now.Reading != nil {
		w.Now, w.NowSays = now.Reading.Answer, now.Reading.Quote
	}
	w.Turned = w.Before != "" && w.Now != "" && w.Before != w.Now
}
