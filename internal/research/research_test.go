package research_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mark3labs/mcp-go/client/transport"

	"github.com/citeloop/citeloop/internal/research"
)

// An honest model with a local corpus ends with two sign-offs and a report.
func TestHonestRunEndsWithAReport(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	got, out, err := h.run(honest)
	if err != nil || got.Sentences != 4 || got.Supported != 4 || len(got.Files) != 2 || got.Dropped != 0 || strings.Contains(out, "✗") {
		t.Fatalf("%v, %+v\n%s", err, got, out)
	}
	report, err := os.ReadFile(got.Files[0])
	if err != nil || !strings.Contains(string(report), "at high water only") || strings.Contains(string(report), "DRAFT") {
		t.Errorf("%v: %s", err, report)
	}
	if v := h.state(got.StateID, "rounds"); v.Round != 3 {
		t.Errorf("%d rounds by %s\n%s", v.Round, v.Decision.Rule, out)
	}
}

// A model cites unread sources and makes unsupported claims. The report has neither, and the run reports them.
func TestFalseSentencesAreNotReported(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	const invented, wrong, uncited = "The harbour of Port Arden was blessed by three bishops",
		"The tide at Port Arden rises 9 metres every 5 hours", "Everybody loves the harbour of Port Arden and its forty taverns"
	got, out, err := h.run(func(r request) answer {
		a := honest(r)
		switch {
		case r.role() == "synthesis" && r.turns() == 0: // refused as a whole
			a.calls[0].arguments = strings.TrimSuffix(a.calls[0].arguments, "]}") + fmt.Sprintf(`, {"claim": %q, "source_ids": ["S99"]}]}`,
				invented+".")
		case r.role() == "synthesis" && r.turns() == 1:
			return answer{calls: []call{{"loop_update", encoded(object{"claims": claimsFor(r.Messages[1].Content)})}}}
		case r.role() == "text" && r.turns() == 0:
			a.text += "\n" + invented + " [S99].\n\n" + wrong + " [S3].\n\n## Taverns\n\n" + uncited +
				".\n\nThe pilot said: “There is gold under the quay of Port Arden” [S2].\n"
		case r.role() == "text": // it repeats one, and invents another
			a.text += "\n" + wrong + " [S3].\n\n## Taverns\n\n" + invented + " [S98].\n"
		}
		return a
	})
	if err != nil || got.Dropped < 2 || got.Sentences != 4 {
		t.Fatalf("%v, %+v\n%s", err, got, out)
	}
	for _, path := range got.Files {
		report, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, lie := range []string{"bishops", "rises 9 metres", "forty taverns", "Taverns", "gold under the quay", "S99", "S98",
			"DRAFT"} {
			if strings.Contains(string(report), lie) {
				t.Errorf("%s has %q:\n%s", path, lie, report)
			}
		}
	}
	for _, c := range h.state(got.StateID, "claims").Claims {
		if slices.Contains(c.SourceIDs, "S99") {
			t.Errorf("on record: %s", c.Claim)
		}
	}
}

// Without a supported sentence, the run ends without a report.
func TestNoReportWithoutSupport(t *testing.T) {
	t.Parallel()
	var dir string
	got, out, err := newFixture(t).run(func(r request) answer {
		if r.role() == "text" {
			return answer{text: "# Answer\n\nThe moon is a harbour of cheese [S1].\n"}
		}
		return honest(r)
	}, func(cfg *research.Config) { dir, cfg.Rounds = cfg.OutDir, 1 })
	if _, missing := os.Stat(dir); !errors.Is(err, research.ErrUnsupported) || len(got.Files) != 0 || !errors.Is(missing, os.ErrNotExist) {
		t.Errorf("%v, %v, %+v\n%s", err, missing, got, out)
	}
}

// A model that never stops calling tools is bounded in each conversation, and the budget ends the loop.
func TestBudgetStopsAnEndlessModel(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	var n atomic.Int64
	got, out, err := h.run(func(r request) answer {
		if r.turns() > 10 {
			t.Errorf("a conversation of %d turns", r.turns())
		}
		query := fmt.Sprintf(`{"query": "harbour %d"}`, n.Add(1))
		return answer{calls: []call{{"run_channel", query}, {"find_passages", query}, {"loop_reflect", `{"signoff": true}`}}}
	}, func(cfg *research.Config) { cfg.Tokens = 60_000 })
	if !errors.Is(err, research.ErrUnsupported) || got.Tokens > 120_000 {
		t.Errorf("%v, %d tokens of 60,000\n%s", err, got.Tokens, out)
	}
	if v := h.state(got.StateID, "rounds"); !strings.Contains(v.Decision.Rule, "cap_tokens") {
		t.Errorf("the loop is %s by %s\n%s", v.Status, v.Decision.Rule, out)
	}
	// If the budget of an honest model ends during a round, the reserved part still pays for the report.
	got, out, err = newFixture(t).run(honest, func(cfg *research.Config) { cfg.Tokens = 30_000 })
	if err != nil || got.Sentences == 0 || len(got.Files) != 2 {
		t.Errorf("%v, %+v\n%s", err, got, out)
	}
}

