package loops

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/internal/grounding/review"
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
	Limit     int // maximum number of items to return; 0 or less: as many as fit
	Reader    loopstate.Reader
	Usage     loopstate.Usage // of an endpoint
}

// ReviewItem is the part of an item that a reader sees, without its role and verdict.
type ReviewItem struct {
	Item     string
	Claim    string
	Passages []review.Passage
}

// ReviewChange is a claim whose status a reading changed.
type ReviewChange struct {
	ClaimID  string // empty for a sentence of a draft
	Claim    string
	From, To string
	Because  string
}

// briefChars is how much of a claim Brief repeats, in code points.
const briefChars = 60

// Brief returns the change as a reader gets it: without the quote, and with the beginning of the claim, if it is grounded
// now, because that needs no action.
func (c ReviewChange) Brief() ReviewChange {
	if c.To == loopstate.Grounded {
		c.Claim = shorten(c.Claim, briefChars)
		c.Because, _, _ = strings.Cut(c.Because, ":")
	}
	return c
}

// ReviewResult is the result of Review.
type ReviewResult struct {
	StateID  string
	Batch    string
	Status   string // open, counted or void
	Items    []ReviewItem
	Known    review.Sharing  // the ids of the batch's passages, and those that the reader has with items answered in this call
	Left     int             // unanswered items of the batch in any role, and pending claims without a batch
	Planted  loopstate.Tally // zero while the batch is open, so that a reader does not learn its score
	Controls loopstate.Tally
	Changed  []ReviewChange
}

