package research

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/llm"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// handOver is the tool with which the synthesizer and the critic answer.
func handOver(keys map[string]any) llm.Tool {
	return llm.Tool{Name: "hand_over", Description: "Hand over what the brief asks for, once.",
		Parameters: map[string]any{"type": "object", "properties": keys}}
}

// maxUnreadable bounds the unreadable answers of a conversation.
const maxUnreadable = 2

// runUntilHandOver runs a conversation that ends with an object: the arguments of hand_over, or the text of a model that does not
// call tools. The error is a BadAnswer if no object could be read; ended names a limit that was reached.
func (r *run) runUntilHandOver(ctx context.Context, who string, c *conversation, m *meter, out any, keys ...string) (ended string, err error) {
	got, unread := false, 0
	take := func(text string, cut bool) string {
		lost, problem := llm.ReadObject(text, out, keys...)
		if problem == nil {
			got = true
			if crit, ok := out.(*criticism); ok && (cut || lost) {
				crit.SignOff = false // the missing part may have named a gap
			}
			switch {
			case cut:
				r.failed(who, "its answer was cut off at the token limit; the complete part is used")
			case lost:
				r.failed(who, "its answer is incomplete; the complete part is used")
			}
			return "Taken."
		}
		unread++
		if cut {
			problem = errors.New("it was cut off at the token limit")
		}
		r.failed(who, "its answer cannot be read: %v", problem)
		return "This cannot be read: " + problem.Error() + ". Call hand_over with one JSON object that has the keys " + strings.Join(keys, ", ") + ". Be brief."
	}
	left := limits{turns: talkTurns, calls: talkCalls, tokens: talkTokens}
	for {
		last, why, err := r.converse(ctx, who, c, m, left, func(ctx context.Context, call llm.ToolCall) (string, bool, error) {
			if call.Name == "hand_over" {
				said := take(call.Arguments, call.Truncated)
				return said, got || unread > maxUnreadable, nil
			}
			return r.answerFind(ctx, who, call)
		})
		switch {
		case err != nil || got:
			return "", err
		case why != "":
			return why, nil
		}
		if len(last.Calls) == 0 {
			said := take(last.Text, last.Truncated)
			if got {
				return "", nil
			}
			c.say(said)
		}
		if unread > maxUnreadable {
			return "", &llm.Error{Code: llm.CodeBadAnswer, Problem: fmt.Sprintf("%d of its answers could not be read", unread)}
		}
	}
}

// answerFind handles calls of find_passages by the synthesizer and the critic.
func (r *run) answerFind(ctx context.Context, who string, call llm.ToolCall) (string, bool, error) {
	var in struct {
		Query   words       `json:"query"`
		Sources list[words] `json:"source_ids"`
	}
	if call.Name != "find_passages" {
		r.failed(who, "it called an unknown function: %q", sanitize.Short(call.Name, 40))
		return "Unknown function. The functions are find_passages and hand_over.", false, nil
	}
	if _, err := llm.ReadObject(call.Arguments, &in); err != nil {
		r.failed(who, "the arguments of its call of find_passages cannot be read: %v", err)
		return "The arguments cannot be read: " + err.Error() + ". Call again with one JSON object.", false, nil
	}
	var sources []string
	for _, ref := range in.Sources {
		id := withoutLines(string(ref))
		if _, ok := r.known[id]; ok {
			sources = append(sources, id)
		}
	}
	text, err := r.find(ctx, string(in.Query), sources)
	if refused, ok := errors.AsType[*ToolError](err); ok {
		return "Refused: " + sanitize.Short(refused.Text, toolErrChars), false, nil
	}
	return text, false, err
}

func (r *run) passagesTool() llm.Tool {
	return r.Server.offered("find_passages", "Here the loop is filled in for you.", "query", "source_ids")
}

// Parts of JSON Schemas.
func textType(about string) map[string]any {
	return map[string]any{"type": "string", "description": about}
}

func listOf(item map[string]any) map[string]any {
	return map[string]any{"type": "array", "items": item}
}

func objectOf(required string, properties map[string]any) map[string]any {
	return map[string]any{"type": "object", "properties": properties, "required": []string{required}}
}
