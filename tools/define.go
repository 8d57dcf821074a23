package tools

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/tools/arguments"
	"github.com/citeloop/citeloop/tools/progress"
)

// CallTimeout bounds every call, because Claude Desktop gives up after 30 seconds. What was done by then is kept, and the
// answer says what is unfinished.
const CallTimeout = 25 * time.Second

// schemas are the definitions that clients get in tools/list, and the keys of each answer, which they do not get: users pay for every
// byte of the list on each request. So hints that have their default, and the closing of the objects within arguments, are left out.
// alwaysLoad asks Claude Code to show a tool from the start, maxResultSizeChars to show its large answers in full.
//
//go:embed schemas
var schemas embed.FS

// definition is a file of schemas.
type definition struct {
	Meta        *mcp.Meta          `json:"_meta"`
	Name        string             `json:"name"`
	Title       string             `json:"title"`
	Description string             `json:"description"`
	Annotations mcp.ToolAnnotation `json:"annotations"`
	InputSchema json.RawMessage    `json:"inputSchema"`
}

// definer holds what all tools need, and collects the errors of their definitions: the server fails when it starts, not when a client
// calls.
type definer struct {
	logger *slog.Logger
	faults []error
}

// define makes a tool from its schema and a typed function. It avoids three features of the library: its schema validation has other
// error texts, its typed handlers leak Go names, and it encodes nil slices as null.
func define[In, Out any](d *definer, name string, handle func(ctx context.Context, in In) (Out, error)) server.ServerTool {
	var def definition
	raw, err := schemas.ReadFile("schemas/" + name + ".json")
	if err == nil {
		err = json.Unmarshal(raw, &def)
	}
	if err != nil {
		d.faults = append(d.faults, fmt.Errorf("tools: the definition of %s: %w", name, err))
		return server.ServerTool{}
	}
	schema := sync.OnceValues(func() (*arguments.Schema, error) {
		var s arguments.Schema
		return &s, json.Unmarshal(def.InputSchema, &s)
	})
	tool := mcp.Tool{Meta: def.Meta, Name: name, Title: def.Title, Description: def.Description, Annotations: def.Annotations,
		RawInputSchema: def.InputSchema}
	call := func(ctx context.Context, req mcp.CallToolRequest) (result *mcp.CallToolResult, err error) {
		defer HideFault(ctx, d.logger, name, &err)
		ctx, cancel := context.WithTimeout(ctx, CallTimeout)
		defer cancel()
		ctx, settle := progress.Start(ctx, req)
		defer settle()
		in, err := schema()
		if err != nil {
			return nil, err
		}
		var args In
		if err := in.Decode(req.Params.RawArguments, &args); err != nil {
			return nil, err
		}
		answer, err := handle(ctx, args)
		shown, ok := errors.AsType[*shownError](err)
		if err != nil && !ok {
			return nil, err
		}
		body, err := MarshalAnswer(answer)
		if err != nil {
			return nil, err
		}
		result = mcp.NewToolResultStructured(json.RawMessage(body), string(body))
		result.IsError = shown != nil
		return result, nil
	}
	return server.ServerTool{Tool: tool, Handler: func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := call(ctx, req)
		if err != nil {
			result = mcp.NewToolResultError(err.Error())
		}
		return result, nil
	}}
}

// shownError marks an answer that is an error and has content.
type shownError struct{ reason string }

func (e *shownError) Error() string { return e.reason }

// HideFault is deferred by a handler, named by what. It converts a panic or an error for a client: errors meant for clients keep their
// text, all others become one fixed sentence and are logged.
func HideFault(ctx context.Context, logger *slog.Logger, what string, err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
	if *err != nil {
		*err = errors.New(explain(ctx, logger, what, *err))
	}
}

func explain(ctx context.Context, logger *slog.Logger, what string, err error) string {
	mistake := MistakeIn(err)
	unverified, isUnverified := errors.AsType[*verify.UnverifiedError](err)
	switch {
	case mistake != nil:
		return mistake.Error()
	case isUnverified:
		return unverified.Error() + "; fix it and call again, or pass allow_unverified to loop_report to get it marked DRAFT"
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("the call took longer than %s and was ended. What was read until then is kept; ask for less, or call again.",
			CallTimeout)
	case errors.Is(err, context.Canceled):
		return "the call was cancelled. What was read until then is kept."
	}
	logger.ErrorContext(ctx, "a call failed", "in", what, "error", err)
	if fault, ok := errors.AsType[*loopstate.StoreError](err); ok {
		return storeFault(ctx, fault) + ". What earlier calls stored is kept."
	}
	return "internal error; nothing was changed by this call. Try again; if this persists, see the log (stderr)."
}

// storeFault says what is wrong with the store: to a caller on this machine with the place and the remedy, to one with a token
// without them, because only the operator can act.
func storeFault(ctx context.Context, fault *loopstate.StoreError) string {
	if owner := loops.OwnerOf(ctx); owner == "" || owner == loops.LocalOwner {
		return fault.Error()
	}
	return fmt.Sprintf("%v; tell the operator of the server, whose log has the place and the remedy", fault.Kind)
}
