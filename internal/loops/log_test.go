package loops_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// withLog returns a loop with S1, a log of n entries on lines of their own, and the entries.
func withLog(t *testing.T, n int) (*harness, string, []string) {
	t.Helper()
	h := newHarness(t)
	loop := h.start("What did the lamps burn?")
	entries := make([]string, n)
	for i := range entries {
		entries[i] = fmt.Sprintf("The keeper of tower %d burned %d litres of oil in the winter of %d.", i+1, 200+7*i, 1800+i)
	}
	h.web.put("https://example.org/log", "The log", strings.Join(entries, "\n\n"))
	h.read(loop, "https://example.org/log")
	return h, loop, entries
}

func lineOfEntry(i int) string { return fmt.Sprintf("S1:%d", 2*i+1) }

// draftOf is a draft that states the entries from one on and cites their lines.
func draftOf(entries []string, from int) string {
	var draft strings.Builder
	for i := from; i < len(entries); i++ {
		fmt.Fprintf(&draft, "%s [%s].\n\n", strings.TrimSuffix(entries[i], "."), lineOfEntry(i))
	}
	return draft.String()
}

// The seed of a batch cannot be worked out from the log, and nothing that a reader can ask for shows it.
func TestSeedsAreSecret(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.web.put("https://example.org/bridge", "The bridge", bridgeText)
	seeds := map[string]bool{}
	for range 2 {
		loop := h.start("How important is the bridge?")
		h.read(loop, "https://example.org/bridge")
		h.check(loops.VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New("Heavy goods traffic more than doubles in the warm season.", "S1")}})
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
		detail := must(h.Detail(t.Context(), loop, 0))(t)
		doc := h.report(loops.ReportInput{Loop: loop})
		for _, x := range append(shown, detail, doc) {
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
func (h *harness) stateOf(loop string) *loopstate.State {
	h.t.Helper()
	return must(loopstate.Fold(nil, h.Store.Load(h.t.Context(), loop, 0)))(h.t)
}

// material closes a round with an open material gap.
func material(words string) loopstate.CloseInput {
	return loopstate.CloseInput{Gaps: []loopstate.GapInput{{Gap: words}}}
}
