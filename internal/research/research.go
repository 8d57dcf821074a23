// Package research is a host agent: it drives a research loop over MCP with any model that has an OpenAI-compatible endpoint. It
// serves people without a host and is an example of one. It knows only the server's tools and prompts.
//
// In each round, one searcher per angle has its own conversation with the model, in parallel with the others and without seeing
// them. The synthesizer writes claims, which are verified before they are recorded. The critic names gaps or signs off, and
// loop_reflect closes the round. The server, not the model, decides when to stop. Then a text is written, checked, corrected or
// shortened, and reported.
//
// The server is trusted, the model is not: an answer that cannot be read is asked for once more and then counts as a failure, and
// the report contains no line that failed the check.
//
// All state is in the loop. Each step ends with a call whose operation id names it, so a run that resumes the loop finds the steps
// that are done, and a repeated call takes effect once.
package research

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/citeloop/citeloop/internal/llm"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// Config configures a run. Server, Model, Now and one of Question and Resume are required.
type Config struct {
	Question string
	Resume   string   // id of the loop to continue; else a new one
	Channels []string // default "auto": the server chooses for each query
	Budget   Budget
	Prices   Prices
	OutDir   string // folder of the report; created if missing

	Server *Server
	Model  *llm.Client
	Out    io.Writer // receives a line for every step; nil: none
	Now    func() time.Time
}

// Budget limits a run; zero is the server's default. The server keeps it, from the usage that is reported after each step. A fifth
// is reserved for the text.
type Budget struct {
	Rounds  int
	Tokens  int // default DefaultTokens
	CostUSD float64
	Time    time.Duration
}

// DefaultTokens is enough for two rounds at the limits of conversations: a loop ends after two sign-offs in a row.
const DefaultTokens = 440_000

// Prices are US dollars per million tokens. Without them costs are unknown.
type Prices struct{ In, Out float64 }

func (p Prices) of(t llm.Usage) float64 {
	return (p.In*float64(t.Prompt) + p.Out*float64(t.Completion)) / 1e6
}

// Check validates the configuration.
func (c Config) Check() error {
	b := c.Budget
	switch {
	case strings.TrimSpace(c.Question) == "" && c.Resume == "":
		return errors.New("the question is empty: give one, or a loop to resume")
	case min(b.CostUSD, c.Prices.In, c.Prices.Out) < 0 || min(b.Rounds, b.Tokens) < 0 || b.Time < 0:
		return errors.New("rounds, tokens, cost, price or time: a value is negative; leave it out for the default")
	case b.CostUSD > 0 && c.Prices == Prices{}:
		return errors.New("a limit of the cost needs prices: give those of a million input and output tokens")
	}
	return nil
}

// Result is the result of a run, even of a failed one.
type Result struct {
	StateID   string
	Sentences int // of the text
	Supported int // of these, those that a reader found supported
	Invented  int // citations of unread sources, which the report omits
	Dropped   int // unsupported claims and lines, which the report omits
	Failures  int // answers of the model that could not be used
	Tokens    llm.Usage
	CostUSD   float64 // 0 without prices
	Files     []string
}

// UnsupportedError is the error of a run in which no sentence passed.
type UnsupportedError struct{}

func (e *UnsupportedError) Error() string {
	return "nothing was written: no sentence is supported by text that was read"
}

// decision is the server's.
type decision struct {
	NextAction string   `json:"next_action"`
	Queries    []string `json:"next_queries"`
	NextURLs   []string `json:"next_urls_to_fetch"`
	StopReason string   `json:"stop_reason"`
	Rule       string   `json:"rule"`
	Target     string   `json:"target"`
}

// claim is one sentence with its sources.
type claim struct {
	Claim     string   `json:"claim"`
	SourceIDs []string `json:"source_ids"`
}

// run is one run.
type run struct {
	Config
	id, question string
	closed       int // rounds
	signedOff    bool
	decision     decision
	claims       []claim         // on record
	done         map[string]bool // steps in the loop's log
	mu           sync.Mutex      // guards the output, the decision and the result: searchers run in parallel
	result       Result
}

// Run researches a question. The loop keeps the progress even if the run fails or ctx is cancelled.
func Run(ctx context.Context, cfg Config) (Result, error) {
	if err := cfg.Check(); err != nil {
		return Result{}, err
	}
	if len(cfg.Channels) == 0 {
		cfg.Channels = []string{"auto"}
	}
	cfg.Budget.Tokens = cmp.Or(cfg.Budget.Tokens, DefaultTokens)
	r := &run{Config: cfg, done: map[string]bool{}}
	err := r.research(ctx)
	if err == nil {
		err = r.write(ctx)
	}
	r.result.StateID, r.result.CostUSD = r.id, cfg.Prices.of(r.result.Tokens)
	return r.result, err
}

