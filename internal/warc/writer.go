package warc

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"strconv"
	"time"

	"github.com/google/uuid"
)

// Writer writes the records of a file. If it compresses, each record is a gzip member, so that a reader can start at any.
type Writer struct {
	w    io.Writer
	pack *gzip.Writer // nil: no compression
	n    int          // records written
	info string       // the id of the warcinfo record before the others
}

// NewWriter returns a writer. A compressed file has the extension .warc.gz, another .warc.
func NewWriter(w io.Writer, packed bool) *Writer {
	if !packed {
		return &Writer{w: w}
	}
	return &Writer{w: w, pack: gzip.NewWriter(io.Discard)}
}

// Write writes a record and returns its id, a URN derived from its content and its position in the file: the same records
// have the same ids, and the ids of a file are unique. An invalid record is a [*FieldError] and is not written.
func (w *Writer) Write(r Record) (id string, err error) {
	if err := r.check(); err != nil {
		return "", err
	}
	fields := w.fields(&r)
	id = w.id(fields, &r)
	var head bytes.Buffer
	head.WriteString("WARC/1.1\r\n")
	for _, f := range append([]Field{{"WARC-Type", string(r.Type)}, {"WARC-Record-ID", "<" + id + ">"}}, fields...) {
		head.WriteString(f.Name + ": " + f.Value + "\r\n")
	}
	head.WriteString("\r\n")
	if err := w.write(head.Bytes(), r.Head, r.Body, []byte("\r\n\r\n")); err != nil {
		return "", fmt.Errorf("warc: writing record %d: %w", w.n+1, err)
	}
	w.n++
	if r.Type == Info {
		w.info = id
	}
	return id, nil
}

// fields returns the header of a record without type and id.
func (w *Writer) fields(r *Record) []Field {
	fields := []Field{{"WARC-Date", r.Date.UTC().Format(time.RFC3339)}}
	add := func(name, before, value, after string) {
		if value != "" {
			fields = append(fields, Field{name, before + value + after})
		}
	}
	add("WARC-Target-URI", "", r.Target, "")
	add("WARC-Refers-To", "<", r.RefersTo, ">")
	add("WARC-Concurrent-To", "<", r.ConcurrentTo, ">")
	if r.Type != Info {
		add("WARC-Warcinfo-ID", "<", w.info, ">")
	}
	add("WARC-Identified-Payload-Type", "", r.PayloadType, "")
	add("WARC-Block-Digest", "", digest(r.Head, r.Body), "")
	if r.Type == Response || r.Type == Resource || r.Type == Conversion {
		add("WARC-Payload-Digest", "", digest(r.Body), "")
	}
	add("Content-Type", "", r.ContentType, "")
	return append(fields, Field{"Content-Length", strconv.Itoa(len(r.Head) + len(r.Body))})
}

// id returns a UUID of version 8 (RFC 9562), a hash of the record.
func (w *Writer) id(fields []Field, r *Record) string {
	name := fmt.Appendf(nil, "%d %s %q", w.n, r.Type, fields) // includes the digest of the block
	return "urn:uuid:" + uuid.NewHash(sha256.New(), uuid.NameSpaceURL, name, 8).String()
}

// digest returns a digest with its algorithm, as the standard requires, in the hexadecimal form of sha256sum.
func digest(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		writeTo(h, p)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// writeTo writes to a hash, which never fails.
func writeTo(h hash.Hash, p []byte) { _, _ = h.Write(p) }

func (w *Writer) write(parts ...[]byte) error {
	to := w.w
	if w.pack != nil {
		w.pack.Reset(w.w) // without a name and a time, so that the bytes depend on the record alone
		to = w.pack
	}
	for _, p := range parts {
		if _, err := to.Write(p); err != nil {
			return err
		}
	}
	if w.pack != nil {
		return w.pack.Close()
	}
	return nil
}
