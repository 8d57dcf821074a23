package mail

import (
	"bytes"
	"io"
	"mime"
	"net/mail"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/sanitize"
	"golang.org/x/text/encoding/htmlindex"
)

const (
	maxHeaderBytes = 256 << 10 // for one message; lists of recipients reach tens of kB
	maxHeaders     = 500
)

// header holds the fields of a message or a part by lower-case name. Of repeated fields it has the first.
type header map[string]string

// readHeader splits the header from a message. It skips lines that are not fields, as mail programs do.
func readHeader(raw []byte) (header, []byte) {
	h := header{}
	last := ""
	limit := len(raw) - maxHeaderBytes
	for len(raw) > 0 && len(raw) > limit && len(h) < maxHeaders {
		line := raw
		if i := bytes.IndexByte(raw, '\n'); i >= 0 {
			line, raw = raw[:i], raw[i+1:]
		} else {
			raw = nil
		}
		line = bytes.TrimSuffix(line, []byte("\r"))
		if len(line) == 0 {
			break
		}
		if line[0] == ' ' || line[0] == '\t' {
			if last != "" {
				h[last] += " " + strings.TrimSpace(string(line))
			}
			continue
		}
		name, value, ok := strings.Cut(string(line), ":")
		if last = ""; !ok || strings.ContainsAny(name, " \t") && strings.TrimRight(name, " \t") != strings.TrimSpace(name) {
			continue
		}
		name = strings.ToLower(strings.TrimSpace(name))
		if _, twice := h[name]; !twice && name != "" {
			last = name
			h[name] = strings.TrimSpace(value)
		}
	}
	return h, raw
}

// words decodes the encoded words of a field (RFC 2047), in any character set that browsers know.
func words(s string) string {
	d := mime.WordDecoder{CharsetReader: func(charset string, in io.Reader) (io.Reader, error) {
		enc, err := htmlindex.Get(charset)
		if err != nil {
			return nil, err
		}
		return enc.NewDecoder().Reader(in), nil
	}}
	if decoded, err := d.DecodeHeader(s); err == nil {
		s = decoded
	}
	return sanitize.Line(s)
}

// senders returns the names in a From field, or addresses without a name.
func senders(s string) []string {
	var out []string
	parser := mail.AddressParser{WordDecoder: &mime.WordDecoder{}}
	list, err := parser.ParseList(words(s))
	if err != nil { // not a valid RFC 5322 address: the raw value is better than nothing
		if s = words(s); s != "" {
			out = append(out, s)
		}
		return out
	}
	for _, a := range list {
		if a.Name != "" {
			out = append(out, a.Name)
		} else {
			out = append(out, a.Address)
		}
	}
	return out
}

// day returns a Date field as YYYY-MM-DD in the sender's time zone, or "".
func day(s string) string {
	t, err := mail.ParseDate(s)
	if err != nil {
		for _, layout := range []string{time.RFC3339, time.ANSIC, "Mon Jan 2 15:04:05 MST 2006", "Mon, 2 Jan 2006 15:04",
			"2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05"} {
			if t, err = time.Parse(layout, strings.TrimSpace(s)); err == nil {
				break
			}
		}
	}
	if err != nil || t.Year() < 1970 || t.Year() > 9999 {
		return ""
	}
	return t.Format(time.DateOnly)
}

// messageID returns the first message id in a field, without its angle brackets, or "".
func messageID(field string) string {
	for {
		_, rest, ok := strings.Cut(field, "<")
		if !ok {
			return ""
		}
		id, rest, ok := strings.Cut(rest, ">")
		if !ok {
			return ""
		}
		if id = strings.TrimSpace(id); id != "" {
			return id
		}
		field = rest
	}
}
