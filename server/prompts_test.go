package server

import (
	"fmt"
	"testing"

	"github.com/citeloop/citeloop/internal/prompts"
)

// promptArguments are arguments for a prompt on a loop.
func promptArguments(p prompts.Prompt, loop string) object {
	given := object{"state_id": loop}
	for _, a := range p.Arguments {
		switch a.Name {
		case prompts.ArgAngle:
			given[a.Name] = "byCounterArg"
		case prompts.ArgText:
			given[a.Name] = "It was cut and"
		}
	}
	return given
}

// begin starts a loop by calling loop_init.
func (c caller) begin(t *testing.T, query string) string {
	t.Helper()
	result, fault := c.ask(t, "tools/call", "loop_init", object{"name": "loop_init", "arguments": object{"query": query}})
	id := result.Get("structuredContent.state_id").Str
	if id == "" {
		t.Fatalf("loop_init: %s %s", fault, result)
	}
	return id
}

// completing asks for completions of an argument of a prompt.
func completing(prompt, argument, typed string) object {
	return object{"ref": object{"type": "ref/prompt", "name": prompt}, "argument": object{"name": argument, "value": typed}}
}

func TestCompletion(t *testing.T) {
	site := newFixture(t).serve(t, nil)
	glass, zinc := site.begin(t, "Is glass a liquid?"), site.begin(t, "How long does zinc last?")
	for _, tt := range []struct{ name, prompt, argument, typed, want string }{
		{"loops, newest first", "critic", "state_id", "", fmt.Sprintf("[%q,%q]", zinc, glass)},
		{"by words", "critic", "state_id", "glass", fmt.Sprintf("[%q]", glass)},
		{"by id", "research", "state_id", zinc, fmt.Sprintf("[%q]", zinc)},
		{"free text", "continue_report", "text", "x", "[]"},
		{"an argument of another prompt", "critic", "angle", "", "[]"},
	} {
		result, fault := site.ask(t, "completion/complete", "", completing(tt.prompt, tt.argument, tt.typed))
		if got := result.Get("completion.values"); got.Raw != tt.want || result.Get("completion.hasMore").Bool() ||
			int(result.Get("completion.total").Int()) != len(got.Array()) {
			t.Errorf("%s: %s %s, want %s", tt.name, fault, result, tt.want)
		}
	}
}
