package server

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/loops"
)

// roundTripResult is a result as a client of 2026-07-28 reads it.
type roundTripResult struct {
	ResultType        string                     `json:"resultType"`
	RequestState      string                     `json:"requestState"`
	InputRequests     map[string]json.RawMessage `json:"inputRequests"`
	StructuredContent json.RawMessage            `json:"structuredContent"`
	IsError           bool                       `json:"isError"`
	refused           string                     // the error, if there is no result
}

// modernCall calls loop_reflect as a client of 2026-07-28 that supports forms. arguments are JSON; extra adds params.
func modernCall(t *testing.T, url, arguments string, extra map[string]any) (r roundTripResult) {
	t.Helper()
	params := map[string]any{"name": "loop_reflect", "arguments": json.RawMessage(arguments)}
	maps.Copy(params, extra)
	result, fault := ask(t, url, "tools/call", "loop_reflect", params)
	if r.refused = fault; fault != "" {
		return r
	}
	if err := json.Unmarshal(result, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func accept(rounds int) map[string]any {
	return map[string]any{questionKey: map[string]any{"action": "accept", "content": map[string]any{"rounds": rounds}}}
}

// The second call is served only with the state of the first, and only a valid form counts as the user's answer.
func TestAnswersBelongToTheirQuestion(t *testing.T) {
	h := newFixture(t)
	url := h.serve(t, nil).URL
	other := h.with(t).serve(t, nil) // has another key

	const refused = -1
	same := func(s string) string { return s }
	elsewhere := func(arguments string) string { return modernCall(t, other.URL, arguments, nil).RequestState }
	tests := []struct {
		name      string
		again     func(arguments string) string // of the second call
		state     func(arguments string) string // of another question than the first call's
		without   string                        // a param that the second call lacks
		confirmed int                           // rounds, or refused: the call is not served
	}{
		{"as it should be", same, nil, "", 12},
		{"the arguments in another order", func(s string) string { return reversed(t, s) }, nil, "", 12},
		{"other arguments", func(s string) string { return strings.Replace(s, "true", "false", 1) }, nil, "", refused},
		{"the state of another server", same, elsewhere, "", refused},
		{"an answer without a state", same, nil, "requestState", 0},
		{"a state without an answer", same, nil, "inputResponses", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			loop := h.loopAfter(t, t.Context(), 7)
			before := h.state(t, loop)
			arguments := `{"state_id":"` + loop + `","gaps":[{"gap":"no opposing study was read","material":true}],"coverage":{"overall":0.9}}`
			first := modernCall(t, url, arguments, nil)
			if first.ResultType != string(mcp.ResultTypeInputRequired) || len(first.InputRequests) != 1 || first.InputRequests[questionKey] == nil || first.StructuredContent != nil || first.IsError {
				t.Fatalf("first answer %+v", first)
			}
			if st := h.state(t, loop); st.Seq != before.Seq {
				t.Fatalf("asking has left %d events", st.Seq-before.Seq)
			}
			extra := map[string]any{"requestState": first.RequestState, "inputResponses": accept(12)}
			if tt.state != nil {
				extra["requestState"] = tt.state(arguments)
			}
			delete(extra, tt.without)
			second := modernCall(t, url, tt.again(arguments), extra)
			if tt.confirmed == refused {
				if st := h.state(t, loop); st.Seq != before.Seq || !strings.Contains(second.refused, "call again without requestState") {
					t.Errorf("answer %+v, %d events", second, st.Seq-before.Seq)
				}
				return
			}
			if second.ResultType != string(mcp.ResultTypeComplete) || second.IsError {
				t.Fatalf("second answer %+v", second)
			}
			if st := h.state(t, loop); st.Round != 8 || st.ConfirmedRounds != tt.confirmed {
				t.Errorf("%d rounds closed, %d confirmed; want 8, %d", st.Round, st.ConfirmedRounds, tt.confirmed)
			}
		})
	}
}

// A client may repeat the answered call after a broken connection: it takes effect once, with the same answer.
func TestAnsweredCallActsOnce(t *testing.T) {
	for name, answer := range map[string]map[string]any{"confirmed": accept(12), "declined": {questionKey: map[string]any{"action": "decline"}}} {
		t.Run(name, func(t *testing.T) {
			h := newFixture(t)
			url := h.serve(t, nil).URL
			loop := h.loopAfter(t, t.Context(), 7)
			arguments := `{"state_id":"` + loop + `","gaps":[{"gap":"no opposing study was read","material":true}]}`
			again := map[string]any{"requestState": modernCall(t, url, arguments, nil).RequestState, "inputResponses": answer}
			first := modernCall(t, url, arguments, again)
			events := h.state(t, loop).Seq
			for range 2 {
				if diff := cmp.Diff(string(first.StructuredContent), string(modernCall(t, url, arguments, again).StructuredContent)); diff != "" {
					t.Errorf("the repeated call has another answer (-first +again):\n%s", diff)
				}
			}
			if st := h.state(t, loop); st.Round != 8 || st.Seq != events {
				t.Errorf("%d rounds closed, %d events after the first answer", st.Round, st.Seq-events)
			}
		})
	}
}

// reversed reverses the order of an object's keys.
func reversed(t *testing.T, object string) string {
	t.Helper()
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(object), &fields); err != nil {
		t.Fatal(err)
	}
	return `{"state_id": ` + string(fields["state_id"]) + `, "coverage": ` + string(fields["coverage"]) + `, "gaps": ` + string(fields["gaps"]) + ` }`
}

