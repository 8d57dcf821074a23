package demo

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/text/quote"
)

// reader is the recorded second reader.
type reader struct {
	By      string
	Answers []recordedAnswer
}

// recordedAnswer is an answer about a sentence; By names another reader.
type recordedAnswer struct{ Claim, Answer, Quote, By string }

// answer is one that is sent to the server.
type answer struct {
	Item   string `json:"item"`
	Answer string `json:"answer"`
	Quote  string `json:"quote"`
}

// reviewBatch is an answer of review_claims.
type reviewBatch struct {
	Batch, Status string
	Items         []struct {
		Item, Claim string
		Passages    []string
	}
	Left    int
	Changed []struct{ Claim, To string }
}

// read answers the batches of the server, and returns the claims that it then refused.
func (p *player) read(ctx context.Context) (refused []string, err error) {
	for range maxRounds {
		var batch, counted reviewBatch
		if err := p.call(ctx, "review_claims", args{"limit": 40}, &batch); err != nil {
			return nil, err
		}
		var given []answer
		for i, shown := range batch.shown() {
			a := p.reader.answer(batch.Items[i].Claim, shown)
			a.Item = batch.Items[i].Item
			given = append(given, a)
		}
		if err := p.call(ctx, "review_claims", args{"batch": batch.Batch, "answers": given}, &counted); err != nil {
			return nil, err
		}
		if counted.Status != "counted" {
			return nil, fmt.Errorf("the recorded reader does not fit this version of citeloop: batch %s is %s, %d items left",
				batch.Batch, counted.Status, counted.Left)
		}
		for _, c := range counted.Changed {
			if c.To == "unsupported" {
				refused = append(refused, c.Claim)
			}
		}
		if counted.Left == 0 {
			break
		}
	}
	return refused, nil
}

// shown returns the texts of each item's passages, which are in full with their first item.
func (b reviewBatch) shown() [][]string {
	out := make([][]string, len(b.Items))
	texts := map[string]string{}
	for i, it := range b.Items {
		for _, passage := range it.Passages {
			head, text, whole := strings.Cut(passage, "\n")
			place, _, _ := strings.Cut(head, " ")
			if place = strings.TrimSuffix(place, ","); whole {
				texts[place] = text
			}
			out[i] = append(out[i], texts[place])
		}
	}
	return out
}

// of returns the recorded answer about a sentence, or nil.
func (r *reader) of(claim string) *recordedAnswer {
	for i := range r.Answers {
		if bare(r.Answers[i].Claim) == bare(claim) {
			return &r.Answers[i]
		}
	}
	return nil
}

// answer returns the recorded answer for an item. For a test item, a sentence of the texts or one beside other lines, it compares
// words; a reader has to know what a sentence means.
func (r *reader) answer(claim string, passages []string) answer {
	recorded := r.of(claim)
	if recorded != nil && recorded.Quote == "" {
		return answer{Answer: recorded.Answer}
	}
	out := answer{Answer: "supported", Quote: claim}
	if recorded != nil {
		out = answer{Answer: recorded.Answer, Quote: recorded.Quote}
	}
	if !slices.ContainsFunc(passages, func(text string) bool {
		grade, _ := quote.Find(out.Quote, text)
		return grade == quote.Exact || grade == quote.Normalised
	}) {
		return answer{Answer: "not_stated"}
	}
	return out
}

// said returns what the reader said about a sentence.
func (r *reader) said(claim string) string {
	a := r.of(claim)
	if a == nil {
		return ""
	}
	out := strings.Replace(a.Answer, "not_stated", "not in the source", 1)
	if a.Quote != "" {
		out += fmt.Sprintf(": %q", a.Quote)
	}
	if a.By != "" {
		out += " (answer of " + a.By + ")"
	}
	return out
}
