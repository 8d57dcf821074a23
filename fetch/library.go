package fetch

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// readLibrary reads an address of a library. Via of the page is the scheme, unless its text came from the web.
func (r *Reader) readLibrary(ctx context.Context, raw, scheme string, l Library) Page {
	ctx, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
	defer cancel()
	item, err := l.Open(ctx, raw)
	if err != nil {
		return notOpened(err)
	}
	page := r.readItem(ctx, item)
	if page.Status == StatusRead && !page.fromWeb {
		page.Via = scheme
		page.FinalURL = cmp.Or(item.URL, item.Address)
	}
	page.Document = withKnown(page.Document, item.Document)
	if item.DOI != "" {
		page.ProvenDOI, page.ProvenBy = item.DOI, ProvenByLibrary
	}
	return page.Page
}

func notOpened(err error) Page {
	if e, ok := errors.AsType[*LibraryError](err); ok {
		return Page{Status: e.Status, Reason: e.Reason}
	}
	return failed(err)
}

// itemPage returns the page of an item, and whether it was read from the web.
type itemPage struct {
	Page
	fromWeb bool
}

func (r *Reader) readItem(ctx context.Context, item Item) itemPage {
	best := itemPage{Page: Page{Status: StatusNotFound, Reason: "the item has no attachment that can be read, no DOI and no address"}}
	base, err := url.Parse(cmp.Or(item.URL, item.Address))
	if err != nil {
		return itemPage{Page: failed(err)}
	}
	if item.File != "" {
		if best = (itemPage{Page: r.readItemFile(ctx, item, base)}); best.Status == StatusRead {
			return best
		}
	}
	if item.Text != nil {
		text, err := item.Text(ctx)
		switch {
		case err != nil:
			best.Page = notOpened(err)
		case text != "":
			if best.Page = r.extract(ctx, Page{Status: StatusRead}, document.TypePlain+"; charset=utf-8", []byte(text), base); best.Status == StatusRead {
				best.Capture = capturedBody([]byte(text), r.cfg.KeepBody)
				return best
			}
		}
	}
	if item.See == "" {
		return best
	}
	target, err := address.Parse(item.See)
	if err != nil {
		return best
	}
	if page := r.readWeb(ctx, target.String(), validators{}); page.Status == StatusRead || item.File == "" && item.Text == nil {
		return itemPage{page, true}
	}
	return best
}

// readItemFile reads the file of an item.
func (r *Reader) readItemFile(ctx context.Context, item Item, base *url.URL) Page {
	name, err := FilePath(item.File)
	if err != nil {
		return Page{Status: StatusBlocked, Reason: err.Error()}
	}
	body, err := r.readKept(name, item.Folder)
	if err != nil {
		return unreadFile(err)
	}
	page := r.extract(ctx, Page{Status: StatusRead}, cmp.Or(extract.TypeByName(name), item.ContentType), body, base)
	if page.Status == StatusRead {
		page.Capture = capturedBody(body, r.cfg.KeepBody)
		page.Title = cmp.Or(page.Title, fileTitle(name))
	}
	return page
}

// readKept reads a file in the library's own folder or inside the corpus folders.
func (r *Reader) readKept(name, folder string) (body []byte, err error) {
	real, err := filepath.EvalSymlinks(name)
	if err != nil || folder == "" || !strings.HasSuffix(filepath.ToSlash(filepath.Dir(real)), "/"+folder) {
		body, _, err = r.corpus.read(name, r.cfg.MaxDecoded)
		return body, err
	}
	err = openUnder(filepath.Dir(real), filepath.Base(real), func(in io.Reader) error {
		body, err = readAll(in, r.cfg.MaxDecoded, "")
		return err
	})
	return body, err
}

// withKnown replaces metadata of a text by that of the library.
func withKnown(d, known document.Document) document.Document {
	d.Title = cmp.Or(document.Title(known.Title), d.Title)
	if len(known.Authors) > 0 {
		d.Authors = known.Authors
	}
	d.PublishedAt = cmp.Or(known.PublishedAt, d.PublishedAt)
	if known.Publisher != "" {
		d.Publisher, d.Container = known.Publisher, known.Container
	}
	d.DOI = cmp.Or(known.DOI, d.DOI)
	d.Language = cmp.Or(known.Language, d.Language)
	d.SourceType = cmp.Or(known.SourceType, d.SourceType)
	return d
}
