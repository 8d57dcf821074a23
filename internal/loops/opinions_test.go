package loops_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/internal/llm"
	"github.com/citeloop/citeloop/internal/llm/judge"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// oracle answers every question in one way and counts them.
type oracle struct {
	opinion judge.Opinion
	err     error
	asked   []string
}

func (o *oracle) Opine(_ context.Context, questions []judge.Question) ([]judge.Opinion, llm.Usage, error) {
	out := make([]judge.Opinion, len(questions))
	for i, q := range questions {
		o.asked = append(o.asked, q.Claim)
		out[i] = o.opinion
	}
	return out, llm.Usage{Prompt: 700 * len(questions), Completion: 50 * len(questions)}, o.err
}

func TestJudgeIsAskedAboutDoubts(t *testing.T) {
	h := newHouse(t)
	o := &oracle{opinion: judge.Opinion{Verdict: "not_supported", Because: "it says something else"}}
	h.Service.Judge = o
	loop := h.start("lamps")
	h.shelf.put("https://a.example/1", "A", "The tower was built in 1874. Its keeper, a man of few words, trimmed the wick of the lamp each evening before the ships came in.")
	ids := h.read(loop, "https://a.example/1")
	claims := []citing.Claim{
		citing.New("The tower was built in 1874.", ids...),
		citing.New("Each evening before ships arrived the keeper took care of the wick of his lamp.", ids...),
	}
	plain, err := h.Verify(t.Context(), loops.VerifyInput{Loop: loop, Claims: claims})
	if err != nil || len(o.asked) != 0 {
		t.Fatalf("asked without being told: %v, %v", o.asked, err)
	}
	v, err := h.Verify(t.Context(), loops.VerifyInput{Loop: loop, Claims: claims, Judge: true})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(o.asked, []string{claims[1].Text}) || !judge.Doubtful(plain.Claims[1].Verdict) {
		t.Errorf("asked about %q; the doubtful one has support %.2f", o.asked, plain.Claims[1].Support)
	}
	if v.Claims[0].Status != grounding.Grounded || v.Claims[1].Support >= plain.Claims[1].Support {
		t.Errorf("%s and %.2f, before %.2f", v.Claims[0].Status, v.Claims[1].Support, plain.Claims[1].Support)
	}
	state, err := h.State(t.Context(), loops.ViewInput{Loop: loop})
	if err != nil || state.Remaining.Tokens != loopstate.DefaultTokens-750 {
		t.Errorf("%d tokens are left, %v", state.Remaining.Tokens, err)
	}
	o.err = &llm.Error{Code: llm.CodeKey}
	v, err = h.Verify(t.Context(), loops.VerifyInput{Loop: loop, Claims: claims, Judge: true})
	if err != nil || v.Claims[1].Support != plain.Claims[1].Support || !slices.ContainsFunc(v.Flags, func(f string) bool { return strings.HasPrefix(f, "not_judged") }) {
		t.Errorf("with the endpoint down: %.2f, %q, %v", v.Claims[1].Support, v.Flags, err)
	}
	if _, err := h.Update(t.Context(), loop, "", loopstate.UpdateInput{Usage: loopstate.Usage{Tokens: loopstate.DefaultTokens}}); err != nil {
		t.Fatal(err)
	}
	asked := len(o.asked)
	if v, err = h.Verify(t.Context(), loops.VerifyInput{Loop: loop, Claims: claims, Judge: true}); err != nil || len(o.asked) != asked {
		t.Errorf("asked with no tokens left: %v", err)
	}
}

func TestNoJudgeIsSetUp(t *testing.T) {
	h := newHouse(t)
	loop := h.start("lamps")
	_, err := h.Verify(t.Context(), loops.VerifyInput{Loop: loop, Draft: "A.", Judge: true})
	refusal(t, err, "judge", loopstate.CodeNoJudge)
}