// The run finishes its report despite answers that cannot be used, and reports them.
func TestUnusableAnswers(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		role string
		bad  answer
		n    int64
		says string
	}{
		"no choices, always":          {"critic", answer{nothing: true}, 1000, "no chat completion"},
		"arguments that are not JSON": {"searcher", answer{calls: []call{{"run_channel", `{"query: tides`}}}, 1, "readable arguments"},
		"a claim of an unknown source": {"synthesis",
			answer{calls: []call{{"loop_update", `{"claims": [{"claim": "The tide.", "source_ids": ["S77"]}]}`}}}, 1, "S77"},
		"a critic that writes prose": {"critic", answer{text: "I think that it is fine."}, 1000, "the round was not closed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var n atomic.Int64
			got, out, err := newFixture(t).run(func(r request) answer {
				if r.role() == tt.role && (tt.role != "searcher" || r.angle() == "byEntity") &&
					n.Add(1) <= tt.n {
					return tt.bad
				}
				return honest(r)
			}, func(cfg *research.Config) { cfg.Rounds = 2 })
			if err != nil || got.Sentences == 0 || !strings.Contains(out, tt.says) {
				t.Errorf("%v, %+v, and it should say %q:\n%s", err, got, tt.says, out)
			}
		})
	}
}

// Parallel searchers do not see each other's results, and cannot leave their angle.
func TestSearchersAreBlind(t *testing.T) {
	t.Parallel()
	h := newFixture(t)
	var mu sync.Mutex
	seen := map[string]string{} // what the tools answered, by angle
	_, out, err := h.run(func(r request) answer {
		if r.role() == "searcher" && r.turns() == 2 {
			return answer{calls: []call{{"find_passages",
				`{"query": "harbour ships tide storm tug", "source_ids": ["S1", "S2", "S3", "S4"]}`}}}
		}
		if r.role() == "searcher" && r.turns() == 3 {
			mu.Lock()
			seen[r.angle()] += r.last()
			mu.Unlock()
			return answer{text: "done"}
		}
		return honest(r)
	}, func(cfg *research.Config) { cfg.Rounds = 1 })
	if err != nil || len(seen) != 4 {
		t.Fatalf("%v, %d searchers\n%s", err, len(seen), out)
	}
	for angle, text := range seen {
		others := 0
		for _, document := range documents() {
			title, _, _ := strings.Cut(strings.TrimPrefix(document, "# "), "\n")
			others += min(1, strings.Count(text, title))
		}
		if others > 1 {
			t.Errorf("%s sees %d sources:\n%s", angle, others, text)
		}
	}
}

// tripwire cancels a run at the nth call of the server, before it or after it without its answer.
type tripwire struct {
	transport.Interface
	n, at atomic.Int64
	after bool
	trip  context.CancelFunc
}

func (w *tripwire) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	if w.n.Add(1) != w.at.Load() {
		return w.Interface.SendRequest(ctx, r)
	}
	if w.after {
		_, _ = w.Interface.SendRequest(ctx, r)
	}
	w.trip()
	return nil, context.Canceled
}

// A run may be killed at any call of the server, before or after the server has acted. It is resumed by its id, and each step takes
// effect once.
func TestKilledAtACall(t *testing.T) {
	t.Parallel()
	first, stride := int64(17), int64(67)
	if os.Getenv("CITELOOP_TEST_LONG") != "" {
		first, stride = 5, 1 // the calls before are the handshake and loop_init
	}
	for _, after := range []bool{false, true} {
		for at := first; ; at += stride {
			h := newFixture(t)
			ctx, cancel := context.WithCancel(t.Context())
			wire := &tripwire{after: after, trip: cancel}
			wire.at.Store(at)
			var out strings.Builder
			cfg := h.config(honest, &out)
			cfg.Server = h.connect(func(i transport.Interface) transport.Interface { wire.Interface = i; return wire })
			got, err := research.Run(ctx, cfg)
			cancel()
			if err == nil {
				break // the run has fewer calls
			}
			cfg.Server, cfg.Resume, cfg.Question = h.connect(), got.StateID, ""
			resumed, err := research.Run(t.Context(), cfg)
			if err != nil || resumed.Sentences != 4 || resumed.StateID != got.StateID {
				t.Errorf("killed at call %d, after=%t: %v, %+v\n%s", at, after, err, resumed, &out)
			}
			ops, claims := map[string]int{}, map[string]int{}
			for e, err := range h.service.Store.Load(t.Context(), got.StateID, 0) {
				if err != nil {
					t.Fatal(err)
				}
				if strings.HasPrefix(e.Op, "research/") {
					ops[e.Op]++
				}
			}
			for _, c := range h.state(got.StateID, "claims").Claims {
				claims[c.Claim]++
			}
			twice := slices.ContainsFunc(slices.Collect(maps.Values(ops)), func(n int) bool { return n > 1 })
			if len(claims) != 4 || twice || ops["research/r1/byEntity"] != 1 || ops["research/r1/claims"] != 1 {
				t.Errorf("killed at call %d: claims %v, steps %v", at, claims, ops)
			}
		}
	}
}
