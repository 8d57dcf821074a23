package tools

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

func TestRoundsForm(t *testing.T) {
	tests := []struct {
		name string
		q    loops.RoundsQuestion
		want string
	}{
		{"a question", loops.RoundsQuestion{Query: "Is glass\n a liquid?", Round: 8, MaterialGaps: 2, Least: 9, Most: 15},
			"The research on “Is glass a liquid?” has taken 8 rounds, and 2 material gaps are still open. Its budget allows 15 rounds, but beyond 8 it goes on only if you say so. How many rounds may it take in all? Decline to end it with what there is."},
		{"no question, one gap", loops.RoundsQuestion{Round: 10, MaterialGaps: 1, Least: 11, Most: 12},
			"This research has taken 10 rounds, and 1 material gap is still open. Its budget allows 12 rounds, but beyond 8 it goes on only if you say so. How many rounds may it take in all? Decline to end it with what there is."},
		{"no gap, and it would end", loops.RoundsQuestion{Query: strings.Repeat("ä", 200), Round: 8, Least: 9, Most: 10, Ends: "complete: two sign-offs"},
			"The research on “" + strings.Repeat("ä", maxQueryShown) + "…” has taken 8 rounds, and no material gap is open. Its budget allows 10 rounds, but beyond 8 it goes on only if you say so. How many rounds may it take in all? Decline to end it with what there is. As it stands it would end anyway: complete: two sign-offs."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			form := roundsForm(tt.q)
			if diff := cmp.Diff(tt.want, form.Message); diff != "" {
				t.Errorf("message (-want +got):\n%s", diff)
			}
			rounds := form.Schema["properties"].(map[string]any)["rounds"].(map[string]any)
			if rounds["minimum"] != tt.q.Least || rounds["maximum"] != tt.q.Most || rounds["default"] != tt.q.Most {
				t.Errorf("schema %v", rounds)
			}
		})
	}
}

func TestRoundsIn(t *testing.T) {
	q := loops.RoundsQuestion{Round: 8, Least: 9, Most: 15}
	for content, want := range map[string]int{
		`{"rounds": 12}`: 12, `{"rounds": 9}`: 9, `{"rounds": 15}`: 15, `{"rounds": 12.0}`: 12, `{"rounds": 1.2e1}`: 12, `{"rounds": 12, "more": true}`: 12,
		`{}`: 0, `null`: 0, `{"rounds": 8}`: 0, `{"rounds": 16}`: 0, `{"rounds": -12}`: 0, `{"rounds": 12.5}`: 0, `{"rounds": "12"}`: 0, `{"rounds": true}`: 0,
		`{"rounds": null}`: 0, `{"rounds": [12]}`: 0, `{"rounds": {"rounds": 12}}`: 0, `{"rounds": 1000000000}`: 0, `{"rounds": 1e300}`: 0, `{"Rounds": 12}`: 0,
	} {
		var m map[string]any
		if err := json.Unmarshal([]byte(content), &m); err != nil {
			t.Fatal(err)
		}
		if got := roundsIn(m, q); got != want {
			t.Errorf("%s confirms %d rounds, want %d", content, got, want)
		}
	}
}

// closer closes rounds after asking, as the use case does.
type closer struct {
	operation string
	asked     bool
	rounds    int
	err       error
}

func (c *closer) Reflect(ctx context.Context, loop, operation string, _ loopstate.CloseInput, ask loops.AskRounds) (loops.Reflected, error) {
	c.operation = operation
	if ask != nil {
		c.asked = true
		if c.rounds, c.err = ask(ctx, loops.RoundsQuestion{Round: 8, Least: 9, Most: 15}); c.err != nil {
			return loops.Reflected{}, c.err
		}
	}
	return loops.Reflected{StateID: loop}, nil
}

type asker struct {
	answer Answer
	err    error
	no     bool
	about  string
}

func (a asker) Ask(context.Context, Question) (Answer, error) { return a.answer, a.err }
func (a asker) Operation() string                             { return "op" }
func (a asker) Declined() bool                                { return a.no }
func (a asker) About() string                                 { return a.about }

func TestLoopReflectAsks(t *testing.T) {
	full := map[string]any{"rounds": 12.0}
	for _, tt := range []struct {
		name string
		ctx  func(context.Context) context.Context
		want closer
		fail bool
	}{
		{"a client without forms", func(ctx context.Context) context.Context { return ctx }, closer{}, false},
		{"confirmed", func(ctx context.Context) context.Context {
			return WithAsker(ctx, asker{answer: Answer{Accepted: true, Content: full}})
		}, closer{"op", true, 12, nil}, false},
		{"declined", func(ctx context.Context) context.Context {
			return WithAsker(ctx, asker{answer: Answer{Content: full}, no: true})
		}, closer{"op", true, 0, nil}, false},
		{"an empty form", func(ctx context.Context) context.Context {
			return WithAsker(ctx, asker{answer: Answer{Accepted: true}})
		}, closer{"op", true, 0, nil}, false},
		{"asked with the result", func(ctx context.Context) context.Context { return WithAsker(ctx, asker{err: ErrAsked}) }, closer{"op", true, 0, ErrAsked}, true},
		{"cancelled", func(ctx context.Context) context.Context { return WithAsker(ctx, asker{err: context.Canceled}) }, closer{"op", true, 0, context.Canceled}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var log strings.Builder
			d := &definer{logger: slog.New(slog.NewTextHandler(&log, nil))}
			got := &closer{}
			tool := loopReflect(d, got)
			var req mcp.CallToolRequest
			req.Params.Arguments = map[string]any{"state_id": "x"}
			result, err := tool.Handler(tt.ctx(t.Context()), req)
			if err != nil || len(d.faults) > 0 {
				t.Fatal(err, d.faults)
			}
			same := cmp.Comparer(func(a, b error) bool { return errors.Is(a, b) })
			if diff := cmp.Diff(tt.want, *got, cmp.AllowUnexported(closer{}), same); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
			if result.IsError != tt.fail {
				t.Errorf("result %+v", result)
			}
			if told := strings.Contains(result.Content[0].(mcp.TextContent).Text, "the user was asked and declined"); told != (tt.name == "declined") {
				t.Errorf("the host is told of a refusal: %v", told)
			}
			if log.Len() > 0 {
				t.Errorf("the log has %s", log.String())
			}
		})
	}
}
