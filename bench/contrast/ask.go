package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/citeloop/citeloop/bench/claimset"
)

const instructions = `You check whether a text says what a claim says. Use the text only, not your own knowledge.
Compare numbers, units, negations, names, roles, speakers, order in time, conditions, and how certain the text is.
Answer with one JSON object and nothing else: {"status": "grounded"} if the text says all of the claim,
{"status": "unsupported"} if the text contradicts the claim or does not say it, {"status": "inferred"} if you cannot tell.`

var statuses = []string{"grounded", "inferred", "unsupported"}

// askModel asks an OpenAI-compatible endpoint about each claim and calls write with each answer as it arrives.
// It stops at the first error.
func askModel(ctx context.Context, s claimset.Set, url, key, model string, parallel int, write func(said) error) error {
	client := openai.NewClient(option.WithBaseURL(url), option.WithAPIKey(key), option.WithMaxRetries(4))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	texts := s.Texts()
	queue := make(chan claimset.Claim)
	var writing sync.Mutex
	var workers sync.WaitGroup
	for range parallel {
		workers.Go(func() {
			for c := range queue {
				status, err := askOne(ctx, client, model, texts[c.SourceIDs[0]], c.Claim)
				if err == nil {
					writing.Lock()
					err = write(said{ID: c.ID, Status: status})
					writing.Unlock()
				}
				if err != nil {
					cancel(fmt.Errorf("%s: %w", c.ID, err))
				}
			}
		})
	}
feed:
	for _, c := range s.Claims {
		select {
		case queue <- c:
		case <-ctx.Done():
			break feed
		}
	}
	close(queue)
	workers.Wait()
	return context.Cause(ctx)
}

func askOne(ctx context.Context, client openai.Client, model, text, sentence string) (string, error) {
	answer, err := client.Chat.Completions.New(ctx, openai.ChatCompletionNewParams{
		Model:       model,
		Temperature: openai.Float(0),
		Messages: []openai.ChatCompletionMessageParamUnion{
			openai.SystemMessage(instructions),
			openai.UserMessage("Text:\n" + text + "\n\nClaim:\n" + sentence),
		},
	})
	if err != nil {
		return "", err
	}
	if len(answer.Choices) == 0 {
		return "", errors.New("the endpoint returned no choices")
	}
	return parseStatus(answer.Choices[0].Message.Content)
}

// parseStatus reads the last JSON object of an answer, which may be preceded by reasoning or be in a code block.
func parseStatus(answer string) (string, error) {
	var v said
	start, end := strings.LastIndex(answer, "{"), strings.LastIndex(answer, "}")
	if start >= 0 && end > start && json.Unmarshal([]byte(answer[start:end+1]), &v) == nil && slices.Contains(statuses, v.Status) {
		return v.Status, nil
	}
	return "", fmt.Errorf("unexpected answer: %q", answer)
}
