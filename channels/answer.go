package channels

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/tidwall/gjson"
)

// Error messages in answers where data was expected.

// SourceSays returns the failure for an error message sent with status 200.
func SourceSays(words string) *Failure {
	return Fail(StatusError, "the source says: %s", normal.Clip(normal.Plain(words), MaxWords))
}

// Explained is what an answer says of an error.
type Explained struct {
	Status Status // "" = that of HTTP
	Words  string
	Pause  time.Duration // for which it asks for no requests
}

// MessageIn reads {"message": …} and {"error": …}, the most common forms of an error in JSON.
func MessageIn(body []byte) string {
	answer, _ := ReadJSON(body) // nothing is in what is no JSON
	return normal.Join(normal.Text(answer, "error"), normal.Text(answer, "message"), normal.Text(answer, "detail"))
}

// messageInText returns the failure for a body that is not in the wanted format. A line of text is the source's message.
func messageInText(body []byte, want Format) *Failure {
	words := sanitize.Line(string(body[:min(len(body), 1_000)]))
	plain := utf8.Valid(body) && !strings.ContainsFunc(string(body[:min(len(body), 1_000)]), func(r rune) bool {
		return unicode.IsControl(r) && !unicode.IsSpace(r)
	})
	if !plain || !strings.Contains(words, " ") || strings.ContainsAny(words[:1], "<{[") {
		return Fail(StatusMalformed, "answered with something other than %s", want)
	}
	fail := SourceSays(words)
	if low := strings.ToLower(words); strings.Contains(low, "limit requests") || strings.Contains(low, "too many requests") {
		fail.Status, fail.Retry = StatusRateLimited, true
	}
	return fail
}

// ReadJSON validates an answer. json.Valid, unlike gjson's own check, bounds the nesting of a document.
func ReadJSON(body []byte) (gjson.Result, error) {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if !json.Valid(body) {
		return gjson.Result{}, Fail(StatusMalformed, "the answer is not the documented JSON")
	}
	return gjson.ParseBytes(body), nil
}
