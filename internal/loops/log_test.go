package loops_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// The seed of a batch cannot be worked out from the log, and nothing that a reader can ask for shows it.
func TestSeedsAreSecret(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.web.put("https://example.org/bridge", "The bridge", bridgeText)
	seeds := map[string]bool{}
	for range 2 {
		loop := h.start("How important is the bridge?")
		h.read(loop, "https://example.org/bridge")
		h.check(loops.VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New("Heavy goods traffic more than doubles in the warm season.",
			"S1")}})
		r := h.review(loops.ReviewInput{Loop: loop})
		seed := h.stateOf(loop).Reviews[0].Seed
		if seed == "" || seeds[seed] {
			t.Errorf("the seed %q", seed)
		}
		seeds[seed] = true
		shown := []any{r.Items}
		for _, name := range loops.Views() {
			v := h.view(loops.ViewInput{Loop: loop, View: name})
			shown = append(shown, v)
		}
		doc := h.report(loops.ReportInput{Loop: loop})
		for _, x := range append(shown, doc) {
			body := must(json.Marshal(x))(t)
			if strings.Contains(string(body), seed) {
				t.Errorf("%T shows the seed", x)
			}
		}
	}
}

func (h *harness) update(loop string, in loopstate.UpdateInput) loops.Updated {
	h.t.Helper()
	return must(h.Update(h.t.Context(), loop, "", in))(h.t)
}

// stateOf returns the fold of a loop's log.
func (h *harness) stateOf(loop string) (st *loopstate.State) {
	h.t.Helper()
	for e, err := range h.Store.Load(h.t.Context(), loop, 0) {
		noError(h.t, err)
		st = must(loopstate.Apply(st, e))(h.t)
	}
	return st
}

// material closes a round with an open material gap.
func material(words string) loopstate.CloseInput {
	return loopstate.CloseInput{Gaps: []loopstate.GapInput{{Gap: words}}}
}
