package mail

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"maps"
	"mime"
	"net/mail"
	"net/textproto"
	"strings"
	"time"

	"golang.org/x/text/encoding/htmlindex"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/sanitize"
)

const maxHeaderBytes = 256 << 10 // for one message; lists of recipients reach tens of kB

// readHeader splits the header from a message. It skips lines that are not fields, as mail programs do.
func readHeader(raw []byte) (textproto.MIMEHeader, []byte) {
	size := min(len(raw), maxHeaderBytes)
	in := bufio.NewReader(bytes.NewReader(raw[:size]))
	header := textproto.MIMEHeader{}
	for {
		fields, err := textproto.NewReader(in).ReadMIMEHeader()
		maps.Copy(fields, header) // the first of repeated fields counts
		header = fields
		if notField := textproto.ProtocolError(""); !errors.As(err, &notField) {
			rest, _ := io.ReadAll(in) // memory does not fail
			return header, append(rest, raw[size:]...)
		}
	}
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
func senders(s string) (names []string) {
	s = words(s)
	list, err := mail.ParseAddressList(s)
	if err != nil && s != "" { // not a valid RFC 5322 address: the raw value is better than nothing
		return []string{s}
	}
	for _, a := range list {
		names = append(names, document.First(a.Name, a.Address))
	}
	return names
}

// day returns a Date field as YYYY-MM-DD in the sender's time zone, or "".
func day(s string) string {
	t, err := mail.ParseDate(s)
	if err != nil { // as mailboxes write it
		t, err = time.Parse(time.ANSIC, strings.TrimSpace(s))
	}
	if err != nil || t.Year() < 1970 {
		return ""
	}
	return t.Format(time.DateOnly)
}

// messageID returns a message id without its angle brackets, or "".
func messageID(field string) string {
	_, id, _ := strings.Cut(field, "<")
	id, _, _ = strings.Cut(id, ">")
	return strings.TrimSpace(id)
}
