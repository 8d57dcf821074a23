// Package wording has the error texts that all interfaces share. It is pure.
package wording

import (
	"fmt"
	"math"
	"strings"

	"github.com/dustin/go-humanize"

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
func Problem(e *loopstate.Error) string {
	unit := e.Unit
	if unit == "" {
		unit = "characters"
	}
	switch e.Code {
	case loopstate.CodeMissing:
		return "missing"
	case loopstate.CodeEmpty:
		return "empty text"
	case loopstate.CodeNotText:
		return "invalid UTF-8, or a NUL character"
	case loopstate.CodeTooLong:
		return fmt.Sprintf("too long: %d %s", e.Got, unit)
	case loopstate.CodeTooMany:
		return fmt.Sprintf("too many items: %d", e.Got)
	case loopstate.CodeTooFew:
		return fmt.Sprintf("too few items: %d", e.Got)
	case loopstate.CodeRepeated:
		return fmt.Sprintf("repeated item: %q", e.Value)
	case loopstate.CodeConflict:
		return "given together with " + e.Value
	case loopstate.CodeOutOfRange:
		return "out of range: " + e.Value
	case loopstate.CodeUnknownValue:
		return fmt.Sprintf("unknown value: %q", e.Value)
	case loopstate.CodeNotDate:
		return fmt.Sprintf("invalid date: %q", e.Value)
	case loopstate.CodeNotAddress:
		return fmt.Sprintf("invalid address: %q", e.Value)
	case loopstate.CodeUnknownLoop:
		return "unknown loop"
	case loopstate.CodeUnknownGap:
		return fmt.Sprintf("unknown gap: %q", e.Value)
	case loopstate.CodeUnknownClaim:
		return fmt.Sprintf("unknown claim: %q", e.Value)
	case loopstate.CodeUnreadSource:
		return fmt.Sprintf("source never read in this loop: %q", e.Value)
	case loopstate.CodeUnreadCited:
		return fmt.Sprintf("HALLUCINATED CITATION in %q: %q was never read in this loop", e.Text, e.Value)
	case loopstate.CodeAborted:
		return "this loop was aborted: " + e.Value
	case loopstate.CodeBusy:
		return fmt.Sprintf("loop changed by too many other calls at once: %q", e.Value)
	case loopstate.CodeRoundOpen:
		return fmt.Sprintf("round not closed: %s (closed: %d)", e.Value, e.Limit)
	case loopstate.CodeBadCursor:
		return fmt.Sprintf("invalid cursor: %q", e.Value)
	case loopstate.CodeBadSpan:
		return fmt.Sprintf("invalid span: %s of a text of %d characters", e.Value, e.Limit)
	case loopstate.CodeReused:
		return fmt.Sprintf("already used for another kind of call: %s", e.Value)
	case loopstate.CodeNothingToSay:
		return "no text was given, and the loop has no claims"
	case loopstate.CodeNoChannel:
		return "no channel to choose from"
	case loopstate.CodeNoJudge:
		return "no model configured"
	case loopstate.CodeUnknownBatch:
		if e.Value == "" {
			return "no review batch is open"
		}
		return fmt.Sprintf("unknown review batch: %q", e.Value)
	case loopstate.CodeNothingToRead:
		return "no claim waits for a second reader"
	case loopstate.CodeTooLittleText:
		return "the cited texts are too short to test a reader with planted errors"
	case loopstate.CodeNoOwner:
		return "no owner: the call does not name an owner"
	case loopstate.CodeTooManyLoops:
		return fmt.Sprintf("too many loops: you have %d of the %d that one owner may have on this server", e.Got, e.Limit)
	case loopstate.CodeStorageFull:
		needs := ""
		if e.Needs > 0 {
			needs = ", and this call needs " + bytes(e.Needs)
		}
		return fmt.Sprintf("storage full, and nothing was kept: your loops keep %s of the %s that one owner may have on this server%s", bytes(e.Got), bytes(e.Limit), needs)
	}
	return ""
}

func bytes(n int64) string { return humanize.Bytes(uint64(max(n, 0))) }

// Remedy returns the remedy if it is the same in all interfaces, otherwise "".
func Remedy(e *loopstate.Error) string {
	switch e.Code {
	case loopstate.CodeEmpty:
		return "write a text or leave it out"
	case loopstate.CodeNotText:
		return "send plain text in UTF-8"
	case loopstate.CodeTooLong:
		return fmt.Sprintf("shorten it to %d", e.Limit)
	case loopstate.CodeTooMany:
		return fmt.Sprintf("send at most %d at once", e.Limit)
	case loopstate.CodeTooFew:
		return fmt.Sprintf("give at least %d or none", e.Limit)
	case loopstate.CodeRepeated:
		return "give each item once"
	case loopstate.CodeConflict:
		return "give one of the two"
	case loopstate.CodeOutOfRange:
		if e.Min == math.SmallestNonzeroFloat64 {
			return fmt.Sprintf("give a number above 0 and at most %v", e.Max)
		}
		return fmt.Sprintf("give a number from %v to %v", e.Min, e.Max)
	case loopstate.CodeUnknownValue:
		return "use one of " + strings.Join(e.Valid, ", ")
	case loopstate.CodeNotDate:
		return "write it as 2026-03-31, or leave it out for today"
	case loopstate.CodeNotAddress:
		return "give a full http, https or file address"
	case loopstate.CodeBusy:
		return "try again"
	case loopstate.CodeBadSpan:
		return "start below the length of the text and end above the start"
	}
	return ""
}
