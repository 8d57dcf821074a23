package web

import (
	"context"
	"fmt"
	"html"
	"html/template"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// answer is the text that was last checked, or else the recorded claims, with the verdict on each sentence.
type answer struct {
	doc     report.Document
	Title   template.HTML
	Text    template.HTML // empty without a text
	Cut     bool          // the text is longer
	Counts  []report.StateCount
	Doubts  []doubt
	More    int // doubts that are not listed
	Unread  int // sentences that nobody has read
	Lone    int // sentences on one independent origin
	Of      int // sentences
	Claims  []sentence
	Verdict string // pass, undecided or fail
}

// sentence is a claim of an answer without a text.
type sentence struct {
	ID, Text, Sign, Word, Class, Href string
}

// doubt is what a reader of the answer should look at first.
type doubt struct{ Href, Sign, Word, Class, Text string }

// Bounds of an answer on a page: code points of its text, doubts, and claims. The report has all.
const (
	answerChars = 20_000
	maxDoubts   = 8
	maxClaims   = 200
)

// maxAnswers bounds the answers that are kept for the pages that show them next (chosen: 64 of usual length take 10 MB).
const maxAnswers = 64

// answerOf returns the answer of a loop, or nil if it has none yet.
func (p *Page) answerOf(ctx context.Context, d loops.LoopDetail) (*answer, error) {
	if len(d.Claims) == 0 && d.Draft == nil {
		return nil, nil
	}
	key := fmt.Sprint(d.StateID, " ", d.Version)
	if kept, ok := p.answers.Get(key); ok {
		return kept, nil
	}
	select {
	case p.checking <- struct{}{}:
		defer func() { <-p.checking }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	doc, err := p.Loops.Report(ctx, loops.ReportInput{Loop: d.StateID, AllowUnverified: true})
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
	proof := func(i int) string {
		for _, r := range doc.Sentences[i].Receipts {
			return proofAddress(base, r.SourceID, i)
		}
		return ""
	}
	text := report.AnswerOf(doc, answerChars, report.Links{
		Passage: func(r report.Receipt) string {
			return spanAddress(base, r.SourceID, r.Start, r.End)
		},
		Source: func(id string) string { return base + "/sources/" + id },
		Proof:  proof,
	})
	if title := html.UnescapeString(string(text.Title)); strings.HasSuffix(plain(doc.Query), plain(title)) { // the page has it as its heading
		text.Title = ""
	}
	a := &answer{doc: doc, Title: text.Title, Text: text.Text, Cut: text.Cut, Counts: text.Counts, Of: len(doc.Sentences), Verdict: doc.Verdict}
	if a.Verdict == verify.Review {
		a.Verdict = "undecided"
	}
	for i, s := range doc.Sentences {
		v := s.Verdict()
		if s.IndependentOrigins == 1 {
			a.Lone++
		}
		if unread(s) {
			a.Unread++
		}
		if doc.Text == "" && len(a.Claims) < maxClaims {
			a.Claims = append(a.Claims, sentence{s.ClaimID, plain(s.Text), v.Sign, v.Word, v.Class, proof(i)})
		}
		if doubtful(s) {
			a.doubt(doubt{proof(i), v.Sign, v.Word, v.Class, plain(s.Text)})
		}
	}
	for _, c := range doc.Contradictions {
		if c.Resolution == "" {
			a.doubt(doubt{"#" + c.ID, "≠", "sources disagree", "v-unsupported", plain(c.Topic) + ": " + plain(c.Why)})
		}
	}
	return a
}

func (a *answer) doubt(d doubt) {
	if len(a.Doubts) < maxDoubts {
		a.Doubts = append(a.Doubts, d)
	} else {
		a.More++
	}
}

// first returns the first sentence of the answer.
func (a *answer) first() string {
	if len(a.doc.Sentences) == 0 {
		return ""
	}
	return sanitize.Short(a.doc.Sentences[0].Text, 220)
}

// unread reports whether nobody has read a sentence that somebody could.
func unread(s report.Sentence) bool { return s.Status == loopstate.Inferred && s.Reading == nil }

// doubtful reports whether a sentence is to be looked at first: it was read and is not supported, or it has no source.
func doubtful(s report.Sentence) bool {
	switch s.Status {
	case loopstate.Grounded, "own":
		return false
	}
	return !unread(s)
}
