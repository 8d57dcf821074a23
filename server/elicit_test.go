package server

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/loopstate"
)

// user answers the questions of a client, and records them.
type user struct {
	mu     sync.Mutex
	asked  []mcp.ElicitationParams
	answer func(ctx context.Context) (*mcp.ElicitationResult, error)
}

func (u *user) Elicit(ctx context.Context, req mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	u.mu.Lock()
	u.asked = append(u.asked, req.Params)
	u.mu.Unlock()
	return u.answer(ctx)
}

func (u *user) questions() []mcp.ElicitationParams {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.asked
}

func says(action mcp.ElicitationResponseAction, content any) func(context.Context) (*mcp.ElicitationResult, error) {
	return func(context.Context) (*mcp.ElicitationResult, error) {
		return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{Action: action, Content: content}}, nil
	}
}

// overStdio connects a client to a fixture. The returned function stops the server and waits until it has stopped.
func overStdio(t *testing.T, h fixture) (transport.Interface, func()) {
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := h.srv.ServeStdio(ctx, toServer, fromServer); err != nil {
			t.Error(err)
		}
		fromServer.Close()
	})
	return transport.NewIO(toClient, fromClient, io.NopCloser(strings.NewReader(""))), func() { cancel(); serving.Wait() }
}

// eras are the protocol versions of the two ways to ask the user.
var eras = map[string]string{"2025-11-25": mcp.LATEST_LEGACY_PROTOCOL_VERSION, "2026-07-28": mcp.ProtocolVersion20260728}

func connect(t *testing.T, tr transport.Interface, version string, options ...client.ClientOption) *client.Client {
	t.Helper()
	c := client.NewClient(tr, append(options, client.WithProtocolVersion(version))...)
	if err := c.Start(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = version
	hello.Params.ClientInfo = mcp.Implementation{Name: "test", Version: "1"}
	if _, err := c.Initialize(t.Context(), hello); err != nil {
		t.Fatal(err)
	}
	if got := c.ProtocolVersion(); got != version {
		t.Fatalf("the client speaks %s, not %s", got, version)
	}
	return c
}

func reflect(loop string) mcp.CallToolRequest {
	var req mcp.CallToolRequest
	req.Params.Name = "loop_reflect"
	req.Params.Arguments = map[string]any{"state_id": loop, "gaps": []any{map[string]any{"gap": "no opposing study was read", "material": true}}}
	return req
}

// decision returns the decision in the result of a tool.
func decision(t *testing.T, r *mcp.CallToolResult) string {
	t.Helper()
	return answerOf[struct{ Decision loopstate.Decision }](t, r, nil).Decision.NextAction
}

func continues(action string) bool {
	return action == loopstate.SearchMore || action == loopstate.FetchMore
}

// The user's answer decides how many rounds the loop may take.
func TestUserIsAskedForMoreRounds(t *testing.T) {
	rounds := func(v any) map[string]any { return map[string]any{"rounds": v} }
	tests := []struct {
		name      string
		answer    func(context.Context) (*mcp.ElicitationResult, error)
		confirmed int
	}{
		{"accept", says("accept", rounds(12)), 12},
		{"decline", says("decline", nil), 0},
		{"cancel", says("cancel", nil), 0},
		{"accept without a form", says("accept", nil), 0},
	}
	everyForm(t, func(t *testing.T, v visit, u *user) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				loop := v.h.loopAfter(t, v.ctx, 7)
				v.h.find(t, v.ctx, loop, 8)
				before := v.h.state(t, loop).Seq
				u.answer, u.asked = tt.answer, nil
				result, err := v.CallTool(v.ctx, reflect(loop))
				if err != nil {
					t.Fatal(err)
				}
				wantEvents := before + 1
				if tt.confirmed > 0 {
					wantEvents++
				}
				if got := decision(t, result); continues(got) != (tt.confirmed > 0) || tt.confirmed == 0 && got != loopstate.EscalateBudget {
					t.Errorf("decision %s", got)
				}
				st := v.h.state(t, loop)
				if st.Round != 8 || st.ConfirmedRounds != tt.confirmed || st.Seq != wantEvents {
					t.Errorf("%d rounds closed, %d confirmed, %d events; want 8, %d, %d", st.Round, st.ConfirmedRounds, st.Seq, tt.confirmed, wantEvents)
				}
				if n := len(u.questions()); n != 1 {
					t.Errorf("asked %d times", n)
				}
				if told := strings.Contains(result.Content[0].(mcp.TextContent).Text, "the user was asked and declined"); told != strings.HasPrefix(tt.name, "decline") {
					t.Errorf("the host is told of a refusal: %v", told)
				}
			})
		}
	})
}

// A client without forms gets the decision to wait for the user.
func TestClientsWithoutForms(t *testing.T) {
	noForms := client.WithClientCapabilities(mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapability{URL: &struct{}{}}})
	for name, options := range map[string][]client.ClientOption{"no elicitation": nil, "no forms": {noForms}} {
		t.Run(name, func(t *testing.T) {
			everyWay(t, func(t *testing.T, v visit) {
				loop := v.h.loopAfter(t, v.ctx, 7)
				result, err := v.CallTool(v.ctx, reflect(loop))
				if err != nil {
					t.Fatal(err)
				}
				if got := decision(t, result); got != loopstate.EscalateBudget {
					t.Errorf("decision %s", got)
				}
				v.h.svc.Reader = newPaywall(paywalled)
				page := toolAnswer[read](t, v, "fetch", map[string]any{"state_id": loop, "url": paywalled})
				if !strings.Contains(page.PaywallNote, "call fetch with its url, text and title") || page.Unread != nil {
					t.Errorf("a paywalled page: %+v", page)
				}
				started := toolAnswer[begun](t, v, "loop_init", map[string]any{"query": vague, "readings": []any{hourly, healthy}})
				if !strings.Contains(started.Reading, "could not be asked in this client") || v.h.state(t, started.StateID).Query != vague {
					t.Errorf("a vague question: %+v", started)
				}
			}, options...)
		})
	}
}

// A call that is cancelled while it waits for the user changes nothing.
func TestCancelledWhileWaitingForTheUser(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			cancel := func() {}
			u := &user{answer: func(ctx context.Context) (*mcp.ElicitationResult, error) {
				cancel()
				<-ctx.Done()
				return nil, ctx.Err()
			}}
			v := newVisit(t, way, "2025-11-25", client.WithElicitationHandler(u))
			loop := v.h.loopAfter(t, v.ctx, 7)
			before := v.h.state(t, loop).Seq
			var ctx context.Context
			ctx, cancel = context.WithCancel(v.ctx)
			defer cancel()
			if _, err := v.CallTool(ctx, reflect(loop)); !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			v.end()
			if st := v.h.state(t, loop); st.Seq != before || st.Round != 7 {
				t.Errorf("%d events, %d rounds closed", st.Seq, st.Round)
			}
		})
	}
}
