package textcheck

import (
	"encoding/json"
	"slices"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
)

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

// earlierBatch returns the batch of an earlier text that the answers are to. It is judged as a whole, by the errors that were
// planted in it: an edit helps nobody through the test. Only its items that wait as they were shown keep their keys, so that
// nothing else is decided.
func (v *reviewing) earlierBatch(got ReviewAnswers, want string, pending []reader.Candidate) (made []batch, err error) {
	known := false
	var asked ReviewBatch
	if v.by.Kept != nil {
		asked, known = v.by.Kept(got.Batch)
	}
	if !known {
		return nil, &OtherBatchError{got.Batch, want}
	}
	if err := got.Check(asked); err != nil {
		return nil, err
	}
	made = asked.made
	for _, b := range made {
		for i, it := range b.shown {
			v.earlier = append(v.earlier, it.Claim, it.Base)
			at := slices.IndexFunc(pending, func(c reader.Candidate) bool {
				return c.Key == it.Key && c.Claim == it.Claim && slices.EqualFunc(c.Passages, it.Passages, sameWords)
			})
			if at < 0 {
				b.logged[i].Key = ""
				continue
			}
			b.shown[i].Passages = pending[at].Passages // the same words may be in other lines
		}
	}
	return made, nil
}

func sameWords(a, b verify.Passage) bool { return a.Heading == b.Heading && a.Text == b.Text }
