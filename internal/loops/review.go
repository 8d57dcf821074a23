package loops

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// Kinds of readers.
const (
	ReaderHost      = "host"
	ReaderEndpoint  = "endpoint"
	ReaderPerson    = "person"
	ReaderAssistant = "assistant" // of a file
)

// reviewChars bounds the items of one result, in code points, so that hosts show all of it to a model.
const reviewChars = 15_000

// ReviewInput asks for items of a review batch, or answers some.
type ReviewInput struct {
	Loop      string
	Operation string // identifies a repeated call; may be empty
	Batch     string // empty: the open one, or a new one
	Answers   []loopstate.ReviewAnswer
	Rest      string // answer of all items that were shown and have none: "supported" or empty
	Limit     int    // maximum number of items to return; 0 or less: as many as fit
	Whole     bool   // a new batch has all that waits, and all of it is returned: for a file
	Reader    loopstate.Reader
	Usage     loopstate.Usage // of an endpoint
}

// ReviewResult is the result of Review.
type ReviewResult struct {
	StateID  string
	Batch    string
	Status   string // open, counted or void
	Items    []verify.ReviewItem
	Given    Given           // the passages that the reader has with items answered in this call
	Left     int             // unanswered items of the batch in any role, and pending claims without a batch
	Planted  loopstate.Tally // zero while the batch is open, so that a reader does not learn its score
	Controls loopstate.Tally
	Changed  []ReviewChange
	Refused  []RefusedAnswer // of this call: they are not recorded and can be given again, corrected
}

// RefusedAnswer is an answer whose quote is not in the passages of its item. Nearest are the words of the passages that are
// nearest to it, or "".
type RefusedAnswer struct{ Item, Quote, Nearest string }

// Review returns items of a batch, or records answers. Without an open batch, it opens one. A batch changes claims only
// after its last answer, if the referee accepts the answers.
func (s *Service) Review(ctx context.Context, in ReviewInput) (ReviewResult, error) {
	in.Reader.Kind = cmp.Or(in.Reader.Kind, ReaderHost)
	in.Limit = max(0, min(in.Limit, loopstate.MaxReviewItems))
	b, err := s.batch(ctx, in)
	if err != nil {
		return b.ReviewResult, err
	}
	if err := s.show(ctx, &b); err != nil {
		return b.ReviewResult, err
	}
	if in.answered() {
		return s.takeAnswers(ctx, in, b)
	}
	b.handOut(in)
	return b.ReviewResult, nil
}

// answered reports whether there are answers.
func (in ReviewInput) answered() bool { return len(in.Answers) > 0 || in.Rest != "" }

// answers reports whether the input has an answer to an item.
func (in ReviewInput) answers(item string) bool {
	return slices.ContainsFunc(in.Answers, func(a loopstate.ReviewAnswer) bool { return strings.TrimSpace(a.Item) == item })
}

// reviewed is a batch as a result without items, with all that it takes to hand them out.
type reviewed struct {
	ReviewResult
	all     []loopstate.ReviewItem
	open    []loopstate.ReviewItem       // without an answer
	shown   map[string]verify.ReviewItem // all, with the texts of their passages
	sources []loopstate.Source
}

// batch returns the batch that is asked for: one by its id, the open one, or to be read a new one.
func (s *Service) batch(ctx context.Context, in ReviewInput) (b reviewed, err error) {
	var want reader.Batch
	err = s.view(ctx, in.Loop, func(st *loopstate.State) error {
		if in.Batch != "" || in.answered() || st.Review("") != nil {
			return b.set(st, in.Batch)
		}
		if in.Reader.Kind == ReaderHost && reader.VoidLast(st, in.Reader) >= reader.VoidBatches {
			return &loopstate.Error{Code: loopstate.CodeReaderFailed, Subject: "batch"}
		}
		want, b.sources = reader.NextBatch(st, in.Reader, in.Whole), slices.Clone(st.Sources)
		return nil
	})
	if err != nil || b.Batch != "" {
		return b, err
	}
	texts, err := s.prepared(ctx, b.sources, want.Cited())
	if err != nil {
		return b, err
	}
	seed := s.NewID()
	items, err := want.Items(seed, verify.Shelf(texts))
	if err != nil {
		return b, err
	}
	err = change(ctx, s, in.Loop, in.Operation, "", func(st *loopstate.State) (loopstate.Payload, error) {
		if st.Review("") != nil { // another reader was faster
			return nil, nil
		}
		return st.OpenBatch(seed, items)
	}, func(st *loopstate.State, p *loopstate.ReviewOpened, _ loopstate.Event) error {
		if p == nil {
			return b.set(st, "")
		}
		return b.set(st, p.Batch)
	})
	return b, err
}

// set sets the batch with an id; for "", the open one.
func (b *reviewed) set(st *loopstate.State, id string) error {
	r := st.Review(id)
	if r == nil {
		return &loopstate.Error{Code: loopstate.CodeUnknownBatch, Subject: "batch", Value: loopstate.Shorten(id, 40)}
	}
	b.all, b.open, b.sources = r.Items, r.Left(), slices.Clone(st.Sources)
	b.ReviewResult = ReviewResult{StateID: st.Loop, Batch: r.Batch, Status: r.Status, Left: len(b.open), Changed: changesOf(st, r),
		Given: Given{}}
	if r.Status != loopstate.BatchOpen {
		b.Planted, b.Controls = r.Planted, r.Controls
	}
	for _, c := range st.PendingReviews() {
		asked := func(it loopstate.ReviewItem) bool { return it.Key == c.Key }
		if r.Status != loopstate.BatchOpen || !slices.ContainsFunc(r.Items, asked) {
			b.Left++
		}
	}
	return nil
}

