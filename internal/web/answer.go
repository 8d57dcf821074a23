package web

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/loopstate"
)

// answerShown bounds the sentences of the answer that are not folded (chosen: about one screen).
const answerShown = 12

// answerView has the delivered text; or without one, the claims that no check refuted, and the counts of all claims.
type answerView struct {
	Counts  []report.StateCount
	Draft   *report.Answer
	Shown   []answerSentence
	Rest    []answerSentence // folded
	Refuted int              // claims that a check found contradicted or not found
}

// Sum counts the sentences of the delivered text.
func (v answerView) Sum() (n int) {
	for _, c := range v.Counts {
		n += c.N
	}
	return n
}

// draftChars bounds the delivered text on the page, in code points. The report has all of it.
const draftChars = 20_000

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

type answerSentence struct {
	ID, Text string
	Verdict  drawing.Verdict
	Cited    []answerCitation
}

// answerCitation links to the passage, or to the source if no passage was found.
type answerCitation struct{ ID, Title, Href string }

func answerOf(p loops.LoopDetail) answerView {
	var v answerView
	titles := map[string]string{}
	for _, s := range p.Sources {
		titles[s.ID] = s.Title
	}
	v.Counts = report.CountStates(p.Claims, func(c loopstate.Claim) drawing.Verdict { return verdictOf(p, c) })
	for _, c := range p.Claims {
		verdict := verdictOf(p, c)
		if verdict.Status == loopstate.Unsupported {
			v.Refuted++
			continue
		}
		v.Rest = append(v.Rest, answerSentence{ID: c.ID, Text: c.Claim, Verdict: verdict, Cited: citationsOf(p.StateID, c, titles)})
	}
	if len(v.Rest) > answerShown+1 {
		v.Shown, v.Rest = v.Rest[:answerShown], v.Rest[answerShown:min(len(v.Rest), answerShown+pageSize)]
	} else {
		v.Shown, v.Rest = v.Rest, nil
	}
	return v
}

// verdictOf is the verdict of a claim, with what its reader answered. Who read it is said with its evidence.
func verdictOf(p loops.LoopDetail, c loopstate.Claim) drawing.Verdict {
	reading, ok := p.Readings[c.ID]
	if !ok {
		return report.VerdictOf(c)
	}
	return report.Sentence{Status: c.Check.Status, Basis: c.Check.Basis, Flags: c.Check.Flags, Reading: &reading}.Verdict()
}

// citationsOf returns the sources of a claim with their lines, at most answerShown.
func citationsOf(loop string, c loopstate.Claim, titles map[string]string) (out []answerCitation) {
	for _, id := range distinct(c.SourceIDs) {
		if len(out) == answerShown {
			break
		}
		cited := answerCitation{id, short(pointed, titles[id]), sourceAddress(loop, id)}
		if hasPassage(c, id) {
			cited.Href = passageAddress(loop, id, c)
			if at := linesIn(c.Check.Lines, id); at != "" {
				cited.ID += ":" + at
			}
		}
		out = append(out, cited)
	}
	return out
}

// gapGroup has the open gaps of one kind.
type gapGroup struct {
	Name string
	N    int // on all pages
	Open bool
	Rows []gapRow
}

// gapGroups groups the rows of a page; all are the open gaps of every page.
func gapGroups(rows, all []gapRow, running bool) []gapGroup {
	groups := []gapGroup{
		{Name: "To pursue", Open: running}, {Name: "Would not change the answer"}, {Name: "Claims that rest on one weak source"}, {Name: "Not tried, or not found"},
	}
	for _, g := range all {
		groups[groupOf(g)].N++
	}
	for _, g := range rows {
		at := groupOf(g)
		groups[at].Rows = append(groups[at].Rows, g)
		groups[at].Open = groups[at].Open || g.Target && running
	}
	return slices.DeleteFunc(groups, func(g gapGroup) bool { return len(g.Rows) == 0 })
}

func groupOf(g gapRow) int {
	switch {
	case g.Debt != "" && g.Kind == loopstate.KindUnverified:
		return 2
	case g.Debt != "" && g.Kind == loopstate.KindModality:
		return 3
	case !g.Material:
		return 1
	}
	return 0
}

// siteOf returns the host of a source's address, or the name of a file.
func siteOf(src loopstate.Source) string {
	u, err := url.Parse(cmp.Or(src.FinalURL, src.URL))
	switch {
	case err != nil || u.Scheme == "urn":
		return ""
	case u.Host == "":
		return short(pointed, path.Base(u.Path))
	}
	return short(pointed, strings.TrimPrefix(u.Host, "www."))
}

// carriedIDs bounds the claims that the card of a source lists (chosen).
const carriedIDs = 6

// cards groups the rows of a page: copies are listed with their source.
func cards(rows []sourceRow) []sourceRow {
	at := map[string]int{}
	var out []sourceRow
	for _, row := range rows {
		if row.DuplicateOf == "" {
			at[row.ID] = len(out)
			out = append(out, row)
		}
	}
	for _, row := range rows {
		if i, ok := at[row.DuplicateOf]; row.DuplicateOf != "" && ok {
			out[i].Copies = append(out[i].Copies, row)
		} else if row.DuplicateOf != "" {
			out = append(out, row)
		}
	}
	return out
}

// carriesWords lists the claims of a source by id: "C1, C4 and 3 more".
func carriesWords(m messages.Table, r sourceRow) string {
	if len(r.Carries) <= carriedIDs {
		return strings.Join(r.Carries, ", ")
	}
	return m.T("%s and %s more", strings.Join(r.Carries[:carriedIDs], ", "), fmt.Sprint(len(r.Carries)-carriedIDs))
}
