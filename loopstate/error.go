package loopstate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
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
	CodeTooFew        Code = "too_few"         // a list of Got items, below Limit
	CodeRepeated      Code = "repeated"        // the same item twice
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
	CodeBadSpan       Code = "bad_span"        // outside a text of Limit characters
	CodeReused        Code = "reused"          // the operation id belongs to another kind of operation
	CodeNothingToSay  Code = "nothing_to_say"  // a report without a text or a claim
	CodeNoChannel     Code = "no_channel"      // no channel is available
	CodeNoJudge       Code = "no_judge"        // no model is configured
	CodeNoOwner       Code = "no_owner"        // the call has no owner
	CodeUnknownBatch  Code = "unknown_batch"   // no review batch has this id
	CodeNothingToRead Code = "nothing_to_read" // no claim needs a second reader
	CodeTooLittleText Code = "too_little_text" // the texts are too short to test a reader
	CodeReaderFailed  Code = "reader_failed"   // two batches in a row of the reader were void
	CodeTooManyLoops  Code = "too_many_loops"  // the owner, Value, has Got loops; Limit are allowed
	CodeNoDraft       Code = "no_draft"        // no draft was checked that a critic could have read
	CodeUnknownPoint  Code = "unknown_point"   // no critic of the loop has a point with this id
	CodeBadLines      Code = "bad_lines"       // Value names lines that do not exist or cannot be read; Text is why
	CodeStorageFull   Code = "storage_full"    // the owner, Value, stores Got of Limit bytes and needs Needs more
)

// Codes lists all codes.
func Codes() []Code {
	return []Code{CodeMissing, CodeEmpty, CodeNotText, CodeTooLong, CodeTooMany, CodeTooFew, CodeRepeated, CodeConflict, CodeOutOfRange,
		CodeUnknownValue, CodeNotDate, CodeNotAddress, CodeUnknownLoop, CodeUnknownGap, CodeUnknownClaim, CodeUnreadSource, CodeUnreadCited, CodeAborted, CodeBusy,
		CodeRoundOpen, CodeBadCursor, CodeBadSpan, CodeReused, CodeNothingToSay, CodeNoChannel, CodeNoJudge, CodeNoOwner, CodeUnknownBatch, CodeNothingToRead, CodeTooLittleText, CodeReaderFailed, CodeTooManyLoops, CodeStorageFull,
		CodeNoDraft, CodeUnknownPoint, CodeBadLines}
}

// Error is an invalid request. It has no text for users: each interface words it itself. Code and Subject are always set,
// other fields depend on the code.
type Error struct {
	Code    Code
	Subject string // the part of the request, in domain terms: "loop", "claims[2].sources"
	Value   string // the invalid value, shortened
	Text    string // the sentence that cites Value
	Got     int64
	Limit   int64
	Needs   int64
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

// Limits on one call, so that a mistaken or hostile call cannot fill the log. The largest real input seen is a report of
// 4,000 words with 71 claims and 56 sources.
const (
	MaxTextChars      = 8_000   // a question, gap, claim, reason: code points
	MaxSnippetChars   = 4_000   // a snippet: longer ones are cut
	MaxURLChars       = 4_096   // an address
	MaxItems          = 1_000   // a list of one call
	MaxSynthesisChars = 400_000 // a synthesis
)

// CheckText returns the trimmed text, or an error if it is blank, longer than limit code points, or not valid text.
func CheckText(subject, text string, limit int) (string, error) {
	t := strings.TrimSpace(text)
	n := utf8.RuneCountInString(t)
	switch {
	case t == "":
		return "", &Error{Code: CodeEmpty, Subject: subject}
	case n > limit:
		return "", &Error{Code: CodeTooLong, Subject: subject, Got: int64(n), Limit: int64(limit)}
	case !Keepable(t):
		return "", &Error{Code: CodeNotText, Subject: subject}
	}
	return t, nil
}

// optionalText is CheckText for a text that may be blank.
func optionalText(subject, text string, limit int) (string, error) {
	if strings.TrimSpace(text) == "" {
		return "", nil
	}
	return CheckText(subject, text, limit)
}

// CheckCount returns an error for a list of more than limit items.
func CheckCount(subject string, n, limit int) error {
	if n > limit {
		return &Error{Code: CodeTooMany, Subject: subject, Got: int64(n), Limit: int64(limit)}
	}
	return nil
}

func checkTexts(subject string, texts []string) ([]string, error) {
	if err := CheckCount(subject, len(texts), MaxItems); err != nil {
		return nil, err
	}
	out := make([]string, 0, len(texts))
	for i, text := range texts {
		t, err := CheckText(fmt.Sprintf("%s[%d]", subject, i), text, MaxTextChars)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// CheckOneOf returns an error for a word that is neither empty nor in the list.
func CheckOneOf(subject, word string, valid []string) error {
	if word == "" || slices.Contains(valid, word) {
		return nil
	}
	return &Error{Code: CodeUnknownValue, Subject: subject, Value: clip(word, 60), Valid: valid}
}

// CheckRange returns an error for a number below least or above most.
func CheckRange(subject string, v, least, most float64) error {
	if v >= least && v <= most {
		return nil
	}
	return &Error{Code: CodeOutOfRange, Subject: subject, Value: strconv.FormatFloat(v, 'g', -1, 64), Min: least, Max: most}
}

// clip cuts a text to n code points and marks the cut with an ellipsis.
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	return strings.TrimSpace(string(r[:n])) + "…"
}

// Keepable reports whether every store can store s in a text column: s is UTF-8 without NUL.
func Keepable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// first returns the first of the items that match.
func first[T any](items []T, match func(T) bool) (item T, ok bool) {
	i := slices.IndexFunc(items, match)
	if i >= 0 {
		item = items[i]
	}
	return item, i >= 0
}

// plural returns one for the count 1, and otherwise many with the count.
func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf(many, n)
}

func firstChars(s string, n int) string { return s[:min(n, len(s))] }
