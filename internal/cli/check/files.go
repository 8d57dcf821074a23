package check

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/loops"
)

// Pages reads what texts cite, each address once, and offline nothing from the network. A text cites files by relative links or by file:
// addresses. It is safe for concurrent use.
type Pages struct {
	inner   loops.Reader
	corpus  []string // folders whose files texts may cite
	offline bool

	mu     sync.Mutex
	read   map[string]fetch.Page
	hidden map[string]bool // files that a text must not show
}

// newPages returns a reader. Texts may cite files of the folders of corpus, which may be nil.
func newPages(inner loops.Reader, corpus []string, offline bool) *Pages {
	return &Pages{inner: inner, corpus: corpus, offline: offline, read: map[string]fetch.Page{}, hidden: map[string]bool{}}
}

// ReadAll implements [loops.Reader].
func (p *Pages) ReadAll(ctx context.Context, urls []string, each func(i int, page fetch.Page)) []fetch.Page {
	out := make([]fetch.Page, len(urls))
	var ask []string
	var at []int // in urls
	done := func(i int, page fetch.Page) {
		page.URL = urls[i]
		if out[i] = page; each != nil {
			each(i, page)
		}
	}
	for i, address := range urls {
		p.mu.Lock()
		page, known := p.read[address]
		hidden := p.hidden[address]
		p.mu.Unlock()
		switch {
		case known:
			done(i, page)
		case hidden:
			done(i, fetch.Page{Status: fetch.StatusBlocked,
				Reason: "hidden files are read only inside corpus folders; name the folder with --corpus to allow it"})
		case p.offline && !isFile(address):
			done(i, fetch.Page{Status: fetch.StatusBlocked, Reason: "not read: --offline"})
		default:
			ask, at = append(ask, address), append(at, i)
		}
	}
	if len(ask) > 0 {
		p.inner.ReadAll(ctx, ask, func(j int, page fetch.Page) {
			if page.Status != fetch.StatusTimeout {
				p.mu.Lock()
				p.read[ask[j]] = page
				p.mu.Unlock()
			}
			done(at[j], page)
		})
	}
	return out
}

// linksOf returns how relative links in a draft become addresses of files: beside the draft, else in a folder of the corpus.
func (p *Pages) linksOf(draft string) func(link string) string {
	folder := absolute(filepath.Dir(draft))
	return func(link string) string {
		link, _, _ = strings.Cut(link, "#")
		if plain, err := url.PathUnescape(link); err == nil {
			link = plain
		}
		link = filepath.FromSlash(link)
		file := filepath.Join(folder, link)
		for _, folder := range p.corpus {
			inside := absolute(filepath.Join(folder, link))
			if _, err := os.Stat(file); err == nil || !filepath.IsLocal(link) {
				break
			}
			if info, err := os.Stat(inside); err == nil && info.Mode().IsRegular() {
				file = inside
			}
		}
		address := fetch.FileAddress(file)
		inCorpus := slices.ContainsFunc(p.corpus, func(folder string) bool { return within(absolute(folder), file) })
		if rel, err := filepath.Rel(folder, file); err == nil && !inCorpus && fetch.Hidden(rel) && fetch.Hidden(named(file, draft)) {
			p.mu.Lock()
			p.hidden[address] = true
			p.mu.Unlock()
		}
		return address
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

// elsewhere says which files were read from folders of the corpus alone, or "". Another machine may not have them.
func (p *Pages) elsewhere(beside []string) string {
	read, folders := 0, []string{}
	for address, page := range p.read {
		file, err := fetch.FilePath(address)
		if err != nil || !isFile(address) || page.Status != fetch.StatusRead || slices.ContainsFunc(beside, func(folder string) bool {
			return within(folder, file)
		}) {
			continue
		}
		for _, folder := range p.corpus {
			if within(absolute(folder), file) {
				read, folders = read+1, append(folders, folder)
				break
			}
		}
	}
	if read == 0 {
		return ""
	}
	return fmt.Sprintf("%s read outside of this repository, in %s: where that is not there, as in CI, citations of them lead to nothing",
		console.Counted(read, "file was", "files were"), strings.Join(slices.Compact(slices.Sorted(slices.Values(folders))), ", "))
}
