package server

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/tools"
)

// The answer to a form is valid once, for the call that asked and its owner.
func TestFormStates(t *testing.T) {
	tokens, _, tokenOf := newTokens(t, "anna", "ben")
	h := newFixture(t)
	h.svc.Reader = newPaywall(paywalled, second)
	url := h.serve(t, tokens).URL
	of := func(owner string) map[string]string {
		return map[string]string{"Authorization": "Bearer " + tokenOf[owner]}
	}
	anna := loops.WithOwner(t.Context(), "anna")
	loop := h.loopAfter(t, anna, 0)
	accepted := func(content map[string]any) map[string]any {
		return map[string]any{questionKey: map[string]any{"action": "accept", "content": content}}
	}
	count := func() (n int) {
		heads, err := h.svc.Heads(anna)
		if err != nil {
			t.Fatal(err)
		}
		return len(heads) + len(h.state(t, loop).Sources)
	}
	for _, tt := range []struct {
		tool, arguments, other string
		answer                 map[string]any
	}{
		{"loop_init", `{"query":"` + vague + `","readings":["` + hourly + `","` + healthy + `"]}`, `{"query":"` + vague + `","readings":["` + hourly + `","` + commuting + `"]}`, accepted(map[string]any{"reading": hourly})},
		{"fetch", `{"state_id":"` + loop + `","urls":["` + paywalled + `","` + second + `"]}`, `{"state_id":"` + loop + `","urls":["` + second + `","` + paywalled + `"]}`, accepted(map[string]any{"text": longEnough, "title": "T"})},
	} {
		t.Run(tt.tool, func(t *testing.T) {
			before := count()
			first := modernCallOf(t, tt.tool, url, tt.arguments, nil, of("anna"))
			if first.RequestState == "" || len(first.InputRequests) != 1 || first.StructuredContent != nil || count() != before {
				t.Fatalf("first answer %+v", first)
			}
			again := func(state string) map[string]any {
				return map[string]any{"requestState": state, "inputResponses": tt.answer}
			}
			parts := strings.Split(first.RequestState, ".")
			for name, refused := range map[string]roundTripResult{
				"another owner":   modernCallOf(t, tt.tool, url, tt.arguments, again(first.RequestState), of("ben")),
				"other arguments": modernCallOf(t, tt.tool, url, tt.other, again(first.RequestState), of("anna")),
				"another subject": modernCallOf(t, tt.tool, url, tt.arguments, again(parts[0]+".1."+parts[2]), of("anna")),
				"no signature":    modernCallOf(t, tt.tool, url, tt.arguments, again(parts[0]+"."+parts[1]+"."), of("anna")),
				"another id":      modernCallOf(t, tt.tool, url, tt.arguments, again(unknownID+"."+parts[1]+"."+parts[2]), of("anna")),
			} {
				if !strings.Contains(refused.refused, "call again without requestState") || count() != before {
					t.Errorf("%s: %+v", name, refused)
				}
			}
			var answers []string
			for range 3 {
				r := modernCallOf(t, tt.tool, url, tt.arguments, again(first.RequestState), of("anna"))
				if r.IsError || r.refused != "" {
					t.Fatalf("answer %+v", r)
				}
				var out begun
				if err := json.Unmarshal(r.StructuredContent, &out); err != nil {
					t.Fatal(err)
				}
				answers = append(answers, out.StateID+out.Reading)
			}
			if answers[0] != answers[1] || answers[0] != answers[2] || count() != before+1 {
				t.Errorf("three calls are answered %q and leave %d things", answers, count()-before)
			}
		})
	}
	if src, ok := h.state(t, loop).SourceByAddress(paywalled, ""); !ok || !src.Pasted {
		t.Errorf("the text is stored as %+v", src)
	}
}

// In the older era a call waits for a form within its own time limit, then continues without an answer.
func TestFormTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newFixture(t)
		h.svc.Reader = newPaywall(paywalled)
		u := &user{answer: func(ctx context.Context) (*mcp.ElicitationResult, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		c := connect(t, transport.NewInProcessTransportWithOptions(h.mcp, transport.WithElicitationHandler(u)), eras["2025-11-25"], client.WithElicitationHandler(u))
		started, err := h.svc.Start(t.Context(), loopstate.StartInput{})
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		result, err := c.CallTool(t.Context(), call("fetch", map[string]any{"state_id": started.StateID, "url": paywalled}))
		if got := answerOf[read](t, result, err); !strings.Contains(got.PaywallNote, "gave no answer") {
			t.Errorf("answer %+v", got)
		}
		result, err = c.CallTool(t.Context(), call("loop_init", map[string]any{"query": vague, "readings": []any{hourly, healthy}}))
		if got := answerOf[begun](t, result, err); !strings.Contains(got.Reading, "chose nothing. The loop takes the query as it stands.") {
			t.Errorf("answer %+v", got)
		}
		if took := time.Since(begin); took != 2*askTimeout {
			t.Errorf("waited %v", took)
		}

		// With less time left than a form takes to read, the user is not asked, and the host may fetch the page again.
		u.asked = nil
		ctx, cancel := context.WithTimeout(t.Context(), askReserve+askLeast-time.Second)
		defer cancel()
		asker := &inCall{server: h.mcp, logger: h.svc.Logger}
		if a, err := asker.Ask(ctx, formOf(t)); err != nil || !a.Unasked || len(u.questions()) != 0 {
			t.Errorf("%+v, %v, asked %d times", a, err, len(u.questions()))
		}
		c.Close()
	})
}

func formOf(t *testing.T) tools.Question {
	t.Helper()
	return tools.Question{Message: "?", Schema: map[string]any{"type": "object"}}
}
