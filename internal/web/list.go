package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

type listView struct {
	frame
	Loops   []loopRow
	Pages   pager
	All     int    // loops of the owner
	Asked   string // words that a question must have
	Sort    string
	Sorts   []sorting
	Said    message
	Trouble rejected
}

// sorting is an order of the list.
type sorting struct{ Value, Word string }

// The orders of the list; within each, the last changed loop is first.
const (
	byChange = ""
	byName   = "name"
	byState  = "state"
)

type loopRow struct {
	loopstate.Head
	Decision string
	Gaps     int // open ones that are not citeloop's own remarks
	Sources  int
	Known    bool // whether the numbers are known
}

// maxDecisions bounds the decisions that are computed for a list: each loads a loop.
const maxDecisions = 30

// list shows the loops of the owner, last changed first.
func (p *Page) list(w http.ResponseWriter, r *http.Request, v *session) {
	p.showList(w, r, v, http.StatusOK, rejected{})
}

func (p *Page) showList(w http.ResponseWriter, r *http.Request, v *session, status int, t rejected) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	heads, err := p.Loops.Heads(ctx)
	if err != nil {
		p.failed(w, r, v, err)
		return
	}
	q := r.URL.Query()
	view := listView{frame: p.frame(browserLanguage(r), said("Your loops"), v), All: len(heads), Asked: short(longest, q.Get("q")), Trouble: t,
		Sorts: []sorting{{byChange, "last change"}, {byName, "question"}, {byState, "state"}}}
	if q.Get("done") == "delete" {
		view.Said = said("The loop was deleted.")
	}
	at := placeOf(r, Root, "loops")
	if view.Asked != "" {
		at.params.Set("q", view.Asked)
	}
	for _, s := range view.Sorts[1:] {
		if q.Get("sort") == s.Value {
			view.Sort = s.Value
			at.params.Set("sort", s.Value)
		}
	}
	heads = sorted(named(heads, view.Asked), view.Sort)
	view.Pages = at.fromTop("loops", "loops", len(heads), pageSize)
	for i, head := range heads[view.Pages.lo:view.Pages.hi] {
		row := loopRow{Head: head}
		if i < maxDecisions {
			if now, err := p.Loops.Detail(ctx, head.Loop, 0); err == nil {
				row.Decision, row.Gaps, row.Sources, row.Known = actionWords(now.Decision.NextAction), askedGaps(now.Gaps), now.Progress.Sources, true
			}
		}
		view.Loops = append(view.Loops, row)
	}
	p.render(w, r, status, "list", view)
}

// named returns the loops whose question has all words of a search, in any case.
func named(heads []loopstate.Head, search string) []loopstate.Head {
	words := strings.Fields(strings.ToLower(search))
	return slices.DeleteFunc(slices.Clone(heads), func(h loopstate.Head) bool {
		question := strings.ToLower(h.Query)
		return slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(question, word) })
	})
}

// sorted orders loops that are sorted by their last change.
func sorted(heads []loopstate.Head, by string) []loopstate.Head {
	states := []string{loopstate.StatusRunning, loopstate.StatusFinished, loopstate.StatusAborted}
	slices.SortStableFunc(heads, func(a, b loopstate.Head) int {
		switch by {
		case byName:
			return cmp.Compare(strings.ToLower(a.Query), strings.ToLower(b.Query))
		case byState:
			return cmp.Compare(slices.Index(states, a.Status), slices.Index(states, b.Status))
		}
		return 0
	})
	return heads
}

// askedGaps counts the open gaps, without those that citeloop opened as remarks on the evidence.
func askedGaps(gaps []loops.Gap) (n int) {
	for _, g := range gaps {
		if g.Status == loopstate.GapOpen {
			n++
		}
	}
	return n
}

// start starts a loop with a question. The page says then who can work on it.
func (p *Page) start(w http.ResponseWriter, r *http.Request, v *session) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	question := strings.TrimSpace(r.PostFormValue("question"))
	started, err := loops.Started{}, error(&formError{problem: said("the question is missing"), remedy: said("write what you want to know")})
	if question != "" {
		started, err = p.Loops.Start(ctx, loopstate.StartInput{Query: question})
	}
	if err != nil {
		status, problem := p.problem(ctx, err)
		p.showList(w, r, v, status, rejected{Act: "start", Problem: problem, Values: map[string]string{"question": question}})
		return
	}
	http.Redirect(w, r, Root+"loops/"+started.StateID+"?done=start", http.StatusSeeOther)
}

// deleteView asks before a loop is deleted.
type deleteView struct {
	loopFrame
	Claims, Sources, Rounds int
}

func (p *Page) confirmDelete(w http.ResponseWriter, r *http.Request, v *session) {
	if detail, frame, ok := p.openLoop(w, r, v, said("Delete this loop?")); ok {
		p.render(w, r, http.StatusOK, "delete", deleteView{frame, len(detail.Claims), len(detail.Sources), detail.Closed})
	}
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
