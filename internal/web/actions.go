package web

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// What people may do at a loop is what the tools do, through the same use cases and with the same entries in the
// log. A form that went through leads back to the loop; one that did not is shown again with what is wrong.

// act does what a form asks for; the error is for whoever sent it.
type act func(ctx context.Context, loop string, r *http.Request) error

// trouble is a form that did not go through, with what was written into it.
type trouble struct {
	Act     string
	Problem string
	Values  map[string]string
}

// Value is what was written into a field of a form, to be shown again.
func (t trouble) Value(act, field string) string {
	if t.Act != act {
		return ""
	}
	return t.Values[field]
}

func (p *Page) acts() map[string]act {
	return map[string]act{"gap": p.addGap, "close-gap": p.closeGap, "bad-source": p.badSource, "paste": p.paste, "rounds": p.confirmRounds, "stop": p.stop}
}

// doneWords says what was just done, by the name of the form.
func doneWords(name string) string {
	switch name {
	case "gap":
		return "The gap is in the loop. The next search will know of it."
	case "close-gap":
		return "The gap is closed, with your why beside it."
	case "bad-source":
		return "The source is marked as bad."
	case "paste":
		return "The text is kept as a source and can be cited."
	case "rounds":
		return "The rounds are confirmed."
	case "stop":
		return "The loop is stopped. It can still be read."
	}
	return ""
}

// acting answers a form.
func (p *Page) acting(name string, do act) visit {
	return func(w http.ResponseWriter, r *http.Request, v *session) {
		ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
		defer cancel()
		loop := r.PathValue("id")
		err := do(ctx, loop, r)
		if err == nil {
			http.Redirect(w, r, Root+"loops/"+loop+"?done="+name+"#done", http.StatusSeeOther) // the loop was found, so its id is a UUID
			return
		}
		status, problem := p.problem(ctx, err)
		if status == http.StatusNotFound {
			p.notFound(w, r, v)
			return
		}
		t := trouble{Act: name, Problem: problem, Values: map[string]string{}}
		for field := range r.PostForm {
			if field != "form" {
				t.Values[field] = r.PostForm.Get(field)
			}
		}
		p.showLoop(w, r, v, status, t)
	}
}

func (p *Page) addGap(ctx context.Context, loop string, r *http.Request) error {
	added, err := p.Loops.AddGap(ctx, loop, loopstate.GapInput{Gap: r.PostFormValue("gap"), Importance: r.PostFormValue("importance")})
	if err == nil && added.DuplicateOf != "" {
		return &loopstate.ArgumentError{Argument: "gap", Problem: "the loop has this gap already, as " + added.DuplicateOf, Next: "say it in other words if you mean something else"}
	}
	return err
}

func (p *Page) closeGap(ctx context.Context, loop string, r *http.Request) error {
	return p.update(ctx, loop, loopstate.UpdateInput{ClosedGaps: []loopstate.ClosedGap{{GapID: r.PostFormValue("gap"), Status: r.PostFormValue("status"), Why: r.PostFormValue("why")}}})
}

func (p *Page) badSource(ctx context.Context, loop string, r *http.Request) error {
	detail, err := p.Loops.Detail(ctx, loop, 0)
	if err != nil {
		return err
	}
	for _, src := range detail.Sources {
		if src.ID == r.PostFormValue("source") {
			if strings.TrimSpace(r.PostFormValue("why")) == "" {
				return &loopstate.ArgumentError{Argument: "why", Problem: "say what is wrong with the source", Next: "one sentence is enough"}
			}
			return p.update(ctx, loop, loopstate.UpdateInput{BadURLs: []loopstate.BadURL{{URL: src.URL, Reason: r.PostFormValue("why")}}})
		}
	}
	return &loopstate.ArgumentError{Argument: "source", Problem: "there is no such source", Next: "choose one of the list"}
}

// paste keeps a text as a source. It does not count as shown to the host, who has not seen it.
func (p *Page) paste(ctx context.Context, loop string, r *http.Request) error {
	in := loops.ReadInput{Loop: loop, Text: r.PostFormValue("text"), Title: r.PostFormValue("title"), Show: func([]loops.PageOutcome) []loopstate.Spans { return nil }}
	if address := strings.TrimSpace(r.PostFormValue("url")); address != "" {
		if sanitize.Link(address) == "" {
			return &loopstate.ArgumentError{Argument: "url", Problem: "this is no http or https address", Next: "give the page's own, or leave it out"}
		}
		in.URLs = []string{address}
	}
	if strings.TrimSpace(in.Text) == "" {
		return &loopstate.ArgumentError{Argument: "text", Problem: "the text is empty", Next: "paste what the page says"}
	}
	out, err := p.Loops.Read(ctx, in)
	if err != nil {
		return err
	}
	for _, o := range out {
		if o.Status != fetch.StatusRead {
			return &loopstate.ArgumentError{Argument: "text", Problem: o.Reason, Next: "paste the whole text"}
		}
	}
	return nil
}

func (p *Page) confirmRounds(ctx context.Context, loop string, r *http.Request) error {
	n, err := strconv.Atoi(strings.TrimSpace(r.PostFormValue("rounds")))
	if err != nil || n < 1 {
		return &loopstate.ArgumentError{Argument: "rounds", Problem: fmt.Sprintf("%.20q is no number of rounds", r.PostFormValue("rounds")), Next: "give the rounds that the loop may take in all"}
	}
	return p.update(ctx, loop, loopstate.UpdateInput{ConfirmRounds: n})
}

func (p *Page) stop(ctx context.Context, loop string, r *http.Request) error {
	why := strings.TrimSpace(r.PostFormValue("why"))
	if why == "" {
		return &loopstate.ArgumentError{Argument: "why", Problem: "say why the loop is stopped", Next: "it cannot be started again"}
	}
	return p.update(ctx, loop, loopstate.UpdateInput{Abort: why})
}

// update records something; what was not taken is an error to a person who sent one thing alone.
func (p *Page) update(ctx context.Context, loop string, in loopstate.UpdateInput) error {
	out, err := p.Loops.Update(ctx, loop, "", in)
	if err == nil && len(out.Rejected) > 0 {
		return &loopstate.ArgumentError{Argument: "form", Problem: "it was not taken: " + out.Rejected[0].Why, Next: "open the page anew"}
	}
	return err
}
