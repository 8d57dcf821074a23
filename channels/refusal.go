package channels

import (
	"bytes"
	"cmp"
	"mime"
	"net/http"
	"slices"
	"time"

	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/resilience"
)

// refusal maps a response to a failure; nil for a 200 in the wanted format. Only a channel itself can tell whether a page
// of results is a bot check: titles of results may contain "captcha".
func refusal(resp *http.Response, body []byte, req Request, now time.Time) *Failure {
	code := resp.StatusCode
	html := IsHTML(resp.Header.Get("Content-Type"), body)
	if code == http.StatusOK {
		switch {
		case html && req.Want != WantPage && LooksLikeBlock(body):
			return Fail(StatusBlocked, "answered with a bot check instead of %s", req.Want)
		case html && req.Want != WantPage:
			return Fail(StatusMalformed, "answered with a web page instead of %s", req.Want)
		case !req.Want.matches(body):
			return messageInText(body, req.Want)
		}
		return nil
	}
	check := html && LooksLikeBlock(body)
	fail := Fail(statusOf(code, check), "answered %d %s", code, http.StatusText(code))
	fail.RetryAfter = resilience.RetryAfter(resp.Header, now)
	if fail.RetryAfter == 0 && code < 500 {
		fail.RetryAfter = exhausted(resp.Header, now)
	}
	if html {
		body = nil
	}
	explain := req.Explain
	if explain == nil {
		explain = ExplainMessage
	}
	said := explain(code, body)
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
	case code == http.StatusAccepted: // DuckDuckGo blocks with 202, and no search API answers a search with it
		return StatusBlocked
	case code >= 500, code == http.StatusRequestTimeout:
		return StatusUnavailable
	case code >= 200 && code < 300:
		return StatusMalformed
	}
	return StatusError
}

// IsHTML looks at the declared type and then at the first bytes.
func IsHTML(contentType string, body []byte) bool {
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

func LooksLikeBlock(body []byte) bool {
	head := bytes.ToLower(body[:min(len(body), 32<<10)])
	return slices.ContainsFunc(blockSigns, func(sign string) bool { return bytes.Contains(head, []byte(sign)) })
}
