package fetch

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/mail"
)

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

// EachDocument reads an open file in the same way as Read does for its file: address, so that offsets agree. name is the
// file's absolute path. A mailbox yields its messages, each with its name below the mailbox as part. Any other file yields
// one document with an empty part. Texts that are too short for Read are yielded as well.
//
// The error is that of yield, of in, or of reading. It wraps [document.ErrUnsupported] if the file is damaged, protected or
// without text.
func (r *Reader) EachDocument(ctx context.Context, name string, in io.Reader, yield func(part string, d document.Document) error) error {
	kind, left := readsAs(name)
	if kind == "" {
		return fmt.Errorf("%w: %s are not read", document.ErrUnsupported, left)
	}
	base := &url.URL{Scheme: "file", Path: strings.TrimSuffix(slashPath(name), ".gz")}
	in, err := unpacked(name, in)
	if err != nil {
		return err
	}
	if kind == typeMailbox {
		return r.eachMessage(ctx, in, func(part string, x document.Extraction) error { return yield(part, x.Document) })
	}
	body, err := r.readAll(in, "")
	if err != nil {
		return err
	}
	if err := checkText(kind, name, body); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
	defer cancel()
	x, err := r.extractor.Extract(ctx, kind, body, base)
	if err != nil {
		return err
	}
	x.Title = cmp.Or(x.Title, fileTitle(name))
	return yield("", x.Document)
}

// checkText is [extract.CheckTextFile] for a file that is text by its name, compressed or not.
func checkText(kind, name string, body []byte) error {
	if kind != document.TypePlain && kind != document.TypeMarkdown {
		return nil
	}
	return extract.CheckTextFile(strings.TrimSuffix(name, ".gz"), body)
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

// eachMessage reads the messages of a mailbox. It skips copies, which have the id of an earlier message.
func (r *Reader) eachMessage(ctx context.Context, in io.Reader, yield func(part string, x document.Extraction) error) error {
	seen := map[string]bool{}
	var failed error
	err := mail.Split(in, func(raw []byte) bool {
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
	if failed != nil {
		return failed
	}
	if err != nil {
		return fmt.Errorf("%w: %w", document.ErrUnsupported, err)
	}
	return nil
}
