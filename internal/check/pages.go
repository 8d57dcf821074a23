package check

import (
	"context"
	"path/filepath"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
)

// Pages reads what texts cite, each address once, and offline nothing from the network. It is safe for concurrent use.
type Pages struct {
	inner    loops.Reader
	corpus   Corpus
	offline  bool
	progress func(read int, p fetch.Page)

	mu     sync.Mutex
	read   map[string]fetch.Page
	hidden map[string]bool // files that a text must not show
}

// NewPages returns a reader. corpus and progress, which is called after each address, may be nil.
func NewPages(inner loops.Reader, corpus Corpus, offline bool, progress func(read int, p fetch.Page)) *Pages {
	return &Pages{inner: inner, corpus: corpus, offline: offline, progress: progress,
		read: map[string]fetch.Page{}, hidden: map[string]bool{}}
}

// ReadAll implements [loops.Reader].
func (p *Pages) ReadAll(ctx context.Context, urls []string, each func(i int, page fetch.Page)) []fetch.Page {
	out := make([]fetch.Page, len(urls))
	var ask []string
	var at []int
	done := func(i int, page fetch.Page) {
		page.URL = urls[i]
		out[i] = page
		if each != nil {
			each(i, page)
		}
	}
	p.mu.Lock()
	for i, address := range urls {
		page, known := p.read[address]
		switch local := isFile(address); {
		case known:
			done(i, page)
		case local && p.hidden[address]:
			done(i, fetch.Page{Status: fetch.StatusBlocked,
				Reason: "hidden files are read only inside corpus folders; name the folder with --corpus to allow it"})
		case p.offline && !local:
			done(i, fetch.Page{Status: fetch.StatusBlocked, Reason: "not read: --offline"})
		default:
			ask, at = append(ask, address), append(at, i)
		}
	}
	p.mu.Unlock()
	if len(ask) == 0 {
		return out
	}
	p.inner.ReadAll(ctx, ask, func(j int, page fetch.Page) {
		address := urls[at[j]]
		p.mu.Lock()
		if page.Status != fetch.StatusTimeout {
			p.read[address] = page
		}
		n := len(p.read)
		if p.progress != nil {
			p.progress(n, page)
		}
		p.mu.Unlock()
		done(at[j], page)
	})
	return out
}

// linksOf returns how relative links in a draft become addresses of files.
func (p *Pages) linksOf(draft string) func(link string) string {
	return func(link string) string {
		file := p.corpus.linked(link, draft)
		address := fetch.FileAddress(file)
		if p.corpus.hidden(file, draft) {
			p.mu.Lock()
			p.hidden[address] = true
			p.mu.Unlock()
		}
		return address
	}
}

// nameOf returns an address as results show it: a file by its path, see [named].
func nameOf(address, draft string) string {
	if file := filePath(address); file != "" {
		if name := named(file, draft); filepath.IsLocal(name) || strings.HasPrefix(name, "../") {
			return name
		}
		return filepath.Base(file)
	}
	return address
}
