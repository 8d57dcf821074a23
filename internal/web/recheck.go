package web

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	maxRechecks  = 4                // that run at a time, one of each owner (chosen: they wait for other servers most of the time)
	keptRechecks = 50               // whose results stay until the server stops
	recheckTime  = 30 * time.Minute // bounds one
)

// recheck reads the sources of a loop again. It does not end with the request that began it.
type recheck struct {
	owner    string
	mu       sync.Mutex // guards the fields below
	Done, Of int        // sources
	Running  bool
	Problem  message
	Result   *loops.Recheck
}

// rechecks are the last rechecks of loops, by owner and loop.
type rechecks struct {
	mu    sync.Mutex
	of    map[string]*recheck
	order []string // the oldest first
	all   sync.WaitGroup
}

// last returns the last recheck of a loop as it is now; the zero value if there was none.
func (all *rechecks) last(owner, loop string) recheckView {
	all.mu.Lock()
	r := all.of[owner+" "+loop]
	all.mu.Unlock()
	if r == nil {
		return recheckView{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return recheckView{Done: r.Done, Of: r.Of, Running: r.Running, Problem: r.Problem, Result: r.Result}
}

// add returns a new recheck of a loop; nil if the one of this loop runs already. A busy server or owner is an error.
func (all *rechecks) add(owner, loop string) (*recheck, error) {
	all.mu.Lock()
	defer all.mu.Unlock()
	key, running := owner+" "+loop, 0
	for other, r := range all.of {
		r.mu.Lock()
		runs := r.Running
		r.mu.Unlock()
		switch {
		case runs && other == key:
			return nil, nil
		case runs && r.owner == owner:
			return nil, &formError{problem: said("the sources of another loop are being read again"), remedy: said("try again later")}
		case runs:
			running++
		}
	}
	if running >= maxRechecks {
		return nil, &formError{problem: said("the server reads the sources of other loops again"), remedy: said("try again later")}
	}
	if all.of[key] == nil {
		all.order = append(all.order, key)
	}
	if len(all.order) > keptRechecks { // the oldest may run: it ends all the same
		delete(all.of, all.order[0])
		all.order = all.order[1:]
	}
	r := &recheck{owner: owner, Running: true}
	all.of[key] = r
	return r, nil
}

// beginRecheck starts a recheck, unless one of the loop runs, and leads to its page.
func (p *Page) beginRecheck(w http.ResponseWriter, r *http.Request, v *session) {
	_, frame, ok := p.openLoop(w, r, v, said("What has changed at the sources"))
	if !ok {
		return
	}
	run, err := p.rechecks.add(v.owner, frame.Loop)
	if err != nil {
		p.failed(w, r, v, err)
		return
	}
	if run != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), recheckTime)
		go func() { // the server may stop
			defer cancel()
			select {
			case <-p.stopping:
			case <-ctx.Done():
			}
		}()
		p.rechecks.all.Go(func() {
			defer cancel()
			p.recheck(ctx, frame.Loop, run)
		})
	}
	http.Redirect(w, r, frame.Base+"/recheck", http.StatusSeeOther)
}

func (p *Page) recheck(ctx context.Context, loop string, run *recheck) {
	result, err := p.Loops.Recheck(ctx, loop, func(n, of int, _ string) {
		run.mu.Lock()
		defer run.mu.Unlock()
		run.Done, run.Of = n, of
	})
	run.mu.Lock()
	defer run.mu.Unlock()
	if run.Running, run.Result = false, result; err != nil {
		if _, run.Problem = p.problem(ctx, err); run.Problem == nil {
			run.Problem = said("Page not found.")
		}
	}
}

// recheckView is the page of a recheck: how far it is, or the differences that it found.
type recheckView struct {
	loopFrame
	Done, Of int
	Running  bool
	Problem  message
	Result   *loops.Recheck
	Rows     []recheckRow
	More     int // differences that are not shown
}

// recheckRow is a source that is not as it was.
type recheckRow struct {
	loops.RecheckedSource
	Words     string   // for its result
	Flags     []string // what was published about it
	Sentences []loops.WaitingSentence
	More      int // sentences that are not shown
}

// Differences and sentences of each that the page shows (chosen: the page stays below 2.5 MB with the worst texts).
const maxDifferent, maxWaiting = 200, 5

// resultWords say what happened to a source.
var resultWords = map[string]string{
	loopstate.RereadElsewhere: "Its text has changed, but all cited lines are still there", loopstate.RereadCited: "Cited lines are not there any more",
	loopstate.RereadGone: "There is nothing at its address any more", loopstate.RereadUnreachable: "It could not be read now",
}

func (p *Page) showRecheck(w http.ResponseWriter, r *http.Request, v *session) {
	_, frame, ok := p.openLoop(w, r, v, said("What has changed at the sources"))
	if !ok {
		return
	}
	view := p.rechecks.last(v.owner, frame.Loop)
	if view.loopFrame = frame; view.Running {
		view.Reload = 3
	}
	if view.Result != nil {
		view.rows()
	}
	p.render(w, r, http.StatusOK, "recheck", view)
}

func (v *recheckView) rows() {
	for _, src := range v.Result.Sources[:min(len(v.Result.Sources), maxDifferent)] {
		row := recheckRow{RecheckedSource: src, Words: resultWords[src.Result]}
		if src.Update != "" {
			row.Flags = append(row.Flags, src.Update)
		}
		if src.NewVersion != "" {
			row.Flags = append(row.Flags, "newer_version: "+src.NewVersion)
		}
		for _, s := range v.Result.Sentences {
			if s.SourceID != src.SourceID {
				continue
			}
			if len(row.Sentences) < maxWaiting {
				row.Sentences = append(row.Sentences, s)
			} else {
				row.More++
			}
		}
		v.Rows = append(v.Rows, row)
	}
	v.More = len(v.Result.Sources) - len(v.Rows)
}

// Summary says what a recheck found.
func (v recheckView) Summary() message {
	return func(m messages.Table) string {
		if v.Running {
			return m.T("The sources are being read again.")
		}
		if v.Result == nil {
			return ""
		}
		unreachable := 0
		for _, src := range v.Result.Sources {
			if src.Result == loopstate.RereadUnreachable && src.Update+src.NewVersion == "" {
				unreachable++
			}
		}
		var out []string
		say := func(n int, one, many string) {
			if n > 0 {
				out = append(out, m.Count(n, style.FormatNumber(n), one, many))
			}
		}
		say(len(v.Result.Sources)-unreachable, "1 source is not as it was when it was read.", "%s sources are not as they were when they were read.")
		say(unreachable, "1 source could not be reached.", "%s sources could not be reached.")
		if len(out) == 0 {
			out = append(out, m.T("Every source that was read again is as it was."))
		}
		say(v.Result.NotRead, "1 text without an address was not read again.", "%s texts without an address were not read again.")
		say(v.Result.NotLooked, "Of 1 source no service said whether it was retracted.", "Of %s sources no service said whether they were retracted.")
		return strings.Join(out, " ")
	}
}

// Progress is how much of a recheck is done.
func (v recheckView) Progress() message {
	return said("%s of %s", fmt.Sprint(v.Done), fmt.Sprint(v.Of))
}
