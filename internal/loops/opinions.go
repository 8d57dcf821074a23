package loops

import (
	"context"
	"errors"
	"fmt"

	"github.com/citeloop/citeloop/internal/llm"
	"github.com/citeloop/citeloop/internal/llm/judge"
	"github.com/citeloop/citeloop/loopstate"
)

// tokensOfQuestion is what one question costs about: 530 to 780 tokens were estimated on the development sets,
// and the answer comes on top.
const tokensOfQuestion = 1_000

func noJudge() error {
	return &loopstate.Error{Code: loopstate.CodeNoJudge, Subject: "judge"}
}

// opinions asks the judge about the claims whose verdict is in doubt, as many as the loop's budget of tokens
// allows, and lets each opinion weigh by the rules of [judge.Combine].
func (s *Service) opinions(ctx context.Context, v *Verification, tokensLeft int) error {
	var doubtful []int
	var questions []judge.Question
	for i, c := range v.Claims {
		if len(c.Asked) > 0 && judge.Doubtful(c.Verdict) {
			doubtful, questions = append(doubtful, i), append(questions, judge.Ask(c.Text, c.Verdict))
		}
	}
	if n := max(0, tokensLeft/tokensOfQuestion); n < len(questions) {
		v.Flags = append(v.Flags, fmt.Sprintf("not_judged: %d of %d claims in doubt, because the loop has %d tokens left", len(questions)-n, len(questions), tokensLeft))
		doubtful, questions = doubtful[:n], questions[:n]
	}
	if len(questions) == 0 {
		return nil
	}
	opinions, usage, err := s.Judge.Opine(ctx, questions)
	v.usage.Tokens += usage.Total()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var endpoint *llm.Error
	switch {
	case errors.As(err, &endpoint): // one word for all claims; the verdicts stand as they are
		v.Flags = append(v.Flags, "not_judged: "+endpoint.Error())
		return nil
	case err != nil:
		return fmt.Errorf("loops: asking the judge: %w", err)
	}
	for j, i := range doubtful {
		v.Claims[i].Verdict = judge.Combine(questions[j], opinions[j])
	}
	return nil
}
