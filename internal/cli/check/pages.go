package check

import (
	"context"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
)

// pages reads what texts cite, each address once, and offline nothing from the network. A text cites files by relative links or by file:
// addresses. Drafts are checked one after the other, so it serves one call at a time.
type pages struct {
	inner   loops.Reader
	corpus  []string // folders whose files texts may cite
	offline bool
	read    map[string]fetch.Page
}

// newPages returns a reader. Texts may cite files of the folders of corpus, which may be nil.
func newPages(inner loops.Reader, corpus []string, offline bool) *pages {
	return &pages{inner: inner, corpus: corpus, offline: offline, read: map[string]fetch.Page{}}
}

// ReadAll implements [loops.Reader].
func (p *pages) ReadAll(ctx context.Context, urls []string, each func(i int, page fetch.Page)) (out []fetch.Page) {
	ask := slices.DeleteFunc(slices.Clone(urls), func(address string) bool {
		if p.offline && !isFile(address) {
			p.read[address] = fetch.Page{Status: fetch.StatusBlocked, Reason: "not read: --offline"}
		}
		_, known := p.read[address]
		return known
	})
	if len(ask) > 0 {
		for i, page := range p.inner.ReadAll(ctx, ask, nil) {
			p.read[ask[i]] = page
		}
	}
	for i, address := range urls {
		page := p.read[address]
		page.URL = address
		if out = append(out, page); each != nil {
			each(i, page)
		}
	}
	maps.DeleteFunc(p.read, func(_ string, page fetch.Page) bool { return page.Status == fetch.StatusTimeout })
	return out
}

// linksOf returns how relative links in a draft become addresses of files: beside the draft, else in a folder of the corpus.
func (p *pages) linksOf(draft string) func(link string) string {
	folder := absolute(filepath.Dir(draft))
	return func(link string) string {
		link, _, _ = strings.Cut(link, "#")
		if plain, err := url.PathUnescape(link); err == nil {
			link = plain
		}
		link = filepath.FromSlash(link)
		file := filepath.Join(folder, link)
		if _, err := os.Stat(file); err != nil && filepath.IsLocal(link) {
			for _, folder := range slices.Backward(p.corpus) { // the first that has it
				inside := absolute(filepath.Join(folder, link))
				if info, err := os.Stat(inside); err == nil && info.Mode().IsRegular() {
					file = inside
				}
			}
		}
		return fetch.FileAddress(file)
	}
}

func within(folder, file string) bool {
	rel, err := filepath.Rel(folder, file)
	return err == nil && filepath.IsLocal(rel)
}

// beside lists the folders whose files drafts may cite without more: those of the drafts, the working folder and the repository
// that contain them.
func beside(drafts []Draft) []string {
	var out []string
	for _, d := range drafts {
		folder := absolute(filepath.Dir(d.Name))
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			continue
		}
		if out = append(out, folder); within(absolute("."), folder) {
			out = append(out, absolute("."))
		}
		for at := folder; filepath.Dir(at) != at; at = filepath.Dir(at) {
			if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
				out = append(out, at)
				break
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
