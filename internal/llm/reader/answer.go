package reader

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/llm"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// maxQuoteChars bounds a quote, in code points. No passage has more.
const maxQuoteChars = maxPassageChars

// spellings maps other words for the answers, as models without structured output write them.
var spellings = map[string]string{
	"supported": "supported", "partly": "partly", "contradicted": "contradicted", "not_stated": "not_stated",
	"partially": "partly", "partial": "partly", "partly_supported": "partly", "partially_supported": "partly",
	"contradicts": "contradicted", "supports": "supported", "not_supported": "not_stated", "unsupported": "not_stated",
}

// readAnswers finds the answers to items in the model's text. Text around them is ignored, and of a truncated list, the
// complete answers are kept. Unknown items and words are dropped. Two different answers to one item are both dropped,
// because one of them may be copied from a passage.
func readAnswers(text string, items []Item) ([]Answer, error) {
	var got struct {
		Answers []json.RawMessage
	}
	lost, err := llm.ReadObject(text, &got, "answers")
	if err != nil {
		i := strings.IndexByte(text, '[') // a list without its object
		if i < 0 {
			return nil, fmt.Errorf("the model's answer is not usable: %w: %q", err, sanitize.Short(text, 80))
		}
		if lost, err = llm.ReadObject(`{"answers":`+text[i:]+"}", &got, "answers"); err != nil {
			return nil, fmt.Errorf("the model's answer is not usable: %w: %q", err, sanitize.Short(text, 80))
		}
	}
	if lost && len(got.Answers) > 0 {
		got.Answers = got.Answers[:len(got.Answers)-1] // its quote may be missing
	}
	given := map[string]Answer{}
	differ := map[string]bool{}
	for _, raw := range got.Answers {
		var a struct{ Item, Answer, Quote string }
		if json.Unmarshal(raw, &a) != nil {
			continue
		}
		word := spellings[strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(a.Answer)))]
		id := strings.TrimSpace(a.Item)
		if word == "" || !slices.ContainsFunc(items, func(it Item) bool { return it.ID == id }) {
			continue
		}
		if before, ok := given[id]; ok && before.Answer != word {
			differ[id] = true
		}
		given[id] = Answer{id, word, strings.TrimSpace(cut(a.Quote, maxQuoteChars))}
	}
	var out []Answer
	for _, it := range items {
		if a, ok := given[it.ID]; ok && !differ[it.ID] {
			out = append(out, a)
		}
	}
	return out, nil
}

// Answer is what the model answered to an item: supported, partly, contradicted or not_stated.
type Answer struct{ Item, Answer, Quote string }
