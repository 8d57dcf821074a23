package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/tools"
)

// promptSource is what the prompts need of the use cases.
type promptSource interface {
	PromptData(ctx context.Context, loop string, budgetTokens int) (prompts.Loop, error)
	PromptFor(ctx context.Context, question string) (prompts.Loop, error)
	CompleteLoop(ctx context.Context, typed string, limit int) (ids []string, total int, err error)
}

// What a client sees of an error that was not written for it.
var errPromptFailed = errors.New("citeloop could not make this prompt; its log says why. Try again; if this persists, read the log (stderr)")

// promptOptions are the server's options for prompts: their order, which the library would lose, and the
// completion of their arguments. more are prompts that others mount beside them, which have nothing to complete.
func promptOptions(svc promptSource, logger *slog.Logger, more []string) []server.ServerOption {
	var order []string
	for _, p := range prompts.All() {
		order = append(order, p.Name)
	}
	order = append(order, more...)
	return []server.ServerOption{
		server.WithPromptCapabilities(false),
		server.WithPromptFilter(func(_ context.Context, list []mcp.Prompt) []mcp.Prompt {
			sorted := slices.Clone(list)
			slices.SortStableFunc(sorted, func(a, b mcp.Prompt) int { return slices.Index(order, a.Name) - slices.Index(order, b.Name) })
			return sorted
		}),
		server.WithCompletions(),
		server.WithPromptCompletionProvider(completions{svc, logger}),
	}
}

// addPrompts registers the prompts.
func addPrompts(s *server.MCPServer, svc promptSource, logger *slog.Logger) {
	for _, p := range prompts.All() {
		options := []mcp.PromptOption{mcp.WithPromptTitle(p.Title), mcp.WithPromptDescription(p.Description)}
		for _, a := range p.Arguments {
			about := []mcp.ArgumentOption{mcp.ArgumentDescription(a.Description)}
			if a.Required {
				about = append(about, mcp.RequiredArgument())
			}
			options = append(options, mcp.WithArgument(a.Name, about...))
		}
		s.AddPrompt(mcp.NewPrompt(p.Name, options...), func(ctx context.Context, req mcp.GetPromptRequest) (_ *mcp.GetPromptResult, err error) {
			defer promptFault(ctx, logger, p.Name, &err)
			ctx, cancel := context.WithTimeout(ctx, tools.CallTimeout)
			defer cancel()
			text, err := renderPrompt(ctx, svc, p, req.Params.Arguments)
			if err != nil {
				return nil, err
			}
			return mcp.NewGetPromptResult(p.Description, []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(text))}), nil
		})
	}
}

func renderPrompt(ctx context.Context, svc promptSource, p prompts.Prompt, given map[string]string) (string, error) {
	if err := p.Check(given); err != nil { // before anything is loaded
		return "", err
	}
	var l prompts.Loop
	var err error
	if id := strings.TrimSpace(given[prompts.ArgStateID]); id != "" {
		budget := 0
		if p.Originals {
			budget = loops.PromptTokens
		}
		l, err = svc.PromptData(ctx, id, budget)
	} else {
		l, err = svc.PromptFor(ctx, given[prompts.ArgQuery])
	}
	if err != nil {
		return "", err
	}
	return p.Render(l, given)
}

// promptFault replaces what a client must not see: panics, and errors that were not written for it.
func promptFault(ctx context.Context, logger *slog.Logger, name string, err *error) {
	if r := recover(); r != nil {
		logger.ErrorContext(ctx, "a prompt panicked", "prompt", name, "panic", r, "stack", string(debug.Stack()))
		*err = errPromptFailed
		return
	}
	mistake := tools.MistakeIn(*err)
	switch {
	case *err == nil:
	case mistake != nil:
		*err = mistake
	case errors.Is(*err, context.DeadlineExceeded):
		*err = fmt.Errorf("the prompt took longer than %s and was ended; call again", tools.CallTimeout)
	default:
		logger.ErrorContext(ctx, "a prompt failed", "prompt", name, "error", *err)
		*err = errPromptFailed
	}
}

// maxCompletions is how many values the protocol lets a completion carry.
const maxCompletions = 100

// completions completes the prompts' arguments: the caller's own loops, and the angles.
type completions struct {
	svc    promptSource
	logger *slog.Logger
}

// CompletePromptArgument implements the library's provider.
func (c completions) CompletePromptArgument(ctx context.Context, prompt string, argument mcp.CompleteArgument, _ mcp.CompleteContext) (_ *mcp.Completion, err error) {
	defer promptFault(ctx, c.logger, prompt, &err)
	none := &mcp.Completion{Values: []string{}} // null is no list to a client
	i := slices.IndexFunc(prompts.All(), func(p prompts.Prompt) bool { return p.Name == prompt })
	if i < 0 { // nothing is known to complete: an error would show in the midst of somebody's typing
		return none, nil
	}
	if !slices.ContainsFunc(prompts.All()[i].Arguments, func(a prompts.Argument) bool { return a.Name == argument.Name }) {
		return none, nil
	}
	switch argument.Name {
	case prompts.ArgStateID:
		ctx, cancel := context.WithTimeout(ctx, tools.CallTimeout)
		defer cancel()
		ids, total, err := c.svc.CompleteLoop(ctx, argument.Value, maxCompletions)
		if err != nil {
			return nil, err
		}
		return &mcp.Completion{Values: append([]string{}, ids...), Total: total, HasMore: total > len(ids)}, nil
	case prompts.ArgAngle:
		typed := strings.ToLower(strings.TrimSpace(argument.Value))
		for _, name := range prompts.AngleNames() {
			if lower := strings.ToLower(name); strings.HasPrefix(lower, typed) || strings.HasPrefix(strings.TrimPrefix(lower, "by"), typed) {
				none.Values = append(none.Values, name)
			}
		}
		none.Total = len(none.Values)
	}
	return none, nil
}
