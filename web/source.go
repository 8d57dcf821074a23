package web

import (
	"context"
	"net/http"
	"strconv"

	"github.com/citeloop/citeloop/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// partChars of a source's text are shown at a time, in code points: some 50 printed pages, which any browser lays
// out at once.
const partChars = 100_000

type sourceView struct {
	frame
	Loop           string
	Query          string
	Source         loopstate.Source
	Claims         []restingClaim
	Pieces         []piece
	Start, End     int
	Before, After  int // where the neighbouring parts begin; -1: there is none
	Turning        int // characters that turn the direction of text, shown as �
	From, To       int
	DuplicateOther string
}

// restingClaim is a claim that rests on a passage of the source.
type restingClaim struct {
	loopstate.Claim
	Here bool // its passage begins in the part that is shown
	Part int  // where that part begins
}

// source shows a stored text, with the passages that claims rest on highlighted.
func (p *Page) source(w http.ResponseWriter, r *http.Request, v *session) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	loop, id := r.PathValue("id"), r.PathValue("source")
	pano, err := p.Loops.Panorama(ctx, loop, 0)
	if err != nil {
		p.failed(w, r, v, err)
		return
	}
	at, from, to := number(r, "at"), number(r, "from"), number(r, "to")
	if to <= from {
		from, to = 0, 0
	} else if r.URL.Query().Get("at") == "" {
		at = from
	}
	at -= at % partChars
	span, err := p.Loops.ReadSpan(ctx, loop, id, at, at+partChars)
	if err != nil {
		p.failed(w, r, v, err)
		return
	}
	view := sourceView{frame: p.frame(short(80, span.Title), v), Loop: loop, Query: pano.Query, Source: span.Source, Start: span.Start, End: span.End, Before: -1, After: -1, From: from, To: to}
	if span.Start > 0 {
		view.Before = span.Start - partChars
	}
	if span.Cut() {
		view.After = span.End
	}
	var marks []mark
	for _, c := range pano.Claims {
		if c.Check == nil || c.Check.SourceID != id || c.Check.End <= c.Check.Start {
			continue
		}
		start := c.Check.Start
		view.Claims = append(view.Claims, restingClaim{c, start >= span.Start && start < span.End, start - start%partChars})
		marks = append(marks, mark{ID: c.ID, Status: c.Check.Status, Start: start, End: c.Check.End})
	}
	if to > from {
		marks = append(marks, mark{ID: "here", Start: from, End: to})
	}
	view.Pieces, view.Turning = cut(span, marks)
	p.render(w, r, http.StatusOK, "source", view)
}

// number reads a whole number of the query that is not negative; what is none is 0.
func number(r *http.Request, name string) int {
	n, err := strconv.Atoi(r.URL.Query().Get(name))
	if err != nil {
		return 0
	}
	return max(0, n)
}

func itoa(n int) string { return strconv.Itoa(n) }

type findView struct {
	frame
	Loop, Query string
	Asked       string
	Found       []foundView
	Trouble     string
}

type foundView struct {
	loops.FoundPassage
	Title string
}

// maxFound passages answer a search.
const maxFound = 20

// find searches the stored texts of a loop.
func (p *Page) find(w http.ResponseWriter, r *http.Request, v *session) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	loop := r.PathValue("id")
	pano, err := p.Loops.Panorama(ctx, loop, 0)
	if err != nil {
		p.failed(w, r, v, err)
		return
	}
	view := findView{frame: p.frame("Search what was read", v), Loop: loop, Query: pano.Query, Asked: r.URL.Query().Get("q")}
	status := http.StatusOK
	if view.Asked != "" {
		found, err := p.Loops.FindPassages(ctx, loop, view.Asked, nil, maxFound)
		if err != nil {
			status, view.Trouble = p.problem(ctx, err)
		}
		titles := map[string]string{}
		for _, src := range pano.Sources {
			titles[src.ID] = src.Title
		}
		for _, f := range found {
			view.Found = append(view.Found, foundView{f, titles[f.SourceID]})
		}
	}
	p.render(w, r, status, "find", view)
}
