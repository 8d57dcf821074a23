package loops

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// Kinds of readers.
const (
	ReaderHost     = "host"
	ReaderEndpoint = "endpoint"
	ReaderPerson   = "person"
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
	Reader    loopstate.Reader
	Usage     loopstate.Usage // of an endpoint

	another bool // a new batch beside those that are open
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
	out := ReviewResult{StateID: in.Loop}
	if in.Reader.Kind == "" {
		in.Reader.Kind = ReaderHost
	}
	in.Limit = max(0, min(in.Limit, loopstate.MaxReviewItems))
	if len(in.Answers) > 0 || in.Rest != "" {
		return s.takeAnswers(ctx, in)
	}
	batch, err := s.openBatch(ctx, in)
	if err != nil {
		return out, err
	}
	return s.handOut(ctx, in, batch)
}

// openBatch returns the batch that in names, the open batch, or a new one.
func (s *Service) openBatch(ctx context.Context, in ReviewInput) (string, error) {
	var batch string
	var want verify.Batch
	var sources []loopstate.Source
	var origin func(string) string
	err := s.view(ctx, in.Loop, func(st *loopstate.State) error {
		if in.Batch != "" {
			r, ok := st.ReviewByID(in.Batch)
			if !ok {
				return &loopstate.Error{Code: loopstate.CodeUnknownBatch, Subject: "batch", Value: Shorten(in.Batch, 40)}
			}
			batch = r.Batch
			return nil
		}
		if r := st.OpenReview(); r != nil && !in.another {
			batch = r.Batch
			return nil
		}
		if in.Reader.Kind == ReaderHost && verify.VoidLast(st, in.Reader) >= verify.VoidBatches {
			return &loopstate.Error{Code: loopstate.CodeReaderFailed, Subject: "batch"}
		}
		want = verify.NextBatch(st, in.Reader, st.PendingReviews())
		if in.another {
			want.WithoutAsked(st)
		}
		sources, origin = slices.Clone(st.Sources), st.OriginOf()
		return nil
	})
	if err != nil || batch != "" {
		return batch, err
	}
	texts, err := s.prepared(ctx, sources, origin, want.Cited())
	if err != nil {
		return "", err
	}
	seed := s.NewID()
	items, err := want.Items(seed, texts)
	if err != nil {
		return "", err
	}
	err = s.change(ctx, in.Loop, in.Operation, func(st *loopstate.State) (loopstate.Payload, error) {
		if r := st.OpenReview(); r != nil && !in.another { // another reader was faster
			batch = r.Batch
			return nil, nil
		}
		p, err := st.OpenBatch(seed, items)
		return p, err
	}, func(st *loopstate.State, e loopstate.Event) error {
		if e.Kind == loopstate.KindReviewOpened {
			p, err := payloadOf[loopstate.ReviewOpened](e)
			batch = p.Batch
			return err
		}
		return nil
	})
	return batch, err
}