// Review returns items of a batch, or records answers. Without an open batch, it opens one. A batch changes claims only
// after its last answer, if the referee accepts the answers.
func (s *Service) Review(ctx context.Context, in ReviewInput) (ReviewResult, error) {
	out := ReviewResult{StateID: in.Loop}
	if in.Reader.Kind == "" {
		in.Reader.Kind = ReaderHost
	}
	in.Limit = max(0, min(in.Limit, loopstate.MaxReviewItems))
	if len(in.Answers) > 0 {
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
	var batch, seed string
	var candidates []review.Candidate
	var sources []loopstate.Source
	var before []string // planted errors and controls of earlier batches, and what they were made from
	err := s.view(ctx, in.Loop, func(st *loopstate.State) error {
		if in.Batch != "" {
			r, ok := st.ReviewByID(in.Batch)
			if !ok {
				return &loopstate.Error{Code: loopstate.CodeUnknownBatch, Subject: "batch", Value: shorten(in.Batch, 40)}
			}
			batch = r.Batch
			return nil
		}
		if r := st.OpenReview(); r != nil {
			batch = r.Batch
			return nil
		}
		_, seed = st.NextReview()
		candidates = candidatesOf(st)
		sources = append(sources, st.Sources...)
		for _, r := range st.Reviews {
			for _, it := range r.Items {
				if it.Key == "" {
					before = append(before, it.Claim, it.Base)
				}
			}
		}
		return nil
	})
	if err != nil || batch != "" {
		return batch, err
	}
	items, err := s.prepare(ctx, in.Loop, seed, candidates, sources, before)
	if err != nil {
		return "", err
	}
	err = s.change(ctx, in.Loop, in.Operation, func(st *loopstate.State) (loopstate.Payload, error) {
		if r := st.OpenReview(); r != nil { // another reader was faster
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

// maxSupported bounds the supported claims that a batch is made from: each is compared with its texts again. Chosen: a
// batch makes at most 20 items.
const maxSupported = 60

// candidatesOf returns the claims that wait for a reader, those that wording grounds and no believed reader has sampled,
// and the last ones that a believed reader supported. It omits what a reader denied and what the two keys disagree about,
// because a control made from it may be false.
func candidatesOf(st *loopstate.State) []review.Candidate {
	candidate := func(c loopstate.ReviewCandidate) review.Candidate {
		return review.Candidate{Key: c.Key, Claim: c.Claim, SourceIDs: c.SourceIDs, Grounded: c.Status == loopstate.Grounded, Fixed: c.Quoted}
	}
	var pending, grounded, supported []review.Candidate
	for _, c := range st.PendingReviews() {
		pending = append(pending, candidate(c))
	}
	for _, c := range st.Candidates {
		reading, read := st.Readings[c.Key]
		switch {
		case read && reading.Answer != loopstate.AnswerSupported:
		case read && c.Status != loopstate.Unsupported:
			known := candidate(c)
			known.Supported = true
			supported = append(supported, known)
		case c.Status == loopstate.Grounded:
			grounded = append(grounded, candidate(c))
		}
	}
	return slices.Concat(pending, grounded, supported[max(0, len(supported)-maxSupported):])
}

// prepare makes the items of a batch, deterministically from the seed, the candidates and the texts.
func (s *Service) prepare(ctx context.Context, loop, seed string, candidates []review.Candidate, sources []loopstate.Source, before []string) ([]loopstate.ReviewItem, error) {
	cited := map[string]bool{}
	for _, c := range candidates {
		for _, id := range c.SourceIDs {
			cited[id] = true
		}
	}
	kept, _, err := s.checker(ctx, loop, sources, cited)
	if err != nil {
		return nil, err
	}
	texts, err := s.textsOf(ctx, sources, cited)
	if err != nil {
		return nil, err
	}
	items, err := review.Prepare(seed, candidates, review.NewTexts(kept.checker, func(id string) string { return texts[id] }), before)
	switch {
	case errors.Is(err, review.ErrNothingToRead):
		return nil, &loopstate.Error{Code: loopstate.CodeNothingToRead, Subject: "claims"}
	case errors.Is(err, review.ErrTooLittleText):
		return nil, &loopstate.Error{Code: loopstate.CodeTooLittleText, Subject: "sources"}
	case err != nil:
		return nil, err
	}
	out := make([]loopstate.ReviewItem, len(items))
	for i, it := range items {
		out[i] = citing.ReviewItem("", it)
	}
	return out, nil
}

func (s *Service) textsOf(ctx context.Context, sources []loopstate.Source, wanted map[string]bool) (map[string]string, error) {
	out := map[string]string{}
	for _, src := range sources {
		if !wanted[src.ID] {
			continue
		}
		text, err := s.text(ctx, src)
		if err != nil {
			return nil, fmt.Errorf("loops: read source %s for a review: %w", src.ID, err)
		}
		out[src.ID] = text
	}
	return out, nil
}

// handOut returns the unanswered items of a batch, as many as fit.
func (s *Service) handOut(ctx context.Context, in ReviewInput, batch string) (ReviewResult, error) {
	out := ReviewResult{StateID: in.Loop, Batch: batch}
	var left, all []loopstate.ReviewItem
	var sources []loopstate.Source
	err := s.view(ctx, in.Loop, func(st *loopstate.State) error {
		r, ok := st.ReviewByID(batch)
		if !ok {
			return &loopstate.Error{Code: loopstate.CodeUnknownBatch, Subject: "batch", Value: shorten(batch, 40)}
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
	out.Known = review.Sharing{}
	for _, it := range all {
		answered := slices.ContainsFunc(in.Answers, func(a loopstate.ReviewAnswer) bool { return strings.TrimSpace(a.Item) == it.Item })
		for _, p := range windowsOf(it) {
			if out.Known.Number(p); answered {
				out.Known.Give(it.Item, p)
			}
		}
	}
	room, sharing := reviewChars, maps.Clone(out.Known)
	for _, it := range items {
		room -= it.chars(sharing)
		if in.Limit == 0 && room < 0 && len(out.Items) > 0 {
			break
		}
		out.Items = append(out.Items, it)
	}
	return out, nil
}

// windowsOf returns the places of an item's passages.
func windowsOf(it loopstate.ReviewItem) []review.Passage {
	out := make([]review.Passage, len(it.Passages))
	for i, p := range it.Passages {
		out[i] = review.Passage{SourceID: p.SourceID, Start: p.Start, End: p.End, Heading: p.Heading}
	}
	return out
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
func (s *Service) readable(ctx context.Context, sources []loopstate.Source, items []loopstate.ReviewItem) ([]ReviewItem, error) {
	wanted := map[string]bool{}
	for _, it := range items {
		for _, p := range it.Passages {
			wanted[p.SourceID] = true
		}
	}
	texts, err := s.textsOf(ctx, sources, wanted)
	if err != nil {
		return nil, err
	}
	runes := map[string][]rune{}
	for id, text := range texts {
		runes[id] = []rune(text)
	}
	out := make([]ReviewItem, len(items))
	for i, it := range items {
		out[i] = ReviewItem{Item: it.Item, Claim: it.Claim}
		for _, p := range windowsOf(it) {
			text := runes[p.SourceID]
			p.Text = string(text[min(p.Start, len(text)):min(p.End, len(text))])
			out[i].Passages = append(out[i].Passages, p)
		}
	}
	return out, nil
}

// chars estimates the size of an item behind the items that sharing knows.
func (it ReviewItem) chars(sharing review.Sharing) int {
	n := utf8.RuneCountInString(it.Claim) + 60
	for _, p := range it.Passages {
		_, text, repeated := sharing.Give(it.Item, p)
		if n += utf8.RuneCountInString(text) + 25; !repeated {
			n += utf8.RuneCountInString(p.Heading) + 60
		}
	}
	return n
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
	answers, err := s.findQuotes(ctx, in)
	if err != nil {
		return out, err
	}
	err = s.change(ctx, in.Loop, in.Operation, func(st *loopstate.State) (loopstate.Payload, error) {
		p, err := st.AnswerBatch(in.Batch, in.Reader, answers)
		if err != nil {
			return nil, err
		}
		if len(p.Answers) == 0 { // all items had answers
			return nil, nil
		}
		p.Usage = in.Usage
		return p, nil
	}, func(st *loopstate.State, _ loopstate.Event) error {
		out.Changed = changesOf(st, in.Batch)
		return nil
	})
	if err != nil {
		return out, err
	}
	changed := out.Changed
	out, err = s.handOut(ctx, in, in.Batch)
	out.Changed = changed
	return out, err
}

// findQuotes searches each quote in the passages of its item.
func (s *Service) findQuotes(ctx context.Context, in ReviewInput) ([]loopstate.ReviewAnswer, error) {
	var asked []loopstate.ReviewItem
	var sources []loopstate.Source
	err := s.view(ctx, in.Loop, func(st *loopstate.State) error {
		if r, ok := st.ReviewByID(in.Batch); ok {
			asked = slices.Clone(r.Items)
		}
		sources = append(sources, st.Sources...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	items, err := s.readable(ctx, sources, asked)
	if err != nil {
		return nil, err
	}
	at := map[string]ReviewItem{}
	for _, it := range items {
		at[it.Item] = it
	}
	out := slices.Clone(in.Answers)
	for i, a := range out {
		out[i].Found = review.QuoteFound(a.Quote, at[a.Item].Passages)
	}
	return out, nil
}

// changesOf returns the claims of a counted batch whose status differs from that by wording. It depends on the state only,
// so that a repeated call gets the same result.
func changesOf(st *loopstate.State, batch string) []ReviewChange {
	r, ok := st.ReviewByID(batch)
	if !ok || r.Status != loopstate.BatchCounted {
		return nil
	}
	byWording, ids := map[string]string{}, map[string]string{}
	for _, c := range st.Candidates {
		byWording[c.Key] = c.Status
	}
	for _, c := range st.Claims {
		if c.Check != nil {
			ids[c.Check.Key] = c.ID
		}
	}
	var out []ReviewChange
	for _, it := range r.Items {
		from, known := byWording[it.Key]
		if !known {
			continue
		}
		a := r.Answers[it.Item]
		to, _, _ := loopstate.AfterReading(from, a.Counts())
		if from == to {
			continue
		}
		because := "the reader says " + a.Counts()
		if a.Counts() != a.Answer {
			because += ": the quote is not in the passages"
		} else if a.Quote != "" {
			because += ": " + strconv.Quote(shorten(a.Quote, 160))
		}
		out = append(out, ReviewChange{ClaimID: ids[it.Key], Claim: it.Claim, From: from, To: to, Because: because})
	}
	return out
}
