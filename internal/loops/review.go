package loops

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/internal/verdict"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/internal/views"
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
	Passages []reader.Passage
}

// ReviewResult is the result of Review.
type ReviewResult struct {
	StateID  string
	Batch    string
	Status   string // open, counted or void
	Items    []ReviewItem
	Known    views.Sharing   // the ids of the batch's passages, and those that the reader has with items answered in this call
	Left     int             // unanswered items of the batch in any role, and pending claims without a batch
	Planted  loopstate.Tally // zero while the batch is open, so that a reader does not learn its score
	Controls loopstate.Tally
	Changed  []views.ReviewChange
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
	var batch string
	var want batchInput
	err := s.view(ctx, in.Loop, func(st *loopstate.State) error {
		if in.Batch != "" {
			r, ok := st.ReviewByID(in.Batch)
			if !ok {
				return &loopstate.Error{Code: loopstate.CodeUnknownBatch, Subject: "batch", Value: views.Shorten(in.Batch, 40)}
			}
			batch = r.Batch
			return nil
		}
		if r := st.OpenReview(); r != nil {
			batch = r.Batch
			return nil
		}
		if in.Reader.Kind == ReaderHost && voidLast(st, in.Reader) >= voidBatches {
			return &loopstate.Error{Code: loopstate.CodeReaderFailed, Subject: "batch"}
		}
		want = batchInputOf(st, in.Reader)
		return nil
	})
	if err != nil || batch != "" {
		return batch, err
	}
	seed := s.NewID()
	items, err := s.prepare(ctx, seed, want)
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

// maxSupported bounds the supported claims that a batch is made from. Chosen: a batch makes at most 14 items.
const maxSupported = 60

// batchInput is what a batch is made from.
type batchInput struct {
	candidates []loopstate.ReviewCandidate // planned to be read
	supported  []loopstate.ReviewCandidate // by a believed reader
	earlier    []string                    // all sentences of earlier batches, and what they were made from
	known      bool                        // an earlier batch of the reader counted
	sources    []loopstate.Source
	origin     func(string) string
}

func batchInputOf(st *loopstate.State, who loopstate.Reader) batchInput {
	in := batchInput{candidates: verdict.Planned(st), sources: slices.Clone(st.Sources), origin: st.OriginOf()}
	for _, c := range st.AllCandidates() {
		if st.Readings[c.Key].Answer == loopstate.AnswerSupported {
			in.supported = append(in.supported, c)
		}
	}
	in.supported = in.supported[max(0, len(in.supported)-maxSupported):]
	for _, r := range st.Reviews {
		in.known = in.known || r.Status == loopstate.BatchCounted && slices.Contains(r.Readers, who)
		for _, it := range r.Items {
			in.earlier = append(in.earlier, it.Claim, it.Base)
		}
	}
	if voidLast(st, who) > 0 { // a reader that failed is tested in full again
		in.known = false
	}
	return in
}

// prepare makes the items of a batch, deterministically from the seed, the candidates and the texts.
func (s *Service) prepare(ctx context.Context, seed string, in batchInput) ([]loopstate.ReviewItem, error) {
	cited := map[string]bool{}
	for _, c := range slices.Concat(in.candidates, in.supported) {
		for _, id := range c.SourceIDs {
			cited[id] = true
		}
	}
	sources, err := s.prepared(ctx, in.sources, in.origin, cited)
	if err != nil {
		return nil, err
	}
	request := reader.Request{Seed: seed, Earlier: in.earlier, Known: in.known, Blocks: func(id string) []reader.Passage { return sources[id].Blocks() }}
	for _, c := range in.candidates {
		request.Candidates = append(request.Candidates, candidateFor(c, sources, false))
	}
	for _, c := range in.supported {
		request.Candidates = append(request.Candidates, candidateFor(c, sources, true))
	}
	items, err := reader.Prepare(request)
	switch {
	case errors.Is(err, reader.ErrNothingToRead):
		return nil, &loopstate.Error{Code: loopstate.CodeNothingToRead, Subject: "claims"}
	case errors.Is(err, reader.ErrTooLittleText):
		return nil, &loopstate.Error{Code: loopstate.CodeTooLittleText, Subject: "sources"}
	case err != nil:
		return nil, err
	}
	out := make([]loopstate.ReviewItem, len(items))
	for i, it := range items {
		out[i] = verify.LoggedItem("", it)
	}
	return out, nil
}

// candidateFor returns a recorded candidate with its passages.
func candidateFor(c loopstate.ReviewCandidate, sources map[string]verify.Source, supported bool) reader.Candidate {
	out := reader.Candidate{Key: c.Key, Claim: c.Claim, Supported: supported, Fixed: c.Quoted, Front: c.Front}
	for _, w := range c.Passages {
		out.Passages = append(out.Passages, sources[w.SourceID].Window(w))
	}
	return out
}

func (s *Service) textsOf(ctx context.Context, sources []loopstate.Source, wanted map[string]bool) (map[string]*verify.Text, error) {
	out := map[string]*verify.Text{}
	for _, src := range sources {
		if !wanted[src.ID] {
			continue
		}
		text, err := s.preparedText(ctx, src)
		if err != nil {
			return nil, err
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
			return &loopstate.Error{Code: loopstate.CodeUnknownBatch, Subject: "batch", Value: views.Shorten(batch, 40)}
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
	out.Known = views.Sharing{}
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
func windowsOf(it loopstate.ReviewItem) []reader.Passage {
	out := make([]reader.Passage, len(it.Passages))
	for i, p := range it.Passages {
		out[i] = reader.Passage{SourceID: p.SourceID, Start: p.Start, End: p.End, Heading: p.Heading, Lines: p.Lines}
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
	for _, c := range verdict.Planned(st) {
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
	out := make([]ReviewItem, len(items))
	for i, it := range items {
		out[i] = ReviewItem{Item: it.Item, Claim: it.Claim}
		for _, p := range windowsOf(it) {
			p.Text = texts[p.SourceID].Slice(p.Start, p.End)
			out[i].Passages = append(out[i].Passages, p)
		}
	}
	return out, nil
}

// chars estimates the size of an item behind the items that sharing knows.
func (it ReviewItem) chars(sharing views.Sharing) int {
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
		if out.Changed = views.ChangesOf(st, in.Batch); e.Kind == loopstate.KindReviewAnswered {
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
			out.Refused = append(out.Refused, RefusedAnswer{a.Item, views.Shorten(a.Quote, 160), reader.NearestWords(a.Quote, shown[a.Item].Passages)})
		}
	}
	return out, err
}

// findQuotes searches each quote in the passages of its item, and for a claim that these do not support what else may. It
// returns the answers and the items by their ids.
func (s *Service) findQuotes(ctx context.Context, in ReviewInput) ([]loopstate.ReviewAnswer, map[string]ReviewItem, error) {
	var asked []loopstate.ReviewItem
	var sources []loopstate.Source
	first, second := map[string]bool{}, map[string]bool{} // pending items by the look that they are
	cited := map[string][]verify.Passage{}                // of second looks: what the claim cites
	err := s.view(ctx, in.Loop, func(st *loopstate.State) error {
		if r, ok := st.ReviewByID(in.Batch); ok {
			asked = slices.Clone(r.Items)
		}
		for _, it := range asked {
			_, again := st.FirstLooks[it.Key]
			first[it.Item], second[it.Item] = it.Role == loopstate.ReviewPending && !again, it.Role == loopstate.ReviewPending && again
		}
		for _, c := range st.AllCandidates() {
			for _, it := range asked {
				if it.Key == c.Key && second[it.Item] {
					cited[it.Item] = windowsOf(loopstate.ReviewItem{Passages: c.Passages})
				}
			}
		}
		sources = append(sources, st.Sources...)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	items, err := s.readable(ctx, sources, asked)
	if err != nil {
		return nil, nil, err
	}
	at := map[string]ReviewItem{}
	for _, it := range items {
		at[it.Item] = it
	}
	out := slices.Clone(in.Answers)
	fails := func(a loopstate.ReviewAnswer) bool {
		says := a.Counts()
		return says == loopstate.AnswerPartly || says == loopstate.AnswerNotStated
	}
	searches := false
	for i := range out {
		a := &out[i]
		a.Item = strings.TrimSpace(a.Item)
		a.Found = reader.QuoteFound(a.Quote, at[a.Item].Passages)
		searches = searches || second[a.Item] || first[a.Item] && fails(*a)
	}
	if !searches {
		return out, at, nil
	}
	look, err := s.secondLooks(ctx, in.Loop, sources)
	if err != nil {
		return nil, nil, err
	}
	for i := range out {
		switch a, it := &out[i], at[out[i].Item]; {
		case second[a.Item] && a.Found:
			a.Place = verify.Place(a.Quote, it.Passages, cited[a.Item], look.sources)
		case first[a.Item] && fails(*a):
			a.Elsewhere = verify.Windows(verify.SecondLook(look.index, it.Claim, it.Passages, look.sources))
		}
	}
	return out, at, nil
}

// secondLooks is what second looks search.
type secondLooks struct {
	index   *passage.Index
	sources map[string]verify.Source
}

// secondLooks prepares the loop's texts, the shortest first, as many as an index of a loop has.
func (s *Service) secondLooks(ctx context.Context, loop string, sources []loopstate.Source) (out secondLooks, err error) {
	chars, wanted := 0, map[string]bool{}
	for _, src := range slices.SortedStableFunc(slices.Values(sources), func(a, b loopstate.Source) int { return a.Chars - b.Chars }) {
		if chars += src.Chars; chars > maxIndexedChars {
			break
		}
		wanted[src.ID] = true
	}
	if out.index, err = s.index(ctx, loop, sources, wanted); err != nil {
		return out, err
	}
	out.sources, err = s.prepared(ctx, sources, func(id string) string { return id }, wanted)
	return out, err
}

// voidBatches is the maximum number of void batches in one call of a model, and in a row of the host: who could try
// without end would pass by chance.
const voidBatches = 2

// voidLast counts the void batches of a reader since its last counted one.
func voidLast(st *loopstate.State, who loopstate.Reader) int {
	n := 0
	for _, r := range st.Reviews {
		switch {
		case !slices.Contains(r.Readers, who):
		case r.Status == loopstate.BatchVoid:
			n++
		case r.Status == loopstate.BatchCounted:
			n = 0
		}
	}
	return n
}
