package fetch

import (
	"cmp"
	"context"
	"errors"
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
	page, fromWeb := r.readItem(ctx, item)
	if page.Status == StatusRead && !fromWeb {
		page.Via = scheme
		page.FinalURL = cmp.Or(item.URL, item.Address)
	}
	page.Document = withKnown(page.Document, item.Document)
	if item.DOI != "" {
		page.ProvenDOI, page.ProvenBy = item.DOI, ProvenByLibrary
	}
	return page
}

func notOpened(err error) Page {
	if e, ok := errors.AsType[*LibraryError](err); ok {
		return Page{Status: e.Status, Reason: e.Reason}
	}
	return failed(err)
}

// readItem returns the page of an item, and whether it was read from the web.
func (r *Reader) readItem(ctx context.Context, item Item) (best Page, fromWeb bool) {
	best = Page{Status: StatusNotFound, Reason: "the item has no attachment that can be read, no DOI and no address"}
	base, err := url.Parse(cmp.Or(item.URL, item.Address))
	if err != nil {
		return failed(err), false
	}
	if item.File != "" {
		if best = r.readItemFile(ctx, item, base); best.Status == StatusRead {
			return best, false
		}
	}
	if item.Text != nil {
		text, err := item.Text(ctx)
		switch {
		case err != nil:
			best = notOpened(err)
		case text != "":
			if best = r.extract(ctx, Page{Status: StatusRead}, document.TypePlain+"; charset=utf-8", []byte(text), base); best.Status == StatusRead {
				best.Capture = capturedBody([]byte(text), r.cfg.KeepBody)
				return best, false
			}
		}
	}
	target, err := address.Parse(item.See)
	if err != nil { // an item without an address has none to try
		return best, false
	}
	if page := r.readWeb(ctx, target.String(), validators{}); page.Status == StatusRead || item.File == "" && item.Text == nil {
		return page, true
	}
	return best, false
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
	in, err := OpenInside(filepath.Dir(real), filepath.Base(real))
	if err != nil {
		return nil, err
	}
	return readOpen(in, r.cfg.MaxDecoded)
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