// A state is bound to the owner, the tool and the arguments, and its parts are kept apart.
func TestSealedStates(t *testing.T) {
	s := sealedStates{bytes.Repeat([]byte("k"), MinKeyBytes)}
	call := func(tool, arguments string) (req mcp.CallToolRequest) {
		req.Params.Name, req.Params.Arguments = tool, json.RawMessage(arguments)
		return req
	}
	anna := loops.WithOwner(t.Context(), "anna")
	req := call("loop_reflect", `{"n": 1.0, "big": 12345678901234567890}`)
	state := s.seal(anna, req, "3")
	if again := s.seal(anna, req, "3"); again == state {
		t.Error("two questions have one state")
	}
	for _, tt := range []struct {
		name string
		s    sealedStates
		who  string
		req  mcp.CallToolRequest
		want bool
	}{
		{"itself", s, "anna", req, true},
		{"another spelling", s, "anna", call("loop_reflect", `{ "big":12345678901234567890,"n":1.0}`), true},
		{"another number", s, "anna", call("loop_reflect", `{"n": 1.0, "big": 12345678901234567891}`), false},
		{"another owner", s, "ben", req, false},
		{"nobody", s, "", req, false},
		{"another tool", s, "anna", call("loop_update", `{"n": 1.0, "big": 12345678901234567890}`), false},
		{"an owner with a part of the tool's name", s, "annaloop", call("_reflect", `{"n": 1.0, "big": 12345678901234567890}`), false},
		{"another key", sealedStates{bytes.Repeat([]byte("x"), MinKeyBytes)}, "anna", req, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.req.Params.RequestState = state
			operation, about, err := tt.s.open(loops.WithOwner(t.Context(), tt.who), tt.req)
			if (err == nil) != tt.want || (operation != "") != tt.want || (about == "3") != tt.want {
				t.Errorf("operation %q about %q, %v", operation, about, err)
			}
		})
	}
}

func TestShortKeysAreRefused(t *testing.T) {
	if _, err := New(nil, "test", slog.New(slog.DiscardHandler), WithKey(make([]byte, MinKeyBytes-1))); err == nil {
		t.Error("New accepts a short key")
	}
}

// An arbitrary state is rejected without a panic, and a signed state has one spelling.
func FuzzSealedStates(f *testing.F) {
	s := sealedStates{bytes.Repeat([]byte("k"), MinKeyBytes)}
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = "loop_reflect", map[string]any{"state_id": "x"}
	valid := s.seal(f.Context(), req, "")
	for _, seed := range []string{valid, s.seal(f.Context(), req, "12"), strings.Replace(valid, "..", ".1.", 1), "", ".", "..", "a.", ".a", valid + ".", strings.ToUpper(valid), "\x00.\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, state string) {
		req := req
		req.Params.RequestState = state
		operation, about, err := s.open(t.Context(), req)
		if signed := sealed(operation, about, s.sign(t.Context(), operation, about, req)); (err == nil) != (state == signed) {
			t.Errorf("%q opens as %q, %v", state, operation, err)
		}
	})
}
