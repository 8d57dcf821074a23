package loops_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// A verification of a draft lists its omissions; one of claims does not.
func TestVerifyFindsOmissions(t *testing.T) {
	h := newHarness(t)
	loop, err := h.Start(t.Context(), loopstate.StartInput{Query: "How high is the lighthouse at Cape Arden, and who built it?",
		Rubrics: []string{"says what happened in the fire"}, Dimensions: []loopstate.Dimension{{Dimension: "herring fishing"}}})
	if err != nil {
		t.Fatal(err)
	}
	h.web.put("https://example.org/lighthouse", "The lighthouse", lighthouse)
	h.web.put("https://example.org/harbour", "The harbour", harbour)
	h.read(loop.StateID, "https://example.org/lighthouse", "https://example.org/harbour")
	if _, err := h.Update(t.Context(), loop.StateID, "", loopstate.UpdateInput{Query: "lighthouse", Channel: "web", Evidence: []loopstate.Evidence{
		{Title: "How the lighthouse at Cape Arden was built", URL: "https://example.org/unread", Snippet: "How high it is.", Source: "web"},
		{Title: "Bread and butter", URL: "https://example.org/bread", Snippet: "A recipe.", Source: "web"}}}); err != nil {
		t.Fatal(err)
	}
	verify := func(in loops.VerifyInput) *loops.Completeness {
		t.Helper()
		in.Loop = loop.StateID
		v, err := h.Verify(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		return v.Completeness
	}
	if got := verify(loops.VerifyInput{Claims: []citing.Claim{citing.New("The lighthouse was built in 1874.", "S1")}}); got != nil {
		t.Errorf("claims have no completeness: %+v", got)
	}
	got := verify(loops.VerifyInput{Draft: "The lighthouse stands 42 metres high. [S1]\n"})
	if diff := cmp.Diff([]string{"who built it?", "says what happened in the fire", "herring fishing"}, got.Unanswered); diff != "" {
		t.Errorf("unanswered (-want +got):\n%s", diff)
	}
	var texts []string
	for _, p := range got.Passages {
		texts = append(texts, p.Text)
	}
	all := strings.Join(texts, "\n")
	if !strings.Contains(all, "built in 1874") || !strings.Contains(all, "fire of 1911") || !strings.Contains(all, "herring") || strings.Contains(all, "42 metres") {
		t.Errorf("passages:\n%s", all)
	}
	if len(got.Hits) != 1 || got.Hits[0].URL != "https://example.org/unread" {
		t.Errorf("unread hits: %+v", got.Hits)
	}
	whole := "The lighthouse stands 42 metres high. [S1] Maria Holt built it in 1874. [S1]\n\nAfter the fire of 1911 nobody lived in the keeper's harness. [S1]\n\n## Fishing\n\nHerring fishing brings in about 300 tonnes a year. [S2]\n"
	if got := verify(loops.VerifyInput{Draft: whole}); len(got.Unanswered) != 0 {
		t.Errorf("unanswered: %v", got.Unanswered)
	}
}
