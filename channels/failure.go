package channels

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Failure is why a search has no results, or a remark on its results.
type Failure struct {
	Status       Status
	RetryAfter   time.Duration // 0 = not known
	Message      string        // public: no keys, no addresses with parameters
	Cause        error         // for the log; may be nil
	Inconclusive bool          // not evidence about the source: not asked, or cancelled by the caller
	Retry        bool          // the same request may succeed soon
	Total, First int           // of a remark on a list: see [Outcome]
}

func (f *Failure) Error() string {
	s := string(f.Status)
	if f.Message != "" {
		s += ": " + f.Message
	}
	if f.Cause != nil {
		s += ": " + f.Cause.Error()
	}
	return s
}

func (f *Failure) Unwrap() error { return f.Cause }

// countsAgainst reports whether the failure counts towards opening the source's circuit.
func (f *Failure) countsAgainst() bool {
	switch f.Status {
	case StatusRateLimited, StatusUnavailable, StatusBlocked, StatusMalformed:
		return !f.Inconclusive
	}
	return false
}

func Fail(status Status, format string, args ...any) *Failure {
	return &Failure{Status: status, Message: fmt.Sprintf(format, args...)}
}

// AsFailure gives every error a status. An error that is not a Failure is a bug; its text is for the log.
func AsFailure(err error) *Failure {
	if f, ok := errors.AsType[*Failure](err); ok {
		return f
	}
	return &Failure{Status: StatusError, Message: "the channel failed", Cause: err}
}

// UnknownChannelError is the error of a search or setting that names an unknown channel. Nothing was searched.
type UnknownChannelError struct {
	Names []string // the unknown ones
	Valid []string // all channels
}

func (e *UnknownChannelError) Error() string {
	word := "channel"
	if len(e.Names) > 1 {
		word = "channels"
	}
	quoted := make([]string, len(e.Names))
	for i, n := range e.Names {
		quoted[i] = fmt.Sprintf("%q", n)
	}
	return fmt.Sprintf("unknown %s %s; valid channels: %s", word, strings.Join(quoted, ", "), strings.Join(e.Valid, ", "))
}

// QueryError is the error of an invalid query. Nothing was searched.
type QueryError struct {
	Argument string // "channels", "query", "since", "until" or "language"
	Message  string // what is wrong and what to do
}

func (e *QueryError) Error() string { return e.Argument + ": " + e.Message }
