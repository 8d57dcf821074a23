package textcheck

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
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

// ReviewBatch is a batch for a reader. The same text with the same sources gives the same batch, so that the roles of its
// items need not be stored: they are computed again with the answers.
type ReviewBatch struct {
	Batch string       `json:"batch"` // a hash of the items
	Items []ReviewItem `json:"items"`

	made []batch // with the roles, which no reader sees
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

// ReviewAnswers is the answers of a reader.
type ReviewAnswers struct {
	Batch   string                   `json:"batch"`
	Reader  string                   `json:"reader"`
	Answers []loopstate.ReviewAnswer `json:"answers"`
	Problem string                   `json:"-"` // why answers are missing
}

// OtherBatchError reports answers to another batch than that of the text and its sources.
type OtherBatchError struct{ Got, Want string }

// Check returns an error unless the answers are to the batch and well formed.
func (a ReviewAnswers) Check(batch ReviewBatch) error {
	if a.Batch != batch.Batch {
		return &OtherBatchError{a.Batch, batch.Batch}
	}
	known, seen := map[string]bool{}, map[string]bool{}
	for _, it := range batch.Items {
		known[it.Item] = true
	}
	for i, x := range a.Answers {
		switch {
		case !known[x.Item]:
			return fmt.Errorf("answers[%d].item: unknown item %q", i, x.Item)
		case seen[x.Item]:
			return fmt.Errorf("answers[%d].item: %s is answered twice", i, x.Item)
		}
		seen[x.Item] = true
		if err := loopstate.CheckOneOf(fmt.Sprintf("answers[%d].answer", i), x.Answer, loopstate.ReviewAnswers()); err != nil {
			return err
		}
	}
	return nil
}

// batch is the items of one batch with their roles.
type batch struct {
	name   string
	shown  []reader.Item
	logged []loopstate.ReviewItem
}

// newBatch names the items of a batch.
func newBatch(name string, items []reader.Item) batch {
	b := batch{name: name, shown: items}
	for i, it := range items {
		b.logged = append(b.logged, verify.LoggedItem(fmt.Sprintf("%s-%d", name, i+1), it))
	}
	return b
}

// readerBatch returns the part of batches that a reader sees.
func readerBatch(made []batch) ReviewBatch {
	out := ReviewBatch{made: made}
	for _, b := range made {
		for i, it := range b.shown {
			item := ReviewItem{Item: b.logged[i].Item, Claim: it.Claim}
			for _, p := range it.Passages {
				item.Passages = append(item.Passages, ReviewPassage{Source: p.SourceID, Lines: p.Lines, Heading: p.Heading, Text: p.Text})
			}
			out.Items = append(out.Items, item)
		}
	}
	body, _ := json.Marshal(out.Items) // encoding strings cannot fail
	sum := sha256.Sum256(body)
	out.Batch = hex.EncodeToString(sum[:8])
	return out
}

// keptBatch is a part of a batch as a [Review] keeps it.
type keptBatch struct {
	Name  string        `json:"name"`
	Items []reader.Item `json:"items"`
}

// Kept returns the batch with the roles of its items, so that its answers can be judged after the text has changed. No reader
// may see it.
func (b ReviewBatch) Kept() []byte {
	kept := make([]keptBatch, len(b.made))
	for i, part := range b.made {
		kept[i] = keptBatch{part.name, part.shown}
	}
	body, _ := json.Marshal(kept) // strings and numbers cannot fail
	return body
}

// ReadKept reads a batch that was kept under its name. ok is false unless it is what a reader was shown under that name.
func ReadKept(body []byte, name string) (kept ReviewBatch, ok bool) {
	var parts []keptBatch
	if json.Unmarshal(body, &parts) != nil {
		return kept, false
	}
	var made []batch
	for _, part := range parts {
		made = append(made, newBatch(part.Name, part.Items))
	}
	kept = readerBatch(made)
	return kept, kept.Batch == name
}

func (e *OtherBatchError) Error() string {
	return fmt.Sprintf("the answers are to batch %q, but the text and its sources give batch %q: the text or a source has changed since, or answers to an earlier batch are missing; give all answers with --review-in on the machine that wrote the batch, which keeps it, or write a new batch with --review-out", e.Got, e.Want)
}
