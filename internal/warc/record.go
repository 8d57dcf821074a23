package warc

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

// Type is the type of a record.
type Type string

// The types that this package writes. The standard has two more, revisit and continuation.
const (
	Info       Type = "warcinfo"   // describes the records after it
	Response   Type = "response"   // an HTTP response
	Request    Type = "request"    // the head of an HTTP request
	Resource   Type = "resource"   // content without a protocol, such as a file
	Conversion Type = "conversion" // derived from another record: the text of a page
	Metadata   Type = "metadata"   // about another record
)

// Record is one record. Its block is Head and then Body.
type Record struct {
	Type         Type
	Date         time.Time // of the content; written in UTC, in whole seconds
	Target       string    // the URI of the content; empty for Info only
	ContentType  string    // of the block
	PayloadType  string    // of a Response: the detected media type of the body, or empty
	RefersTo     string    // the id of the record that this one is derived from or describes, or empty
	ConcurrentTo string    // the id of a record of the same exchange, or empty
	Head         []byte    // of HTTP, with the empty line at its end; nil for other types
	Body         []byte
}

// FieldError is an invalid field of a record.
type FieldError struct{ Field, Problem string }

func (e *FieldError) Error() string { return "warc: " + e.Field + " " + e.Problem }

// check validates a record.
func (r *Record) check() error {
	switch r.Type {
	case Info:
		if r.Target != "" {
			return &FieldError{"WARC-Target-URI", "is not for warcinfo"}
		}
	case Response, Request, Resource, Conversion, Metadata:
		if !isURI(r.Target) {
			return &FieldError{"WARC-Target-URI", fmt.Sprintf("is not a URI: %.100q", r.Target)}
		}
	default:
		return &FieldError{"WARC-Type", fmt.Sprintf("is unknown: %q", string(r.Type))}
	}
	if year := r.Date.UTC().Year(); r.Date.IsZero() || year < 0 || year > 9999 {
		return &FieldError{"WARC-Date", "is missing"}
	}
	if r.ContentType == "" {
		return &FieldError{"Content-Type", "is missing"}
	}
	for name, value := range map[string]string{"Content-Type": r.ContentType, "WARC-Identified-Payload-Type": r.PayloadType, "WARC-Refers-To": r.RefersTo, "WARC-Concurrent-To": r.ConcurrentTo} {
		if !httpguts.ValidHeaderFieldValue(value) {
			return &FieldError{name, fmt.Sprintf("has a control character: %.100q", value)}
		}
	}
	if (len(r.Head) > 0) != (r.Type == Response || r.Type == Request) {
		return &FieldError{"the block", "of type " + string(r.Type) + " must have an HTTP head if and only if it is a request or response"}
	}
	return nil
}

// isURI reports whether s has a scheme and only characters that RFC 3986 allows.
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

// URI escapes invalid characters of a URI. It returns "" for a string without a scheme.
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
