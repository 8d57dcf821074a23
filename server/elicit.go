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

// How a tool asks the user, by protocol version.
//
// Up to 2025-11-25 the server sends elicitation/create to the client while the call waits. From 2026-07-28 on the
// result of the call carries the question, and the client repeats the call with the answer. The requestState that
// sealedStates makes links the two calls. The library could translate the second form into the first for older
// clients, but it returns an error when the user takes too long or the client fails. Here the call continues without
// an answer.

// askTimeout is how long a call of the older era waits for the user. The call must end within tools.CallTimeout,
// including its own work.
const askTimeout = 15 * time.Second

const (
	// askReserve is the part of a call's time reserved for its work after the answer.
	askReserve = 3 * time.Second
	// askLeast is the shortest time in which a user can read a form and act. With less time left, the user is not asked.
	askLeast = 5 * time.Second
)

// questionKey is the key of the only question in a result.
const questionKey = "answer"

// elicitor is the middleware that gives tools an asker if the client supports form elicitation.
type elicitor struct {
	states sealedStates
	tools  map[string]access.Scopes // tools whose states are sealed here; others have their own
	logger *slog.Logger
}

func (a elicitor) middleware(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.Modern {
			if !asksByForm(info.ClientCapabilities) {
				return next(ctx, req)
			}
			var asked *mcp.CallToolResult
			asker, err := a.roundTrip(ctx, req, &asked)
			if err != nil {
				return nil, err
			}
			result, err := next(tools.WithAsker(ctx, asker), req)
			if asked != nil {
				return asked, nil
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
		return next(tools.WithAsker(ctx, a.inCall(server.ServerFromContext(ctx))), req)
	}
}

// asksByForm reports whether a client supports form elicitation. A client that names no mode supports forms, the only
// mode before 2025-11-25.
func asksByForm(c *mcp.ClientCapabilities) bool {
	return c != nil && c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}

// inCall asks the user while the call waits. Such a call is never repeated with an answer.
func (a elicitor) inCall(srv *server.MCPServer) *tools.Asker {
	asker := &tools.Asker{}
	asker.Ask = func(ctx context.Context, q tools.Question) (tools.Answer, error) {
		wait := askTimeout
		if end, ok := ctx.Deadline(); ok {
			wait = min(wait, time.Until(end)-askReserve).Truncate(time.Second)
		}
		if wait < askLeast {
			return tools.Answer{Unasked: true}, nil
		}
		waiting, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		// The client cannot be told that the wait is over: the library does not expose the id of its request.
		q.Message += fmt.Sprintf(" This form waits %.0f seconds; after that, tell your assistant.", wait.Seconds())
		result, err := srv.RequestElicitation(waiting, mcp.ElicitationRequest{Params: elicitation(q)})
		if ctx.Err() != nil { // the call itself was cancelled
			return tools.Answer{}, ctx.Err()
		}
		if err != nil {
			level := slog.LevelWarn
			if errors.Is(err, context.DeadlineExceeded) { // a slow user needs no warning
				level = slog.LevelInfo
			}
			a.logger.Log(ctx, level, "the user did not answer", "error", err)
			return tools.Answer{}, nil
		}
		asker.Declined = declined(result)
		return answer(result), nil
	}
	return asker
}

// roundTrip asks the user with the result of the call, which it stores in asked. It reads the state that a call carries, and
// rejects one that was not signed here for this call, as MCP requires: the user may just have declined what the call does.
func (a elicitor) roundTrip(ctx context.Context, req mcp.CallToolRequest, asked **mcp.CallToolResult) (*tools.Asker, error) {
	asker := &tools.Asker{}
	var given *mcp.ElicitationResult // the answer; nil if there is no valid one
	if _, own := a.tools[req.Params.Name]; own && req.Params.RequestState != "" {
		operation, about, err := a.states.open(ctx, req)
		if err != nil {
			a.logger.WarnContext(ctx, "invalid request state", "tool", req.Params.Name, "error", err)
			return nil, fmt.Errorf("requestState: %w; nothing was done, call again without requestState and inputResponses", errState)
		}
		given = server.ElicitationResponse(req.Params.InputResponses, questionKey)
		asker.Operation, asker.About, asker.Declined = operation, about, declined(given)
	}
	asker.Ask = func(ctx context.Context, q tools.Question) (tools.Answer, error) {
		if req.Params.RequestState != "" || len(req.Params.InputResponses) > 0 { // never asks a client twice
			return answer(given), nil
		}
		if len(q.About) > maxAboutBytes || strings.Contains(q.About, ".") {
			return tools.Answer{}, fmt.Errorf("server: cannot seal a question about %q: too long or contains a dot", q.About)
		}
		*asked = server.NewInputRequestBuilder(a.states.seal(ctx, req, q.About)).Elicit(questionKey, elicitation(q)).ToolResult()
		return tools.Answer{}, tools.ErrAsked
	}
	return asker, nil
}

// declined reports whether the user refused. Closing the form without a choice is not a refusal.
func declined(r *mcp.ElicitationResult) bool {
	return r != nil && r.Action == mcp.ElicitationResponseActionDecline
}

func elicitation(q tools.Question) mcp.ElicitationParams {
	return mcp.ElicitationParams{Message: q.Message, RequestedSchema: q.Schema}
}

// answer converts a client's response. Content that is not an object is ignored.
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
