package server

import (
	"context"
	"errors"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/loopstate"
)

// If the client fails to show the form, the round is still closed in the older era. In the newer one nothing changes,
// because the client does not call again.
func TestClientsThatCannotAsk(t *testing.T) {
	for era, version := range eras {
		t.Run(era, func(t *testing.T) {
			h := newFixture(t)
			u := &user{answer: func(context.Context) (*mcp.ElicitationResult, error) { return nil, errors.New("no window") }}
			tr, _ := transports["stdio"](t, h)
			c := connect(t, tr, version, client.WithElicitationHandler(u))
			loop := h.loopAfter(t, t.Context(), 7)
			result, err := c.CallTool(t.Context(), reflect(loop))
			closed := h.state(t, loop).Round
			if mcp.IsModernProtocol(version) {
				if err == nil || closed != 7 {
					t.Errorf("%v, %d rounds closed", err, closed)
				}
				return
			}
			if err != nil || decision(t, result) != loopstate.EscalateBudget || closed != 8 {
				t.Errorf("%v, %d rounds closed", err, closed)
			}
		})
	}
}

// A call that is cancelled while it waits for the user changes nothing.
func TestCancelledWhileWaitingForTheUser(t *testing.T) {
	for way, reach := range transports {
		t.Run(way, func(t *testing.T) {
			h := newFixture(t)
			ctx, cancel := context.WithCancel(t.Context())
			u := &user{answer: func(ctx context.Context) (*mcp.ElicitationResult, error) {
				cancel()
				<-ctx.Done()
				return nil, ctx.Err()
			}}
			tr, stop := reach(t, h)
			c := connect(t, tr, eras["2025-11-25"], client.WithElicitationHandler(u))
			loop := h.loopAfter(t, t.Context(), 7)
			before := h.state(t, loop).Seq
			if _, err := c.CallTool(ctx, reflect(loop)); !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			stop()
			if st := h.state(t, loop); st.Seq != before || st.Round != 7 {
				t.Errorf("%d events, %d rounds closed", st.Seq, st.Round)
			}
		})
	}
}
