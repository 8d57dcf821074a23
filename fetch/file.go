package fetch

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/mail"
)

var (
	errMailbox = errors.New("a mailbox contains many messages; the local channel finds the address of each")
	errSecrets = fmt.Errorf("%w: %s", document.ErrUnsupported, extract.Secrets)
)

// readFile reads a file: address inside a corpus folder: a file, or one message of a mailbox.
func (r *Reader) readFile(ctx context.Context, raw string) Page {
	name, err := FilePath(raw)
	if err != nil {
		return unreadFile(err)
	}
	if box, part, ok := messageAddress(name); ok {
		return r.readMessage(ctx, box, part)
	}
	body, shown, err := r.corpus.read(name, r.cfg.MaxDecoded)
	if err != nil {
		return unreadFile(err)
	}
	x, err := r.own(ctx, shown, bytes.NewReader(body))
	switch {
	case err != nil:
		return unreadFile(err)
	case strings.TrimSpace(x.Text) == "":
		return Page{Status: StatusTooShort, Reason: "the file has no text"}
	}
	return Page{FinalURL: FileAddress(shown), Status: StatusRead, Reason: x.Partial, Document: x.Document, Capture: capturedBody(body)}
}

// own extracts a file of the user's own, compressed (.gz) or not, whose name says its type. It is a source at any length, whatever
// its words are.
func (r *Reader) own(ctx context.Context, name string, in io.Reader) (document.Extraction, error) {
	in, err := unpacked(name, in)
	if err != nil {
		return document.Extraction{}, err
	}
	kind, left := readsAs(name)
	switch {
	case kind == typeMailbox:
		return document.Extraction{}, errMailbox
	case left == extract.Secrets:
		return document.Extraction{}, errSecrets
	case kind == "":
		return document.Extraction{}, fmt.Errorf("%w: %s are not read", document.ErrUnsupported, left)
	}
	body, err := readAll(in, r.cfg.MaxDecoded)
	if err != nil {
		return document.Extraction{}, err
	}
	base := &url.URL{Scheme: "file", Path: strings.TrimSuffix(slashPath(name), ".gz")}
	if kind == document.TypePlain || kind == document.TypeMarkdown {
		if err := extract.CheckTextFile(base.Path, body); err != nil {
			return document.Extraction{}, err
		}
	}
	x, err := r.extractor.Extract(ctx, kind, body, base)
	x.Title = cmp.Or(x.Title, fileTitle(name))
	return x, err
}

// EachDocument reads an open file in the same way as Read does for its file: address, so that offsets agree. name is the
// file's absolute path. A mailbox yields its messages, each with its name below the mailbox as part. Any other file yields
// one document with an empty part. Texts that are too short for Read are yielded as well.
//
// The error is that of yield, of in, or of reading. It wraps [document.ErrUnsupported] if the file is damaged, protected or
// without text.
func (r *Reader) EachDocument(ctx context.Context, name string, in io.Reader, yield func(part string, d document.Document) error) error {
	if kind, _ := readsAs(name); kind == typeMailbox {
		return r.eachMessage(ctx, name, in, func(part string, x document.Extraction) error { return yield(part, x.Document) })
	}
	reading, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
	defer cancel()
	x, err := r.own(reading, name, in)
	if err != nil {
		return err
	}
	return yield("", x.Document)
}

// ReadsFile reports whether files of this name are read, and else why they are left out, in a few words that follow a number,
// such as "images". Mailboxes (.mbox) are read, and all files of which [extract.FileType] names the type, also compressed (.gz).
func ReadsFile(name string) (left string, ok bool) {
	kind, left := readsAs(name)
	return left, kind != ""
}

// readsAs returns the type of a file by its name, compressed or not, or why it is not read.
func readsAs(name string) (kind, left string) {
	name = filepath.Base(strings.TrimSuffix(name, ".gz"))
	if strings.EqualFold(filepath.Ext(name), ".mbox") {
		return typeMailbox, ""
	}
	return extract.FileType(name)
}

// fileTitle returns the title for a file without one.
func fileTitle(name string) string {
	return document.Title(strings.TrimSuffix(filepath.Base(name), ".gz"))
}

func unpacked(name string, in io.Reader) (io.Reader, error) {
	if !strings.HasSuffix(name, ".gz") {
		return in, nil
	}
	zr, err := gzip.NewReader(bufio.NewReader(in))
	if err != nil {
		return nil, fmt.Errorf("%w: the file name ends in .gz but the file is not gzip", document.ErrUnsupported)
	}
	return zr, nil
}

const typeMailbox = "application/mbox"

// messageAddress splits the path of a message, such as /folder/list.mbox/0123456789abcdef, into mailbox and name.
func messageAddress(name string) (box, part string, ok bool) {
	box, part = filepath.Dir(name), filepath.Base(name)
	kind, _ := readsAs(box)
	return box, part, kind == typeMailbox && len(part) == 16 && strings.Trim(part, "0123456789abcdef") == ""
}

var errFound = errors.New("found")

// readMessage reads one message of a mailbox inside of a corpus folder.
func (r *Reader) readMessage(ctx context.Context, box, part string) Page {
	file, shown, err := r.corpus.open(box)
	if err != nil {
		return unreadFile(err)
	}
	defer file.Close()
	page := Page{FinalURL: FileAddress(filepath.Join(shown, part)), Status: StatusRead}
	err = r.eachMessage(ctx, box, file, func(name string, x document.Extraction) error {
		if name != part {
			return nil
		}
		page.Document = x.Document
		return errFound
	})
	switch {
	case errors.Is(err, errFound):
		return page
	case err == nil:
		err = os.ErrNotExist
	}
	return unreadFile(err)
}

// eachMessage reads the messages of a mailbox. It skips copies, which have the id of an earlier message.
func (r *Reader) eachMessage(ctx context.Context, box string, in io.Reader, yield func(part string, x document.Extraction) error) error {
	in, err := unpacked(box, in)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	var failed error
	err = mail.Split(in, func(raw []byte) bool {
		if failed = ctx.Err(); failed != nil {
			return false
		}
		m := mail.Parse(raw)
		part := mail.Name(m, raw)
		if seen[part] {
			return true
		}
		seen[part] = true
		var x document.Extraction
		if x, failed = r.extractor.Message(ctx, m); failed == nil {
			failed = yield(part, x)
		}
		return failed == nil
	})
	if failed == nil && err != nil {
		failed = fmt.Errorf("%w: %w", document.ErrUnsupported, err)
	}
	return failed
}
