package judge

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/openai/openai-go/v3"
	"golang.org/x/sync/errgroup"
)

// reserve is what is left of the caller's own deadline when judging ends: its answer must still be written.
const reserve = time.Second

// Opine asks the questions, in order of the list, a few at once. The opinions stand in the same order; each
// question has one, be it a failure or a word on why nothing was asked, also beside an error. The error is the
// caller's context's, or an [*EndpointError] when the endpoint cannot be used as it is configured; the questions
// behind it were not asked then. Opine ends within Config.Timeout, and a second before the deadline of ctx.
func (j *Judge) Opine(ctx context.Context, questions []Question) ([]Opinion, Usage, error) {
	limited, cancel := j.limited(ctx)
	defer cancel()
	r := &run{judge: j, caller: ctx}
	opinions := make([]Opinion, len(questions))
	asked := 0
	var g errgroup.Group
	g.SetLimit(j.cfg.MaxConcurrent)
	for i, q := range questions {
		p := newPrompt(q)
		switch {
		case len(p.shown) == 0:
			opinions[i] = Opinion{Skipped: "there is no passage to judge by"}
			continue
		case asked == j.cfg.MaxClaims:
			opinions[i] = Opinion{Skipped: fmt.Sprintf("at most %d claims are judged in a call", j.cfg.MaxClaims)}
			continue
		}
		asked++
		g.Go(func() error {
			opinions[i] = r.opinion(limited, q, p)
			return nil
		})
	}
	_ = g.Wait() // each outcome is in its opinion
	for _, o := range opinions {
		switch {
		case o.Skipped != "":
			r.usage.Skipped++
		case o.Failure != "":
			r.usage.Failed++
		default:
			r.usage.Answered++
		}
	}
	return opinions, r.usage, r.err(ctx)
}

func (j *Judge) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	end := time.Now().Add(j.cfg.Timeout)
	if own, ok := ctx.Deadline(); ok && own.Add(-reserve).Before(end) {
		end = own.Add(-reserve)
	}
	return context.WithDeadline(ctx, end)
}

// run is one Opine.
type run struct {
	judge  *Judge
	caller context.Context

	mu    sync.Mutex
	usage Usage
	final *failure // the endpoint cannot be used
}

func (r *run) err(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("judge: %w", err)
	}
	if r.final != nil {
		return &EndpointError{Host: r.judge.host, Problem: r.final.message}
	}
	return nil
}

// opinion asks one question and examines the answer.
func (r *run) opinion(ctx context.Context, q Question, p prompt) Opinion {
	select {
	case r.judge.slots <- struct{}{}:
		defer func() { <-r.judge.slots }()
	case <-ctx.Done():
		return Opinion{Skipped: r.ended()}
	}
	o := r.ask(ctx, p)
	if o.Failure == "" && o.Skipped == "" {
		if _, failure := examine(q, o); failure != "" {
			o = Opinion{Failure: failure, Format: o.Format}
		}
	}
	return o
}

// ask sends a prompt until there is an answer, or a reason to stop: at most 1 + maxRetries requests that failed,
// and one more for each part of the dialect that the endpoint does not know.
func (r *run) ask(ctx context.Context, p prompt) Opinion {
	j := r.judge
	d := *j.dialect.Load()
	sent := false
	for retries := 0; ; {
		if why := r.closed(ctx); why != "" {
			if sent {
				return Opinion{Failure: why, Format: d.formatName()}
			}
			return Opinion{Skipped: why}
		}
		got, err := j.send(ctx, p, d)
		sent = true
		if err == nil {
			return r.read(got, p, d)
		}
		f := notAnswered(err)
		r.failed(f, p)
		if next, ok := d.next(f.refusal); ok {
			d = next
			continue
		}
		if f.final {
			r.stop(f)
		}
		wait := max(f.refusal.after, backoffBase<<retries)
		if f.retry && f.refusal.after > 0 {
			j.pace.holdOff(f.refusal.after)
		}
		if !f.retry || retries == maxRetries || !roomFor(ctx, wait) || sleep(ctx, wait) != nil {
			return Opinion{Failure: r.told(ctx, f), Format: d.formatName()}
		}
		retries++
	}
}

// closed says why no request may go out, "" for none.
func (r *run) closed(ctx context.Context) string {
	r.mu.Lock()
	final := r.final
	r.mu.Unlock()
	if final != nil {
		return final.message
	}
	late := r.judge.pace.enter(ctx)
	if late != "" && errors.Is(r.caller.Err(), context.Canceled) {
		return r.ended()
	}
	return late
}

// ended says which end of the context it was.
func (r *run) ended() string {
	if errors.Is(r.caller.Err(), context.Canceled) {
		return "the call was cancelled"
	}
	return timeIsUp
}

// told is a failure's message; of an attempt that the whole call's end cut short, the call's.
func (r *run) told(ctx context.Context, f *failure) string {
	switch {
	case ctx.Err() != nil && f.refusal.code == 0:
		return r.ended() + " before the endpoint answered"
	case f.refusal.after > 0:
		return fmt.Sprintf("%s; it asks to wait %s", f.message, f.refusal.after.Round(time.Second))
	}
	return f.message
}

// read turns a reply into an opinion. A dialect that led to a reply is the one to begin with from now on.
func (r *run) read(got reply, p prompt, d dialect) Opinion {
	j := r.judge
	text, spent, err := readCompletion(got.raw)
	r.answered(spent, p, text)
	if err == nil {
		j.dialect.Store(&d)
		var a answer
		if a, err = readAnswer(j.cfg.Key.redact(text)); err == nil {
			o := a.opinion(p, j.cfg.Key)
			o.Format = d.formatName()
			return o
		}
	}
	return Opinion{Failure: shortened(j.cfg.Key.redact(cleaned(err.Error(), maxAnswerChars)), maxReasonChars), Format: d.formatName()}
}

// mostTokensCounted bounds what one answer may add to the usage: a wrong number must not exhaust a budget.
const mostTokensCounted = 1_000_000

// answered counts the tokens of an answer, estimated where the endpoint does not tell them.
func (r *run) answered(told openai.CompletionUsage, p prompt, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.usage.Requests++
	count := func(told int64, estimate func() int) int {
		if told > 0 {
			return int(min(told, mostTokensCounted))
		}
		r.usage.Estimated = true
		return estimate()
	}
	r.usage.PromptTokens += count(told.PromptTokens, p.tokens)
	r.usage.CompletionTokens += count(told.CompletionTokens, func() int { return estimatedTokens(text) })
}

// failed counts a request without an answer.
func (r *run) failed(f *failure, p prompt) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.usage.Requests++
	if f.spent {
		r.usage.PromptTokens += p.tokens()
		r.usage.Estimated = true
	}
}

// stop ends the run: no request would succeed.
func (r *run) stop(f *failure) {
	r.mu.Lock()
	first := r.final == nil
	if first {
		r.final = f
	}
	r.mu.Unlock()
	if first {
		r.judge.cfg.Logger.LogAttrs(r.caller, slog.LevelWarn, "the judge cannot be used",
			slog.String("host", r.judge.host), slog.String("problem", f.message))
	}
}
