// Package wording has the error texts that all interfaces share. It is pure.
package wording

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

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

// problems are the codes whose text has no argument, or only the invalid value.
var problems = map[loopstate.Code]string{
	loopstate.CodeMissing:       "missing",
	loopstate.CodeEmpty:         "empty text",
	loopstate.CodeNotText:       "invalid UTF-8, or a NUL character",
	loopstate.CodeConflict:      "given together with %s",
	loopstate.CodeOutOfRange:    "out of range: %s",
	loopstate.CodeUnknownValue:  "unknown value: %q",
	loopstate.CodeNotDate:       "invalid date: %q",
	loopstate.CodeNotAddress:    "invalid address: %q",
	loopstate.CodeUnknownLoop:   "unknown loop",
	loopstate.CodeUnknownGap:    "unknown gap: %q",
	loopstate.CodeUnknownClaim:  "unknown claim: %q",
	loopstate.CodeUnreadSource:  "source never read in this loop: %q",
	loopstate.CodeAborted:       "this loop was aborted: %s",
	loopstate.CodeBusy:          "loop changed by too many other calls at once: %q",
	loopstate.CodeBadCursor:     "invalid cursor: %q",
	loopstate.CodeReused:        "already used for another call: %s",
	loopstate.CodeNothingToSay:  "no text was given, and the loop has no claims",
	loopstate.CodeNoChannel:     "no channel to choose from",
	loopstate.CodeNoJudge:       "no model configured",
	loopstate.CodeNothingToRead: "no claim is left to read",
	loopstate.CodeReaderFailed: "two batches in a row were void: the reader missed planted errors or refused true sentences, so its " +
		"review of this loop has ended",
	loopstate.CodeNoDraft:  "no draft was checked that a critic could have read",
	loopstate.CodeBadLines: "lines that do not exist: %s",
	loopstate.CodeNoOwner:  "no owner: the call does not name an owner",
}

// Problem describes the error, with the invalid value.
func Problem(e *loopstate.Error) string {
	if text, ok := problems[e.Code]; ok {
		if strings.Contains(text, "%") {
			return fmt.Sprintf(text, e.Value)
		}
		return text
	}
	switch e.Code {
	case loopstate.CodeTooLong:
		return fmt.Sprintf("too long: %d %s", e.Got, cmp.Or(e.Unit, "characters"))
	case loopstate.CodeTooMany:
		return fmt.Sprintf("too many items: %d", e.Got)
	case loopstate.CodeUnreadCited:
		return fmt.Sprintf("HALLUCINATED CITATION in %q: %q was never read in this loop", e.Text, e.Value)
	case loopstate.CodeRoundOpen:
		return fmt.Sprintf("round not closed: %s (closed: %d)", e.Value, e.Limit)
	case loopstate.CodeUnknownBatch:
		if e.Value == "" {
			return "no review batch is open"
		}
		return fmt.Sprintf("unknown review batch: %q", e.Value)
	}
	return ""
}

// remedies are the codes whose remedy has no argument.
var remedies = map[loopstate.Code]string{
	loopstate.CodeEmpty:      "write a text or leave it out",
	loopstate.CodeNotText:    "send plain text in UTF-8",
	loopstate.CodeConflict:   "give one of the two",
	loopstate.CodeNotDate:    "write it as 2026-03-31, or leave it out for today",
	loopstate.CodeNotAddress: "give a full http, https or file address",
	loopstate.CodeBusy:       "try again",
}

// Remedy returns the remedy if it is the same in all interfaces, otherwise "".
func Remedy(e *loopstate.Error) string {
	switch e.Code {
	case loopstate.CodeTooLong:
		return fmt.Sprintf("shorten it to %d", e.Limit)
	case loopstate.CodeTooMany:
		return fmt.Sprintf("send at most %d at once", e.Limit)
	case loopstate.CodeOutOfRange:
		if e.Min == math.SmallestNonzeroFloat64 {
			return fmt.Sprintf("give a number above 0 and at most %s", number(e.Max))
		}
		return fmt.Sprintf("give a number from %s to %s", number(e.Min), number(e.Max))
	case loopstate.CodeUnknownValue:
		return fmt.Sprintf("use one of %s", strings.Join(e.Valid, ", "))
	}
	return remedies[e.Code]
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
