// Package reader asks a model to read review items: claims with passages. The model sees nothing else. This package does not judge
// the answers: the caller compares them with test items.
//
// Each request has a few items, and requests run in parallel. Passages are untrusted text between fence lines that their authors
// cannot know. A missing answer is never guessed.
package reader

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/openai/openai-go"
	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/internal/llm"
)

const (
	itemsPerRequest = 4
	parallel        = 4
	reserve         = time.Second // remaining until the caller's deadline, to record the answers
)

// Item is one claim to read.
type Item struct {
	ID       string
	Claim    string
	Passages []Passage
}

// Passage is a part of a source's text, and the heading above it.
type Passage struct{ Heading, Text string }

// Answer is what the model answered to an item: supported, partly, contradicted or not_stated.
type Answer struct{ Item, Answer, Quote string }

// Reading is the result of a Read.
type Reading struct {
	Answers []Answer // in the order of the items; items without an answer are missing
	Problem string   // why items are missing, for people; empty if all are answered
	Usage   llm.Usage
}

// Reader asks one model. It is safe for concurrent use.
type Reader struct{ *llm.Client }

// New checks the configuration; errors are [*llm.ConfigError]. It sends nothing.
func New(cfg llm.Config) (*Reader, error) {
	client, err := llm.New(cfg)
	return &Reader{client}, err
}

// Read asks about the items, and once more, one by one, about those that the model did not answer. It ends a second before the deadline of ctx. The
// error is that of a cancelled ctx; all other failures are in Reading.Problem.
func (r *Reader) Read(ctx context.Context, items []Item) (Reading, error) {
	limited, cancel := ctx, context.CancelFunc(func() {})
	if end, ok := ctx.Deadline(); ok {
		limited, cancel = context.WithDeadline(ctx, end.Add(-reserve))
	}
	defer cancel()
	answers := map[string]Answer{}
	var out Reading
	var last, stopped error // of an answer that cannot be used; that no request can succeed
	for _, size := range []int{itemsPerRequest, 1} {
		var mu sync.Mutex
		g, within := errgroup.WithContext(limited)
		g.SetLimit(parallel)
		left := slices.DeleteFunc(slices.Clone(items), func(it Item) bool { return answers[it.ID].Answer != "" })
		for part := range slices.Chunk(left, size) {
			g.Go(func() error {
				got, used, err := r.request(within, part)
				mu.Lock()
				defer mu.Unlock()
				out.Usage = out.Usage.Plus(used)
				for _, a := range got {
					answers[a.Item] = a
				}
				if e, ok := errors.AsType[*llm.Error](err); ok && e.Code != llm.CodeAnswer {
					return e
				}
				last = cmp.Or(last, err)
				return nil
			})
		}
		if stopped = g.Wait(); errors.Is(ctx.Err(), context.Canceled) {
			return out, fmt.Errorf("asking the model: %w", ctx.Err())
		} else if stopped != nil {
			break
		}
	}
	for _, it := range items {
		if a, ok := answers[it.ID]; ok {
			out.Answers = append(out.Answers, a)
		}
	}
	switch {
	case len(out.Answers) == len(items):
	case limited.Err() != nil:
		out.Problem = "the time was up before the model had answered"
	case stopped != nil:
		out.Problem = stopped.Error()
	case last != nil:
		out.Problem = last.Error()
	default:
		out.Problem = "the model did not answer all items"
	}
	return out, nil
}

// request asks about a few items.
func (r *Reader) request(ctx context.Context, items []Item) ([]Answer, llm.Usage, error) {
	got, err := r.Complete(ctx, []llm.Message{openai.SystemMessage(instructions), openai.UserMessage(prompt(items))}, nil)
	if err != nil {
		return nil, got.Usage, err
	}
	answers, err := readAnswers(got.Text, items)
	return answers, got.Usage, err
}

// readAnswers finds the answers to items in the model's text. Unknown items and words are dropped, and so are two different answers
// to one item, because one of them may be copied from a passage.
func readAnswers(text string, items []Item) ([]Answer, error) {
	var got struct{ Answers []json.RawMessage }
	if err := llm.ReadObject(text, "answers", &got); err != nil {
		return nil, fmt.Errorf("the model's answer is not usable: %w", err)
	}
	given, differ := map[string]Answer{}, map[string]bool{}
	for _, raw := range got.Answers {
		var a Answer
		if json.Unmarshal(raw, &a) != nil {
			continue
		}
		a.Item, a.Answer, a.Quote = strings.TrimSpace(a.Item), answerOf(a.Answer), strings.TrimSpace(cut(a.Quote, maxPassageChars))
		if a.Answer == "" || !slices.ContainsFunc(items, func(it Item) bool { return it.ID == a.Item }) {
			continue
		}
		differ[a.Item] = differ[a.Item] || given[a.Item].Answer != "" && given[a.Item].Answer != a.Answer
		given[a.Item] = a
	}
	var out []Answer
	for _, it := range items {
		if a, ok := given[it.ID]; ok && !differ[it.ID] {
			out = append(out, a)
		}
	}
	return out, nil
}

// answerOf returns an answer in one spelling, or "".
func answerOf(word string) string {
	word = strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(word)))
	switch word {
	case "supported", "partly", "contradicted", "not_stated":
		return word
	case "partly_supported", "partially_supported":
		return "partly"
	case "not_supported", "unsupported":
		return "not_stated"
	}
	return ""
}
