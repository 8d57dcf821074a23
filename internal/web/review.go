package web

import (
	"context"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/review"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// reviewView is the batch to read, and the result of the one before.
type reviewView struct {
	frame
	Pending int // claims that wait for a reader
	Open    bool
	Items   template.HTML
	Last    *loopstate.Review // the last closed batch
	Missed  []missed          // its test items that were not told apart
	Trouble string
}

// missed is a test item that the reader did not tell apart.
type missed struct{ Claim, Base, Answer, Is string }

// review shows the items of the open batch that have no answer. It records nothing.
func (p *Page) review(w http.ResponseWriter, r *http.Request, v *session) {
	p.showReview(w, r, v, http.StatusOK, review.Batch{})
}

// showReview shows the batch with what was refused of it.
func (p *Page) showReview(w http.ResponseWriter, r *http.Request, v *session, status int, batch review.Batch) {
	d, f, ok := p.openLoop(w, r, v, "Review")
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	view := reviewView{frame: f, Pending: d.Unread, Trouble: batch.Problem}
	for _, b := range d.Reviews {
		if b.Status != loopstate.BatchOpen {
			continue
		}
		out, err := p.Loops.Review(ctx, loops.ReviewInput{Loop: d.Loop, Batch: b.Batch, Limit: loopstate.MaxReviewItems,
			Reader: readerOf(v)})
		if err != nil {
			p.failed(w, r, v, err)
			return
		}
		batch.ID, batch.Answered, batch.Form, batch.Action = b.Batch, len(b.Answers), f.Form, f.Base+"/review"
		batch.Items = out.Items
		if view.Open, view.Items, err = true, "", nil; f.Write {
			view.Items, err = review.HTML(batch)
		}
		if err != nil {
			p.failed(w, r, v, err)
			return
		}
	}
	if a, err := p.answerOf(ctx, d); err == nil && a != nil && !view.Open {
		view.closed(a.doc.Reviews)
	}
	p.render(w, r, status, "review", view)
}

// closed sets the result of the last closed batch.
func (v *reviewView) closed(batches []loopstate.Review) {
	for i, b := range slices.Backward(batches) {
		if b.Status == loopstate.BatchOpen {
			continue
		}
		v.Last = &batches[i]
		for _, it := range b.Items {
			answer := b.Answers[it.Item]
			said := strings.Replace(answer.Answer, loopstate.AnswerNotStated, report.NotStated.Verdict().Word, 1)
			counted := answer.Counts() == loopstate.AnswerSupported
			switch {
			case it.Role == loopstate.ReviewPlanted && counted:
				v.Missed = append(v.Missed, missed{plain(it.Claim), plain(it.Base), said, "false"})
			case it.Role == loopstate.ReviewControl && !counted:
				v.Missed = append(v.Missed, missed{plain(it.Claim), plain(it.Base), said, "true"})
			}
		}
		return
	}
}

// readerOf names the visitor as a reader.
func readerOf(v *session) loopstate.Reader {
	reader := loopstate.Reader{Kind: loops.ReaderPerson}
	if v.owner != loops.LocalOwner {
		reader.Name = v.owner
	}
	return reader
}

// answerReview begins a batch, or records an answer at once. A script gets the result as a status, with the problem as text.
func (p *Page) answerReview(w http.ResponseWriter, r *http.Request, v *session) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	in := loops.ReviewInput{Loop: r.PathValue("id"), Reader: readerOf(v), Limit: 1}
	a := loopstate.ReviewAnswer{Item: r.PostFormValue("item"), Answer: r.PostFormValue("answer"),
		Quote: strings.TrimSpace(r.PostFormValue("quote"))}
	var err error
	if r.PostFormValue("act") == "begin" {
		_, err = p.Loops.Review(ctx, in)
	} else {
		in.Batch = r.PostFormValue("batch")
		err = p.record(ctx, in, a)
	}
	scripted := r.Header.Get("Accept") == "application/json"
	switch {
	case err == nil && scripted:
		w.WriteHeader(http.StatusNoContent)
	case err == nil:
		http.Redirect(w, r, loopAddress(in.Loop)+"/review#next", http.StatusSeeOther)
	default:
		status, problem := p.problem(ctx, err)
		if scripted {
			http.Error(w, problem, status)
			return
		}
		p.showReview(w, r, v, status, review.Batch{Refused: a.Item, Problem: problem, Quote: a.Quote})
	}
}

// record records one answer. One without words that decide rests on the whole first passage.
func (p *Page) record(ctx context.Context, in loops.ReviewInput, a loopstate.ReviewAnswer) error {
	if err := loopstate.CheckOneOf("answer", a.Answer, loopstate.ReviewAnswers()); err != nil {
		return err
	}
	in.Limit = loopstate.MaxReviewItems
	out, err := p.Loops.Review(ctx, in)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(out.Items, func(it verify.ReviewItem) bool { return it.Item == a.Item })
	if i < 0 { // it has an answer: the form was sent twice, or another reader was faster
		return nil
	}
	shown := out.Items[i].Passages
	if a.Answer == loopstate.AnswerNotStated {
		a.Quote = ""
	} else if a.Quote == "" && len(shown) > 0 {
		a.Quote = shown[0].Text
	}
	if a.Quote != "" && !reader.QuoteFound(a.Quote, shown) {
		remedy := "select them in the lines, or leave the field empty"
		if near := reader.NearestWords(a.Quote, shown); near != "" {
			remedy = "the nearest words are: “" + sanitize.Short(near, 120) + "”"
		}
		return &formError{"these words are not in the lines", remedy}
	}
	in.Answers, in.Limit = []loopstate.ReviewAnswer{a}, 1
	_, err = p.Loops.Review(ctx, in)
	return err
}
