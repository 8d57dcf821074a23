package research

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/llm"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// handOver is the function by which the model hands over what a brief asks for.
const handOver = "hand_over"

// errand starts a conversation that ends with a T: the model looks into the sources with find_passages, and calls hand_over.
func errand[T any](r *run, system, brief string) *conversation {
	find := r.Server.offered("find_passages", "Here the loop is filled in for you.", "query", "source_ids")
	return newConversation(system, brief, find, llm.Tool{Name: handOver,
		Description: "Hand over what the brief asks for, once.",
		Parameters:  map[string]any{"type": "object", "properties": properties(reflect.TypeFor[T]())}})
}

// answered has the model answer one of the server's prompts, in a conversation of its own that it returns. why says what kept
// it from that. The error ends the run.
func answered[T any](ctx context.Context, r *run, m *meter, who, prompt, asked string, out *T) (c *conversation, why string, err error) {
	brief, err := r.brief(ctx, prompt, map[string]string{})
	if err != nil {
		return nil, "", err
	}
	c = errand[T](r, handOverWords, brief+"\n\n"+asked)
	why, err = r.handedOver(ctx, who, c, m, out)
	return c, why, err
}

// properties returns the JSON Schemas of the fields of a struct. The tag about describes a field; "-" keeps it from the
// model.
func properties(t reflect.Type) map[string]any {
	out := map[string]any{}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		about := f.Tag.Get("about")
		if about == "-" {
			continue
		}
		schema := schemaOf(f.Type)
		if about != "" {
			schema["description"] = about
		}
		out[name] = schema
	}
	return out
}

// schemaOf returns the JSON Schema of a type. Of an object, the first field is required.
func schemaOf(t reflect.Type) map[string]any {
	switch {
	case t == reflect.TypeFor[number](), t == reflect.TypeFor[share]():
		return map[string]any{"type": "number"}
	case t.Kind() == reflect.Pointer:
		return schemaOf(t.Elem())
	case t.Kind() == reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem())}
	case t.Kind() == reflect.Bool:
		return map[string]any{"type": "boolean"}
	case t.Kind() == reflect.Map:
		return map[string]any{"type": "object"}
	case t.Kind() == reflect.Struct:
		first, _, _ := strings.Cut(t.Field(0).Tag.Get("json"), ",")
		return map[string]any{"type": "object", "properties": properties(t), "required": []string{first}}
	}
	return map[string]any{"type": "string"}
}

// maxUnreadable bounds the unreadable answers of a conversation.
const maxUnreadable = 2

// handedOver runs a conversation until the model hands over an object, and decodes it into out. why says what kept it from
// that, which has been reported. The error ends the run.
func (r *run) handedOver(ctx context.Context, who string, c *conversation, m *meter, out any) (why string, err error) {
	keys := slices.Sorted(maps.Keys(properties(reflect.TypeOf(out).Elem())))
	got, unread := false, 0
	_, why, err = r.converse(ctx, c, m, limits{turns: talkTurns, calls: talkCalls, tokens: talkTokens}, func(ctx context.Context, call llm.ToolCall) (string, bool, error) {
		if call.Name != handOver {
			return r.answerFind(ctx, who, call)
		}
		lost, problem := llm.ReadObject(call.Arguments, out, keys...)
		if got = problem == nil; got {
			if part, ok := out.(interface{ incomplete() }); ok && (call.Truncated || lost) {
				part.incomplete()
			}
			switch {
			case call.Truncated:
				r.failed(who, "its answer was cut off at the token limit; the complete part is used")
			case lost:
				r.failed(who, "its answer is incomplete; the complete part is used")
			}
			return "Taken.", true, nil
		}
		if call.Truncated {
			problem = errors.New("it was cut off at the token limit")
		}
		r.failed(who, "its answer cannot be read: %v", problem)
		unread++
		return fmt.Sprintf("This cannot be read: %v. Call hand_over with one JSON object that has the keys %s. Be brief.",
			problem, strings.Join(keys, ", ")), unread > maxUnreadable, nil
	})
	switch {
	case ends(err):
		return "", err
	case err != nil:
		why = err.Error()
	case why == "" && !got:
		why = fmt.Sprintf("%d of its answers could not be read", unread)
	}
	if why != "" {
		r.failed(who, "ended: %s", why)
	}
	return why, nil
}

// answerFind handles calls of find_passages by the synthesizer and the critics.
func (r *run) answerFind(ctx context.Context, who string, call llm.ToolCall) (string, bool, error) {
	var in struct {
		Query   words       `json:"query"`
		Sources list[words] `json:"source_ids"`
	}
	if call.Name != "find_passages" {
		r.failed(who, "it called an unknown function: %q", sanitize.Short(call.Name, 40))
		return "Unknown function. The functions are find_passages and hand_over.", false, nil
	}
	if problem := r.readArguments(who, call, &in); problem != "" {
		return problem, false, nil
	}
	text, err := r.find(ctx, string(in.Query), r.existing(in.Sources))
	return refusal(text, err)
}

// readArguments decodes the arguments of a call, or returns what to tell the model.
func (r *run) readArguments(who string, call llm.ToolCall, into any) (problem string) {
	_, err := llm.ReadObject(call.Arguments, into)
	if err == nil {
		return ""
	}
	r.failed(who, "the arguments of its call of %s cannot be read: %v", sanitize.Short(call.Name, 40), err)
	return "The arguments cannot be read: " + err.Error() + ". Call again with one JSON object."
}

// refusal makes an error result of the server a result for the model, which can correct its call.
func refusal(text string, err error) (string, bool, error) {
	if refused, ok := errors.AsType[*ToolError](err); ok {
		return "Refused: " + sanitize.Short(refused.Text, toolErrChars), false, nil
	}
	return text, false, err
}
