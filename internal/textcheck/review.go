package textcheck

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/internal/grounding/review"
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
				items[i].Passages[j] = p
				continue
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

// Review configures the review of sentences that the wording check does not decide.
type Review struct {
	Read     func(ctx context.Context, batch ReviewBatch) (ReviewAnswers, error)
	Attempts int // maximum batches with other planted errors while they are void; 0 = 1
}

// ReviewSummary is the result of a review.
type ReviewSummary struct {
	Reader   string          `json:"reader"`
	Planted  loopstate.Tally `json:"planted"`  // good: caught; of the batches that count
	Controls loopstate.Tally `json:"controls"` // good: passed
	Counted  int             `json:"counted"`  // sentences read by accepted readers
	Void     int             `json:"void"`     // sentences read by rejected readers
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

// batchWithRoles has the items of one batch with their roles, which readers do not see.
type batchWithRoles struct {
	name  string
	items []loopstate.ReviewItem
	shown []review.Item
}

// subject is a claim that a second reader may judge.
type subject struct {
	*citing.Claim
	unread  bool               // a cited text was not read and might support it
	reading *loopstate.Reading // of an accepted reader
}

// reviewing is the review of a list of claims.
type reviewing struct {
	by       *Review
	subjects []subject
	hash     func(sourceID string) string
	// material returns the candidates of a batch with pending claims, and the texts that they cite.
	material func(pending, grounded []review.Candidate) ([]review.Candidate, review.Texts, error)

	summary *ReviewSummary
	at      map[string][]int // subjects by their key
}

// review asks the reader about the sentences that wording does not decide, and applies the answers of an accepted
// reader.
func (r *Result) review(ctx context.Context, checker *grounding.Checker, sentences []sentence, by *Review) error {
	if by == nil {
		return nil
	}
	sources := map[string]Source{}
	for _, src := range r.Sources {
		sources[src.ID] = src
	}
	texts := review.NewTexts(checker, func(id string) string { return sources[id].text })
	v := reviewing{by: by, hash: func(id string) string { return sources[id].SHA256 },
		material: func(pending, grounded []review.Candidate) ([]review.Candidate, review.Texts, error) {
			return slices.Concat(pending, grounded), texts, nil
		}}
	for i := range sentences {
		v.subjects = append(v.subjects, subject{Claim: &sentences[i].Claim, unread: sentences[i].unread()})
	}
	err := v.run(ctx)
	r.Review = v.summary
	for i, s := range v.subjects {
		sentences[i].reading = s.reading
	}
	return err
}

// run asks the reader about the claims that wording does not decide, and applies the answers of an accepted reader.
func (v *reviewing) run(ctx context.Context) error {
	v.summary, v.at = &ReviewSummary{}, map[string][]int{}
	var pending, grounded []review.Candidate
	for i, s := range v.subjects {
		if !s.Readable() || s.Status != grounding.Grounded && s.unread {
			continue
		}
		key := s.ReviewKey(v.hash)
		if v.at[key] = append(v.at[key], i); len(v.at[key]) > 1 {
			continue
		}
		c := v.candidate(key)
		if c.Grounded {
			grounded = append(grounded, c)
		} else {
			pending = append(pending, c)
		}
	}
	var before []string // planted errors and controls of earlier batches
	for attempt, batches := 0, 0; len(pending) > 0 && attempt < max(v.by.Attempts, 1); attempt++ {
		var made []batchWithRoles
		for len(pending) > 0 {
			part := pending[:min(len(pending), review.MaxPendingNow)]
			pending = pending[len(part):]
			batches++
			candidates, texts, err := v.material(part, grounded)
			if err != nil {
				return err
			}
			b, err := prepare(batches, candidates, texts, before)
			if errors.Is(err, review.ErrTooLittleText) {
				v.summary.Left += len(part)
				v.summary.Problem = "the cited texts are too short to test a reader with"
				continue
			}
			if err != nil {
				return fmt.Errorf("verify: preparing a review: %w", err)
			}
			made = append(made, b)
			for _, it := range b.shown {
				if it.Key == "" {
					before = append(before, it.Claim, it.Base)
				}
			}
		}
		if len(made) == 0 {
			return nil
		}
		got, err := v.by.Read(ctx, readerBatch(made))
		if err != nil {
			return err
		}
		v.summary.Reader = cmp.Or(got.Reader, v.summary.Reader)
		v.summary.Problem = cmp.Or(got.Problem, v.summary.Problem)
		v.summary.Void = 0
		for _, b := range made {
			for _, key := range v.referee(b, got.Answers) { // void
				pending = append(pending, v.candidate(key))
			}
		}
	}
	return nil
}

// candidate returns the claim with a key.
func (v *reviewing) candidate(key string) review.Candidate {
	s := v.subjects[v.at[key][0]]
	return review.Candidate{Key: key, Claim: s.Text, SourceIDs: s.SourceIDs(), Grounded: s.Status == grounding.Grounded, Fixed: s.Quoted()}
}

// prepare makes the nth batch. Its seed is derived from the texts and claims.
func prepare(n int, candidates []review.Candidate, texts review.Texts, before []string) (batchWithRoles, error) {
	b := batchWithRoles{name: fmt.Sprintf("R%d", n)}
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

// readerBatch returns the part of batches that a reader sees.
func readerBatch(made []batchWithRoles) ReviewBatch {
	out := ReviewBatch{roles: map[string]string{}}
	for _, b := range made {
		for i, it := range b.shown {
			out.roles[b.items[i].Item] = b.items[i].Role
			item := ReviewItem{Item: b.items[i].Item, Claim: it.Claim}
			for _, p := range it.Passages {
				item.Passages = append(item.Passages, ReviewPassage{Source: p.SourceID, Heading: p.Heading, Text: p.Text})
			}
			out.Items = append(out.Items, item)
		}
	}
	body, _ := json.Marshal(out.Items) // encoding strings cannot fail
	sum := sha256.Sum256(body)
	out.Batch = hex.EncodeToString(sum[:8])
	return out
}

// referee applies the answers to a batch if its reader passes the test. It returns the keys of the claims of a void
// batch.
func (v *reviewing) referee(b batchWithRoles, given []loopstate.ReviewAnswer) (void []string) {
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
			for _, i := range v.at[it.Key] {
				reading := loopstate.Reading{Batch: b.name, Item: it.Item, Answer: a.Counts(), Quote: a.Quote}
				v.subjects[i].reading = &reading
				v.subjects[i].Apply(reading)
			}
			v.summary.Counted++
		case it.Role == loopstate.ReviewPending && status == loopstate.BatchVoid:
			v.summary.Void++
			void = append(void, it.Key)
		case it.Role == loopstate.ReviewPending:
			v.summary.Left++
		}
	}
	if status == loopstate.BatchCounted {
		v.summary.Planted.N, v.summary.Planted.Good = v.summary.Planted.N+planted.N, v.summary.Planted.Good+planted.Good
		v.summary.Controls.N, v.summary.Controls.Good = v.summary.Controls.N+controls.N, v.summary.Controls.Good+controls.Good
	}
	return void
}

// unread reports whether a cited text was not read and might support the sentence.
func (s *sentence) unread() bool {
	return slices.ContainsFunc(s.cites, func(cite Citation) bool {
		return cite.source >= 0 && cite.Status != statusNotFound && cite.Status != statusRead
	})
}

// contradicted reports whether the source contradicts the claim: by a difference that no reader overruled, or by a
// reader's answer.
func (c Claim) contradicted() bool {
	if c.Status != grounding.Unsupported {
		return false
	}
	if c.Reading != nil {
		return c.Reading.Answer == loopstate.AnswerContradicted
	}
	return len(c.Differences) > 0
}
