// Package wording has the error texts that all interfaces share. It is pure.
package wording

import (
	"cmp"
	"math"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/citeloop/citeloop/internal/translations"
	"github.com/citeloop/citeloop/loopstate"
)

// Mistake explains an invalid request to its sender: the problem, its place, and the remedy.
type Mistake struct {
	Argument string // "claims[2].source_ids"
	Problem  string // `unread source: "S7"`
	Remedy   string // "fetch the page, then cite its source id"
}

func (m *Mistake) Error() string {
	message := m.Argument + ": " + m.Problem
	if m.Remedy != "" {
		message += "; " + m.Remedy
	}
	return message
}

// Problem describes the error, with the invalid value.
func Problem(e *loopstate.Error) string { return ProblemIn(translations.Table{}, e) }

// ProblemIn is Problem in the language of a table.
func ProblemIn(m translations.Table, e *loopstate.Error) string {
	unit := e.Unit
	unit = cmp.Or(unit, "characters")
	switch e.Code {
	case loopstate.CodeMissing:
		return m.T("missing")
	case loopstate.CodeEmpty:
		return m.T("empty text")
	case loopstate.CodeNotText:
		return m.T("invalid UTF-8, or a NUL character")
	case loopstate.CodeTooLong:
		return m.T("too long: %d %s", e.Got, m.T(unit))
	case loopstate.CodeTooMany:
		return m.T("too many items: %d", e.Got)
	case loopstate.CodeTooFew:
		return m.T("too few items: %d", e.Got)
	case loopstate.CodeRepeated:
		return m.T("repeated item: %q", e.Value)
	case loopstate.CodeConflict:
		return m.T("given together with %s", e.Value)
	case loopstate.CodeOutOfRange:
		return m.T("out of range: %s", e.Value)
	case loopstate.CodeUnknownValue:
		return m.T("unknown value: %q", e.Value)
	case loopstate.CodeNotDate:
		return m.T("invalid date: %q", e.Value)
	case loopstate.CodeNotAddress:
		return m.T("invalid address: %q", e.Value)
	case loopstate.CodeUnknownLoop:
		return m.T("unknown loop")
	case loopstate.CodeUnknownGap:
		return m.T("unknown gap: %q", e.Value)
	case loopstate.CodeUnknownClaim:
		return m.T("unknown claim: %q", e.Value)
	case loopstate.CodeUnreadSource:
		return m.T("source never read in this loop: %q", e.Value)
	case loopstate.CodeUnreadCited:
		return m.T("HALLUCINATED CITATION in %q: %q was never read in this loop", e.Text, e.Value)
	case loopstate.CodeAborted:
		return m.T("this loop was aborted: %s", e.Value)
	case loopstate.CodeBusy:
		return m.T("loop changed by too many other calls at once: %q", e.Value)
	case loopstate.CodeRoundOpen:
		return m.T("round not closed: %s (closed: %d)", e.Value, e.Limit)
	case loopstate.CodeBadCursor:
		return m.T("invalid cursor: %q", e.Value)
	case loopstate.CodeBadSpan:
		return m.T("invalid span: %s of a text of %d characters", e.Value, e.Limit)
	case loopstate.CodeReused:
		return m.T("already used for another kind of call: %s", e.Value)
	case loopstate.CodeNothingToSay:
		return m.T("no text was given, and the loop has no claims")
	case loopstate.CodeNoChannel:
		return m.T("no channel to choose from")
	case loopstate.CodeNoJudge:
		return m.T("no model configured")
	case loopstate.CodeUnknownBatch:
		if e.Value == "" {
			return m.T("no review batch is open")
		}
		return m.T("unknown review batch: %q", e.Value)
	case loopstate.CodeNothingToRead:
		return m.T("no claim waits for a second reader")
	case loopstate.CodeTooLittleText:
		return m.T("the cited texts are too short to test a reader with planted errors")
	case loopstate.CodeNoOwner:
		return m.T("no owner: the call does not name an owner")
	case loopstate.CodeTooManyLoops:
		return m.T("too many loops: you have %d of the %d that one owner may have on this server", e.Got, e.Limit)
	case loopstate.CodeStorageFull:
		needs := ""
		if e.Needs > 0 {
			needs = m.T(", and this call needs %s", bytes(e.Needs))
		}
		return m.T("storage full, and nothing was kept: your loops keep %s of the %s that one owner may have on this server%s", bytes(e.Got), bytes(e.Limit), needs)
	}
	return ""
}

func bytes(n int64) string { return humanize.Bytes(uint64(max(n, 0))) }

// Remedy returns the remedy if it is the same in all interfaces, otherwise "".
func Remedy(e *loopstate.Error) string { return RemedyIn(translations.Table{}, e) }

// RemedyIn is Remedy in the language of a table.
func RemedyIn(m translations.Table, e *loopstate.Error) string {
	switch e.Code {
	case loopstate.CodeEmpty:
		return m.T("write a text or leave it out")
	case loopstate.CodeNotText:
		return m.T("send plain text in UTF-8")
	case loopstate.CodeTooLong:
		return m.T("shorten it to %d", e.Limit)
	case loopstate.CodeTooMany:
		return m.T("send at most %d at once", e.Limit)
	case loopstate.CodeTooFew:
		return m.T("give at least %d or none", e.Limit)
	case loopstate.CodeRepeated:
		return m.T("give each item once")
	case loopstate.CodeConflict:
		return m.T("give one of the two")
	case loopstate.CodeOutOfRange:
		if e.Min == math.SmallestNonzeroFloat64 {
			return m.T("give a number above 0 and at most %v", e.Max)
		}
		return m.T("give a number from %v to %v", e.Min, e.Max)
	case loopstate.CodeUnknownValue:
		return m.T("use one of %s", strings.Join(e.Valid, ", "))
	case loopstate.CodeNotDate:
		return m.T("write it as 2026-03-31, or leave it out for today")
	case loopstate.CodeNotAddress:
		return m.T("give a full http, https or file address")
	case loopstate.CodeBusy:
		return m.T("try again")
	case loopstate.CodeBadSpan:
		return m.T("start below the length of the text and end above the start")
	}
	return ""
}
