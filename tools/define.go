package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/verify"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/tools/arguments"
	"github.com/citeloop/citeloop/tools/progress"
)

// CallTimeout bounds every call, because Claude Desktop gives up after 30 seconds. What was done by then is kept, and the
// answer says what is unfinished.
const CallTimeout = 25 * time.Second

// definer holds what all definitions need, and collects their errors: an invalid schema fails when the server starts, not
// when a client calls.
type definer struct {
	logger *slog.Logger
	faults []error
}

// manual describes a tool to a model.
type manual struct {
	name, title, description string
	hints                    hints
}

// maxResultChars asks Claude Code to show large answers in full. By default it moves answers above 50,000 characters to
// a file. This is the maximum that it accepts.
const maxResultChars = 500_000

// meta asks Claude Code to show the tools to the model from the start. By default the model has to search for them.
func (m manual) meta() *mcp.Meta {
	meta := map[string]any{"anthropic/alwaysLoad": true}
	switch m.name {
	case "fetch", "loop_get_state", "loop_report", "verify_citations":
		meta["anthropic/maxResultSizeChars"] = maxResultChars
	}
	return mcp.NewMetaFromMap(meta)
}

// hints are the annotations of MCP. readOnly includes tools that change only citeloop's own log, so that hosts do not ask
// before each search. Hints that have their default, or say nothing of a tool that only reads, are not sent: users pay for each byte
// of tools/list on every request.
type hints struct{ readOnly, idempotent, openWorld bool }

func (h hints) annotation() mcp.ToolAnnotation {
	yes, no := true, false
	a := mcp.ToolAnnotation{ReadOnlyHint: &h.readOnly}
	if !h.readOnly {
		a.DestructiveHint = &no // a loop only grows
		if h.idempotent {
			a.IdempotentHint = &yes
		}
	}
	if !h.openWorld {
		a.OpenWorldHint = &no
	}
	return a
}

// define makes a tool from a typed function. It avoids three features of the library: its schema validation has other
// error texts, its typed handlers leak Go names, and it encodes nil slices as null.
func define[In, Out any](d *definer, m manual, handle func(ctx context.Context, in In) (Out, error)) server.ServerTool {
	in, err := inputSchema[In]()
	if err != nil {
		d.faults = append(d.faults, fmt.Errorf("tools: the input of %s: %w", m.name, err))
		return server.ServerTool{}
	}
	out, err := arguments.ForAnswer[Out](localKey)
	if err != nil {
		d.faults = append(d.faults, fmt.Errorf("tools: the output of %s: %w", m.name, err))
		return server.ServerTool{}
	}
	tool := mcp.Tool{Meta: m.meta(), Name: m.name, Title: m.title, Description: m.description, Annotations: m.hints.annotation(),
		RawInputSchema: in.Raw, RawOutputSchema: out}
	return server.ServerTool{Tool: tool, Handler: func(ctx context.Context, req mcp.CallToolRequest) (result *mcp.CallToolResult, _ error) {
		defer func() {
			if r := recover(); r != nil {
				d.logger.ErrorContext(ctx, "a tool panicked", "tool", m.name, "panic", r, "stack", string(debug.Stack()))
				result = mcp.NewToolResultError("internal error; see the log (stderr). What earlier calls stored is kept.")
			}
		}()
		ctx, cancel := context.WithTimeout(ctx, CallTimeout)
		defer cancel()
		ctx, settle := progress.Start(ctx, req)
		defer settle()
		var args In
		if err := in.Decode(RawArguments(req), &args); err != nil {
			return d.failure(ctx, m.name, err), nil
		}
		answer, err := handle(ctx, args)
		var shown *shownError
		if err != nil && !errors.As(err, &shown) {
			return d.failure(ctx, m.name, err), nil
		}
		body, err := MarshalAnswer(answer)
		if err != nil {
			return d.failure(ctx, m.name, err), nil
		}
		result = mcp.NewToolResultStructured(json.RawMessage(body), string(body))
		result.IsError = shown != nil
		return result, nil
	}}
}

// localKey is the path of a loop's folder, which only a server on the user's own machine answers. Output schemas, which are
// the same for all servers, do not name it.
const localKey = "folder"

func inputSchema[In any]() (*arguments.Schema, error) {
	types, err := unionSchemas()
	if err != nil {
		return nil, err
	}
	return arguments.For[In](types)
}

// shownError marks an answer that is an error and has content.
type shownError struct{ reason string }

func (e *shownError) Error() string { return e.reason }

// failure converts an error for a client: errors meant for clients keep their text, all others become one fixed sentence
// and are logged.
func (d *definer) failure(ctx context.Context, tool string, err error) *mcp.CallToolResult {
	if mistake := MistakeIn(err); mistake != nil {
		return mcp.NewToolResultError(mistake.Error())
	}
	var unverified *verify.UnverifiedError
	switch {
	case errors.As(err, &unverified):
		return mcp.NewToolResultError(unverified.Error() + "; fix it and call again, or pass allow_unverified to get it marked DRAFT")
	case errors.Is(err, context.DeadlineExceeded):
		return mcp.NewToolResultError(fmt.Sprintf(
			"the call took longer than %s and was ended. What was read until then is kept; ask for less, or call again.", CallTimeout))
	case errors.Is(err, context.Canceled):
		return mcp.NewToolResultError("the call was cancelled. What was read until then is kept.")
	}
	d.logger.ErrorContext(ctx, "a tool failed", "tool", tool, "error", err)
	if fault, ok := errors.AsType[*loopstate.StoreError](err); ok {
		return mcp.NewToolResultError(StoreFault(ctx, fault) + ". What earlier calls stored is kept.")
	}
	return mcp.NewToolResultError("internal error; nothing was changed by this call. Try again; if this persists, see the log (stderr).")
}

// RawArguments returns the arguments of a call as JSON, or nil.
func RawArguments(req mcp.CallToolRequest) json.RawMessage {
	if len(req.Params.RawArguments) > 0 {
		return req.Params.RawArguments
	}
	if req.Params.Arguments == nil {
		return nil
	}
	raw, err := json.Marshal(req.Params.Arguments)
	if err != nil {
		return nil
	}
	return raw
}
