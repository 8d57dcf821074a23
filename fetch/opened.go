package fetch

import (
	"bytes"
	"cmp"
	"context"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/limit"
)

// ReadOpened reads a file that the user's own client has just read, inside of the corpus folders or not. name is its path,
// absolute and without links. It reads what Read does of a file: address, and any other text, such as source code, as plain
// text with the lines of the file. A file of the user's own is a source at any length.
func (r *Reader) ReadOpened(ctx context.Context, name string) Page {
	base := &url.URL{Scheme: "file", Path: slashPath(name)}
	page := r.guarded(base.String(), func() Page { return r.readOpened(ctx, name, base) })
	page.URL, page.FetchedAt = base.String(), r.cfg.Now().UTC()
	return page
}

func (r *Reader) readOpened(ctx context.Context, name string, base *url.URL) Page {
	if err := ctx.Err(); err != nil {
		return failed(err)
	}
	in, err := OpenInside(filepath.Dir(name), filepath.Base(name))
	if err != nil {
		return unreadFile(err)
	}
	defer in.Close()
	body, err := r.readAll(in, "")
	if err != nil {
		return failed(err)
	}
	kind := cmp.Or(extract.TypeByName(name), document.TypePlain)
	if kind == document.TypePlain && (!utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0) {
		return Page{Status: StatusUnsupported, Reason: "the file is not text"}
	}
	return r.readOwn(ctx, kind, body, base)
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
		case int64(len(body)) > r.cfg.MaxBytes:
			return Page{Status: StatusUnsupported, Reason: "it is larger than " + limit.Size(r.cfg.MaxBytes)}
		}
		if err := checkText(kind, base.Path, body); err != nil {
			return failed(err)
		}
		return r.readOwn(ctx, kind, body, base)
	})
	page.FetchedAt = r.cfg.Now().UTC()
	return page
}

// readOwn extracts the text of a file of the user's own.
func (r *Reader) readOwn(ctx context.Context, kind string, body []byte, base *url.URL) Page {
	ctx, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
	defer cancel()
	page := r.extract(ctx, Page{Status: StatusRead, FinalURL: base.String()}, kind, body, base)
	// The signs of pages that show no content, such as logins, mean nothing in the user's own text.
	if (kind == document.TypePlain || kind == document.TypeMarkdown || page.Status == StatusTooShort) && strings.TrimSpace(page.Text) != "" {
		page.Status, page.Reason = StatusRead, ""
	}
	if page.Status == StatusRead {
		page.Title = cmp.Or(page.Title, fileTitle(base.Path))
	}
	return page
}
