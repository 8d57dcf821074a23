package web

import (
	"context"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// answer is the text that was last checked, or else the recorded claims, with the state of each sentence.
type answer struct {
	report.Answer
	doc     report.Document
	states  []report.State
	Claimed bool   // it has no text but claims
	Verdict string // pass, undecided or fail
	Doubts  []judged
	More    int // doubts that are not listed
	Unread  int // sentences that nobody has read
}

// judged is a sentence with its state, and where its evidence is.
type judged struct {
	report.Verdict
	Text, Lines, Href string
}

// Bounds of the doubts on a page, which the report has all, and of the answers that are kept for the next pages.
const (
	maxDoubts  = 8
	maxAnswers = 64 // chosen: 64 of usual length take 10 MB
)

// answerOf returns the answer of a loop, or nil if it has none yet.
func (p *Page) answerOf(ctx context.Context, d detail) (*answer, error) {
	if len(d.CurrentClaims()) == 0 && d.Draft == nil {
		return nil, nil
	}
	key := fmt.Sprint(d.Loop, " ", d.Seq)
	if kept, ok := p.answers.Get(key); ok {
		return kept, nil
	}
	select {
	case p.checking <- struct{}{}:
		defer func() { <-p.checking }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	doc, err := p.Loops.Report(ctx, loops.ReportInput{Loop: d.Loop, AllowUnverified: true})
	if loopstate.Has(err, loopstate.CodeNothingToSay) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	a := newAnswer(doc)
	p.answers.Add(key, a)
	return a, nil
}

func newAnswer(doc report.Document) *answer {
	base := loopAddress(doc.StateID)
	a := &answer{doc: doc, states: doc.States(), Claimed: doc.Text == "", Verdict: doc.Verdict,
		Answer: report.AnswerOf(doc, func(id string, sentence int) string { return passageAddress(base, id, sentence) })}
	if a.Verdict == verify.Review {
		a.Verdict = "undecided"
	}
	if strings.HasSuffix(plain(doc.Query), plain(a.Title)) { // the page has it as its heading
		a.Title = ""
	}
	for i, state := range a.states {
		switch {
		case state == report.Unread:
			a.Unread++
		case state >= report.OneOrigin: // counted, not listed
		case len(a.Doubts) < maxDoubts:
			a.Doubts = append(a.Doubts, judged{state.Verdict(), plain(doc.Sentences[i].Text), "", fmt.Sprintf("#e%d", i+1)})
		default:
			a.More++
		}
	}
	return a
}
