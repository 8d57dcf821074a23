// Package research is a host agent: it drives a research loop over MCP with any model that has an OpenAI-compatible endpoint. It
// serves people without a host and is an example of one. It knows only the server's tools and prompts.
//
// In each round, one searcher per angle has its own conversation with the model, in parallel with the others and without seeing
// them. The synthesizer records claims. The critic names gaps or signs off, which closes the round. The server, not the model,
// decides when to stop. Then a text is written, checked, corrected or shortened, and reported: it contains no line that failed.
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
	"strings"
	"sync"
	"time"

	"github.com/citeloop/citeloop/internal/llm"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// Config configures a run. All but Tokens, Rounds, Time, Searchers and one of Question and Resume are required.
type Config struct {
	Question string
	Resume   string   // id of the loop to continue; else a new one
	Channels []string // such as auto: the server chooses for each query
	OutDir   string   // folder of the report; created if missing
	// Limits, which the server keeps from the usage that is reported after each step; zero is its default. A fifth is reserved for
	// the text.
	Rounds    int
	Tokens    int // default DefaultTokens
	Time      time.Duration
	Searchers int // conversations at a time; default: one for each angle
	Server    *Server
	Model     *llm.Client
	Out       io.Writer // receives a line for every step
	Now       func() time.Time
}

// DefaultTokens is enough for two rounds at the limits of conversations: a loop ends after two sign-offs in a row.
const DefaultTokens = 440_000

// Result is the result of a run, even of a failed one.
type Result struct {
	StateID   string
	Sentences int // of the text
	Supported int // of these, those that a reader found supported
	Dropped   int // claims and lines that failed the check, which the report omits
	Tokens    int
	Files     []string
}

// ErrUnsupported is the error of a run in which no sentence passed.
var ErrUnsupported = errors.New("nothing was written: no sentence is supported by text that was read")

// decision is the server's.
type decision struct {
	NextAction string   `json:"next_action"`
	Queries    []string `json:"next_queries"`
	NextURLs   []string `json:"next_urls_to_fetch"`
	StopReason string   `json:"stop_reason"`
	Rule       string   `json:"rule"`
	Target     string   `json:"target"`
}

type run struct {
	Config
	id        string
	closed    int // rounds
	signedOff bool
	decision  decision
	done      map[string]bool // steps in the loop's log
	mu        sync.Mutex      // guards the output, the decision and the result: searchers run in parallel
	result    Result
}

// Run researches a question. The loop keeps the progress even if the run fails or ctx is cancelled.
func Run(ctx context.Context, cfg Config) (Result, error) {
	if strings.TrimSpace(cfg.Question) == "" && cfg.Resume == "" {
		return Result{}, errors.New("the question is empty: give one, or a loop to resume")
	}
	cfg.Tokens = cmp.Or(cfg.Tokens, DefaultTokens)
	r := &run{Config: cfg, done: map[string]bool{}}
	err := r.research(ctx)
	if err == nil {
		err = r.write(ctx)
	}
	r.result.StateID = r.id
	return r.result, err
}

// research runs rounds until the server decides to stop.
func (r *run) research(ctx context.Context) error {
	begin := r.start
	if r.Resume != "" {
		begin = r.resume
	}
	err := begin(ctx)
	for err == nil && r.decision.NextAction != "finalize" && r.decision.NextAction != "escalate_budget" {
		if r.decision.NextAction == "abort" {
			return fmt.Errorf("the loop was aborted: %s", sanitize.Short(r.decision.StopReason, 300))
		}
		err = r.round(ctx)
	}
	return err
}

func (r *run) start(ctx context.Context) error {
	limits := args{"tokens": r.Tokens * 4 / 5}
	if r.Rounds > 0 {
		limits["rounds"] = r.Rounds
	}
	if r.Time > 0 {
		limits["latency_seconds"] = max(1, int((r.Time * 4 / 5).Seconds()))
	}
	var out struct {
		StateID  string `json:"state_id"`
		Decision decision
	}
	_, err := r.Server.Call(ctx, "loop_init", args{"query": r.Question, "budget": limits}, &out)
	r.id, r.decision = out.StateID, out.Decision
	r.say("loop", "%s", r.id)
	return err
}

// resume reads the state of a loop and its steps.
func (r *run) resume(ctx context.Context) error {
	r.id = r.Resume
	in := args{"state_id": r.id, "view": "events"}
	for more := true; more; {
		var at struct {
			Round      int
			Decision   decision
			Events     []struct{ Op string }
			NextCursor string `json:"next_cursor"`
		}
		if _, err := r.Server.Call(ctx, "loop_get_state", in, &at); err != nil {
			return err
		}
		r.closed, r.decision = at.Round, at.Decision
		for _, e := range at.Events {
			r.done[e.Op] = true
		}
		in["cursor"], more = at.NextCursor, at.NextCursor != ""
	}
	r.say("loop", "%s continues after %d rounds", r.id, r.closed)
	return nil
}

func (r *run) say(who, format string, a ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(r.Out, "  %-14s %s\n", who, sanitize.Short(fmt.Sprintf(format, a...), 400))
}
