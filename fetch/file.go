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
	"path"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/limit"
	"github.com/citeloop/citeloop/fetch/extract/mail"
)

// readFile reads a file: address inside a corpus folder. Outside of the folders the answer does not reveal whether the
// file exists.
func (r *Reader) readFile(ctx context.Context, raw string) Page {
	name, err := FilePath(raw)
	if err != nil {
		return Page{Status: StatusBlocked, Reason: err.Error()}
	}
	if box, part, ok := messageAddress(name); ok {
		ctx, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
		defer cancel()
		page, err := r.readMailFile(ctx, box, part)
		if err != nil {
			return unreadFile(err)
		}
		return page
	}
	body, shown, err := r.corpus.read(name, r.cfg.MaxDecoded)
	if err != nil {
		return unreadFile(err)
	}
	at := FileAddress(shown)
	name = strings.TrimSuffix(shown, ".gz")
	if name != shown {
		in, err := unpacked(shown, bytes.NewReader(body))
		if err == nil {
			body, err = readAll(in, r.cfg.MaxDecoded, " after decompression")
		}
		if err != nil {
			return failed(err)
		}
	}
	kind, left := readsAs(name)
	switch {
	case kind == typeMailbox:
		return Page{Status: StatusUnsupported, FinalURL: at, Reason: "a mailbox contains many messages; the local channel finds the address of each"}
	case left == extract.Secrets:
		return Page{Status: StatusBlocked, Reason: "left out: " + left}
	case kind == "":
		return Page{Status: StatusUnsupported, FinalURL: at, Reason: left + " are not read; text of any kind is, and HTML, PDF, EPUB, DOCX, feeds and mail, also with .gz"}
	}
	if err := checkText(kind, name, body); err != nil {
		return failed(err)
	}
	page := r.readOwn(ctx, kind, body, &url.URL{Scheme: "file", Path: slashPath(name)}, false)
	page.FinalURL = at
	if page.Status == StatusRead {
		page.Capture = capturedBody(body, r.cfg.KeepBody)
	}
	return page
}

// ReadSent reads a file that the user sent, by the types and limits of files in the user's folders. It opens no file: name
// only says the type and the title.
func (r *Reader) ReadSent(ctx context.Context, name string, body []byte) Page {
	base := &url.URL{Scheme: "file", Path: "/" + path.Base(strings.ReplaceAll(name, `\`, "/"))}
	page := r.guarded(base.String(), func() Page {
		kind, left := extract.FileType(base.Path)
		switch {
		case kind == "":
			return Page{Status: StatusUnsupported, Reason: left + " are not read"}
		case len(body) > maxBytes:
			return Page{Status: StatusUnsupported, Reason: "it is larger than " + limit.Size(maxBytes)}
		}
		if err := checkText(kind, base.Path, body); err != nil {
			return failed(err)
		}
		return r.readOwn(ctx, kind, body, base, true)
	})
	page.FetchedAt = r.cfg.Now().UTC()
	return page
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
	body, err := readAll(in, r.cfg.MaxDecoded, "")
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

// readOwn extracts the text of a file of the user's own, which is as long as it should be. The phrases of log-in pages and
// the like mean nothing in plain text. HTML that shows next to nothing is read with shells only.
func (r *Reader) readOwn(ctx context.Context, kind string, body []byte, base *url.URL, shells bool) Page {
	ctx, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
	defer cancel()
	page := r.extract(ctx, Page{Status: StatusRead, FinalURL: base.String()}, kind, body, base)
	if (isPlain(kind) || page.Status == StatusTooShort && (shells || kind != document.TypeHTML)) && strings.TrimSpace(page.Text) != "" {
		page.Status, page.Reason = StatusRead, page.Partial
	}
	if page.Status == StatusRead {
		page.Title = cmp.Or(page.Title, fileTitle(base.Path))
	}
	return page
}

func isPlain(kind string) bool { return kind == document.TypePlain || kind == document.TypeMarkdown }

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

// checkText is [extract.CheckTextFile] for a file that is text by its name, compressed or not.
func checkText(kind, name string, body []byte) error {
	if !isPlain(kind) {
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

const typeMailbox = "application/mbox"

// messageAddress splits the path of a message, such as /folder/list.mbox/0123456789abcdef, into mailbox and name.
func messageAddress(name string) (box, part string, ok bool) {
	box, part = filepath.Dir(name), filepath.Base(name)
	kind, _ := readsAs(box)
	return box, part, kind == typeMailbox && len(part) == 16 && strings.Trim(part, "0123456789abcdef") == ""
}

var errFound = errors.New("found")

// readMailFile reads one message of a mailbox inside of a corpus folder.
func (r *Reader) readMailFile(ctx context.Context, box, part string) (Page, error) {
	file, shown, err := r.corpus.open(box)
	if err != nil {
		return Page{}, err
	}
	defer file.Close()
	in, err := unpacked(box, file)
	if err != nil {
		return Page{}, err
	}
	page := Page{FinalURL: FileAddress(filepath.Join(shown, part))}
	err = r.eachMessage(ctx, in, func(name string, x document.Extraction) error {
		if name != part {
			return nil
		}
		page.Document = x.Document
		if page.Status, page.Reason = classify(x); page.Status == StatusTooShort && x.Chars > 0 {
			page.Status, page.Reason = StatusRead, ""
		}
		return errFound
	})
	switch {
	case errors.Is(err, errFound):
		return page, nil
	case err == nil:
		err = fmt.Errorf("%w in the mailbox", os.ErrNotExist)
	}
	return Page{}, err
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
