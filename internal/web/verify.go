package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report/drawing"
)

type verifyView struct {
	loopFrame
	Draft     string
	Trouble   message
	Done      bool
	Result    loops.Verification
	Sentences []sentenceView
	Counts    []verdictCount
}

type verdictCount struct {
	Status string
	N      int
}

// sentenceView is a sentence of a draft with its verdict.
type sentenceView struct {
	Text         string
	Status       string
	Because      string
	Flags        []string
	SourceURL    string
	Passage      *grounding.Evidence
	line, column int
}

func (p *Page) verifyForm(w http.ResponseWriter, r *http.Request, v *session) {
	p.showVerify(w, r, v, http.StatusOK, verifyView{})
}

// verify checks a draft like verify_citations, with the same log entry.
func (p *Page) verify(w http.ResponseWriter, r *http.Request, v *session) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	view := verifyView{Draft: r.PostFormValue("draft")}
	result, err := p.Loops.Verify(ctx, loops.VerifyInput{Loop: r.PathValue("id"), Draft: view.Draft})
	status := http.StatusOK
	if err != nil {
		if status, view.Trouble = p.problem(ctx, err); status == http.StatusNotFound {
			p.notFound(w, r, v)
			return
		}
	} else {
		view.Done, view.Result = true, result
		view.Sentences, view.Counts = sentencesOf(result)
	}
	p.showVerify(w, r, v, status, view)
}

func (p *Page) showVerify(w http.ResponseWriter, r *http.Request, v *session, status int, view verifyView) {
	var ok bool
	if _, view.loopFrame, ok = p.openLoop(w, r, v, said("Check a draft")); ok {
		p.render(w, r, status, "verify", view)
	}
}

// sentencesOf returns the claims of a draft in order.
func sentencesOf(v loops.Verification) (out []sentenceView, counts []verdictCount) {
	for _, c := range v.Claims {
		line, column := c.Place()
		out = append(out, sentenceView{Text: c.Text, Status: string(c.Status), Because: becauseOf(c), Flags: c.Flags, SourceURL: c.SourceURL, Passage: c.Passage, line: line, column: column})
	}
	for _, u := range v.Uncited {
		line, column := u.Place()
		out = append(out, sentenceView{Text: u.Text, Status: drawing.Uncited, line: line, column: column})
	}
	for _, own := range v.Own {
		line, column := own.Place()
		out = append(out, sentenceView{Text: own.Text, Status: drawing.Own, line: line, column: column})
	}
	slices.SortStableFunc(out, func(a, b sentenceView) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
	})
	n := map[string]int{}
	for _, s := range out {
		n[s.Status]++
	}
	return out, countsOf(n)
}

// becauseOf returns the reason for a verdict with its differences.
func becauseOf(c loops.VerifiedClaim) string {
	because := c.Because
	for _, d := range citing.Differences(c.Verdict) {
		because += " " + d.String() + "."
	}
	return because
}

// countsOf returns the verdicts that occur, best first.
func countsOf(n map[string]int) (counts []verdictCount) {
	for _, v := range drawing.Verdicts() {
		if n[v.Status] > 0 {
			counts = append(counts, verdictCount{v.Status, n[v.Status]})
		}
	}
	return counts
}
