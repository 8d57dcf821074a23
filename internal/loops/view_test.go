package loops_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/loopstate"
)

// The brief of any loop fits into its limit, and has the target. A character of Chinese takes the most.
func TestBriefFits(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("skipped: long, and nothing runs beside it")
	}
	h := newHarness(t)
	long := strings.Repeat("测量结果", 300)
	loop := done(h, h.Start, loopstate.StartInput{Query: long, Rubrics: []string{long, "b" + long, "c" + long}}).StateID
	for i := range 60 {
		h.addGap(loop, loopstate.GapInput{Gap: fmt.Sprintf("%d %s", i, long)})
	}
	var urls []string
	var evidence []loopstate.Evidence
	for i := range 40 {
		u := fmt.Sprintf("https://example.org/%d/%s", i, strings.Repeat("p", 300))
		h.web.put(u, long, fmt.Sprintf("%d %s", i, long))
		urls, evidence = append(urls, u), append(evidence, loopstate.Evidence{Title: long, URL: u, Source: "fakeWeb"})
	}
	for part := range slices.Chunk(urls, loops.MaxURLs) {
		h.read(loop, part...)
	}
	h.update(loop, loopstate.UpdateInput{Query: long, Evidence: evidence, Failures: []string{long}})
	v := h.view(loops.ViewInput{Loop: loop})
	body := must(json.Marshal(v))(t)
	if n := words.EstimateTokens(string(body)); n > loops.BriefTokens {
		t.Errorf("the brief has %d tokens, at most %d are allowed", n, loops.BriefTokens)
	}
	if v.Decision.Target == "" || v.Brief.HowToGoOn == "" || len(v.Brief.OpenGaps) == 0 || v.Brief.LeftOut == 0 {
		t.Errorf("the brief lacks what is needed to go on: %s", body)
	}
}

func TestPagesHaveEachItemOnce(t *testing.T) {
	t.Parallel()
	h, loop := newLoop(t, "q")
	for batch := range 3 {
		var evidence []loopstate.Evidence
		for i := range 400 {
			evidence = append(evidence, loopstate.Evidence{Title: "T", URL: fmt.Sprintf("https://example.org/%d/%d", batch, i), Source: "x",
				Snippet: strings.Repeat("word ", 30)})
		}
		h.update(loop, loopstate.UpdateInput{Evidence: evidence})
	}
	seen := map[string]int{}
	cursor, pages := "", 0
	for {
		v := h.view(loops.ViewInput{Loop: loop, View: "full", Cursor: cursor})
		body := must(json.Marshal(v))(t)
		if n := words.EstimateTokens(string(body)); n > loops.AnswerTokens {
			t.Errorf("page %d has %d tokens", pages, n)
		}
		for _, e := range v.Loop.Progress.Evidence {
			seen[e.URL]++
		}
		pages++
		if cursor = v.NextCursor; cursor == "" {
			break
		}
	}
	if len(seen) != 1200 || pages < 2 {
		t.Errorf("%d hits on %d pages, want 1200 on several", len(seen), pages)
	}
	refusal(t, errOf(h.State(t.Context(), loops.ViewInput{Loop: loop, View: "full", Cursor: "x"})), "cursor", loopstate.CodeBadCursor)
}

// The full view and the critic's prompt have the synthesis.
func TestSynthesisIsReturned(t *testing.T) {
	t.Parallel()
	h, loop := newLoop(t, "lamps")
	text := "The tower was built in 1874. " + strings.Repeat("It burns oil. ", 1000)
	h.reflect(loop, loopstate.CloseInput{Synthesis: text, Coverage: &loopstate.Coverage{Overall: 0.7, Reasoning: "some"}})
	v := h.view(loops.ViewInput{Loop: loop, View: "full"})
	if !strings.HasPrefix(v.Loop.Synthesis, "The tower was built in 1874. It burns oil.") || len(v.Loop.Synthesis) > 10_010 ||
		v.Loop.SynthesisChars != len(text) || v.Coverage.Reasoning != "some" {
		t.Errorf("%d characters", len(v.Loop.Synthesis))
	}
	if brief := h.view(loops.ViewInput{Loop: loop}); brief.Coverage.Overall != 0.7 || brief.Coverage.Reasoning != "" {
		t.Errorf("the brief's coverage is %+v", brief.Coverage)
	}
	if !strings.Contains(h.prompt("critic", loop), "text\nThe tower was built") {
		t.Error("the critic's prompt lacks the synthesis")
	}
	_, err := h.Reflect(t.Context(), loop, "", loopstate.CloseInput{AnsweredGaps: []string{"G9"}, Synthesis: "another text"})
	refusal(t, err, "answered gaps[0]", loopstate.CodeUnknownGap)
	if _, err := h.Store.Blob(t.Context(), loopstate.HashText([]byte("another text"))); err == nil {
		t.Error("a refused call left its text behind")
	}
}
