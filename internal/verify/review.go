package verify

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/review"
	"github.com/citeloop/citeloop/loopstate"
)

// maxPendingInBatch is how many claims a batch asks about: the rest of its items are samples, planted errors and
// controls.
const maxPendingInBatch = 22

// ReviewItem is an item for a reader. It does not reveal planted errors.
type ReviewItem struct {
	Item     string          `json:"item"`
	Claim    string          `json:"claim"`
	Passages []ReviewPassage `json:"passages"`
}

// ReviewPassage is a part of a source.
type ReviewPassage struct {
	Source  string `json:"source"`
	Heading string `json:"heading,omitempty"`
	Text    string `json:"text"`
}

// ReviewBatch is a batch for a reader. The same text with the same sources gives the same batch, so that the roles of its
// items need not be stored: they are computed again with the answers.
type ReviewBatch struct {
	Batch string            `json:"batch"` // a hash of the items
	Items []ReviewItem      `json:"items"`
	roles map[string]string // by item; for tests: no reader sees them
}

// ReviewAnswers is the answers of a reader.
type ReviewAnswers struct {
	Batch   string                   `json:"batch"`
	Reader  string                   `json:"reader"`
	Answers []loopstate.ReviewAnswer `json:"answers"`
	Problem string                   `json:"-"` // why answers are missing
}

// Review configures the review of sentences that wording does not decide.
type Review struct {
	Read     func(ctx context.Context, batch ReviewBatch) (ReviewAnswers, error)
	Attempts int // maximum batches with other planted errors while they are void; 0 = 1
}

// ReviewSummary is the result of a review.
type ReviewSummary struct {
	Reader   string          `json:"reader"`
	Planted  loopstate.Tally `json:"planted"`  // good: caught; of the batches that count
	Controls loopstate.Tally `json:"controls"` // good: passed
	Counted  int             `json:"counted"`  // sentences that a believed reader read
	Void     int             `json:"void"`     // sentences whose reader was not believed
	Left     int             `json:"left"`     // sentences without an answer
	Problem  string          `json:"problem,omitempty"`
}

// String returns the summary in words.
func (s *ReviewSummary) String() string {
	out := fmt.Sprintf("%d sentences read", s.Counted)
	if s.Counted > 0 {
		out += fmt.Sprintf(" by a second reader (%s), who caught %d of %d planted errors and passed %d of %d controls", s.Reader, s.Planted.Good, s.Planted.N, s.Controls.Good, s.Controls.N)
	}
	if s.Void > 0 {
		out += fmt.Sprintf("; %d answered by %s do not count: it missed planted errors or refused true sentences", s.Void, s.Reader)
	}
	if s.Left > 0 {
		out += fmt.Sprintf("; %d not read yet", s.Left)
	}
	if s.Problem != "" {
		out += ": " + s.Problem
	}
	return out
}

// OtherBatchError reports answers to another batch than that of the text and its sources.
type OtherBatchError struct{ Got, Want string }

func (e *OtherBatchError) Error() string {
	return fmt.Sprintf("the answers are to batch %q, but the text and its sources give batch %q: the text or a source has changed since, or answers to an earlier batch are missing; give all answers with --review-in, or write a new batch with --review-out", e.Got, e.Want)
}

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

// roled are the items of one batch with their roles, which no reader sees.
type roled struct {
	name  string
	items []loopstate.ReviewItem
	shown []review.Item
}

// review has the sentences read that wording does not decide, and changes their verdicts by what a believed reader said.
func (r *Result) review(ctx context.Context, checker *grounding.Checker, sentences []sentence, by *Review) error {
	if by == nil {
		return nil
	}
	sources := map[string]Source{}
	for _, src := range r.Sources {
		sources[src.ID] = src
	}
	texts := review.NewTexts(checker, func(id string) string { return sources[id].text })
	var pending, grounded []review.Candidate
	at := map[string][]int{}
	for i, s := range sentences {
		if !s.Readable() || s.Status != grounding.Grounded && s.unread() {
			continue
		}
		key := s.ReviewKey(func(id string) string { return sources[id].SHA256 })
		if at[key] = append(at[key], i); len(at[key]) > 1 {
			continue
		}
		c := review.Candidate{Key: key, Claim: s.Text, SourceIDs: s.SourceIDs(), Grounded: s.Status == grounding.Grounded, Fixed: s.Quoted()}
		if c.Grounded {
			grounded = append(grounded, c)
		} else {
			pending = append(pending, c)
		}
	}
	r.Review = &ReviewSummary{}
	var before []string // planted errors and controls of earlier batches
	for attempt, batches := 0, 0; len(pending) > 0 && attempt < max(by.Attempts, 1); attempt++ {
		var made []roled
		for len(pending) > 0 {
			part := pending[:min(len(pending), maxPendingInBatch)]
			pending = pending[len(part):]
			batches++
			b, err := prepare(batches, append(part[:len(part):len(part)], grounded...), texts, before)
			if errors.Is(err, review.ErrTooLittleText) {
				r.Review.Left += len(part)
				r.Review.Problem = "the cited texts are too short to test a reader with"
				continue
			}
			if err != nil {
				return fmt.Errorf("verify: preparing a review: %w", err)
			}
			made = append(made, b)
			for _, it := range b.shown {
				if it.Key == "" {
					before = append(before, it.Claim)
				}
			}
		}
		if len(made) == 0 {
			return nil
		}
		batch := handOut(made)
		got, err := by.Read(ctx, batch)
		if err != nil {
			return err
		}
		r.Review.Reader = cmp.Or(got.Reader, r.Review.Reader)
		if got.Problem != "" {
			r.Review.Problem = got.Problem
		}
		r.Review.Void = 0
		for _, b := range made {
			for _, key := range r.referee(b, got.Answers, sentences, at) { // void
				for _, c := range b.shown {
					if c.Role == review.RolePending && c.Key == key {
						s := sentences[at[key][0]]
						pending = append(pending, review.Candidate{Key: key, Claim: s.Text, SourceIDs: s.SourceIDs(), Fixed: s.Quoted()})
					}
				}
			}
		}
	}
	return nil
}

