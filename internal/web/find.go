package web

import (
	"context"
	"net/http"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/report/stored"
)

type findView struct {
	loopFrame
	Asked   string
	Found   []foundView
	Trouble message
}

type foundView struct {
	loops.FoundPassage
	Lines string // "lines 120–128"
	Title string
	Text  storedText
}

// maxFound bounds the passages of a search.
const maxFound = 20

// find searches the stored texts of a loop.
func (p *Page) find(w http.ResponseWriter, r *http.Request, v *session) {
	detail, frame, ok := p.openLoop(w, r, v, said("Search the sources"))
	if !ok {
		return
	}
	view := findView{loopFrame: frame, Asked: r.URL.Query().Get("q")}
	status := http.StatusOK
	if view.Asked != "" {
		ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
		defer cancel()
		found, err := p.Loops.FindPassages(ctx, frame.Loop, view.Asked, nil, maxFound)
		if err != nil {
			status, view.Trouble = p.problem(ctx, err)
		}
		titles, m := map[string]string{}, messages.For(frame.Lang)
		for _, src := range detail.Sources {
			titles[src.ID] = src.Title
		}
		for _, f := range found {
			view.Found = append(view.Found, foundView{f, report.LineWords(m, f.Lines), titles[f.SourceID], storedOf(stored.Place{}, f.Text, nil, true)})
		}
	}
	p.render(w, r, status, "find", view)
}
