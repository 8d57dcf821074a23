package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/server/access"
	"github.com/citeloop/citeloop/tools"
)

// How a tool asks the user, in the two eras of the protocol.
//
// Up to 2025-11-25 the server sends elicitation/create to the client while the call waits. From 2026-07-28 on
// the result of the call carries the question, and the client makes the same call again with the answer; what
// ties the two together is the requestState that sealedStates makes. The library would translate the second
// way into the first for older clients, but then it answers an error when the user takes too long or the
// client fails, and the call is lost. Here it goes on without an answer.

// askTimeout is how long a call of the older era waits for the user: it must end within tools.CallTimeout, and
// has its own work to do afterwards.
const askTimeout = 15 * time.Second

const (
	// askReserve is kept of a call's time for what it does after the answer.
	askReserve = 3 * time.Second
	// askLeast is the shortest time in which a user can read a form and act: with less left, they are not asked.
	askLeast = 5 * time.Second
)

// questionKey names the one question of a result.
const questionKey = "answer"

// asking is the middleware that gives tools an asker where the client can elicit by form.
type elicitor struct {
	states sealedStates
	tools  map[string]access.Scopes // those whose states are sealed here; others have their own
	logger *slog.Logger
}

func (a elicitor) middleware(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.Modern {
			if !asksByForm(info.ClientCapabilities) {
				return next(ctx, req)
			}
			trip, err := a.roundTrip(ctx, req)
			if err != nil {
				return nil, err
			}
			result, err := next(tools.WithAsker(ctx, trip), req)
			if trip.asked != nil {
				return trip.asked, nil
			}
			return result, err
		}
		session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo)
		if !ok {
			return next(ctx, req)
		}
		if capabilities := session.GetClientCapabilities(); !asksByForm(&capabilities) {
			return next(ctx, req)
		}
		return next(tools.WithAsker(ctx, &inCall{server: server.ServerFromContext(ctx), logger: a.logger}), req)
	}
}

// asksByForm: a client that names no mode means the form, which was the only one before 2025-11-25.
func asksByForm(c *mcp.ClientCapabilities) bool {
	return c != nil && c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}

// inCall asks while the call waits.
type inCall struct {
	server *server.MCPServer
	logger *slog.Logger
	given  *mcp.ElicitationResult // the answer, once there is one
}

// About implements tools.Asker.
func (a *inCall) About() string { return "" }

// Operation implements tools.Asker: such a call is never made again with an answer.
func (a *inCall) Operation() string { return "" }

// Ask implements tools.Asker.
func (a *inCall) Ask(ctx context.Context, q tools.Question) (tools.Answer, error) {
	patience := askTimeout
	if end, ok := ctx.Deadline(); ok {
		patience = min(patience, time.Until(end)-askReserve).Truncate(time.Second)
	}
	if patience < askLeast {
		return tools.Answer{Unasked: true}, nil
	}
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	// The client is not told when the server waits no longer: the library keeps the id of its request.
	q.Message += fmt.Sprintf(" This form waits %.0f seconds; after that, tell your assistant.", patience.Seconds())
	result, err := a.server.RequestElicitation(waiting, mcp.ElicitationRequest{Params: elicitation(q)})
	if ctx.Err() != nil { // the call itself was cancelled
		return tools.Answer{}, ctx.Err()
	}
	if err != nil {
		level := slog.LevelWarn
		if errors.Is(err, context.DeadlineExceeded) { // a user who takes their time is nothing to warn of
			level = slog.LevelInfo
		}
		a.logger.Log(ctx, level, "the user was asked and gave no answer", "error", err)
		return tools.Answer{}, nil
	}
	a.given = result
	return answer(result), nil
}

// Declined implements tools.Asker.
func (a *inCall) Declined() bool { return declined(a.given) }

// roundTrip asks with the result of the call.
type roundTrip struct {
	states    sealedStates
	req       mcp.CallToolRequest
	operation string                 // of a call that carries an answer
	about     string                 // what its question was about
	given     *mcp.ElicitationResult // the answer; nil when there is none that counts
	asked     *mcp.CallToolResult    // the question, once there is one
}

// roundTrip reads what a call carries of an earlier one. A state that was not signed here for this very call is
// refused, as MCP demands: to go on would be to do what the user may just have declined.
func (a elicitor) roundTrip(ctx context.Context, req mcp.CallToolRequest) (*roundTrip, error) {
	t := &roundTrip{states: a.states, req: req}
	if _, own := a.tools[req.Params.Name]; !own || req.Params.RequestState == "" {
		return t, nil
	}
	operation, about, err := a.states.open(ctx, req)
	if err != nil {
		a.logger.WarnContext(ctx, "a call carries a state that is not its own", "tool", req.Params.Name, "error", err)
		return nil, fmt.Errorf("requestState: %w. Nothing was done; call again without requestState and inputResponses", errState)
	}
	t.operation, t.about, t.given = operation, about, server.ElicitationResponse(req.Params.InputResponses, questionKey)
	return t, nil
}

// About implements tools.Asker.
func (t *roundTrip) About() string { return t.about }

// Operation implements tools.Asker.
func (t *roundTrip) Operation() string { return t.operation }

// Ask implements tools.Asker. A client that was asked already is not asked again, whatever it sent.
func (t *roundTrip) Ask(ctx context.Context, q tools.Question) (tools.Answer, error) {
	if t.req.Params.RequestState != "" || len(t.req.Params.InputResponses) > 0 {
		return answer(t.given), nil
	}
	if len(q.About) > maxAboutBytes || strings.Contains(q.About, ".") {
		return tools.Answer{}, fmt.Errorf("server: a question about %q cannot be sealed", q.About)
	}
	t.asked = server.NewInputRequestBuilder(t.states.seal(ctx, t.req, q.About)).Elicit(questionKey, elicitation(q)).ToolResult()
	return tools.Answer{}, tools.ErrAsked
}

// Declined implements tools.Asker.
func (t *roundTrip) Declined() bool { return declined(t.given) }

// declined: closing the form without a choice is no refusal.
func declined(r *mcp.ElicitationResult) bool {
	return r != nil && r.Action == mcp.ElicitationResponseActionDecline
}

func elicitation(q tools.Question) mcp.ElicitationParams {
	return mcp.ElicitationParams{Message: q.Message, RequestedSchema: q.Schema}
}

// answer reads what a client sent. Content of any other shape than an object is none.
func answer(r *mcp.ElicitationResult) tools.Answer {
	if r == nil || r.Action != mcp.ElicitationResponseActionAccept {
		return tools.Answer{}
	}
	a := tools.Answer{Accepted: true}
	raw, err := json.Marshal(r.Content)
	if err != nil || json.Unmarshal(raw, &a.Content) != nil {
		a.Content = nil
	}
	return a
}