// prepare makes the nth batch. Its seed follows from what is read.
func prepare(n int, candidates []review.Candidate, texts review.Texts, before []string) (roled, error) {
	b := roled{name: fmt.Sprintf("R%d", n)}
	seed := sha256.New()
	fmt.Fprintln(seed, b.name)
	for _, c := range candidates {
		fmt.Fprintln(seed, c.Key)
	}
	var err error
	b.shown, err = review.Prepare(hex.EncodeToString(seed.Sum(nil)), candidates, texts, before)
	for i, it := range b.shown {
		b.items = append(b.items, loopstate.ReviewItem{Item: fmt.Sprintf("%s-%d", b.name, i+1), Role: string(it.Role), Key: it.Key})
	}
	return b, err
}

// handOut is what a reader sees of batches.
func handOut(made []roled) ReviewBatch {
	out := ReviewBatch{roles: map[string]string{}}
	for _, b := range made {
		for i, it := range b.shown {
			out.roles[b.items[i].Item] = b.items[i].Role
			item := ReviewItem{Item: b.items[i].Item, Claim: it.Claim}
			for _, p := range it.Passages {
				item.Passages = append(item.Passages, ReviewPassage{p.SourceID, p.Heading, p.Text})
			}
			out.Items = append(out.Items, item)
		}
	}
	body, _ := json.Marshal(out.Items) // strings alone cannot fail
	sum := sha256.Sum256(body)
	out.Batch = hex.EncodeToString(sum[:8])
	return out
}

// referee applies the answers to a batch if its reader is believed. It returns the keys of the claims of a void batch.
func (r *Result) referee(b roled, given []loopstate.ReviewAnswer, sentences []sentence, at map[string][]int) (void []string) {
	answers := map[string]loopstate.ReviewAnswer{}
	for _, a := range given {
		for i, it := range b.items {
			if it.Item == a.Item {
				a.Found = review.QuoteFound(a.Quote, b.shown[i].Passages)
				answers[a.Item] = a
			}
		}
	}
	planted, controls, status := loopstate.Referee(b.items, answers)
	for _, it := range b.items {
		switch {
		case it.Role != loopstate.ReviewPending && it.Role != loopstate.ReviewSample:
		case status == loopstate.BatchCounted:
			a := answers[it.Item]
			for _, i := range at[it.Key] {
				reading := loopstate.Reading{Batch: b.name, Item: it.Item, Answer: a.Counts(), Quote: a.Quote}
				sentences[i].reading = &reading
				sentences[i].Apply(reading)
			}
			r.Review.Counted++
		case it.Role == loopstate.ReviewPending && status == loopstate.BatchVoid:
			r.Review.Void++
			void = append(void, it.Key)
		case it.Role == loopstate.ReviewPending:
			r.Review.Left++
		}
	}
	if status == loopstate.BatchCounted {
		r.Review.Planted.N, r.Review.Planted.Good = r.Review.Planted.N+planted.N, r.Review.Planted.Good+planted.Good
		r.Review.Controls.N, r.Review.Controls.Good = r.Review.Controls.N+controls.N, r.Review.Controls.Good+controls.Good
	}
	return void
}

// unread reports whether a text that the sentence cites was not read and might say it.
func (s *sentence) unread() bool {
	for _, cite := range s.cites {
		if cite.source >= 0 && cite.Status != statusNotFound && cite.Status != statusRead {
			return true
		}
	}
	return false
}

// contradicted reports whether the source says otherwise: by a difference that no reader overruled, or by a reader.
func (c Claim) contradicted() bool {
	if c.Status != grounding.Unsupported {
		return false
	}
	if c.Reading != nil {
		return c.Reading.Answer == loopstate.AnswerContradicted
	}
	return len(c.Differences) > 0
}
