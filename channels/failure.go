package channels

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/resilience"
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

// refusal maps a response to a failure; nil for a 200 in the wanted format.
func refusal(resp *http.Response, body []byte, req Request, now time.Time) *Failure {
	code := resp.StatusCode
	html := isHTML(resp.Header.Get("Content-Type"), body)
	if code == http.StatusOK {
		switch {
		case html && looksLikeBlock(body):
			return Fail(StatusBlocked, "answered with a bot check instead of %s", req.Want)
		case html:
			return Fail(StatusMalformed, "answered with a web page instead of %s", req.Want)
		case !req.Want.matches(body):
			return messageInText(body, req.Want)
		}
		return nil
	}
	check := html && looksLikeBlock(body)
	fail := Fail(statusOf(code, check), "answered %d %s", code, http.StatusText(code))
	fail.RetryAfter = resilience.RetryAfter(resp.Header, now)
	if fail.RetryAfter == 0 && code < 500 {
		fail.RetryAfter = exhausted(resp.Header, now)
	}
	if html {
		body = nil
	}
	said := req.Explain(code, body)
	if said.Status != "" && !check {
		fail.Status = said.Status
	}
	fail.RetryAfter = cmp.Or(fail.RetryAfter, said.Pause)
	if code == http.StatusForbidden && fail.RetryAfter > 0 {
		fail.Status = StatusRateLimited // GitHub's secondary rate limit
	}
	if words := normal.Clip(normal.Plain(said.Words), MaxWords); words != "" {
		fail.Message += ": " + words
	}
	if req.LookUp && code == http.StatusNotFound && fail.Status == StatusError {
		fail.Status = StatusEmpty // the record does not exist
	}
	fail.Retry = fail.Status != StatusBlocked &&
		(code == http.StatusTooManyRequests || code >= 500 && code != http.StatusNotImplemented)
	return fail
}

// MaxWords bounds a source's own words in a message, in code points.
const MaxWords = 200

func statusOf(code int, blockPage bool) Status {
	switch {
	case code == http.StatusTooManyRequests:
		return StatusRateLimited
	case code == http.StatusUnauthorized, code == http.StatusPaymentRequired, code == http.StatusProxyAuthRequired:
		return StatusAuthRequired
	case code == http.StatusForbidden, code == http.StatusUnavailableForLegalReasons, blockPage:
		return StatusBlocked
	case code == http.StatusAccepted: // no search API answers a search with it
		return StatusBlocked
	case code >= 500, code == http.StatusRequestTimeout:
		return StatusUnavailable
	case code >= 200 && code < 300:
		return StatusMalformed
	}
	return StatusError
}

// isHTML looks at the declared type and then at the first bytes.
func isHTML(contentType string, body []byte) bool {
	media, _, _ := mime.ParseMediaType(contentType)
	if media == "text/html" || media == "application/xhtml+xml" {
		return true
	}
	head := bytes.ToLower(body[:min(len(body), 512)])
	return bytes.HasPrefix(bytes.TrimSpace(head), []byte("<")) &&
		(bytes.Contains(head, []byte("<!doctype html")) || bytes.Contains(head, []byte("<html")))
}

// blockSigns are phrases of bot checks, in lower case.
var blockSigns = []string{
	"captcha", "just a moment", "cf-chl", "challenge-platform", "attention required", "unusual traffic",
	"anomaly-modal", "access denied", "not a robot", "are you human", "enable javascript and cookies",
	"request blocked", "you have been blocked", "bot detection",
}

func looksLikeBlock(body []byte) bool {
	head := bytes.ToLower(body[:min(len(body), 32<<10)])
	return slices.ContainsFunc(blockSigns, func(sign string) bool { return bytes.Contains(head, []byte(sign)) })
}

// allowanceHeaders are the pairs in use: GitHub, Zenodo, OpenAlex and CORE; NCBI counts a second.
var allowanceHeaders = [][2]string{
	{"X-Ratelimit-Remaining", "X-Ratelimit-Reset"},
	{"X-Rate-Limit-Remaining", "X-Rate-Limit-Reset"},
	{"Ratelimit-Remaining", "Ratelimit-Reset"},
}

// usedUp is the IETF draft's form of an allowance of 0, which Hugging Face uses: ratelimit: "api";r=0;t=295
var usedUp = lazyregexp.New(`;\s*r=0\b.*;\s*t=(\d{1,9})\b`)

// maxWindow separates a number of seconds from a Unix time (chosen: a year).
const maxWindow = 366 * 24 * 3600

// exhausted returns how long a service allows no more requests, as the headers of its answer say, or 0.
func exhausted(h http.Header, now time.Time) time.Duration {
	if m := usedUp.FindStringSubmatch(h.Get("Ratelimit")); m != nil {
		return time.Duration(normal.Atoi(m[1])) * time.Second
	}
	for _, pair := range allowanceHeaders {
		left, _, _ := strings.Cut(h.Get(pair[0]), ",") // some send one number per window
		if remaining, err := strconv.ParseFloat(strings.TrimSpace(left), 64); err == nil && remaining == 0 {
			return windowEnd(strings.TrimSpace(h.Get(pair[1])), now)
		}
	}
	return 0
}

// windowEnd reads seconds, or Unix seconds.
func windowEnd(value string, now time.Time) time.Duration {
	n, err := strconv.ParseFloat(value, 64)
	switch {
	case err != nil || n < 0 || n > 1e11:
		return 0
	case n < maxWindow:
		return time.Duration(n * float64(time.Second))
	}
	return max(time.Unix(int64(n), 0).Sub(now), 0)
}