// ReviewAll opens batches for all that waits in a loop, and returns the unanswered items of all its open batches: for a reader who gets
// everything at once.
func (s *Service) ReviewAll(ctx context.Context, loop string, who loopstate.Reader) ([]verify.ReviewItem, error) {
	for {
		batch, err := s.openBatch(ctx, ReviewInput{Loop: loop, Reader: who, another: true})
		if loopstate.Has(err, loopstate.CodeNothingToRead) || err == nil && batch == "" {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	var asked []loopstate.ReviewItem
	var sources []loopstate.Source
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		for i := range st.Reviews {
			if st.Reviews[i].Status == loopstate.BatchOpen {
				asked = append(asked, st.Reviews[i].Left()...)
			}
		}
		sources = slices.Clone(st.Sources)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.readable(ctx, sources, asked)
}

// handOut returns the unanswered items of a batch, as many as fit.
func (s *Service) handOut(ctx context.Context, in ReviewInput, batch string) (ReviewResult, error) {
	out := ReviewResult{StateID: in.Loop, Batch: batch}
	var left, all []loopstate.ReviewItem
	var sources []loopstate.Source
	err := s.view(ctx, in.Loop, func(st *loopstate.State) error {
		r, ok := st.ReviewByID(batch)
		if !ok {
			return &loopstate.Error{Code: loopstate.CodeUnknownBatch, Subject: "batch", Value: Shorten(batch, 40)}
		}
		out.state(st, r)
		left = slices.Clone(r.Left())
		all = r.Items
		sources = append(sources, st.Sources...)
		return nil
	})
	if err != nil || out.Status != loopstate.BatchOpen {
		return out, err
	}
	limit := in.Limit
	if limit == 0 {
		limit = loopstate.MaxReviewItems
	}
	items, err := s.readable(ctx, sources, left[:min(len(left), limit)])
	if err != nil {
		return out, err
	}
	out.Given = Given{}
	for _, it := range all {
		if slices.ContainsFunc(in.Answers, func(a loopstate.ReviewAnswer) bool { return strings.TrimSpace(a.Item) == it.Item }) {
			for _, p := range verify.Shown(it, nil).Passages {
				out.Given.Show(it.Item, p)
			}
		}
	}
	room, given := reviewChars, maps.Clone(out.Given)
	for _, it := range items {
		room -= charsOf(it, given)
		if in.Limit == 0 && room < 0 && len(out.Items) > 0 {
			break
		}
		out.Items = append(out.Items, it)
	}
	return out, nil
}

// state sets the status of a batch and the counts that a reader may know.
func (r *ReviewResult) state(st *loopstate.State, batch *loopstate.Review) {
	r.Status = batch.Status
	r.Left = len(batch.Left())
	inBatch := map[string]bool{}
	if batch.Status == loopstate.BatchOpen {
		for _, it := range batch.Items {
			inBatch[it.Key] = true
		}
	} else {
		r.Planted, r.Controls = batch.Planted, batch.Controls
	}
	for _, c := range st.PendingReviews() {
		if !inBatch[c.Key] {
			r.Left++
		}
	}
}

// readable returns the items with the texts of their passages.
func (s *Service) readable(ctx context.Context, sources []loopstate.Source, items []loopstate.ReviewItem) ([]verify.ReviewItem, error) {
	wanted := map[string]bool{}
	for _, it := range items {
		for _, p := range it.Passages {
			wanted[p.SourceID] = true
		}
	}
	texts, err := s.prepared(ctx, sources, ownOrigin, wanted)
	if err != nil {
		return nil, err
	}
	out := make([]verify.ReviewItem, len(items))
	for i, it := range items {
		out[i] = verify.Shown(it, func(id string) *verify.Text { return texts[id].Text })
	}
	return out, nil
}

// charsOf estimates the size of an item behind those that the reader was given.
func charsOf(it verify.ReviewItem, given Given) int {
	n := utf8.RuneCountInString(it.Claim) + 60
	for _, p := range it.Passages {
		n += utf8.RuneCountInString(given.Show(it.Item, p)) + 10
	}
	return n
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
func (s *Service) takeAnswers(ctx context.Context, in ReviewInput) (ReviewResult, error) {
	out := ReviewResult{StateID: in.Loop}
	if in.Batch == "" {
		err := s.view(ctx, in.Loop, func(st *loopstate.State) error {
			if r := st.OpenReview(); r != nil {
				in.Batch = r.Batch
				return nil
			}
			return &loopstate.Error{Code: loopstate.CodeUnknownBatch, Subject: "batch"}
		})
		if err != nil {
			return out, err
		}
	}
	if in.Rest != "" {
		if err := s.answerRest(ctx, &in); err != nil {
			return out, err
		}
	}
	answers, shown, err := s.findQuotes(ctx, in)
	if err != nil {
		return out, err
	}
	var refused []string
	err = s.change(ctx, in.Loop, in.Operation, func(st *loopstate.State) (loopstate.Payload, error) {
		p, err := st.AnswerBatch(in.Batch, in.Reader, answers)
		if err != nil {
			return nil, err
		}
		if len(p.Answers) == 0 && len(p.Refused) == 0 { // all items had answers
			return nil, nil
		}
		p.Usage = in.Usage
		return p, nil
	}, func(st *loopstate.State, e loopstate.Event) error {
		if out.Changed = ChangesOf(st, in.Batch); e.Kind == loopstate.KindReviewAnswered {
			p, err := payloadOf[loopstate.ReviewAnswered](e)
			refused = p.Refused
			return err
		}
		return nil
	})
	if err != nil {
		return out, err
	}
	changed := out.Changed
	out, err = s.handOut(ctx, in, in.Batch)
	out.Changed = changed
	for _, a := range answers {
		if slices.Contains(refused, a.Item) {
			out.Refused = append(out.Refused, RefusedAnswer{a.Item, Shorten(a.Quote, 160),
				reader.NearestWords(a.Quote, shown[a.Item].Passages)})
		}
	}
	return out, err
}

// answerRest gives the items that the reader was shown, and did not answer, the answer for the rest.
func (s *Service) answerRest(ctx context.Context, in *ReviewInput) error {
	shown, err := s.handOut(ctx, ReviewInput{Loop: in.Loop, Limit: in.Limit}, in.Batch)
	if err != nil {
		return err
	}
	for _, it := range shown.Items {
		if !slices.ContainsFunc(in.Answers, func(a loopstate.ReviewAnswer) bool { return strings.TrimSpace(a.Item) == it.Item }) {
			in.Answers = append(in.Answers, loopstate.ReviewAnswer{Item: it.Item, Answer: in.Rest})
		}
	}
	return nil
}

// findQuotes searches each quote in the passages of its item. It returns the answers and the items by their ids.
func (s *Service) findQuotes(ctx context.Context, in ReviewInput) ([]loopstate.ReviewAnswer, map[string]verify.ReviewItem, error) {
	var asked []loopstate.ReviewItem
	var sources []loopstate.Source
	err := s.view(ctx, in.Loop, func(st *loopstate.State) error {
		if r, ok := st.ReviewByID(in.Batch); ok {
			asked = r.Items
		}
		sources = slices.Clone(st.Sources)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	items, err := s.readable(ctx, sources, asked)
	if err != nil {
		return nil, nil, err
	}
	shown := map[string]verify.ReviewItem{}
	for _, it := range items {
		shown[it.Item] = it
	}
	return verify.FindQuotes(in.Answers, shown), shown, nil
}
