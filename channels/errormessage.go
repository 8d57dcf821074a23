package channels

import (
	"encoding/xml"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// Error messages in answers where data was expected.

// failureWithMessage returns the failure for an error message sent with status 200.
func failureWithMessage(words string) *Failure {
	return failure(StatusError, "the source says: %s", clip(plainText(words), maxWords))
}

// noList returns the failure for an answer without its list of records: the source's message if there is one, else malformed.
func noList(words, records string) *Failure {
	if sanitize.Line(words) != "" {
		return failureWithMessage(words)
	}
	return failure(StatusMalformed, "the answer has no list of %s", records)
}

// explainMessage reads {"message": …} and {"error": …}, the most common forms of an error in JSON.
func explainMessage(code int, body []byte) (Status, string) {
	return messageAt("error", "message", "detail")(code, body)
}

// messageAt returns a function that reads the texts at paths in an answer.
func messageAt(paths ...string) func(int, []byte) (Status, string) {
	return func(_ int, body []byte) (Status, string) { return "", messageIn(body, paths...) }
}

// errorRule recognises an error by its code and by words of its message.
type errorRule struct {
	code   int    // 0 = any
	words  string // in lower case; "" = any
	status Status
}

// explains returns explainMessage with the status of the first rule that matches.
func explains(rules ...errorRule) func(int, []byte) (Status, string) {
	return func(code int, body []byte) (Status, string) {
		_, words := explainMessage(code, body)
		for _, r := range rules {
			if (r.code == 0 || r.code == code) && strings.Contains(strings.ToLower(words), r.words) {
				return r.status, words
			}
		}
		return "", words
	}
}

// messageIn joins the texts at paths in an answer; "" if it is not JSON.
func messageIn(body []byte, paths ...string) string {
	answer, err := readJSON(body)
	if err != nil {
		return ""
	}
	var parts []string
	for _, path := range paths {
		parts = append(parts, text(answer, path))
	}
	return joinMessages(parts)
}

// messageInText returns the failure for a line of text where data was expected.
func messageInText(body []byte) *Failure {
	words := sanitize.Line(string(body[:min(len(body), 1_000)]))
	plain := utf8.Valid(body) && !strings.ContainsFunc(string(body[:min(len(body), 1_000)]), func(r rune) bool {
		return unicode.IsControl(r) && !unicode.IsSpace(r)
	})
	if words == "" || !plain || !strings.Contains(words, " ") {
		return failure(StatusMalformed, "answered with something other than JSON")
	}
	fail := failureWithMessage(words)
	if low := strings.ToLower(words); strings.Contains(low, "limit requests") || strings.Contains(low, "too many requests") {
		fail.Status, fail.retry = StatusRateLimited, true
	}
	return fail
}

// messageInXML returns the message of an error document: <error>…</error>, or one with a <Message> inside.
func messageInXML(body []byte) string {
	doc, err := decodeXML[struct {
		XMLName xml.Name
		Message string `xml:"Message"`
		Lower   string `xml:"message"`
		Text    string `xml:",chardata"`
	}](body)
	if err != nil || !strings.EqualFold(doc.XMLName.Local, "error") {
		return ""
	}
	return joinMessages([]string{doc.Message, doc.Lower, strings.TrimSpace(doc.Text)})
}

func explainXML(_ int, body []byte) (Status, string) { return "", messageInXML(body) }
