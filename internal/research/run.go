package research

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"

	"github.com/citeloop/citeloop/internal/llm"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// Result is the result of a run, even of a failed one.
type Result struct {
	StateID    string
	Rounds     int // closed in all
	Sources    int // read
	Claims     int // on record at the end
	Sentences  int // of the text, each citing text that was read
	Supported  int // of these, those that a reader found supported
	Invented   int // citations of unread sources, which the report omits
	Dropped    int // unsupported claims and sentences, which the report omits
	Failures   int // answers of the model that could not be used
	Tokens     llm.Usage
	CostUSD    float64 // 0 without prices
	StopReason string  // of the loop
	Files      []string
}

// UnsupportedError is the error of a run in which no sentence passed.
type UnsupportedError struct{ Why string }

func (e *UnsupportedError) Error() string { return "nothing was written: " + e.Why }

// run is one run.
type run struct {
	Config
	ledger *ledger

	id       string
	question string
	closed   int // rounds
	decision decision
	claims   []claim           // on record and not refuted
	known    map[string]string // titles of the sources by id
	changed  string            // what the model is told of changes at the sources

	mu     sync.Mutex // guards the fields below: searchers run in parallel
	inside bool       // a round is running
	marks  map[string]bool
	result Result
}

// Run researches a question. The loop keeps the progress even if the run fails or ctx is cancelled, and the next run
// continues from there.
func Run(ctx context.Context, cfg Config) (Result, error) {
	cfg, err := cfg.completed()
	if err != nil {
		return Result{}, err
	}
	r := &run{Config: cfg, known: map[string]string{}, marks: map[string]bool{}}
	r.ledger = &ledger{prices: cfg.Prices, now: cfg.Now, reserve: cfg.Budget.reserved()}
	if cfg.Budget.CostUSD > 0 {
		r.ledger.reserveUSD = cfg.Budget.CostUSD / reserveShare
	}
	r.ledger.late = cfg.Budget.Time / reserveShare
	err = r.all(ctx)
	r.result.Tokens = r.ledger.total
	r.result.CostUSD = cfg.Prices.of(r.result.Tokens)
	return r.result, err
}

func (r *run) all(ctx context.Context) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	for {
		stop, err := r.stops(ctx)
		if err != nil {
			return err
		}
		if stop {
			return r.finish(ctx)
		}
		if err := r.round(ctx); err != nil {
			return err
		}
	}
}

// stops reports whether the server's decision ends the loop. Beyond eight rounds the server requires the user's
// confirmation; a budget with more rounds counts as one.
func (r *run) stops(ctx context.Context) (bool, error) {
	if r.decision.Rule == criticReadsDraft {
		r.result.StopReason = "the research is done, and a critic reads the text"
		return true, nil
	}
	switch r.decision.NextAction {
	case finalize:
		r.result.StopReason = r.decision.StopReason
		return true, nil
	case abort:
		return true, fmt.Errorf("the loop was aborted: %s", sanitize.Short(r.decision.StopReason, 300))
	case escalateBudget:
		if r.Budget.Rounds <= r.closed {
			r.result.StopReason = fmt.Sprintf("%d rounds are closed, and no more were requested", r.closed)
			return true, nil
		}
		r.say(Step, "rounds", "%d were requested, more than run without confirmation: confirmed", r.Budget.Rounds)
		if err := r.update(ctx, "confirm", llm.Usage{}, args{"confirm_rounds": r.Budget.Rounds}); err != nil {
			return true, err
		}
		return r.decision.NextAction == finalize || r.decision.NextAction == escalateBudget, nil
	}
	return false, nil
}

// say reports an event. Calls do not overlap.
func (r *run) say(kind Kind, who, format string, a ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e := Event{Kind: kind, Who: who, Text: sanitize.Short(fmt.Sprintf(format, a...), 400)}
	if r.inside {
		e.Round = r.closed + 1
	}
	r.OnEvent(e)
}

// failed counts and reports an answer of the model that could not be used.
func (r *run) failed(who, format string, a ...any) {
	r.count(&r.result.Failures)
	r.say(Refused, who, format, a...)
}

// count adds one to a counter of the result.
func (r *run) count(counter *int) {
	r.mu.Lock()
	*counter++
	r.mu.Unlock()
}

// decide takes a decision of the server.
func (r *run) decide(d decision) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.decision = d
}

// operation returns the name of a step in the loop's log. A repeated step has its own name.
func (r *run) operation(step string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := opPrefix + step
	for n := 2; r.marks[name]; n++ {
		name = fmt.Sprintf("%s%s/%d", opPrefix, step, n)
	}
	r.marks[name] = true
	return name
}

const opPrefix = "research/"

// forget frees the name of a step that the server did not record.
func (r *run) forget(step string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.marks, opPrefix+step)
}

// done reports whether a step is in the loop's log.
func (r *run) done(step string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.marks[opPrefix+step]
}

// inRound names a step of the current round.
func (r *run) inRound(step string) string { return fmt.Sprintf("r%d/%s", r.closed+1, step) }

// update ends a step: it records its results and cost under its name.
func (r *run) update(ctx context.Context, step string, spent llm.Usage, more args) error {
	in := args{"state_id": r.id, "operation_id": r.operation(step)}
	maps.Copy(in, more)
	if spent.Total() > 0 {
		in["usage"] = args{"tokens": spent.Total(), "cost_usd": r.Prices.of(spent)}
	}
	var out struct {
		Remaining remaining `json:"budget_remaining"`
		Decision  decision  `json:"decision"`
	}
	if err := r.Server.callTwice(ctx, "loop_update", in, &out); err != nil {
		return err
	}
	r.ledger.reported(spent, out.Remaining)
	r.decide(out.Decision)
	return nil
}

// cutShort reports the usage of an unfinished step, also of a cancelled run. Its own error is only logged.
func (r *run) cutShort(ctx context.Context, step string, m *meter) {
	spent := m.take()
	if spent.Total() == 0 {
		return
	}
	if err := r.update(context.WithoutCancel(ctx), step+"/cut", spent, nil); err != nil {
		r.Logger.WarnContext(ctx, "usage was not reported", "step", step, "error", err)
	}
}

// ends reports whether an error ends the run. An unusable answer of the model does not.
func ends(err error) bool {
	if e, ok := errors.AsType[*llm.Error](err); ok {
		switch e.Code {
		case llm.CodeBadAnswer, llm.CodeTooLong, llm.CodeFiltered, llm.CodeRefused:
			return false
		}
	}
	return err != nil
}

// temporary reports whether the endpoint may answer later.
func temporary(err error) bool {
	e, ok := errors.AsType[*llm.Error](err)
	return ok && (e.Code == llm.CodeUnavailable || e.Code == llm.CodeRateLimit)
}
