package judge

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// refusal is an answer over HTTP that is no completion.
type refusal struct {
	code  int
	words string // what the endpoint says, redacted, one line
	param string // the parameter that it names
	kind  string // its code or type of error, such as "insufficient_quota"
	after time.Duration
}

// maxWords bounds what of an endpoint's own words goes into a failure, in code points.
const maxWords = 200

// readRefusal reads an error response in the shapes that servers use: {"error": {"message", "param", "code"}},
// {"error": "…"}, {"message": "…"}, {"detail": …}.
func readRefusal(resp *http.Response, body []byte, key Key, now time.Time) refusal {
	r := errorWords(body)
	r.code, r.after = resp.StatusCode, retryAfter(resp.Header, now)
	r.words = shortened(key.redact(cleaned(r.words, maxAnswerChars)), maxWords)
	r.param, r.kind = key.redact(r.param), key.redact(r.kind)
	return r
}

func errorWords(body []byte) refusal {
	var top struct{ Error, Message, Detail json.RawMessage }
	if json.Unmarshal(body, &top) != nil {
		return refusal{}
	}
	for _, raw := range []json.RawMessage{top.Error, top.Message, top.Detail} {
		if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
			continue
		}
		var inner struct{ Message, Param, Code, Type json.RawMessage }
		if json.Unmarshal(raw, &inner) == nil && len(inner.Message) > 0 {
			return refusal{words: textOf(inner.Message), param: textOf(inner.Param), kind: strings.TrimSpace(textOf(inner.Code) + " " + textOf(inner.Type))}
		}
		return refusal{words: textOf(raw)}
	}
	return refusal{}
}

// textOf is a JSON string's text, and any other value as it is written; null is "".
func textOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// failure says what a refusal means for the question, and for all others.
func (r refusal) failure() *failure {
	f := &failure{refusal: r}
	status := strconv.Itoa(r.code)
	if text := http.StatusText(r.code); text != "" {
		status += " " + text
	}
	said := ""
	if r.words != "" {
		said = ": " + r.words
	}
	switch {
	case r.code == http.StatusUnauthorized:
		// The words are left out: they repeat a part of the key.
		f.message, f.final = "the endpoint does not accept the key ("+status+")", true
	case r.code == http.StatusPaymentRequired, r.code == http.StatusTooManyRequests && strings.Contains(r.kind, "insufficient_quota"):
		f.message, f.final = "the account has no credit ("+status+")"+said, true
	case r.code == http.StatusNotFound:
		f.message, f.final = "the endpoint knows no such model or address ("+status+")"+said, true
	case r.code >= 300 && r.code < 400:
		f.message, f.final = "the endpoint leads elsewhere ("+status+"); set the address that it leads to", true
	case r.code == http.StatusTooManyRequests:
		f.message, f.retry = "the endpoint limits the rate ("+status+")"+said, true
	case r.code >= 500:
		f.message, f.retry = "the endpoint failed ("+status+")"+said, r.code != http.StatusNotImplemented
	default:
		f.message = "the endpoint refused the question (" + status + ")" + said
	}
	return f
}

// retryAfter reads Retry-After-Ms and Retry-After, as a number or as a date; 0 where they are absent, past or
// unreadable. A date is taken against the endpoint's own clock where it tells it.
func retryAfter(h http.Header, now time.Time) time.Duration {
	const most = 24 * time.Hour
	for _, header := range []struct {
		name string
		unit time.Duration
	}{{"Retry-After-Ms", time.Millisecond}, {"Retry-After", time.Second}} {
		n, err := strconv.ParseFloat(strings.TrimSpace(h.Get(header.name)), 64)
		if err == nil && n > 0 {
			return time.Duration(min(n, float64(most/header.unit)) * float64(header.unit))
		}
	}
	at, err := http.ParseTime(h.Get("Retry-After"))
	if err != nil {
		return 0
	}
	if server, err := http.ParseTime(h.Get("Date")); err == nil {
		now = server
	}
	return min(max(at.Sub(now), 0), most)
}

// isPage reports whether a response is a web page: the address leads to a site, not to its API.
func isPage(h http.Header) bool {
	media, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return media == "text/html" || media == "application/xhtml+xml"
}
