package web

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// A person reviews one item at a time. The first answer to an item counts, so the session holds the last answer until
// the next one is given: it can be undone. A lost session loses one answer, and its item is shown again.

func (p *Page) held(v *session, loop string) heldAnswer {
	p.sessions.mu.Lock()
	defer p.sessions.mu.Unlock()
	return v.held[loop]
}

// hold replaces the held answer of a loop; an empty one removes it.
func (p *Page) hold(v *session, loop string, h heldAnswer) {
	p.sessions.mu.Lock()
	defer p.sessions.mu.Unlock()
	if v.held == nil {
		v.held = map[string]heldAnswer{}
	}
	if v.held[loop] = h; h.batch == "" {
		delete(v.held, loop)
	}
}

// reviewView is the item to read, or the result of the review.
type reviewView struct {
	loopFrame
	Pending    int
	Batch      string
	Number, Of int // "7 of 40"
	Item       *reviewItem
	Held       string // the last answer in words; empty if none is held
	HeldClaim  string
	All        bool // every item is answered, the last answer is held
	Quote      string
	Trouble    message
	Result     *loops.ReviewResult // of the batch that was just finished
	Last       *loops.Batch        // the last closed batch
	Answers    []answerButton
}

type answerButton struct {
	Key         int
	Value, Word string
}

func answerButtons() (out []answerButton) {
	for i, a := range loopstate.ReviewAnswers() {
		out = append(out, answerButton{i + 1, a, answerWords(a)})
	}
	return out
}

func answerWords(answer string) string {
	switch answer {
	case loopstate.AnswerPartly:
		return "partly supported"
	case loopstate.AnswerNotStated:
		return "not in the source"
	}
	return answer
}

// reviewItem is a claim beside its passages.
type reviewItem struct {
	ID, Claim string
	Passages  []reviewPassage
}

// reviewPassage is a passage, without highlights: a highlight on the wrong sentence would mislead the reader.
type reviewPassage struct{ Place, Heading, Text string }

// review shows the next item of the open batch. It records nothing.
func (p *Page) review(w http.ResponseWriter, r *http.Request, v *session) {
	p.showReview(w, r, v, http.StatusOK, reviewView{})
}

func (p *Page) showReview(w http.ResponseWriter, r *http.Request, v *session, status int, view reviewView) {
	detail, frame, ok := p.openLoop(w, r, v, said("Review"))
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	view.loopFrame = frame
	view.Pending, view.Batch, view.Answers = detail.Review.Pending, detail.Review.Batch, answerButtons()
	for i, b := range detail.Batches {
		if b.Status != loopstate.BatchOpen {
			view.Last = &detail.Batches[i]
		} else if b.ID == view.Batch {
			view.Number, view.Of = b.Answered+1, b.Items
		}
	}
	if view.Batch != "" && view.Write && view.Result == nil {
		if err := p.nextItem(ctx, v, &view); err != nil {
			p.failed(w, r, v, err)
			return
		}
	}
	p.render(w, r, status, "review", view)
}

// nextItem fills in the first item without an answer, recorded or held.
func (p *Page) nextItem(ctx context.Context, v *session, view *reviewView) error {
	out, err := p.Loops.Review(ctx, loops.ReviewInput{Loop: view.Loop, Batch: view.Batch, Limit: 2, Reader: readerOf(v)})
	if err != nil {
		return err
	}
	held := p.held(v, view.Loop)
	for _, it := range out.Items {
		if held.batch == view.Batch && it.Item == held.answer.Item {
			view.Held, view.HeldClaim = answerWords(held.answer.Answer), held.claim
			view.Number++
			continue
		}
		if view.Item == nil {
			item := reviewItemOf(it)
			view.Item = &item
		}
	}
	view.All = view.Item == nil && view.Held != ""
	return nil
}

func readerOf(v *session) loopstate.Reader {
	reader := loopstate.Reader{Kind: loops.ReaderPerson}
	if v.owner != loops.LocalOwner {
		reader.Name = v.owner
	}
	return reader
}

