package web

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/report/stored"
	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/loopstate"
)

// partChars is how much of a text is shown at a time, in code points: about 50 printed pages.
const partChars = 100_000

// maxLinesBytes bounds a reference to lines in an address.
const maxLinesBytes = 200

type sourceView struct {
	loopFrame
	Running       bool
	Source        loopstate.Source
	Bad           string
	Claims        []restingClaim
	ClaimPages    pager
	Named         int // claims that cite the source, also without a matching passage
	Shown         int // characters that the host was shown
	Partly        bool
	Text          storedText
	Start, End    int
	Before, After int           // start of the neighbouring parts; -1: none
	Claim         *sentenceView // whose evidence is shown
	Own           bool          // a file or a text of the user's own
}

// restingClaim is a claim with a passage of the source.
type restingClaim struct {
	loopstate.Claim
	Verdict style.Verdict
	Lines   string // "lines 120–128"; empty in old logs
	Here    bool   // its passage begins in the part that is shown
	Href    string // of the passage
}

// source shows a stored text and highlights the passages of claims.
func (p *Page) source(w http.ResponseWriter, r *http.Request, v *session) {
	detail, frame, ok := p.openLoop(w, r, v, verbatim(""))
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	loop, id := frame.Loop, r.PathValue("source")
	at, from, to := number(r, "at"), number(r, "from"), number(r, "to")
	if to <= from {
		from, to = 0, 0
	} else if r.URL.Query().Get("at") == "" {
		at = from
	}
	if ref := r.URL.Query().Get("lines"); ref != "" && len(ref) <= maxLinesBytes {
		start, end, ok, err := p.Loops.LineSpan(ctx, loop, id, ref)
		if err != nil {
			p.failed(w, r, v, err)
			return
		}
		if ok {
			at, from, to = start, start, end
		}
	}
	var evidence []stored.Mark
	var claim *sentenceView
	m := messages.For(frame.Lang)
	if name := r.URL.Query().Get("claim"); slices.ContainsFunc(detail.Claims, func(c loopstate.Claim) bool { return c.ID == name }) {
		checked, err := p.Loops.Evidence(ctx, loop, name)
		if err != nil {
			p.failed(w, r, v, err)
			return
		}
		sentence := sentenceOf(m, checked)
		claim, evidence = &sentence, evidenceMarks(checked, id)
		if len(evidence) > 0 && r.URL.Query().Get("at") == "" {
			at = evidence[0].Start
		}
	}
	at -= at % partChars
	span, err := p.Loops.ReadSpan(ctx, loop, id, at, at+partChars)
	if err != nil {
		p.failed(w, r, v, err)
		return
	}
	shown, err := p.Loops.ShownOf(ctx, loop, id)
	if err != nil {
		p.failed(w, r, v, err)
		return
	}
	frame.Title = short(80, span.Title)
	view := sourceView{loopFrame: frame, Running: detail.Abort == "", Source: span.Source, Start: span.Start, End: span.End, Before: -1, After: -1, Shown: shown.Chars()}
	view.Partly = view.Shown > 0 && view.Shown < span.Chars
	if span.Start > 0 {
		view.Before = span.Start - partChars
	}
	if span.Cut() {
		view.After = span.End
	}
	for _, b := range detail.Bad {
		if len(b.URL) <= maxAddressBytes && docid.CanonicalKey(b.URL, "") == span.Key {
			view.Bad = b.Reason
		}
	}
	view.Claim, view.Own = claim, span.Pasted || strings.HasPrefix(span.FinalURL, "file:")
	var marks []stored.Mark
	for _, c := range detail.Claims {
		if slices.Contains(c.SourceIDs, id) {
			view.Named++
		}
		if c.Check == nil || c.Check.SourceID != id || c.Check.End <= c.Check.Start {
			continue
		}
		start := c.Check.Start
		resting := restingClaim{c, detail.Verdict(c), report.LineWords(m, linesIn(c.Check.Lines, id)), start >= span.Start && start < span.End, passageAddress(detail.StateID, id, c)}
		if resting.Here {
			resting.Href = "#" + c.ID
		}
		view.Claims = append(view.Claims, resting)
		marks = append(marks, stored.Mark{ID: c.ID, Class: style.VerdictOf(c.Check.Status).Class, Start: start, End: c.Check.End})
	}
	view.ClaimPages = placeOf(r, sourceAddress(detail.StateID, id), "at", "from", "to", claimsParam).fromTop("claims", claimsParam, len(view.Claims), pageSize)
	view.Claims = view.Claims[view.ClaimPages.lo:view.ClaimPages.hi]
	if to > from {
		marks = append(marks, markOf(markHere, from, to))
	}
	if claim != nil { // the passages of other claims would hide it
		marks = evidence
	}
	if view.Partly {
		marks = append(marks, unseen(shown, span.Chars)...)
	}
	view.Text = storedOf(stored.Place{Char: span.Start, Line: span.Line, Inside: span.Start > 0}, span.Text, marks, false)
	p.render(w, r, http.StatusOK, "source", view)
}
