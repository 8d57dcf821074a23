package web

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

// loopView is one loop: its answer, what is doubtful in it, its sources, its history.
type loopView struct {
	frame
	detail
	State                   state
	Ago, Said               string
	Answer                  *answer
	Unanswered              string // why there is no answer, if that is an error
	Open, Shut              []gapRow
	First, Folded           []sourceRow // the first sources, and those after them
	LastRounds              []loopstate.Round
	LastSearches            []loopstate.Search
	Disputes, Disagreements []dispute // of any outcome, and unresolved
	Formats                 []link
	Act, Trouble, Draft     string // a form that was refused, why, and what it had
	Omitted                 int
}

// detail is a loop as it is now.
type detail struct {
	*loopstate.State
	Status    string // running, finished or aborted
	Decision  wording.Decision
	Unread    int // claims for a reader
	Unchecked int // verdicts of elsewhere, of an imported loop
}

func (p *Page) detail(ctx context.Context, loop string) (detail, error) {
	st, err := p.Loops.Snapshot(ctx, loop, 0)
	if err != nil {
		return detail{}, err
	}
	return detail{st, st.Status(), wording.Advised(st), len(st.PendingReviews()), loops.UncheckedImport(st)}, nil
}

// sourceRow is a source with the sentences that cite it.
type sourceRow struct {
	ID, Title, Site, Href string
	Cited                 int
	Flags                 []string
	Bad                   string
}

type gapRow struct{ ID, Text, Note string }

type link struct{ Name, Href string }

// dispute is a contradiction between sources.
type dispute struct {
	ID, Topic, Outcome string
	Resolved           bool
	Sides              []link
}

// Bounds of the lists of the page. The rest is in the JSON report and in the loop's export.
const (
	firstSources = 8
	maxSources   = 300
	maxListed    = 50
)

// openLoop reads the loop of a request as it is now. If that fails, it answers the request and returns false.
func (p *Page) openLoop(w http.ResponseWriter, r *http.Request, v *session, title string) (detail, frame, bool) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	d, err := p.detail(ctx, r.PathValue("id"))
	if err != nil {
		p.failed(w, r, v, err)
		return d, frame{}, false
	}
	f := p.frame(cmp.Or(title, sanitize.Short(d.Query, 80), "A loop without a question"), v)
	f.Base, f.Query, f.Below = loopAddress(d.Loop), d.Query, true
	return d, f, true
}

// loop shows a loop.
func (p *Page) loop(w http.ResponseWriter, r *http.Request, v *session) {
	p.showLoop(w, r, v, http.StatusOK, "", "")
}

func (p *Page) showLoop(w http.ResponseWriter, r *http.Request, v *session, status int, act, trouble string) {
	d, f, ok := p.openLoop(w, r, v, "")
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	f.Below = false
	now := p.Now()
	view := loopView{frame: f, detail: d, State: stateOf(d, now), Ago: ago(d.UpdatedAt, now),
		Act: act, Trouble: trouble, Draft: r.PostFormValue("draft"),
		Said: doneWords[r.URL.Query().Get("done")], LastRounds: lastOf(d.Rounds), LastSearches: lastOf(d.Searches),
		Disputes: disputesOf(d, f.Base), Formats: formatsOf(f.Base)}
	view.Disagreements = slices.DeleteFunc(slices.Clone(view.Disputes), func(x dispute) bool { return x.Resolved })
	var err error
	if view.Answer, err = p.answerOf(ctx, d); err != nil {
		_, view.Unanswered = p.problem(ctx, err)
	}
	tried := d.Tried()
	for _, g := range d.GapsWith("all") {
		row := gapRow{g.ID, plain(g.Gap), g.Importance + " · " + plain(cmp.Or(tried[g.ID], loopstate.NotTried))}
		if g.Status == loopstate.GapOpen {
			view.Open = append(view.Open, row)
		} else {
			row.Note = strings.TrimSuffix(g.Status+": "+plain(g.Why), ": ")
			view.Shut = append(view.Shut, row)
		}
	}
	view.sources()
	p.render(w, r, status, "loop", view)
}

// disputesOf lists the contradictions with links to the sources of the sides.
func disputesOf(d detail, base string) (out []dispute) {
	for _, c := range d.Contradictions[:min(len(d.Contradictions), maxListed)] {
		row := dispute{ID: c.ID, Topic: plain(c.Topic), Outcome: "unresolved: " + plain(c.Why)}
		if c.Resolution != "" {
			row.Resolved, row.Outcome = true, "resolved: "+plain(c.Resolution)
		}
		for _, id := range c.SourceIDs {
			row.Sides = append(row.Sides, link{id, base + "/sources/" + url.PathEscape(id)})
		}
		out = append(out, row)
	}
	return out
}

// sources lists the sources, those that carry most of the answer first.
func (v *loopView) sources() {
	cited := map[string]int{}
	if v.Answer != nil {
		for _, s := range v.Answer.doc.Sentences {
			for i, r := range s.Receipts {
				if !slices.ContainsFunc(s.Receipts[:i], func(o report.Receipt) bool { return o.SourceID == r.SourceID }) {
					cited[r.SourceID]++
				}
			}
		}
	}
	bad := map[string]string{}
	for _, b := range v.Bad {
		bad[b.URL] = b.Reason
	}
	var rows []sourceRow
	for _, src := range v.Sources {
		rows = append(rows, sourceRow{src.ID, cmp.Or(plain(src.Title), "(no title)"), siteOf(src), v.Base + "/sources/" +
			url.PathEscape(src.ID), cited[src.ID], src.Flags[:min(len(src.Flags), 4)], bad[src.URL]})
	}
	slices.SortStableFunc(rows, func(a, b sourceRow) int { return b.Cited - a.Cited })
	v.Omitted = max(0, len(rows)-maxSources)
	v.First, v.Folded = rows[:min(len(rows), firstSources)], rows[min(len(rows), firstSources):len(rows)-v.Omitted]
}

// siteOf returns the host of a source's address, or the name of a file.
func siteOf(src loopstate.Source) string {
	u, err := url.Parse(cmp.Or(src.FinalURL, src.URL))
	switch {
	case err != nil || u.Scheme == "urn":
		return "added as text"
	case u.Host == "":
		return sanitize.Short(path.Base(u.Path), 60)
	}
	return sanitize.Short(strings.TrimPrefix(u.Host, "www."), 60)
}

// lastOf returns the end of a log, newest first.
func lastOf[T any](log []T) []T {
	out := slices.Clone(log[max(0, len(log)-maxListed):])
	slices.Reverse(out)
	return out
}

// version returns the number of the loop's last event, which the page asks for to follow the loop.
func (p *Page) version(w http.ResponseWriter, r *http.Request, v *session) {
	revision, err := p.Loops.Revision(r.Context(), r.PathValue("id"))
	if err != nil {
		p.failed(w, r, v, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintln(w, revision)
}
