package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/report/stored"
	"github.com/citeloop/citeloop/internal/report/style"
	numbered "github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/remark"
)

type verifyView struct {
	loopFrame
	Draft     string
	Trouble   message
	Done      bool
	Result    verify.Result
	Bound     string // what is still to be read, or what a sample tells about the rest
	Sentences []sentenceView
	Counts    []report.StateCount
}

// sentenceView is a claim, or a sentence of a draft, with its verdict.
type sentenceView struct {
	ID, Text     string
	Verdict      style.Verdict
	Because      string
	Remarks      []string
	Verbatim     bool
	Flags        []string
	Passages     []passageView
	Quoted       bool // a reader quoted words
	Differs      bool // a remark is about words of a source
	line, column int
}

// passageView is a passage of a source with its line numbers, in which the words that decided and those of remarks are marked.
type passageView struct {
	verify.Passage
	Shown storedText
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
	}
	p.showVerify(w, r, v, status, view)
}

func (p *Page) showVerify(w http.ResponseWriter, r *http.Request, v *session, status int, view verifyView) {
	var ok bool
	if _, view.loopFrame, ok = p.openLoop(w, r, v, said("Check a draft")); !ok {
		return
	}
	if m := messages.For(view.Lang); view.Done {
		view.Sentences = sentencesOf(m, view.Result)
		view.Counts = report.CountStates(view.Sentences, func(s sentenceView) style.Verdict { return s.Verdict })
		view.Bound = report.Bound(m, len(view.Result.Pending), nil)
	}
	p.render(w, r, status, "verify", view)
}

// sentencesOf returns the sentences of a draft in order.
func sentencesOf(m messages.Table, v verify.Result) (out []sentenceView) {
	for _, c := range v.Claims {
		out = append(out, sentenceOf(m, c))
	}
	for _, u := range v.Uncited {
		line, column := u.Place()
		out = append(out, sentenceView{Text: u.Text, Verdict: report.Sentence{Status: style.Uncited}.Verdict(), Because: m.T("A claim without a citation."), line: line, column: column})
	}
	for _, own := range v.Own {
		line, column := own.Place()
		out = append(out, sentenceView{Text: own.Text, Verdict: report.Sentence{Status: style.Own}.Verdict(), Because: m.T("The author's own statement; no source was asked about it."), line: line, column: column})
	}
	slices.SortStableFunc(out, func(a, b sentenceView) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column))
	})
	return out
}

func sentenceOf(m messages.Table, c verify.Claim) sentenceView {
	out := sentenceView{ID: c.ID, Text: c.Text, Because: messages.Reason(m, c.Because), Verbatim: c.Verbatim, Flags: c.Flags}
	out.line, out.column = c.Place()
	s := report.Sentence{Status: c.Status, Basis: c.Basis(), Reading: c.Reading, Flags: c.Flags}
	if c.Reading != nil {
		s.ByHost = c.Reading.Reader.Kind == loops.ReaderHost
		out.Because = cmp.Or(report.ReadingWords(m, *c.Reading), out.Because)
	} else if c.Pending() {
		out.Because = "" // the badge says it
	}
	out.Verdict = s.Verdict()
	for _, r := range c.Remarks {
		out.Remarks = append(out.Remarks, messages.Reason(m, r.String()))
	}
	out.Quoted = c.Reading != nil && c.Reading.Quote != ""
	out.Differs = slices.ContainsFunc(c.Remarks, func(r remark.Remark) bool { return r.End > r.Start })
	marks := map[string][]stored.Mark{}
	for _, p := range c.Passages {
		if marks[p.SourceID] == nil {
			block := func(m stored.Mark) bool { return m.ID == markHere || m.ID == markBeside }
			marks[p.SourceID] = slices.DeleteFunc(evidenceMarks(c, p.SourceID), block)
		}
		at := stored.Place{Char: p.Start}
		if first, _ := numbered.ParseRanges(p.Lines); len(first) > 0 {
			at.Line = first[0].First
		}
		out.Passages = append(out.Passages, passageView{p, storedOf(at, p.Text, marks[p.SourceID], true)})
	}
	return out
}
