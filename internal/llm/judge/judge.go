package judge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/internal/llm"
)

// Limits of one Opine. An answer has about 150 tokens and takes a hosted model one to three seconds, so that four at
// once answer 40 questions in the time of a tool call; reasoning models need the rest of the 2,000 tokens.
const (
	maxTime      = 18 * time.Second // a tool call ends within 25 s and has more to do
	maxClaims    = 40
	answerTime   = 12 * time.Second
	answerTokens = 2_000
	reserve      = time.Second // left of the caller's deadline: its answer must still be written
)

// schema is the shape of an answer. The verdict is last, so that the model gives its reason and its words first.
const schema = `{"type":"object","properties":{
"because":{"type":"string","description":"one sentence of at most 30 words"},
"passage":{"type":"string","description":"the label of the deciding passage, such as P1, or empty"},
"quote":{"type":"string","description":"words of that passage, copied letter for letter, or empty"},
"verdict":{"type":"string","enum":["supported","partly","not_supported","contradicted","cannot_tell"]}
},"required":["because","passage","quote","verdict"],"additionalProperties":false}`

// Judge asks one model. It is safe for concurrent use.
type Judge struct {
	client      *llm.Client
	concurrency int
}

// New checks the configuration; errors are [*llm.ConfigError]. Zero fields get defaults for short answers.
func New(cfg llm.Config) (*Judge, error) {
	if cfg.AnswerTokens == 0 {
		cfg.AnswerTokens = answerTokens
	}
	if cfg.AnswerTime == 0 {
		cfg.AnswerTime = answerTime
	}
	if cfg.MaxConcurrent == 0 {
		cfg.MaxConcurrent = 4
	}
	client, err := llm.New(cfg)
	if err != nil {
		return nil, err
	}
	return &Judge{client, cfg.MaxConcurrent}, nil
}

// String names the model and the host.
func (j *Judge) String() string { return j.client.String() }

// Opine asks the questions, a few at once. Every question gets an opinion, in order; what failed or was not asked says
// why. The error is that of ctx, or an [*llm.Error] that no other question would escape. Opine ends within 18 s, and a
// second before the deadline of ctx.
func (j *Judge) Opine(ctx context.Context, questions []Question) ([]Opinion, llm.Usage, error) {
	end := time.Now().Add(maxTime)
	if own, ok := ctx.Deadline(); ok && own.Add(-reserve).Before(end) {
		end = own.Add(-reserve)
	}
	limited, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	r := &run{judge: j}
	opinions := make([]Opinion, len(questions))
	asked := 0
	var g errgroup.Group
	g.SetLimit(j.concurrency)
	for i, q := range questions {
		p := newPrompt(q)
		switch {
		case len(p.shown) == 0:
			opinions[i] = Opinion{Skipped: "no passage to judge by"}
			continue
		case asked == maxClaims:
			opinions[i] = Opinion{Skipped: fmt.Sprintf("more than %d claims in one call", maxClaims)}
			continue
		}
		asked++
		g.Go(func() error {
			opinions[i] = r.opinion(limited, q, p)
			return nil
		})
	}
	_ = g.Wait() // each outcome is in its opinion
	switch {
	case ctx.Err() != nil:
		return opinions, r.usage, fmt.Errorf("asking the model: %w", ctx.Err())
	case r.stop != nil && r.stop.Permanent():
		return opinions, r.usage, r.stop
	}
	return opinions, r.usage, nil
}

// run is one Opine.
type run struct {
	judge *Judge

	mu    sync.Mutex
	usage llm.Usage
	stop  *llm.Error // no further question is asked
}

// opinion asks one question and checks the answer.
func (r *run) opinion(ctx context.Context, q Question, p prompt) Opinion {
	r.mu.Lock()
	stop := r.stop
	r.mu.Unlock()
	switch {
	case stop != nil:
		return Opinion{Skipped: stop.Error()}
	case ctx.Err() != nil:
		return Opinion{Skipped: ended(ctx)}
	}
	got, err := r.judge.client.Complete(ctx, llm.Request{
		Messages: []llm.Message{{Role: llm.RoleSystem, Text: p.system}, {Role: llm.RoleUser, Text: p.user}},
		Schema:   &llm.Schema{Name: "opinion", JSON: json.RawMessage(schema)},
	})
	r.count(got.Usage, err)
	o := Opinion{Format: got.Format}
	switch {
	case ctx.Err() != nil && got.Format == "":
		o.Skipped = ended(ctx)
	case ctx.Err() != nil:
		o.Failure = ended(ctx) + " before the endpoint answered"
	case err != nil:
		o.Failure = err.Error()
	case got.Truncated:
		o.Failure = "the answer reached its token limit"
	default:
		a, err := readAnswer(got.Text)
		if err != nil {
			o.Failure = err.Error()
			break
		}
		format := o.Format
		o = a.opinion(p)
		o.Format = format
		if _, failure := examine(q, o); failure != "" {
			o = Opinion{Failure: failure, Format: format}
		}
	}
	return o
}

// count adds what a question has cost. An error that every other question would meet ends the run.
func (r *run) count(spent llm.Usage, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.usage = r.usage.Plus(spent)
	if e, ok := errors.AsType[*llm.Error](err); ok && r.stop == nil && (e.Permanent() || e.Code == llm.CodeRateLimit) {
		r.stop = e
	}
}

func ended(ctx context.Context) string {
	if errors.Is(ctx.Err(), context.Canceled) {
		return "the call was cancelled"
	}
	return "the time was up"
}
