package fetch

import (
	"bufio"
	"bytes"
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
)

var errSecrets = fmt.Errorf("%w: %s", document.ErrUnsupported, extract.Secrets)

// readFile reads a file: address inside a corpus folder.
func (r *Reader) readFile(ctx context.Context, raw string) Page {
	name, err := FilePath(raw)
	if err != nil {
		return unreadFile(err)
	}
	in, shown, err := r.corpus.open(name)
	if err != nil {
		return unreadFile(err)
	}
	defer in.Close()
	body, err := readAll(in, r.cfg.MaxDecoded)
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
	if strings.HasSuffix(name, ".gz") {
		zr, err := gzip.NewReader(bufio.NewReader(in))
		if err != nil {
			return document.Extraction{}, fmt.Errorf("%w: the file name ends in .gz but the file is not gzip", document.ErrUnsupported)
		}
		in = zr
	}
	kind, left := FileType(name)
	switch {
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
	x.Title = cmp.Or(x.Title, document.Title(strings.TrimSuffix(filepath.Base(name), ".gz")))
	return x, err
}

// ReadOpen reads an open file in the same way as Read does for its file: address, so that offsets agree. name is the file's
// absolute path. A text that is too short for Read is returned as well.
//
// The error is that of in or of reading. It wraps [document.ErrUnsupported] if the file is damaged, protected or without text.
func (r *Reader) ReadOpen(ctx context.Context, name string, in io.Reader) (document.Document, error) {
	ctx, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
	defer cancel()
	x, err := r.own(ctx, name, in)
	return x.Document, err
}

// FileType is [extract.FileType] for a file that may be compressed (.gz): the type that its name says, or why it is not read, in a
// few words that follow a number, such as "images".
func FileType(name string) (kind, left string) {
	return extract.FileType(filepath.Base(strings.TrimSuffix(name, ".gz")))
}
