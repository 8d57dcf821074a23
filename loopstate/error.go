package loopstate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Code is the kind of an [Error].
type Code string

// The codes of [Error].
const (
	CodeMissing       Code = "missing"         // a required part is not set
	CodeEmpty         Code = "empty"           // an empty or blank text
	CodeNotText       Code = "not_text"        // a text that is not UTF-8 or contains NUL
	CodeTooLong       Code = "too_long"        // a text of Got Units, above Limit
	CodeTooMany       Code = "too_many"        // a list of Got items, above Limit
	CodeConflict      Code = "conflict"        // two parts that exclude each other
	CodeOutOfRange    Code = "out_of_range"    // a number below Min or above Max
	CodeUnknownValue  Code = "unknown_value"   // not one of Valid
	CodeNotDate       Code = "not_date"        // not YYYY-MM-DD
	CodeNotAddress    Code = "not_address"     // neither an address nor a typed id
	CodeUnknownLoop   Code = "unknown_loop"    // the caller has no such loop
	CodeUnknownGap    Code = "unknown_gap"     // the loop has no gap with this id
	CodeUnknownClaim  Code = "unknown_claim"   // the loop has no claim with this id
	CodeUnreadSource  Code = "unread_source"   // the loop has not read this source
	CodeUnreadCited   Code = "unread_cited"    // Text cites a source that the loop has not read
	CodeAborted       Code = "aborted"         // the loop was aborted; Value is the reason
	CodeBusy          Code = "busy"            // too many callers change the loop at the same time
	CodeRoundOpen     Code = "round_open"      // the round is not closed; Limit rounds are
	CodeBadCursor     Code = "bad_cursor"      // not a cursor of this list
	CodeReused        Code = "reused"          // the operation id belongs to another call
	CodeNothingToSay  Code = "nothing_to_say"  // a report without a text or a claim
	CodeNoChannel     Code = "no_channel"      // no channel is available
	CodeNoJudge       Code = "no_judge"        // no model is configured
	CodeNoOwner       Code = "no_owner"        // the call has no owner
	CodeUnknownBatch  Code = "unknown_batch"   // no review batch has this id
	CodeNothingToRead Code = "nothing_to_read" // no claim needs a second reader
	CodeReaderFailed  Code = "reader_failed"   // two batches in a row of the reader were void
	CodeNoDraft       Code = "no_draft"        // no draft was checked that a critic could have read
	CodeBadLines      Code = "bad_lines"       // Value names lines that do not exist or cannot be read; Text is why
)

// Error is an invalid request. It has no text for users: each interface words it itself. Code and Subject are always set,
// other fields depend on the code.
type Error struct {
	Code    Code
	Subject string // the part of the request, in domain terms: "loop", "claims[2].sources"
	Value   string // the invalid value, shortened
	Text    string // the sentence that cites Value
	Got     int64
	Limit   int64
	Unit    string // of Got and Limit; characters when empty
	Min     float64
	Max     float64
	Valid   []string
}

// Error returns a line for logs.
func (e *Error) Error() string {
	parts := []string{string(e.Code), e.Subject}
	if e.Value != "" {
		parts = append(parts, strconv.Quote(e.Value))
	}
	if e.Limit != 0 {
		parts = append(parts, fmt.Sprintf("%d, limit %d", e.Got, e.Limit))
	}
	return strings.Join(parts, ": ")
}

// Has reports whether err is an [Error] with one of the codes.
func Has(err error, codes ...Code) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && slices.Contains(codes, e.Code)
}
