package fetch

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/fetch/address"
)

// Read reads one address. It returns no error: the outcome is the page's status and reason.
//
// Concurrent readers of one address share one request, which has its own deadline. A caller that stops waiting does not
// cancel it: others may wait for it, or the caller will ask again.
func (r *Reader) Read(ctx context.Context, rawURL string) Page {
	return r.readKnown(ctx, Known{URL: rawURL})
}

func (r *Reader) readKnown(ctx context.Context, known Known) Page {
	rawURL := known.URL
	start := r.cfg.Now()
	page := r.read(ctx, rawURL, known.validators())
	page.URL = address.Redact(rawURL)
	page.Authors = slices.Clone(page.Authors) // readers that shared a request share nothing else
	page.FetchedAt = r.cfg.Now().UTC()
	page.Took = page.FetchedAt.Sub(start)
	if page.Status != StatusRead {
		page.Text, page.Markdown, page.Runs, page.References, page.Capture = "", "", nil, nil, nil
	}
	r.cfg.Logger.Debug("page", "url", page.URL, "status", string(page.Status), "reason", page.Reason, "chars", page.Chars, "took", page.Took)
	return page
}

func (r *Reader) read(ctx context.Context, rawURL string, known validators) Page {
	if err := ctx.Err(); err != nil {
		return failed(err)
	}
	rawURL = strings.TrimSpace(rawURL)
	if file, ok := fileAddress(rawURL); ok {
		rawURL = file
	}
	if scheme, _, ok := strings.Cut(rawURL, ":"); ok && strings.EqualFold(scheme, "file") {
		return r.guarded(rawURL, func() Page { return r.readFile(ctx, rawURL) })
	}
	if scheme, library := r.libraryOf(rawURL); library != nil {
		return r.guarded(rawURL, func() Page { return r.readLibrary(ctx, rawURL, scheme, library) })
	}
	return r.readWeb(ctx, rawURL, known)
}

// ReadAll reads many addresses with bounded concurrency, and returns a page for each in the same order. A failure does not
// affect the others. Pages that were not started when ctx ended are timeouts with that reason. If each is not nil, it is
// called after every page, by one goroutine at a time.
func (r *Reader) ReadAll(ctx context.Context, urls []string, each func(i int, p Page)) []Page {
	known := make([]Known, len(urls))
	for i, u := range urls {
		known[i].URL = u
	}
	return r.ReadAgain(ctx, known, each)
}

// ReadAgain is ReadAll for pages that were read before: a server that has the known version of a page need not send it. Such
// a page has StatusUnchanged and no text.
func (r *Reader) ReadAgain(ctx context.Context, known []Known, each func(i int, p Page)) []Page {
	pages := make([]Page, len(known))
	next := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex // serialises each
	for range min(maxParallel, len(known)) {
		wg.Go(func() {
			for i := range next {
				pages[i] = r.readKnown(ctx, known[i])
				if each != nil {
					mu.Lock()
					each(i, pages[i])
					mu.Unlock()
				}
			}
		})
	}
	for i := range known {
		next <- i // a worker whose context ended answers at once, so this cannot hang
	}
	close(next)
	wg.Wait()
	return pages
}

// libraryOf returns the library of an address, or nil.
func (r *Reader) libraryOf(raw string) (string, Library) {
	scheme, _, _ := strings.Cut(raw, ":")
	scheme = strings.ToLower(scheme)
	return scheme, r.libraries[scheme]
}
