package fetch

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// readLibrary reads an address of a library. Via of the page is the scheme, unless its text came from the web.
func (r *Reader) readLibrary(ctx context.Context, raw, scheme string, l Library) Page {
	item, err := l.Open(ctx, raw)
	if err != nil {
		return notOpened(err)
	}
	page, fromWeb := r.readItem(ctx, item)
	if page.Status == StatusRead && !fromWeb {
		page.Via = scheme
		page.FinalURL = cmp.Or(item.URL, item.Address)
	}
	page.Document = withKnown(page.Document, item.Document, document.Document{})
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
	try := func(kind string, body []byte) bool {
		if best = r.extract(ctx, Page{}, kind, body, base); best.Status == StatusRead {
			best.Capture = capturedBody(body)
		}
		return best.Status == StatusRead
	}
	if item.File != "" {
		name, body, err := r.itemFile(item)
		if err != nil {
			best = unreadFile(err)
		} else if try(cmp.Or(extract.TypeByName(name), item.ContentType), body) {
			best.Title = cmp.Or(best.Title, fileTitle(name))
			return best, false
		}
	}
	if item.Text != nil {
		text, err := item.Text(ctx)
		if err != nil {
			best = notOpened(err)
		} else if text != "" && try(document.TypePlain+"; charset=utf-8", []byte(text)) {
			return best, false
		}
	}
	target, err := address.Parse(item.See)
	if err != nil { // an item without an address has none to try
		return best, false
	}
	if page := r.readWeb(ctx, target.String()); page.Status == StatusRead || item.File == "" && item.Text == nil {
		return page, true
	}
	return best, false
}

// itemFile reads the file of an item, in the library's own folder or inside the corpus folders.
func (r *Reader) itemFile(item Item) (name string, body []byte, err error) {
	if name, err = FilePath(item.File); err != nil {
		return "", nil, err
	}
	real, err := filepath.EvalSymlinks(name)
	if err != nil || item.Folder == "" || !strings.HasSuffix(filepath.ToSlash(filepath.Dir(real)), "/"+item.Folder) {
		body, _, err = r.corpus.read(name, r.cfg.MaxDecoded)
		return name, body, err
	}
	in, err := OpenInside(filepath.Dir(real), filepath.Base(real))
	if err != nil {
		return "", nil, err
	}
	defer in.Close()
	body, err = readAll(in, r.cfg.MaxDecoded)
	return name, body, err
}

// withKnown completes the metadata of a text: what is known of it comes first, and rest last.
func withKnown(d, known, rest document.Document) document.Document {
	d.Title = document.First(document.Title(known.Title), d.Title, rest.Title)
	from := func(has func(document.Document) bool) document.Document {
		all := []document.Document{known, d, rest}
		return all[max(slices.IndexFunc(all, has), 0)]
	}
	publisher := from(func(d document.Document) bool { return d.Publisher != "" })
	d.Publisher, d.Container = publisher.Publisher, cmp.Or(publisher.Container, d.Container)
	d.Authors = from(func(d document.Document) bool { return len(d.Authors) > 0 }).Authors
	d.DocStatus = document.First(known.DocStatus, d.DocStatus, rest.DocStatus)
	d.PublishedAt = document.First(known.PublishedAt, d.PublishedAt, rest.PublishedAt)
	d.DOI = document.First(known.DOI, d.DOI, rest.DOI)
	d.Language = document.First(known.Language, d.Language)
	d.SourceType = document.First(known.SourceType, d.SourceType, rest.SourceType)
	return d
}
