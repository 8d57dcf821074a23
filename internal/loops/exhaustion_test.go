package loops_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
)

// One sentence with thousands of citations that lead to nothing once took 7 GB: each of them kept the sentence.
func TestDeadCitationsAreBounded(t *testing.T) {
	for name, mark := range map[string]string{"footnotes": "[^%d]", "ids": "[S%d]", "lines": "[S1:%d]"} {
		t.Run(name, func(t *testing.T) {
			h, loop := withSources(t)
			const n = 5_000
			draft := "The lighthouse was built in 1874"
			for i := range n {
				draft += fmt.Sprintf(mark, i+100)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			v, err := h.Verify(t.Context(), loops.VerifyInput{Loop: loop, Draft: draft + ".\n"})
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			if v.Dead != n || v.Gate() || len(v.Hallucinated) > 100 {
				t.Errorf("%d dead citations, %d listed, gate %v", v.Dead, len(v.Hallucinated), v.Gate())
			}
			if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; allocated > 60 &&
				!testing.Short() { // the race detector allocates as well
				t.Errorf("%d MB allocated for a draft of %d kB", allocated, len(draft)>>10)
			}
			for _, e := range h.log(loop) {
				if logged := len(e.Data); e.Kind == "claims.verified" && logged > 100<<10 {
					t.Errorf("the event has %d kB", logged>>10)
				}
			}
			if st := h.stateOf(loop); st.Verification.Dead != n {
				t.Errorf("the loop counts %d", st.Verification.Dead)
			}
		})
	}
}
