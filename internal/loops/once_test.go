package loops_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// Every call that writes acts once for one operation id, in any process, and returns the same result.
func TestOneOperationActsOnce(t *testing.T) {
	t.Parallel()
	const url = "https://example.org/a"
	claims := []verify.Claim{verify.New("The lighthouse was built in 1874.", "S1")}
	tests := []struct {
		name string
		call func(h *harness, svc *loops.Service, loop string) (answer any, err error)
	}{
		{"update", func(h *harness, svc *loops.Service, loop string) (any, error) {
			return svc.Update(h.t.Context(), loop, "op", loopstate.UpdateInput{Query: "q", Usage: loopstate.Usage{Tokens: 7}})
		}},
		{"reflect", func(h *harness, svc *loops.Service, loop string) (any, error) {
			return svc.Reflect(h.t.Context(), loop, "op", material("open"))
		}},
		{"add a gap", func(h *harness, svc *loops.Service, loop string) (any, error) {
			return svc.AddGap(h.t.Context(), loop, "op", loopstate.GapInput{Gap: "what else?"})
		}},
		{"search", func(h *harness, svc *loops.Service, loop string) (any, error) {
			a, err := svc.Search(h.t.Context(), loops.SearchInput{Loop: loop, Operation: "op", Channels: []string{"fakeWeb"},
				Query: channels.Query{Text: "lighthouse"}})
			return a.Version, err
		}},
		{"verify", func(h *harness, svc *loops.Service, loop string) (any, error) {
			a, err := svc.Verify(h.t.Context(), loops.VerifyInput{Loop: loop, Operation: "op", Claims: claims})
			return fmt.Sprint(a.Cycle, a.Verdict, a.Claims[0].ID, a.GeneratedAt), err
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := newHarness(t)
			h.web.put(url, "Lighthouses", "The lighthouse was built in 1874. It stands on a cape in the north of the country.")
			loop := h.start("q")
			done(h, h.Read, loops.ReadInput{Loop: loop, URLs: []string{url}})
			before := h.stateOf(loop).Seq
			first := must(tt.call(h, h.Service, loop))(t)
			for _, svc := range []*loops.Service{h.Service, h.service()} {
				again := must(tt.call(h, svc, loop))(t)
				if diff := cmp.Diff(first, again); diff != "" {
					t.Errorf("the repeat is answered otherwise (-first +again):\n%s", diff)
				}
			}
			if seq := h.stateOf(loop).Seq; seq != before+1 {
				t.Errorf("%d events, want 1", seq-before)
			}
		})
	}
}

// A loop starts once for one operation id of one owner: in any process and with concurrent calls.
func TestLoopBeginsOnce(t *testing.T) {
	t.Parallel()
	for name, operation := range map[string]string{"a host's own": "research-7", "a UUID": uuid.NewString()} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t)
			other := h.service()
			ids := make([]string, 8)
			var all sync.WaitGroup
			for i := range ids {
				svc := []*loops.Service{h.Service, other}[i%2]
				all.Go(func() {
					a, err := svc.StartOnce(t.Context(), operation, loopstate.StartInput{Query: "q"})
					if err != nil {
						t.Error(err)
					}
					ids[i] = a.StateID
				})
			}
			all.Wait()
			h.time.mu.Lock()
			h.time.now = h.time.now.Add(55 * 60 * 1e9)
			h.time.mu.Unlock()
			late := must(other.StartOnce(t.Context(), operation, loopstate.StartInput{Query: "q"}))(t)
			for _, id := range append(ids, late.StateID) {
				if id != ids[0] {
					t.Errorf("loops %s and %s", ids[0], id)
				}
			}
			if v := uuid.MustParse(ids[0]).Version(); v != 7 {
				t.Errorf("the id has version %d", v)
			}
			foreign, err := h.StartOnce(loops.WithOwner(t.Context(), "anna"), operation, loopstate.StartInput{Query: "q"})
			if err != nil || foreign.StateID == ids[0] {
				t.Errorf("another owner's: %s, %v", foreign.StateID, err)
			}
			h.time.mu.Lock() // another conversation that counts its operations from the beginning
			h.time.now = h.time.now.Add(60 * 60 * 1e9)
			h.time.mu.Unlock()
			later := must(other.StartOnce(t.Context(), operation, loopstate.StartInput{Query: "q"}))(t)
			again := must(h.StartOnce(t.Context(), operation, loopstate.StartInput{Query: "q"}))(t)
			if later.StateID == ids[0] || later.StateID != again.StateID {
				t.Errorf("two hours later: %s, and again %s; the first was %s", later.StateID, again.StateID, ids[0])
			}
			heads, err := h.Store.List(t.Context(), loops.LocalOwner)
			if err != nil || len(heads) != 2 {
				t.Errorf("%d loops, %v", len(heads), err)
			}
		})
	}
}
