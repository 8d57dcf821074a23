package mail

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/textproto"
	"slices"
	"strings"
	"time"
)

// Message is the readable content of one message.
type Message struct {
	Head     []string // its lines as mail programs show them
	Subject  string
	From     []string // names, or addresses without a name
	Date     string   // YYYY-MM-DD, or "" if it is missing or invalid
	Parts    []Part   // in reading order
	Attached []string // names of attachments, which are not read
}

// Part is a part of a message: text/plain or text/html. Without a character set in ContentType, it must be guessed.
type Part struct {
	ContentType string
	Body        []byte
	Plain       *Part // the plainer alternative, for one that shows nothing; may be nil
}

const (
	maxDepth = 10  // of nested parts
	maxParts = 100 // in one message, including those that are not read
)

// Parse reads a message. It never fails: malformed input gives at worst a message without header and text.
func Parse(raw []byte) Message {
	h, body := readHeader(raw)
	m := Message{Head: shown(h), Subject: words(h.Get("Subject")), From: people(h.Get("From"))}
	if t := sent(h.Get("Date")); !t.IsZero() {
		m.Date = t.Format(time.DateOnly)
	}
	r := reading{m: &m, left: maxParts}
	r.part(h, body, 0)
	return m
}

type reading struct {
	m    *Message
	left int // parts
}

// part reads one part and the parts inside it.
func (r *reading) part(h textproto.MIMEHeader, body []byte, depth int) {
	if r.left--; r.left < 0 || depth > maxDepth {
		return
	}
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil {
		kind, _, _ = strings.Cut(strings.ToLower(h.Get("Content-Type")), ";")
		kind = strings.TrimSpace(kind)
	}
	kind = cmp.Or(kind, "text/plain")
	disposition, about, _ := mime.ParseMediaType(h.Get("Content-Disposition"))
	name := words(cmp.Or(about["filename"], params["name"]))
	switch {
	case strings.HasPrefix(kind, "multipart/"):
		r.multipart(kind, params["boundary"], body, depth)
	case disposition == "attachment" || !readable(kind):
		if name != "" {
			r.m.Attached = append(r.m.Attached, name)
		}
	case kind == "message/rfc822":
		inner, rest := readHeader(decoded(h, body))
		if subject := words(inner.Get("Subject")); subject != "" {
			r.m.Parts = append(r.m.Parts, Part{ContentType: "text/plain; charset=utf-8", Body: []byte("Forwarded: " + subject)})
		}
		r.part(inner, rest, depth+1)
	default:
		if text := decoded(h, body); len(bytes.TrimSpace(text)) > 0 {
			contentType := kind
			if charset := params["charset"]; charset != "" {
				contentType = mime.FormatMediaType(kind, map[string]string{"charset": charset})
			}
			r.m.Parts = append(r.m.Parts, Part{ContentType: contentType, Body: text})
		}
	}
}

func readable(kind string) bool {
	return kind == "text/plain" || kind == "text/html" || kind == "message/rfc822"
}

// multipart reads the parts. Of alternatives it keeps the last one that it can read, which mail programs show.
func (r *reading) multipart(kind, boundary string, body []byte, depth int) {
	if boundary == "" {
		return
	}
	before := len(r.m.Parts)
	parts := multipart.NewReader(bytes.NewReader(body), boundary)
	var chosen []Part
	for r.left > 0 {
		p, err := parts.NextRawPart()
		if err != nil { // the end, or a truncated part: what was read is kept
			break
		}
		content, _ := io.ReadAll(p) // a truncated part is kept
		at := len(r.m.Parts)
		r.part(p.Header, content, depth+1)
		if got := slices.Clone(r.m.Parts[at:]); kind == "multipart/alternative" && len(got) > 0 {
			if len(chosen) == 1 {
				got[0].Plain = &chosen[0]
			}
			chosen = got
		}
	}
	if kind == "multipart/alternative" {
		r.m.Parts = append(r.m.Parts[:before], chosen...)
	}
}

// decoded decodes the transfer encoding. Of damaged content it keeps the part before the error.
func decoded(h textproto.MIMEHeader, body []byte) []byte {
	switch strings.ToLower(strings.TrimSpace(h.Get("Content-Transfer-Encoding"))) {
	case "base64":
		out, _ := io.ReadAll(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(body)))
		return out
	case "quoted-printable":
		out, _ := io.ReadAll(quotedprintable.NewReader(bytes.NewReader(body)))
		return out
	}
	return body
}
