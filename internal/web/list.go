package web

import (
	"context"
	"net/http"

	"github.com/citeloop/citeloop/loopstate"
)

type listView struct {
	frame
	Loops []loopRow
	Pages pager
}

type loopRow struct {
	loopstate.Head
	Decision string
	Gaps     int // open ones
	Sources  int
	Known    bool // whether the numbers are known
}

// maxDecisions bounds the decisions that are computed for a list: each loads a loop.
const maxDecisions = 30

// list shows the loops of the owner, last changed first.
func (p *Page) list(w http.ResponseWriter, r *http.Request, v *session) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	heads, err := p.Loops.Heads(ctx)
	if err != nil {
		p.failed(w, r, v, err)
		return
	}
	view := listView{frame: p.frame(browserLanguage(r), said("Your loops"), v), Pages: placeOf(r, Root, "loops").fromTop("loops", "loops", len(heads), pageSize)}
	for i, head := range heads[view.Pages.lo:view.Pages.hi] {
		row := loopRow{Head: head}
		if i < maxDecisions {
			if now, err := p.Loops.Detail(ctx, head.Loop, 0); err == nil {
				row.Decision, row.Gaps, row.Sources, row.Known = actionWords(now.Decision.NextAction), now.Progress.OpenGaps, now.Progress.Sources, true
			}
		}
		view.Loops = append(view.Loops, row)
	}
	p.render(w, r, http.StatusOK, "list", view)
}
