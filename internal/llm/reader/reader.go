// Package reader asks a model to read review items: claims with passages. The model sees nothing else. This package
// does not judge the answers: the caller's referee compares them with planted errors.
//
// Each request has a few items, and requests run in parallel. Passages are untrusted text between fence lines that
// their authors cannot know. A missing answer is never guessed.
package reader

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/internal/llm"
)

// Limits of one Read. An answer has about 80 tokens an item; reasoning models need the rest.
const (
	itemsPerRequest = 4
	answerTokens    = 6_000
	concurrent      = 4
	reserve         = time.Second // remaining until the caller's deadline, to record the answers
)

// Reading is the result of a Read.
type Reading struct {
	Answers []Answer // in the order of the items; items without an answer are missing
	Problem string   // why items are missing, for people; empty if all are answered
	Usage   llm.Usage
}

// Reader asks one model. It is safe for concurrent use.
type Reader struct {
	client      *llm.Client
	model       string
	concurrency int
}

// New checks the configuration; errors are [*llm.ConfigError]. It sends nothing.
func New(cfg llm.Config) (*Reader, error) {
	if cfg.AnswerTokens == 0 {
		cfg.AnswerTokens = answerTokens
	}
	if cfg.MaxConcurrent == 0 {
		cfg.MaxConcurrent = concurrent
	}
	client, err := llm.New(cfg)
	if err != nil {
		return nil, err
	}
	return &Reader{client, cfg.Key.Redact(cfg.Model), cfg.MaxConcurrent}, nil
}

// Model returns the name of the model.
func (r *Reader) Model() string { return r.model }

// String names the model and the host.
func (r *Reader) String() string { return r.client.String() }

// Read asks about the items, and once more about those that the model skipped. It ends a second before the deadline of
// ctx. The error is that of a cancelled ctx; all other failures are in Reading.Problem.
func (r *Reader) Read(ctx context.Context, items []Item) (Reading, error) {
	limited := ctx
	if end, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		limited, cancel = context.WithDeadline(ctx, end.Add(-reserve))
		defer cancel()
	}
	run := &run{reader: r, answers: map[string]Answer{}}
	run.ask(limited, items)
	if left := run.left(items); len(left) > 0 && len(left) < len(items) {
		run.ask(limited, left)
	}
	out := Reading{Usage: run.usage}
	for _, it := range items {
		if a, ok := run.answers[it.ID]; ok {
			out.Answers = append(out.Answers, a)
		}
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		return out, fmt.Errorf("asking the model: %w", ctx.Err())
	}
	if len(out.Answers) < len(items) {
		out.Problem = run.problem
		if limited.Err() != nil && run.stop == nil {
			out.Problem = "the time was up before the model had answered"
		}
	}
	return out, nil
}

// run is one Read.
type run struct {
	reader *Reader

	mu      sync.Mutex
	answers map[string]Answer
	usage   llm.Usage
	stop    *llm.Error // no further request can succeed
	problem string     // of the last request that failed
}

// left returns the items without an answer.
func (r *run) left(items []Item) []Item {
	return slices.DeleteFunc(slices.Clone(items), func(it Item) bool { _, ok := r.answers[it.ID]; return ok })
}

func (r *run) ask(ctx context.Context, items []Item) {
	var g errgroup.Group
	g.SetLimit(r.reader.concurrency)
	for part := range slices.Chunk(items, itemsPerRequest) {
		g.Go(func() error {
			r.request(ctx, part)
			return nil
		})
	}
	_ = g.Wait() // each outcome is in the run
}

// request asks about a few items.
func (r *run) request(ctx context.Context, items []Item) {
	r.mu.Lock()
	stopped := r.stop != nil
	r.mu.Unlock()
	if stopped || ctx.Err() != nil {
		return
	}
	got, err := r.reader.client.Complete(ctx, llm.Request{
		Messages: []llm.Message{{Role: llm.RoleSystem, Text: instructions}, {Role: llm.RoleUser, Text: prompt(items)}},
		Schema:   &llm.Schema{Name: "readings", JSON: json.RawMessage(schema)},
	})
	var answers []Answer
	if err == nil {
		answers, err = readAnswers(got.Text, items)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.usage = r.usage.Plus(got.Usage)
	for _, a := range answers {
		r.answers[a.Item] = a
	}
	switch {
	case err != nil:
		r.problem = err.Error()
	case len(answers) < len(items):
		r.problem = "the model did not answer all items"
	}
	if e, ok := errors.AsType[*llm.Error](err); ok && r.stop == nil && (e.Permanent() || e.Code == llm.CodeRateLimit) {
		r.stop = e
	}
}
