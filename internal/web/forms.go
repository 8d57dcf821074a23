package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// The forms of a loop run the same use cases as the tools and write the same log entries. A successful form redirects to
// the loop; a refused one shows the loop with its error.

// act runs the action of a form; its error is shown to the sender.
type act func(ctx context.Context, loop string, r *http.Request) error

// doneWords are the confirmations after the forms.
var doneWords = map[string]string{
	"rounds": "The rounds were allowed. Tell your assistant to go on.",
	"stop":   "The loop was stopped. It can still be read.",
	"check":  "The text was checked. It is the loop's answer from now on.",
}

// acting returns the handler of a form.
func (p *Page) acting(name string, do act) visit {
	return func(w http.ResponseWriter, r *http.Request, v *session) {
		ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
		defer cancel()
		loop := r.PathValue("id")
		err := do(ctx, loop, r)
		if err == nil {
			http.Redirect(w, r, loopAddress(loop)+"?done="+name, http.StatusSeeOther)
			return
		}
		status, problem := p.problem(ctx, err)
		p.showLoop(w, r, v, status, name, problem)
	}
}

// allowRounds approves further rounds, which a loop asks for when its budget is spent.
func (p *Page) allowRounds(ctx context.Context, loop string, r *http.Request) error {
	n, err := strconv.Atoi(strings.TrimSpace(r.PostFormValue("rounds")))
	if err != nil || n < 1 {
		return &formError{"invalid number of rounds: " + sanitize.Short(r.PostFormValue("rounds"), 20),
			"enter how many rounds the loop may take in all"}
	}
	return p.update(ctx, loop, loopstate.UpdateInput{ConfirmRounds: n})
}

func (p *Page) stop(ctx context.Context, loop string, r *http.Request) error {
	why := strings.TrimSpace(r.PostFormValue("why"))
	if why == "" {
		return &formError{"the reason is missing", "say why the loop is stopped; it cannot be restarted"}
	}
	return p.update(ctx, loop, loopstate.UpdateInput{Abort: why})
}

// update records one change. A rejected change is an error.
func (p *Page) update(ctx context.Context, loop string, in loopstate.UpdateInput) error {
	out, err := p.Loops.Update(ctx, loop, "", in)
	if err == nil && len(out.Rejected) > 0 {
		return &formError{"rejected: " + out.Rejected[0].Why, "reload the page"}
	}
	return err
}

// check checks a draft like the tool verify_citations: it is the loop's text from then on, and its page shows the verdicts.
func (p *Page) check(ctx context.Context, loop string, r *http.Request) error {
	_, err := p.Loops.Verify(ctx, loops.VerifyInput{Loop: loop, Draft: r.PostFormValue("draft")})
	return err
}
