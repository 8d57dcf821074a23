package research_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mark3labs/mcp-go/client/transport"

	"github.com/citeloop/citeloop/internal/research"
)

// tripwire cancels a run at the nth call of the server, before it or after it without its answer.
type tripwire struct {
	transport.Interface
	n, at atomic.Int64
	after bool
	trip  context.CancelFunc
	loses bool // the answer is lost without a cancellation
}

func (w *tripwire) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	hit := w.n.Add(1) == w.at.Load()
	if hit && !w.after {
		w.trip()
		return nil, context.Canceled
	}
	resp, err := w.Interface.SendRequest(ctx, r)
	if hit {
		if w.loses {
			return nil, errors.New("the answer was lost")
		}
		w.trip()
		return nil, context.Canceled
	}
	return resp, err
}

// checkResumed checks a run that was interrupted and continued.
func checkResumed(t *testing.T, h *fixture, got research.Result, out string) {
	t.Helper()
	if got.Sentences != 4 || got.Rounds != 3 || len(got.Files) != 2 {
		t.Errorf("%+v\n%s", got, out)
	}
	list, err := h.service.List(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Loops) != 1 {
		t.Errorf("%d loops of one question", len(list.Loops))
	}
	ops := map[string]int{}
	for _, e := range h.events(got.StateID) {
		if strings.HasPrefix(e.Op, "research/") {
			ops[e.Op]++
		}
	}
	for op, n := range ops {
		if n > 1 {
			t.Errorf("%s stands %d times in the log", op, n)
		}
	}
	for _, step := range []string{"r1/byEntity", "r1/claims", "r3/critic", "report"} {
		if ops["research/"+step] != 1 {
			t.Errorf("%s is not in the log: %v", step, ops)
		}
	}
	seen := map[string]bool{}
	for _, c := range h.state(got.StateID, "claims").Claims {
		if seen[c.Claim] {
			t.Errorf("recorded twice: %s", c.Claim)
		}
		seen[c.Claim] = true
	}
}

type logged struct{ Kind, Op string }

// events returns the loop's log.
func (h *fixture) events(id string) []logged {
	h.t.Helper()
	var all []logged
	for e, err := range h.service.Store.Load(context.WithoutCancel(h.t.Context()), id, 0) {
		if err != nil {
			h.t.Fatal(err)
		}
		all = append(all, logged{e.Kind, e.Op})
	}
	return all
}

// stride returns the distance between the tested calls: one in the nightly run.
func stride() int64 {
	switch {
	case os.Getenv("CITELOOP_TEST_LONG") != "":
		return 1
	case testing.Short():
		return 61
	}
	return 13
}

// A run may be cancelled at any call of the server, before or after the server has acted. It continues when the same
// question is asked again, and each step takes effect once.
func TestKilledAtEachCallOfTheServer(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprintf("after=%v", after), func(t *testing.T) {
			for at := int64(4); ; at += stride() { // the first three are the handshake, before any run
				h := newFixture(t)
				e := &endpoint{t: t, model: (&honest{}).answer}
				url := e.start().URL
				var out strings.Builder
				ctx, cancel := context.WithCancel(t.Context())
				wire := &tripwire{after: after, trip: cancel}
				wire.at.Store(at)
				cfg := h.config(url, &out)
				cfg.Server = h.connect(func(i transport.Interface) transport.Interface { wire.Interface = i; return wire })
				got, err := research.Run(ctx, cfg)
				cancel()
				if err == nil {
					if wire.n.Load() >= at && !after {
						t.Fatalf("call %d was cut without an error", at)
					}
					return // the run has fewer calls
				}
				if !errors.Is(err, context.Canceled) {
					t.Fatalf("call %d: %v", at, err)
				}
				if after && slices.ContainsFunc(h.events(got.StateID), func(e logged) bool { return e.Op == "research/report" }) {
					return // the files are written, and the log says so: the same question starts another loop
				}
				began := got.StateID != "" || after
				got, err = research.Run(t.Context(), h.config(url, &out))
				if err != nil {
					t.Fatalf("call %d: %v\n%s", at, err, &out)
				}
				if began || at > 6 {
					checkResumed(t, h, got, out.String())
				}
				if t.Failed() {
					t.Fatalf("killed at call %d:\n%s", at, &out)
				}
			}
		})
	}
}

// A call with a lost answer is repeated and takes effect once.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	for at := int64(6); ; at += stride() {
		h := newFixture(t)
		e := &endpoint{t: t, model: (&honest{}).answer}
		var out strings.Builder
		wire := &tripwire{after: true, loses: true, trip: func() {}}
		wire.at.Store(at)
		cfg := h.config(e.start().URL, &out)
		cfg.Server = h.connect(func(i transport.Interface) transport.Interface { wire.Interface = i; return wire })
		got, err := research.Run(t.Context(), cfg)
		if err != nil { // searches and verdicts are not repeated: the run fails with that reason, and the next run continues
			cfg.Resume = got.StateID
			if got, err = research.Run(t.Context(), cfg); err != nil {
				t.Fatalf("call %d: %v\n%s", at, err, &out)
			}
		}
		checkResumed(t, h, got, out.String())
		if t.Failed() {
			t.Fatalf("lost at call %d:\n%s", at, &out)
		}
		if wire.n.Load() < at {
			return
		}
	}
}

