package web

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"slices"
	"strconv"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/loopstate"
)

// loopView is one loop.
type loopView struct {
	frame
	loops.LoopDetail
	At      int // the viewed round; 0 is now
	Moments int // positions of the slider: the closed rounds and now
	Base    string
	Live    bool
	Action  string
	Budget  []budgetLine
	Now     roundView
	Reports []reportLink
	Answer  answerView

	GapGroups  []gapGroup
	OpenGaps   []gapRow
	ClosedGaps []gapRow
	ClaimRows  []claimRow
	SourceRows []sourceRow
	Cards      []sourceRow // the same, with copies folded
	Lone       int         // claims that rest on one independent origin
	Asked      int         // open gaps, without citeloop's own remarks
	SearchRows []searchRow
	BadRows    []loopstate.BadURL
	ContraRows []loopstate.Contradiction
	RoundRows  []roundRow

	GapPages, ClosedPages, ClaimPages, SourcePages, SearchPages, BadPages, ContraPages, RoundPages pager

	Said    message  // confirmation of the last form
	Choices []gapRow // gaps offered by the form for closing one
	Closing string   // the gap selected for closing
	Trouble rejected

	Rechecked bool // this server has read the sources again, or does
}

type claimRow struct {
	loopstate.Claim
	Href    string // its permanent address
	Verdict style.Verdict
	Cited   []answerCitation // its sources, once each
	More    int              // sources that Cited omits
	Origins int              // different texts among them
	Flags   []string         // without the one about its origin, which the list states once
}

// Running reports whether the loop was not finished at the shown moment.
func (v loopView) Running() bool { return v.Status == loopstate.StatusRunning }

// Unworked reports whether nobody has worked on the loop yet.
func (v loopView) Unworked() bool {
	return v.Running() && v.Live && v.Closed == 0 && len(v.Searches)+len(v.Sources)+len(v.Claims) == 0
}

// Stopped says why a finished loop stopped, in the words of the page where it has some.
func (v loopView) Stopped() message {
	if v.Decision.Rule == "two_signoffs" {
		return said("The assistant signed off two rounds in a row, and no material gap is open.")
	}
	return func(m messages.Table) string {
		return report.AsSentence(plain(messages.Reason(m, v.Decision.StopReason)))
	}
}

// Fresh reports whether a round is the shown round.
func (v loopView) Fresh(round int) bool { return round == v.Now.Round }

type searchRow struct {
	loopstate.Search
	Number int // in the log
}

// Parameters for the pages of the lists. Each is the id of the heading of its list without "h-".
const (
	gapsParam, closedParam, claimsParam, sourcesParam, searchesParam, badParam, contraParam, roundsParam = "gaps", "closed", "claims", "sources", "searches", "bad", "contra", "rounds"
)

// loop shows a loop now, or as of the end of a round.
func (p *Page) loop(w http.ResponseWriter, r *http.Request, v *session) {
	p.showLoop(w, r, v, http.StatusOK, rejected{})
}

func (p *Page) showLoop(w http.ResponseWriter, r *http.Request, v *session, status int, t rejected) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	detail, err := p.Loops.Detail(ctx, r.PathValue("id"), 0)
	round := number(r, "round")
	if err == nil && round > 0 && round <= detail.Closed && t.Act == "" {
		detail, err = p.Loops.Detail(ctx, detail.StateID, round)
	} else {
		round = 0
	}
	if err != nil {
		p.failed(w, r, v, err)
		return
	}
	at := placeOf(r, Root+"loops/"+detail.StateID, gapsParam, closedParam, claimsParam, sourcesParam, searchesParam, badParam, contraParam, roundsParam)
	if round > 0 {
		at.params.Set("round", strconv.Itoa(round))
	}
	lang := languageOf(r, detail)
	view := loopViewOf(messages.For(lang), detail, round, at)
	view.frame, view.Trouble, view.Said = p.frame(lang, verbatim(short(80, detail.Query)), v), t, doneWords[r.URL.Query().Get("done")]
	if view.Closing = t.Values["gap"]; view.Closing == "" {
		view.Closing = r.URL.Query().Get("close")
	}
	last := p.rechecks.last(v.owner, detail.StateID)
	view.Rechecked = last.Running || last.Result != nil
	view.Choices = view.OpenGaps
	for _, g := range detail.Gaps {
		if g.ID == view.Closing && g.Status == loopstate.GapOpen && !slices.ContainsFunc(view.OpenGaps, func(row gapRow) bool { return row.ID == g.ID }) {
			view.Choices = append([]gapRow{{Gap: g}}, view.OpenGaps...)
		}
	}
	p.showDraft(ctx, &view)
	p.render(w, r, status, "loop", view)
}

func loopViewOf(m messages.Table, detail loops.LoopDetail, round int, at place) loopView {
	view := loopView{LoopDetail: detail, At: round, Moments: detail.Closed + 1, Base: at.path, Live: round == 0, Action: actionWords(detail.Decision.NextAction),
		Budget: budgetOf(detail), Now: roundOf(detail, round), Reports: reportLinks(at.path, detail), Asked: askedGaps(detail.Gaps)}
	view.gaps(at)
	view.claims(at)
	view.sources(at)
	view.searches(at)
	view.BadPages = at.fromEnd("addresses", badParam, len(detail.Bad), pageSize)
	view.BadRows = backwards(detail.Bad, view.BadPages)
	view.ContraPages = at.fromTop("contradictions", contraParam, len(detail.Contradictions), pageSize/5)
	view.ContraRows = detail.Contradictions[view.ContraPages.lo:view.ContraPages.hi]
	view.RoundPages = at.fromEnd("rounds", roundsParam, len(detail.Rounds), pageSize)
	view.RoundRows = roundRows(backwards(detail.Rounds, view.RoundPages))
	view.Answer.Counts = report.CountStates(detail.Claims, detail.Verdict)
	return view
}

