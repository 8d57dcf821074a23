package web

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/citeloop/citeloop/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// Lists longer than this show their newest; the tools page through all of them.
const (
	maxLoopsShown    = 200
	maxSearchesShown = 100
	maxSourcesShown  = 500
	maxClaimsShown   = 500
	maxGapsShown     = 300
)

type listView struct {
	frame
	Loops []loopRow
	More  int
}

type loopRow struct {
	loopstate.Head
	Decision string
}

// list shows the owner's loops.
func (p *Page) list(w http.ResponseWriter, r *http.Request, v *session) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	heads, err := p.Loops.Heads(ctx)
	if err != nil {
		p.failed(w, r, v, err)
		return
	}
	view := listView{frame: p.frame("Your loops", v), More: max(0, len(heads)-maxLoopsShown)}
	for i, head := range heads[:len(heads)-view.More] {
		row := loopRow{Head: head}
		if i < maxDecisions {
			if now, err := p.Loops.Panorama(ctx, head.Loop, 0); err == nil {
				row.Decision = actionWords(now.Decision.NextAction)
			}
		}
		view.Loops = append(view.Loops, row)
	}
	p.render(w, r, http.StatusOK, "list", view)
}

// maxDecisions of a list are worked out: each costs a look at its loop.
const maxDecisions = 30

// loopView is one loop.
type loopView struct {
	frame
	loops.Panorama
	At           int // the round that is looked at; 0 is now
	Moments      int // of the slider: the closed rounds, and now
	Action       string
	Remain       []string
	OpenGaps     []gapRow
	ClosedGaps   []gapRow
	SourceRows   []sourceRow
	SearchRows   []loopstate.Search // newest first
	ClaimRows    []loopstate.Claim
	Chart        chart
	LeftSearches int // older ones that are not shown
	LeftSources  int
	LeftClaims   int
	LeftGaps     int
	Live         bool
	Said         string // what was just done
	Trouble      trouble
}

type gapRow struct {
	loops.Gap
	Target bool
}

type sourceRow struct {
	loops.ViewedSource
	Shown  int // percent of its text
	Claims int // that rest on it
	Bad    string
}

// loop shows one loop, now or as it was when a round ended.
func (p *Page) loop(w http.ResponseWriter, r *http.Request, v *session) {
	round, _ := strconv.Atoi(r.URL.Query().Get("round")) // what is no number is now
	p.showLoop(w, r, v, http.StatusOK, max(0, round), trouble{})
}

func (p *Page) showLoop(w http.ResponseWriter, r *http.Request, v *session, status, round int, t trouble) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	id := r.PathValue("id")
	pano, err := p.Loops.Panorama(ctx, id, 0)
	if err == nil && round > 0 && round <= pano.Closed {
		pano, err = p.Loops.Panorama(ctx, id, round)
	} else {
		round = 0
	}
	if err != nil {
		p.failed(w, r, v, err)
		return
	}
	view := loopViewOf(pano, round)
	view.frame, view.Trouble, view.Said = p.frame(short(80, pano.Query), v), t, doneWords(r.URL.Query().Get("done"))
	p.render(w, r, status, "loop", view)
}

func loopViewOf(pano loops.Panorama, round int) loopView {
	view := loopView{Panorama: pano, At: round, Moments: pano.Closed + 1, Live: round == 0, Action: actionWords(pano.Decision.NextAction), Chart: chartOf(pano.Rounds)}
	view.Remain = remaining(pano.Remaining)
	for _, g := range pano.Gaps {
		row := gapRow{g, g.ID == pano.Decision.TargetGap}
		if g.Status == loopstate.GapOpen {
			view.OpenGaps = append(view.OpenGaps, row)
		} else {
			view.ClosedGaps = append(view.ClosedGaps, row)
		}
	}
	view.OpenGaps, view.LeftGaps = first(view.OpenGaps, maxGapsShown)
	view.ClosedGaps, _ = first(view.ClosedGaps, maxGapsShown)
	bad := map[string]string{}
	for _, b := range pano.Bad {
		bad[loopstate.CanonicalKey(b.URL, "")] = b.Reason
	}
	resting := map[string]int{}
	for _, c := range pano.Claims {
		for _, id := range c.SourceIDs {
			resting[id]++
		}
	}
	for _, src := range slices.Backward(pano.Sources) {
		row := sourceRow{ViewedSource: src, Claims: resting[src.ID], Bad: bad[src.Key]}
		if src.Chars > 0 {
			row.Shown = min(100, 100*src.ShownChars/src.Chars)
		}
		view.SourceRows = append(view.SourceRows, row)
	}
	view.SourceRows, view.LeftSources = first(view.SourceRows, maxSourcesShown)
	slices.Reverse(pano.Searches) // a copy of ours
	view.SearchRows, view.LeftSearches = first(pano.Searches, maxSearchesShown)
	view.ClaimRows, view.LeftClaims = first(pano.Claims, maxClaimsShown)
	return view
}

func first[T any](list []T, n int) (shown []T, left int) {
	return list[:min(n, len(list))], max(0, len(list)-n)
}

func remaining(r loopstate.Remaining) []string {
	out := []string{plural(r.Rounds, "round"), thousands(r.Tokens) + " tokens"}
	if r.CostUSD != nil {
		out = append(out, "$"+strconv.FormatFloat(*r.CostUSD, 'f', 2, 64))
	}
	if r.LatencySeconds != nil {
		out = append(out, plural((*r.LatencySeconds+59)/60, "minute"))
	}
	return out
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}

// actionWords says a next action to a person.
func actionWords(action string) string {
	switch action {
	case loopstate.SearchMore:
		return "Search on"
	case loopstate.FetchMore:
		return "Read what was found"
	case loopstate.Finalize:
		return "Write the result"
	case loopstate.EscalateBudget:
		return "Your word is needed"
	case loopstate.Abort:
		return "Stopped"
	}
	return action
}