// The same for a run that is killed during a request to the model.
func TestKilledAtEachQuestionToTheModel(t *testing.T) {
	t.Parallel()
	for at := 1; ; at += int(stride()) {
		h := newFixture(t)
		var out strings.Builder
		ctx, cancel := context.WithCancel(t.Context())
		e := &endpoint{t: t, model: (&honest{}).answer}
		e.before = func(n int) {
			if n == at {
				cancel()
			}
		}
		url := e.start().URL
		got, err := research.Run(ctx, h.config(url, &out))
		cancel()
		if err == nil {
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("question %d: %v", at, err)
		}
		before := h.state(got.StateID, "rounds").Remaining.Tokens
		cfg := h.config(url, &out)
		cfg.Question, cfg.Resume = "", got.StateID
		got, err = research.Run(t.Context(), cfg)
		if err != nil {
			t.Fatalf("question %d: %v\n%s", at, err, &out)
		}
		checkResumed(t, h, got, out.String())
		if after := h.state(got.StateID, "rounds").Remaining.Tokens; after >= before {
			t.Errorf("%d tokens left before, %d after", before, after)
		}
		if t.Failed() {
			t.Fatalf("killed at question %d:\n%s", at, &out)
		}
	}
}

// A finished loop is not continued: the same question starts a new loop, and so does Fresh.
func TestLoopToContinue(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	e := &endpoint{t: t, model: (&honest{}).answer}
	url := e.start().URL
	first, err := research.Run(t.Context(), h.config(url, nil))
	if err != nil {
		t.Fatal(err)
	}
	second, err := research.Run(t.Context(), h.config(url, nil))
	if err != nil || second.StateID == first.StateID {
		t.Errorf("a finished loop was continued: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	e.before = func(int) { cancel() }
	third, err := research.Run(ctx, h.config(url, nil))
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	e.before = nil
	cfg := h.config(url, nil)
	cfg.Fresh = true
	fourth, err := research.Run(t.Context(), cfg)
	if err != nil || fourth.StateID == third.StateID {
		t.Errorf("a new loop was asked for: %v", err)
	}
	cfg = h.config(url, nil)
	cfg.Question, cfg.Resume = "", "00000000-0000-7000-8000-000000000000"
	if _, err := research.Run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "state_id") {
		t.Errorf("an unknown loop: %v", err)
	}
}

// Parallel searchers do not see each other's results.
func TestParallelSearchersAreBlind(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	model := &honest{}
	var mu sync.Mutex
	waiting, all := 0, make(chan struct{})
	e := &endpoint{t: t, model: func(r request) answer {
		if r.role() == "searcher" && r.turns() == 2 { // all have read; each now searches for a text that another has read
			mu.Lock()
			if waiting++; waiting == 4 {
				close(all)
			}
			mu.Unlock()
			<-all
			return answer{calls: []call{{"find_passages", `{"query": "pilots explosives herring bell tides harbour Port Arden"}`}}}
		}
		return model.answer(r)
	}}
	cfg := h.config(e.start().URL, nil)
	cfg.Searchers, cfg.Budget.Rounds = 4, 1
	if _, err := research.Run(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	only := map[string]string{"byEntity": "carry explosives", "byTimeWindow": "herring fleet", "bySourceType": "customs hall", "byCounterArg": "bell on the mole"}
	checked := 0
	for _, r := range e.requests() {
		if r.role() != "searcher" || r.turns() < 3 {
			continue
		}
		checked++
		angle := anAngle.FindStringSubmatch(r.Messages[1].Content)[1]
		var passages struct{ Passages []struct{ Text string } }
		_ = json.Unmarshal([]byte(afterNote(r.last().Content)), &passages)
		for other, words := range only {
			has := strings.Contains(r.last().Content, words)
			if has != (other == angle) {
				t.Errorf("%s looks into what it has read: %q found: %v\n%s", angle, words, has, r.last().Content)
			}
		}
		for _, c := range r.Tools {
			for _, hidden := range []string{"state_id", "angle", "channels", "source_ids"} {
				if _, ok := c.Function.Parameters["properties"].(map[string]any)[hidden]; ok {
					t.Errorf("%s can set %s of %s", angle, hidden, c.Function.Name)
				}
			}
		}
	}
	if checked != 4 {
		t.Errorf("%d searchers were looked at, want 4", checked)
	}
}

// After a rate limit, the next request waits for the endpoint's Retry-After.
func TestRateLimitDelaysTheNextRequest(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	model := &honest{}
	n := 0
	var mu sync.Mutex
	got, _, err := h.run(func(r request) answer {
		mu.Lock()
		defer mu.Unlock()
		if n++; n == 3 || n == 9 {
			return answer{raw: refuse(429, "Rate limit reached", "Retry-After-Ms", "1")}
		}
		return model.answer(r)
	})
	if err != nil || got.Failures != 0 || got.Sentences != 4 {
		t.Errorf("%v, %+v", err, got)
	}
}
