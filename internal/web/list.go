package web

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// pageSize is how many loops are listed at a time: the result of each is computed. listTime bounds that; later rows lack it.
const (
	pageSize = 20
	listTime = 4 * time.Second
)

type listView struct {
	frame
	Loops          []listRow
	Newer, Older   string // links to the neighbouring pages; empty if there is none
	Said           string
	Trouble, Typed string // of the form for a new question
}

// listRow is a loop with its result.
type listRow struct {
	Href, Query string
	State       state
	Ago         string
	Changed     time.Time
	Answer      *answer // nil without one
	First       string  // sentence of it
}

// state is what a loop does, as people ask: waiting, active, needs you, finished.
type state struct{ Word, Class, Why string }

// activeFor is how long a running loop counts as active after its last change: hosts read and think for minutes.
const activeFor = 10 * time.Minute

// stateOf returns the state of a loop.
func stateOf(d detail, now time.Time) state {
	switch {
	case d.Abort != "":
		return state{"finished", "stopped", "Stopped: " + plain(d.Abort)}
	case d.Status != loopstate.StatusRunning:
		return state{"finished", "finished", plain(d.Decision.StopReason)}
	case d.Decision.NextAction == loopstate.EscalateBudget:
		return state{"needs you", "needs", plain(d.Decision.StopReason)}
	case now.Sub(d.UpdatedAt) < activeFor && !d.Untouched():
		return state{"active", "active", ""}
	}
	return state{"waiting", "waiting", ""}
}

// Untouched reports whether nobody has worked on a loop yet.
func (d detail) Untouched() bool {
	return d.Round == 0 && len(d.Searches)+len(d.Sources)+len(d.CurrentClaims()) == 0
}

// ago says how long ago t was.
func ago(t, now time.Time) string {
	switch d := now.Sub(t); {
	case d < time.Minute:
		return "just now"
	case d >= 60*24*time.Hour:
		return t.UTC().Format("2 January 2006")
	}
	return humanize.RelTime(t, now, "ago", "from now")
}

// list shows the loops of the owner, last changed first.
func (p *Page) list(w http.ResponseWriter, r *http.Request, v *session) {
	p.showList(w, r, v, http.StatusOK, listView{})
}

func (p *Page) showList(w http.ResponseWriter, r *http.Request, v *session, status int, view listView) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	heads, err := p.Loops.Heads(ctx)
	if err != nil {
		p.failed(w, r, v, err)
		return
	}
	q := r.URL.Query()
	view.frame = p.frame("Your loops", v)
	if q.Get("done") == "delete" {
		view.Said = "The loop was deleted."
	}
	from, _ := strconv.Atoi(q.Get("from"))
	from = max(0, min(from, len(heads)-1))
	if from > 0 {
		view.Newer = Root + "?from=" + strconv.Itoa(max(0, from-pageSize))
	}
	if from+pageSize < len(heads) {
		view.Older = Root + "?from=" + strconv.Itoa(from+pageSize)
	}
	now, enough := p.Now(), time.Now().Add(listTime)
	for _, head := range heads[from:min(len(heads), from+pageSize)] {
		row := listRow{Href: loopAddress(head.Loop), Query: head.Query, Ago: ago(head.UpdatedAt, now), Changed: head.UpdatedAt}
		if head.Status != loopstate.StatusRunning {
			row.State = state{"finished", "finished", ""}
		}
		if time.Now().Before(enough) {
			p.result(ctx, head.Loop, &row)
		}
		view.Loops = append(view.Loops, row)
	}
	p.render(w, r, status, "list", view)
}

// result adds the state and the result of a loop to its row.
func (p *Page) result(ctx context.Context, loop string, row *listRow) {
	d, err := p.detail(ctx, loop)
	if err != nil {
		return
	}
	row.State = stateOf(d, p.Now())
	if a, err := p.answerOf(ctx, d); err == nil && a != nil {
		row.Answer = a
		if len(a.doc.Sentences) > 0 {
			row.First = sanitize.Short(a.doc.Sentences[0].Text, 220)
		}
	}
}

func loopAddress(id string) string { return Root + "loops/" + url.PathEscape(id) }

// start starts a loop with a question. Its page says who can work on it.
func (p *Page) start(w http.ResponseWriter, r *http.Request, v *session) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	question := strings.TrimSpace(r.PostFormValue("question"))
	started, err := loops.Started{}, error(&formError{"the question is missing", "write what you want to know"})
	if question != "" {
		started, err = p.Loops.Start(ctx, loopstate.StartInput{Query: question})
	}
	if err != nil {
		status, problem := p.problem(ctx, err)
		p.showList(w, r, v, status, listView{Trouble: problem, Typed: question})
		return
	}
	http.Redirect(w, r, loopAddress(started.StateID), http.StatusSeeOther)
}

// delete deletes a loop of the visitor's own. A loop of another owner is not found.
func (p *Page) delete(w http.ResponseWriter, r *http.Request, v *session) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	if err := p.Loops.Delete(ctx, r.PathValue("id")); err != nil {
		p.failed(w, r, v, err)
		return
	}
	http.Redirect(w, r, Root+"?done=delete", http.StatusSeeOther)
}