// show adds the items with the texts of their passages.
func (s *Service) show(ctx context.Context, b *reviewed) error {
	wanted := map[string]bool{}
	for _, it := range b.all {
		for _, p := range it.Passages {
			wanted[p.SourceID] = true
		}
	}
	texts, err := s.prepared(ctx, b.sources, wanted)
	b.shown = map[string]verify.ReviewItem{}
	for i := 0; i < len(b.all) && err == nil; i++ {
		b.shown[b.all[i].Item] = verify.Shown(b.all[i], texts)
	}
	return err
}

// handOut sets the unanswered items of an open batch, as many as fit.
func (b *reviewed) handOut(in ReviewInput) {
	for _, it := range b.all {
		for _, p := range b.shown[it.Item].Passages {
			if in.answers(it.Item) {
				b.Given.Show(it.Item, p)
			}
		}
	}
	space, given := reviewChars, maps.Clone(b.Given)
	for i, open := range b.open {
		it := b.shown[open.Item]
		space -= utf8.RuneCountInString(it.Claim) + 60
		for _, p := range it.Passages {
			space -= utf8.RuneCountInString(given.Show(it.Item, p)) + 10
		}
		fits := space >= 0 || i == 0 || in.Limit > 0
		if b.Status != loopstate.BatchOpen || !in.Whole && (!fits || i == cmp.Or(in.Limit, loopstate.MaxReviewItems)) {
			break
		}
		b.Items = append(b.Items, it)
	}
}

// Given has the items with which a reader got passages and what is above all passages of a source, so that he gets each once.
type Given map[string]string

// Show returns a passage as a page of text has it, "S1:120-121 (title › heading)" and the lines; "S1:120-121, as in R1-4" for one
// that the reader has.
func (g Given) Show(item string, p verify.Passage) string {
	at := p.SourceID
	if p.Lines != "" {
		at += ":" + p.Lines
	}
	place := fmt.Sprintf("%s:%d-%d", p.SourceID, p.Start, p.End)
	if with, again := g[place]; again {
		return at + ", as in " + with
	}
	g[place] = item
	head, rest, _ := strings.Cut(p.Heading, " › ")
	above := p.Heading
	switch before := g[p.SourceID]; {
	case before == p.Heading:
		above = ""
	case before == head || strings.HasPrefix(before, head+" › "):
		above = rest
	}
	g[p.SourceID] = p.Heading
	if above != "" {
		at += " (" + above + ")"
	}
	return at + "\n" + p.Text
}

// takeAnswers records answers, and returns what they changed and the unanswered items.
func (s *Service) takeAnswers(ctx context.Context, in ReviewInput, b reviewed) (ReviewResult, error) {
	request := asked([]any{in.Answers, in.Rest})
	if in.Rest != "" { // for the items that the reader was shown and did not answer
		before := b
		before.handOut(ReviewInput{Limit: in.Limit})
		for _, it := range before.Items {
			if !in.answers(it.Item) {
				in.Answers = append(in.Answers, loopstate.ReviewAnswer{Item: it.Item, Answer: in.Rest})
			}
		}
	}
	answers := verify.FindQuotes(in.Answers, b.shown)
	var refused []string
	err := change(ctx, s, in.Loop, in.Operation, request, func(st *loopstate.State) (loopstate.Payload, error) {
		p, err := st.AnswerBatch(b.Batch, in.Reader, answers)
		if err != nil {
			return nil, err
		}
		if len(p.Answers) == 0 && len(p.Refused) == 0 { // all items had answers
			return nil, nil
		}
		p.Usage, p.Asked = in.Usage, request
		return p, nil
	}, func(st *loopstate.State, p *loopstate.ReviewAnswered, _ loopstate.Event) error {
		if p != nil {
			refused = p.Refused
		}
		return b.set(st, b.Batch)
	})
	if err != nil {
		return ReviewResult{}, err
	}
	b.handOut(in)
	for _, a := range answers {
		if slices.Contains(refused, a.Item) {
			b.Refused = append(b.Refused, RefusedAnswer{a.Item, loopstate.Shorten(a.Quote, 160),
				reader.NearestWords(a.Quote, b.shown[a.Item].Passages)})
		}
	}
	return b.ReviewResult, nil
}

// ReviewChange is a claim whose status a reading changed.
type ReviewChange struct {
	ClaimID string `json:"claim_id,omitempty"` // empty for a sentence of a draft
	Claim   string `json:"claim"`
	From    string `json:"from,omitempty"`
	To      string `json:"to"`
	Because string `json:"because,omitempty"`
}

// changesOf returns the claims of a counted batch whose status differs from that by wording. It depends on the state only, so that a
// repeated call gets the same result.
func changesOf(st *loopstate.State, r *loopstate.Review) (out []ReviewChange) {
	if r.Status != loopstate.BatchCounted {
		return nil
	}
	byWording, ids := map[string]string{}, claimIDs(st)
	for _, c := range st.Candidates {
		byWording[c.Key] = c.Status
	}
	for _, it := range r.Items {
		from, known := byWording[it.Key]
		reading, read := st.Readings[it.Key]
		if to := loopstate.AfterReading(reading.Answer); known && read && from != to {
			because := "the reader says " + reading.Answer
			if reading.Quote != "" {
				because += ": " + strconv.Quote(loopstate.Shorten(reading.Quote, 160))
			}
			out = append(out, ReviewChange{ids[it.Key], it.Claim, from, to, because})
		}
	}
	return out
}

// claimIDs returns the ids of the recorded claims by the keys of their readings.
func claimIDs(st *loopstate.State) map[string]string {
	ids := map[string]string{}
	for _, c := range st.Claims {
		if c.Check != nil {
			ids[c.Check.Key] = c.ID
		}
	}
	return ids
}
