package loops_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

func promptNamed(t testing.TB, name string) prompts.Prompt {
	t.Helper()
	all := prompts.All()
	i := slices.IndexFunc(all, func(p prompts.Prompt) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("no prompt %s", name)
	}
	return all[i]
}

// bridges returns a loop of two sources and two claims, one of them verified.
func bridges(h *harness) (loop string) {
	h.t.Helper()
	loop = done(h, h.Start, loopstate.StartInput{Query: "How long does the zinc coating last?",
		Dimensions: []loopstate.Dimension{{Dimension: "price of the coating", Priority: "low"}}}).StateID
	h.web.put("https://example.org/a", "A coat for a century",
		"The zinc coating lasts 40 years in sea air. The price of the coating is 12 euros a square metre.")
	h.web.put("https://example.org/b", "Corrosion of zinc",
		"On the west coast the zinc coating lost 5 micrometres a year. It lasts 22 years there.")
	ids := h.read(loop, "https://example.org/a", "https://example.org/b")
	h.check(loops.VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New("The zinc coating lasts 40 years in sea air.", ids[0])}})
	h.update(loop, loopstate.UpdateInput{Claims: []loopstate.Claim{
		{Claim: "On the west coast the coating lasts 22 years, elsewhere 40.", SourceIDs: ids}}})
	return loop
}

func (h *harness) prompt(name, loop string) string {
	h.t.Helper()
	return must(h.Prompt(h.t.Context(), promptNamed(h.t, name), map[string]string{"state_id": loop}))(h.t)
}

// The prompts of the critic and the synthesizer have passages for the claims and the question.
func TestPromptHasPassages(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := bridges(h)
	for _, name := range []string{"critic", "synthesize"} {
		text := h.prompt(name, loop)
		for _, words := range []string{"How long does the zinc coating last?", "The zinc coating lasts 40 years in sea air.",
			"It lasts 22 years there.", "12 euros a square metre", "C1 [S1]", "C2 [S1, S2]", "S1:1", "S2:1"} {
			if !strings.Contains(text, words) {
				t.Errorf("%s lacks %q", name, words)
			}
		}
		if text != h.prompt(name, loop) {
			t.Errorf("the same loop gives another prompt %s", name)
		}
	}
	if text := h.prompt("research", loop); strings.Contains(text, "12 euros") || !strings.Contains(text, "Corrosion of zinc") {
		t.Error("the prompt research has passages, or lacks the sources")
	}
}

func TestPromptOfNoLoop(t *testing.T) {
	t.Parallel()
	text := must(newHarness(t).Prompt(t.Context(), promptNamed(t, "research"), map[string]string{"query": "  Is glass a liquid? "}))(t)
	if !strings.Contains(text, "Is glass a liquid?") || !strings.Contains(text, "2026-03-01") {
		t.Errorf("a question without a loop: %s", text)
	}
}