// research runs rounds until the server decides to stop, or the time is up.
func (r *run) research(ctx context.Context) error {
	limited, cancel := ctx, context.CancelFunc(func() {})
	if r.Budget.Time > 0 {
		limited, cancel = context.WithTimeout(ctx, r.Budget.Time*4/5)
	}
	defer cancel()
	begin := r.start
	if r.Resume != "" {
		begin = r.resume
	}
	err := begin(ctx)
	for stop := false; err == nil; {
		if stop, err = r.stops(ctx); err != nil || stop {
			return err
		}
		if err = r.round(limited); err != nil && limited.Err() != nil && ctx.Err() == nil {
			return nil
		}
	}
	return err
}

func (r *run) start(ctx context.Context) error {
	limits := args{"tokens": r.Budget.Tokens * 4 / 5}
	if r.Budget.Rounds > 0 {
		limits["rounds"] = r.Budget.Rounds
	}
	if r.Budget.CostUSD > 0 {
		limits["cost_usd"] = r.Budget.CostUSD * 4 / 5
	}
	if r.Budget.Time > 0 {
		limits["latency_seconds"] = max(1, int((r.Budget.Time * 4 / 5).Seconds()))
	}
	var out struct {
		StateID  string `json:"state_id"`
		Decision decision
	}
	err := r.Server.Call(ctx, "loop_init", args{"query": r.Question, "budget": limits}, &out)
	r.id, r.question, r.decision = out.StateID, r.Question, out.Decision
	r.say("loop", "%s", r.id)
	return err
}

// resume reads the state, the claims and the steps of a loop.
func (r *run) resume(ctx context.Context) error {
	r.id = r.Resume
	for _, view := range []string{"claims", "events"} {
		for cursor, more := "", true; more; {
			var at struct {
				Query      string
				Round      int
				Decision   decision
				Claims     []claim
				Events     []struct{ Op string }
				NextCursor string `json:"next_cursor"`
			}
			in := args{"state_id": r.id, "view": view}
			if cursor != "" {
				in["cursor"] = cursor
			}
			if err := r.Server.Call(ctx, "loop_get_state", in, &at); err != nil {
				return err
			}
			r.question, r.closed, r.decision = cmp.Or(at.Query, r.Question), at.Round, at.Decision
			r.claims = append(r.claims, at.Claims...)
			for _, e := range at.Events {
				r.done[e.Op] = true
			}
			cursor, more = at.NextCursor, at.NextCursor != ""
		}
	}
	r.say("loop", "%s continues after %d rounds with %d claims", r.id, r.closed, len(r.claims))
	return nil
}

// stops reports whether the server's decision ends the research. Beyond some rounds the server requires the user's confirmation; a
// budget with more rounds is one.
func (r *run) stops(ctx context.Context) (bool, error) {
	if r.decision.NextAction == "escalate_budget" && r.Budget.Rounds > r.closed {
		if err := r.update(ctx, r.stepName("confirm"), llm.Usage{}, args{"confirm_rounds": r.Budget.Rounds}); err != nil {
			return false, err
		}
	}
	if r.decision.NextAction == "abort" {
		return false, fmt.Errorf("the loop was aborted: %s", sanitize.Short(r.decision.StopReason, 300))
	}
	return r.decision.NextAction == "finalize" || r.decision.NextAction == "escalate_budget", nil
}

func (r *run) stepName(step string) string { return fmt.Sprintf("research/r%d/%s", r.closed+1, step) }

// step runs a step that the loop's log does not have, and records what it returns with the cost of its conversation. An answer of
// the model that cannot be used is a step without results.
func (r *run) step(ctx context.Context, name string, t *talk, do func() (args, error)) error {
	if name = r.stepName(name); r.done[name] {
		return nil
	}
	more, err := do()
	if fatal(err) { // the step is not done, and its cost is known
		name, more = fmt.Sprintf("%s/cut/%d", name, r.Now().UnixNano()), nil
	} else if err != nil {
		r.failed(t.who, err.Error())
		err = nil
	}
	return errors.Join(err, r.update(context.WithoutCancel(ctx), name, t.used, more))
}

// update records the results and the cost of a step under its name.
func (r *run) update(ctx context.Context, name string, spent llm.Usage, more args) error {
	in := args{"state_id": r.id, "operation_id": name, "usage": args{"tokens": spent.Total(), "cost_usd": r.Prices.of(spent)}}
	maps.Copy(in, more)
	var out struct{ Decision decision }
	err := r.Server.Call(ctx, "loop_update", in, &out)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.result.Tokens = r.result.Tokens.Plus(spent); err == nil {
		r.decision = out.Decision
	}
	return err
}

// say writes a line.
func (r *run) say(who, format string, a ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.Out != nil {
		fmt.Fprintf(r.Out, "  %-14s %s\n", who, sanitize.Short(fmt.Sprintf(format, a...), 400))
	}
}

// failed counts and reports an answer of the model that could not be used.
func (r *run) failed(who, why string) {
	r.say(who, "✗ %s", why)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.result.Failures++
}
