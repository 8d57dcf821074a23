package warc

import (
	"fmt"
	"strings"
	"time"
)

// Type is what kind of record it is.
type Type string

// The types that this package writes. The standard has two more, revisit and continuation.
const (
	Info       Type = "warcinfo"   // says what the records after it are
	Response   Type = "response"   // what a server answered: an HTTP head and its body
	Request    Type = "request"    // what it was asked: an HTTP head
	Resource   Type = "resource"   // what was taken without a protocol, such as a file
	Conversion Type = "conversion" // what was made of another record: a page's text
	Metadata   Type = "metadata"   // what else is known of another record
)

// Record is one record. Its block is Head and then Body.
type Record struct {
	Type         Type
	Date         time.Time // when the content was taken; written in UTC, in whole seconds
	Target       string    // the URI of what was taken; empty for Info alone
	ContentType  string    // of the block
	PayloadType  string    // of a Response: the media type of the body as it was found to be, or empty
	RefersTo     string    // the id of the record that this one was made of, or describes, or empty
	ConcurrentTo string    // the id of a record of the same exchange, or empty
	Head         []byte    // of HTTP, with the empty line at its end; nil for other types
	Body         []byte
}

// FieldError says which field of a record cannot be written.
type FieldError struct{ Field, Problem string }

func (e *FieldError) Error() string { return "warc: " + e.Field + " " + e.Problem }

// check reports what a reader would stumble over.
func (r *Record) check() error {
	switch r.Type {
	case Info:
		if r.Target != "" {
			return &FieldError{"WARC-Target-URI", "is not for warcinfo"}
		}
	case Response, Request, Resource, Conversion, Metadata:
		if !isURI(r.Target) {
			return &FieldError{"WARC-Target-URI", fmt.Sprintf("%.100q is no URI", r.Target)}
		}
	default:
		return &FieldError{"WARC-Type", fmt.Sprintf("%q is none that is written", string(r.Type))}
	}
	if year := r.Date.UTC().Year(); r.Date.IsZero() || year < 0 || year > 9999 {
		return &FieldError{"WARC-Date", "is missing"}
	}
	if r.ContentType == "" {
		return &FieldError{"Content-Type", "is missing"}
	}
	for name, value := range map[string]string{"Content-Type": r.ContentType, "WARC-Identified-Payload-Type": r.PayloadType, "WARC-Refers-To": r.RefersTo, "WARC-Concurrent-To": r.ConcurrentTo} {
		if !isFieldValue(value) {
			return &FieldError{name, fmt.Sprintf("%.100q has a character that ends or hides it", value)}
		}
	}
	if (len(r.Head) > 0) != (r.Type == Response || r.Type == Request) {
		return &FieldError{"the block", "of a " + string(r.Type) + " has an HTTP head, or has none where it should"}
	}
	return nil
}

// isURI reports a string that has a scheme and nothing that RFC 3986 does not let stand in a URI.
func isURI(s string) bool {
	colon := strings.IndexByte(s, ':')
	if colon <= 0 || strings.ContainsAny(s[:colon], "/?#[]@%") {
		return false
	}
	for i := range len(s) {
		if !uriByte(s[i]) {
			return false
		}
	}
	return true
}

func uriByte(c byte) bool {
	return c > ' ' && c < 0x7f && !strings.ContainsRune("\"<>\\^`{|}", rune(c))
}

// URI escapes what may not stand in a URI. The answer is empty for what has no scheme.
func URI(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if uriByte(s[i]) {
			b.WriteByte(s[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", s[i])
		}
	}
	if !isURI(b.String()) {
		return ""
	}
	return b.String()
}

// isFieldValue reports what may stand in one line of a header.
func isFieldValue(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' && s[i] != '\t' || s[i] == 0x7f {
			return false
		}
	}
	return true
}
