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
	Answers []struct{ Claim, Answer, Quote string }
}

// answer is one that is sent to the server.
type answer struct {
	Item   string `json:"item"`
	Answer string `json:"answer"`
	Quote  string `json:"quote"`
}

// read answers the batches of the server.
func (p *player) read(ctx context.Context) error {
	for left := 1; left > 0; {
		var batch struct {
			Batch string
			Items []struct {
				Item, Claim string
				Passages    []string
			}
		}
		if err := p.call(ctx, "review_claims", args{"limit": 40}, &batch); err != nil {
			return err
		}
		var given []answer
		texts := map[string]string{} // of the passages, by place: they are in full with their first item
		for _, it := range batch.Items {
			var shown []string
			for _, passage := range it.Passages {
				head, text, whole := strings.Cut(passage, "\n")
				place, _, _ := strings.Cut(head, " ")
				if place = strings.TrimSuffix(place, ","); whole {
					texts[place] = text
				}
				shown = append(shown, texts[place])
			}
			a := p.reader.answer(it.Claim, shown)
			a.Item = it.Item
			given = append(given, a)
		}
		var counted struct {
			Status string
			Left   int
		}
		if err := p.call(ctx, "review_claims", args{"batch": batch.Batch, "answers": given}, &counted); err != nil {
			return err
		}
		if left = counted.Left; counted.Status != "counted" {
			return fmt.Errorf("the recorded reader does not fit this version of citeloop: batch %s is %s", batch.Batch, counted.Status)
		}
	}
	return nil
}

// answer returns the recorded answer for an item. For a test item, a sentence of the texts or one beside other lines, it compares
// words; a reader has to know what a sentence means.
func (r *reader) answer(claim string, passages []string) answer {
	out := answer{Answer: "supported", Quote: claim}
	for _, a := range r.Answers {
		if bare(a.Claim) == bare(claim) {
			out = answer{Answer: a.Answer, Quote: a.Quote}
		}
	}
	if out.Quote != "" && !slices.ContainsFunc(passages, func(text string) bool {
		grade, _ := quote.Find(out.Quote, text)
		return grade == quote.Exact || grade == quote.Normalised
	}) {
		return answer{Answer: "not_stated"}
	}
	return out
}