func reviewItemOf(it verify.ReviewItem) reviewItem {
	out := reviewItem{ID: it.Item, Claim: it.Claim}
	for _, passage := range it.Passages {
		out.Passages = append(out.Passages, reviewPassage{passage.SourceID + ":" + passage.Lines, passage.Heading, sanitize.Line(passage.Text)})
	}
	return out
}

// answerReview handles the forms of a review: begin, answer, undo, and finish.
func (p *Page) answerReview(w http.ResponseWriter, r *http.Request, v *session) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	loop := r.PathValue("id")
	var view reviewView
	var err error
	switch r.PostFormValue("act") {
	case "begin":
		_, err = p.Loops.Review(ctx, loops.ReviewInput{Loop: loop, Reader: readerOf(v)})
	case "undo":
		p.hold(v, loop, heldAnswer{})
	case "finish":
		view.Result, err = p.record(ctx, v, loop)
	default:
		view, err = p.take(ctx, v, loop, r)
	}
	if err != nil {
		status, problem := p.problem(ctx, err)
		if status == http.StatusNotFound {
			p.notFound(w, r, v)
			return
		}
		p.showReview(w, r, v, status, reviewView{Trouble: problem, Quote: r.PostFormValue("quote")})
		return
	}
	if view.Result != nil && view.Result.Status != loopstate.BatchOpen {
		p.showReview(w, r, v, http.StatusOK, view)
		return
	}
	http.Redirect(w, r, Root+"loops/"+loop+"/review", http.StatusSeeOther)
}

// take records the held answer and holds the new one.
func (p *Page) take(ctx context.Context, v *session, loop string, r *http.Request) (view reviewView, err error) {
	batch := r.PostFormValue("batch")
	a := loopstate.ReviewAnswer{Item: r.PostFormValue("item"), Answer: r.PostFormValue("answer"), Quote: strings.TrimSpace(r.PostFormValue("quote"))}
	if err := loopstate.CheckOneOf("answer", a.Answer, loopstate.ReviewAnswers()); err != nil {
		return view, err
	}
	out, err := p.Loops.Review(ctx, loops.ReviewInput{Loop: loop, Batch: batch, Limit: 2, Reader: readerOf(v)})
	if err != nil {
		return view, err
	}
	at := slices.IndexFunc(out.Items, func(it verify.ReviewItem) bool { return it.Item == a.Item })
	if at < 0 { // another reader answered it, or the form was sent twice
		return view, nil
	}
	if shown := out.Items[at].Passages; a.Answer != loopstate.AnswerNotStated && a.Quote == "" && len(shown) > 0 {
		a.Quote = shown[0].Text // without a selection, the quote is the whole passage
	}
	if shown := out.Items[at].Passages; a.Quote != "" && !reader.QuoteFound(a.Quote, shown) {
		remedy := said("select them in a passage, or leave the field empty")
		if near := reader.NearestWords(a.Quote, shown); near != "" {
			remedy = said("the nearest words are: “%s”", short(pointed, near))
		}
		return view, &formError{problem: said("these words are not in the passages"), remedy: remedy}
	}
	if held := p.held(v, loop); held.answer.Item != a.Item {
		if view.Result, err = p.record(ctx, v, loop); err != nil {
			return view, err
		}
	}
	p.hold(v, loop, heldAnswer{batch, a, out.Items[at].Claim})
	return view, nil
}

// record records the held answer of a loop, if there is one.
func (p *Page) record(ctx context.Context, v *session, loop string) (*loops.ReviewResult, error) {
	held := p.held(v, loop)
	if held.batch == "" {
		return nil, nil
	}
	out, err := p.Loops.Review(ctx, loops.ReviewInput{Loop: loop, Batch: held.batch, Answers: []loopstate.ReviewAnswer{held.answer}, Limit: 1, Reader: readerOf(v)})
	if err != nil {
		return nil, err
	}
	p.hold(v, loop, heldAnswer{})
	return &out, nil
}
