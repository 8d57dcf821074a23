package textcheck

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// ReviewItem is an item for a reader. It does not reveal planted errors.
type ReviewItem struct {
	Item     string          `json:"item"`
	Claim    string          `json:"claim"`
	Passages []ReviewPassage `json:"passages"`
}

// ReviewPassage is a part of a source.
type ReviewPassage struct {
	ID      string `json:"id,omitempty"` // of a file, see [ReviewBatch.Shared]
	Source  string `json:"source,omitempty"`
	Lines   string `json:"lines,omitempty"`
	Heading string `json:"heading,omitempty"`
	Text    string `json:"text"`
}

// ReviewBatch is what a reader gets at once: the items of one or more batches.
type ReviewBatch struct {
	Batch string       `json:"batch"` // a hash of the items
	Items []ReviewItem `json:"items"`

	reviews []loopstate.Review // with the roles, which no reader sees
	shown   []verify.ReviewItem
}

// newBatch returns the part of batches that a reader sees.
func newBatch(reviews []loopstate.Review, shown []verify.ReviewItem) ReviewBatch {
	out := ReviewBatch{reviews: reviews, shown: shown}
	for _, it := range shown {
		item := ReviewItem{Item: it.Item, Claim: it.Claim}
		for _, p := range it.Passages {
			item.Passages = append(item.Passages, ReviewPassage{Source: p.SourceID, Lines: p.Lines, Heading: p.Heading, Text: p.Text})
		}
		out.Items = append(out.Items, item)
	}
	body, _ := json.Marshal(out.Items) // encoding strings cannot fail
	sum := sha256.Sum256(body)
	out.Batch = hex.EncodeToString(sum[:8])
	return out
}

// index returns the position of an item, or -1.
func (b ReviewBatch) index(item string) int {
	return slices.IndexFunc(b.shown, func(it verify.ReviewItem) bool { return it.Item == item })
}

// Shared returns the batch as files have it: with each passage in full beside its first item, and by its id and the name of
// that item beside others.
func (b ReviewBatch) Shared() ReviewBatch {
	sharing := map[ReviewPassage]ReviewPassage{}
	items := slices.Clone(b.Items)
	for i, it := range items {
		items[i].Passages = slices.Clone(it.Passages)
		for j, p := range it.Passages {
			first, repeated := sharing[p]
			if !repeated {
				first = ReviewPassage{ID: fmt.Sprintf("P%d", len(sharing)+1), Text: "as in " + it.Item}
				sharing[p], p.ID = first, first.ID
				first = p
			}
			items[i].Passages[j] = first
		}
	}
	b.Items = items
	return b
}

// keptBatch is a batch as the one who asked keeps it.
type keptBatch struct {
	Reviews []loopstate.Review  `json:"reviews"` // with those before it
	Shown   []verify.ReviewItem `json:"shown"`
}

// Kept returns the batch with the roles of its items, so that its answers can be judged. No reader may see it.
func (b ReviewBatch) Kept() []byte {
	body, _ := json.Marshal(keptBatch{b.reviews, b.shown}) // strings and numbers cannot fail
	return body
}

// ReadKept reads a batch that was kept under its name. ok is false unless it is what a reader was shown under that name.
func ReadKept(body []byte, name string) (kept ReviewBatch, ok bool) {
	var in keptBatch
	if json.Unmarshal(body, &in) != nil {
		return kept, false
	}
	kept = newBatch(in.Reviews, in.Shown)
	return kept, kept.Batch == name
}

// ReviewAnswers is the answers of a reader.
type ReviewAnswers struct {
	Batch   string                   `json:"batch"`
	Reader  string                   `json:"reader"`
	Answers []loopstate.ReviewAnswer `json:"answers"`
	Name    string                   `json:"-"` // of their file
	Problem string                   `json:"-"` // why answers are missing
}

// AnswersError reports answers that cannot be judged.
type AnswersError struct {
	Name string
	Err  error
}

func (e *AnswersError) Error() string { return e.Name + ": " + e.Err.Error() }

func (e *AnswersError) Unwrap() error { return e.Err }

// to returns the answer to an item, if there is one.
func (a ReviewAnswers) to(item string) (out []loopstate.ReviewAnswer) {
	for _, x := range a.Answers {
		if x.Item == item {
			out = append(out, x)
		}
	}
	return out
}

// check returns an error unless each answer is to an item of the batch. [loopstate.State.AnswerBatch] checks the rest.
func (a ReviewAnswers) check(batch ReviewBatch) error {
	for i, x := range a.Answers {
		if batch.index(x.Item) < 0 {
			return fmt.Errorf("answers[%d].item: unknown item %q", i, x.Item)
		}
	}
	return nil
}
