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

// people returns the names in a field such as From, or addresses without a name. A browser that saved a page is none.
func people(s string) (names []string) {
	s = words(s)
	list, err := mail.ParseAddressList(s)
	if err != nil && s != "" && !strings.HasPrefix(s, "<Saved by ") { // not a valid RFC 5322 address: the raw value is better than nothing
		return []string{s}
	}
	for _, a := range list {
		names = append(names, document.First(a.Name, a.Address))
	}
	return names
}

// sent returns the time of a Date field in the sender's time zone, or the zero time.
func sent(s string) time.Time {
	t, err := mail.ParseDate(s)
	if err != nil { // as mailboxes write it
		t, err = time.Parse(time.ANSIC, strings.TrimSpace(s))
	}
	if err != nil || t.Year() < 1970 {
		return time.Time{}
	}
	return t
}

const maxRecipients = 30 // that are shown

// shown are the lines of a header as mail programs show them.
func shown(h textproto.MIMEHeader) (lines []string) {
	add := func(name, value string) {
		if value != "" {
			lines = append(lines, name+": "+value)
		}
	}
	for _, name := range []string{"From", "To", "Cc"} {
		names := people(h.Get(name))
		if len(names) > maxRecipients {
			names = append(names[:maxRecipients], "…")
		}
		add(name, strings.Join(names, ", "))
	}
	if t := sent(h.Get("Date")); !t.IsZero() {
		add("Date", t.Format("2006-01-02 15:04"))
	}
	add("Subject", words(h.Get("Subject")))
	return lines
}
