package channels

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Error messages in answers where data was expected.

// sourceSays is an error message that came with a 200.
func sourceSays(words string) *Failure {
	return failure(StatusError, "the source says: %s", clip(plainText(words), maxWords))
}

// noList is the failure of an answer without its list of records: the source's message if there is one, else malformed.
func noList(words, records string) *Failure {
	if oneLine(words) != "" {
		return sourceSays(words)
	}
	return failure(StatusMalformed, "the answer has no list of %s", records)
}

// listIn returns the records of the list at a path of keys in an answer. An answer without the list fails with the
// source's own words, as explain reads them (nil = explainMessage), or as malformed.
func listIn(body []byte, records string, explain func(int, []byte) (Status, string), path ...string) ([]json.RawMessage, error) {
	at, err := decodeJSON[json.RawMessage](body)
	if err != nil {
		return nil, err
	}
	for _, key := range path {
		var object loose
		_ = json.Unmarshal(at, &object) // what is no object has no list
		at = object[key]
	}
	var list []json.RawMessage
	if json.Unmarshal(at, &list) == nil && list != nil {
		return list, nil
	}
	if explain == nil {
		explain = explainMessage
	}
	status, words := explain(http.StatusOK, body)
	fail := noList(words, records)
	if status != "" {
		fail.Status = status
	}
	return nil, fail
}

// explainMessage reads {"message": …} and {"error": …}, the commonest forms of an error in JSON.
func explainMessage(_ int, body []byte) (Status, string) {
	said, err := decodeJSON[loose](body)
	if err != nil {
		return "", ""
	}
	var parts []string
	for _, field := range []string{"error", "message", "detail"} {
		var words string
		if json.Unmarshal(said[field], &words) == nil {
			parts = append(parts, words)
		}
	}
	return "", joinSaid(parts)
}

// notAList is the failure of an answer that should be a list of records: an error message in an object, or malformed.
func notAList(body []byte, records string) *Failure {
	if _, err := decodeJSON[json.RawMessage](body); err != nil {
		return asFailure(err)
	}
	if _, words := explainMessage(200, body); words != "" {
		return sourceSays(words)
	}
	return failure(StatusMalformed, "the answer has no list of %s", records)
}

// saidInText is the failure of a line of text where data was expected.
func saidInText(body []byte) *Failure {
	words := oneLine(string(body[:min(len(body), 1_000)]))
	plain := utf8.Valid(body) && !strings.ContainsFunc(string(body[:min(len(body), 1_000)]), func(r rune) bool {
		return unicode.IsControl(r) && !unicode.IsSpace(r)
	})
	if words == "" || !plain || !strings.Contains(words, " ") {
		return failure(StatusMalformed, "answered with something else than JSON")
	}
	fail := sourceSays(words)
	if low := strings.ToLower(words); strings.Contains(low, "limit requests") || strings.Contains(low, "too many requests") {
		fail.Status, fail.retry = StatusRateLimited, true
	}
	return fail
}

// saidInXML returns the message of an error document: <error>…</error>, or one with a <Message> inside.
func saidInXML(body []byte) string {
	doc, err := decodeXML[struct {
		XMLName xml.Name
		Message string `xml:"Message"`
		Lower   string `xml:"message"`
		Text    string `xml:",chardata"`
	}](body)
	if err != nil || !strings.EqualFold(doc.XMLName.Local, "error") {
		return ""
	}
	return joinSaid([]string{doc.Message, doc.Lower, strings.TrimSpace(doc.Text)})
}

func explainXML(_ int, body []byte) (Status, string) { return "", saidInXML(body) }