func (v *loopView) gaps(at place) {
	var open, closed []gapRow
	for _, g := range v.Gaps {
		row := gapRow{Gap: g, Target: g.ID == v.Decision.TargetGap, Fresh: g.OpenedRound == v.Now.Round}
		if g.Status == loopstate.GapOpen {
			row.Close = at.param("close", g.ID, "act-close")
			open = append(open, row)
		} else {
			row.Fresh = g.ClosedRound == v.Now.Round
			closed = append(closed, row)
		}
	}
	slices.SortStableFunc(closed, func(a, b gapRow) int { return a.ClosedRound - b.ClosedRound })
	v.GapPages = at.fromTop("open gaps", gapsParam, len(open), pageSize)
	v.OpenGaps = open[v.GapPages.lo:v.GapPages.hi]
	v.GapGroups = gapGroups(v.OpenGaps, open, v.Status == loopstate.StatusRunning)
	v.ClosedPages = at.fromEnd("closed gaps", closedParam, len(closed), pageSize)
	v.ClosedGaps = backwards(closed, v.ClosedPages)
}

func (v *loopView) claims(at place) {
	origin, titles := map[string]string{}, map[string]string{}
	for _, src := range v.Sources {
		origin[src.ID], titles[src.ID] = src.Origin(), src.Title
	}
	v.ClaimPages = at.fromTop("claims", claimsParam, len(v.Claims), pageSize)
	for i, c := range v.Claims {
		different := map[string]bool{}
		for _, id := range c.SourceIDs {
			if from, ok := origin[id]; ok {
				different[from] = true
			}
		}
		if len(different) == 1 {
			v.Lone++
		}
		if i < v.ClaimPages.lo || i >= v.ClaimPages.hi {
			continue
		}
		row := claimRow{Claim: c, Href: at.with(claimsParam, pageOf(i, pageSize), c.ID), Verdict: v.Verdict(c), Cited: citationsOf(v.StateID, c, titles), Origins: len(different)}
		row.More = len(distinct(c.SourceIDs)) - len(row.Cited)
		if c.Check != nil {
			row.Flags = slices.DeleteFunc(slices.Clone(c.Check.Flags), isLone)
		}
		v.ClaimRows = append(v.ClaimRows, row)
	}
}

func (v *loopView) sources(at place) {
	bad := map[string]string{}
	for _, b := range v.Bad {
		if len(b.URL) <= maxAddressBytes {
			bad[docid.CanonicalKey(b.URL, "")] = b.Reason
		}
	}
	carried := map[string][]string{}
	for _, c := range v.Claims {
		for _, id := range distinct(c.SourceIDs) {
			carried[id] = append(carried[id], c.ID)
		}
	}
	v.SourcePages = at.fromEnd("sources", sourcesParam, len(v.Sources), pageSize)
	for _, src := range backwards(v.Sources, v.SourcePages) {
		row := sourceRow{ViewedSource: src, Carries: carried[src.ID], Site: siteOf(src.Source), Bad: bad[src.Key]}
		if src.Chars > 0 {
			row.Part = min(100, 100*src.ShownChars/src.Chars)
		}
		v.SourceRows = append(v.SourceRows, row)
	}
	v.Cards = cards(v.SourceRows)
}

func (v *loopView) searches(at place) {
	v.SearchPages = at.fromEnd("searches", searchesParam, len(v.Searches), pageSize)
	for i, s := range backwards(v.Searches, v.SearchPages) {
		v.SearchRows = append(v.SearchRows, searchRow{s, v.SearchPages.Top - i})
	}
}

// backwards returns a page of a log, newest first.
func backwards[T any](log []T, page pager) []T {
	out := slices.Clone(log[page.lo:page.hi])
	slices.Reverse(out)
	return out
}

// showDraft sets the delivered text of a finished loop. Its sentences are checked against the sources as they are now.
func (p *Page) showDraft(ctx context.Context, v *loopView) {
	if v.Draft == nil || v.Running() || !v.Live {
		return
	}
	doc, err := p.deliveries.report(ctx, fmt.Sprint(v.StateID, " ", v.Version), func(ctx context.Context) (report.Document, error) {
		return p.Loops.Report(ctx, loops.ReportInput{Loop: v.StateID, AllowUnverified: true})
	})
	if err != nil { // the claims are shown instead
		p.Logger.ErrorContext(ctx, "showing the draft of a loop failed", "loop", v.StateID, "error", err)
		return
	}
	source := func(id string) string { return sourceAddress(v.StateID, id) }
	draft := report.AnswerOf(doc, draftChars, report.Links{
		Passage: func(r report.Receipt) string {
			return fmt.Sprintf("%s?from=%d&to=%d#here", source(r.SourceID), r.Start, r.End)
		},
		Source: source,
		Proof:  func(sentence int) string { return fmt.Sprintf("%s/report#p%d", v.Base, sentence+1) },
	})
	if plain(html.UnescapeString(string(draft.Title))) == plain(v.Query) { // the page has it as its heading
		draft.Title = ""
	}
	v.Answer = answerView{Draft: &draft, Counts: draft.Counts}
}

// draftChars bounds the delivered text on the page, in code points. The report has all of it.
const draftChars = 20_000
