package textcheck

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// collector collects the sources that drafts cite, each once.
type collector struct {
	corpus  *Corpus
	state   *loopstate.State  // of the loop whose texts are used, or an empty one
	linked  map[string]bool   // addresses of files that relative links lead to
	names   map[string]string // their names -> addresses
	sources []Source
	at      map[string]int // by id, and by canonical key
}

// nameOf returns the name of a cited file in results: a path, see [named]. A file: address that leads elsewhere stays.
func (c *collector) nameOf(address, draft string) string {
	name := named(filePath(address), draft)
	if other, taken := c.names[name]; !c.linked[address] && !filepath.IsLocal(name) || taken && other != address {
		return address
	}
	c.names[name] = address
	return name
}

// resolve returns how relative links in a draft become addresses of files.
func (c *collector) resolve(draft string) func(link string) string {
	return func(link string) string {
		address := fileAddress(c.corpus.linked(link, draft))
		c.linked[address] = true
		return address
	}
}

// find returns the index of the source that a citation names, or -1. The name of a file is no address of a page.
func (c *collector) find(cite verify.Citation) int {
	names := []string{cmp.Or(cite.SourceID, cite.URL)}
	if cite.SourceID == "" && strings.Contains(cite.URL, "://") {
		names = append(names, docid.CanonicalKey(cite.URL, ""))
	}
	for _, name := range names {
		if i, ok := c.at[name]; ok {
			return i
		}
	}
	return -1
}

// add registers the source of a citation in a draft, and returns its index, or -1 for a citation that leads to nothing. A file
// gets the name that the results show: its path, see [named].
func (c *collector) add(cite *verify.Citation, draft string) int {
	if cite.Problem != "" {
		return -1
	}
	address := ""
	if isFile(cite.URL) && cite.SourceID == "" {
		address = cite.URL
		cite.URL = c.nameOf(address, draft)
	}
	if i := c.find(*cite); i >= 0 {
		return i
	}
	src, key := Source{ID: cite.URL, URL: cite.URL, address: address, hidden: address != "" && c.corpus.hidden(filePath(address), draft)}, docid.CanonicalKey(cmp.Or(address, cite.URL), "")
	if cite.SourceID != "" {
		record, _ := c.state.SourceByID(cite.SourceID)
		src, key = Source{ID: record.ID, URL: record.URL, From: fromLoop, record: record}, record.ID
	}
	c.at[key], c.at[src.ID] = len(c.sources), len(c.sources)
	c.sources = append(c.sources, src)
	return len(c.sources) - 1
}

// lookup returns what reading a cited address gave. One without a page leads to nothing; what one that could not be read says is
// unknown.
func (c *collector) lookup(cite verify.Citation) (l verify.Lookup, ok bool) {
	at := c.find(cite)
	switch {
	case at < 0:
		return l, false
	case c.sources[at].read():
		l.Source.ID = c.sources[at].ID
	default:
		l.Gone, l.Why = c.sources[at].missing, cmp.Or(c.sources[at].Reason, c.sources[at].Status)
	}
	return l, true
}

// texts returns the sources that were read, for checks.
func (c *collector) texts() map[string]verify.Source {
	var records []loopstate.Source
	for _, src := range c.sources {
		records = append(records, src.record)
	}
	origins, out := loopstate.OriginsOf(records), map[string]verify.Source{}
	for _, src := range c.sources {
		if src.read() {
			out[src.ID] = verify.Source{Source: src.record, Origin: origins[src.ID], Text: src.text}
		}
	}
	return out
}

// gather reads the sources: from the loop, from the corpus, and from the web, each address once.
func gather(ctx context.Context, sources []Source, cfg Config) error {
	var urls []string
	var at []int
	ask := func(i int, url, from string) {
		urls, at = append(urls, url), append(at, i)
		sources[i].From = from
	}
	for i := range sources {
		src := &sources[i]
		saved := cfg.Corpus.address(docid.CanonicalKey(src.URL, ""))
		if src.address != "" {
			saved = src.address
		}
		switch {
		case src.From == fromLoop:
			text, err := cfg.Loop.text(ctx, src.record.SHA256)
			if err != nil {
				return fmt.Errorf("the text of %s: %w", src.ID, err)
			}
			src.fill(src.record, text)
		case src.hidden:
			src.Status, src.Reason = string(fetch.StatusBlocked), "hidden files are read only inside corpus folders; name the folder with --corpus to allow it"
		case saved != "":
			ask(i, saved, fromCorpus)
			if strings.Contains(src.URL, "://") && !isFile(src.URL) { // not a file that the text links to
				src.Saved = fromWorking(filePath(saved), absolute("."))
			}
		case cfg.Offline:
			src.Status, src.Reason = statusNotRead, "not read: --offline"
		default:
			ask(i, src.URL, fromWeb)
		}
	}
	done := 0
	pages := cfg.Reader.ReadAll(ctx, urls, func(j int, p fetch.Page) {
		done++
		if cfg.Progress != nil {
			shown := sources[at[j]]
			shown.take(p)
			cfg.Progress(done, len(urls), shown, p.Took)
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	for j, p := range pages {
		sources[at[j]].take(p)
	}
	return nil
}

// collect parses a draft and registers the sources that it cites.
func (c *collector) collect(d Draft, cfg Config) (parsed, error) {
	p := parsed{Result: verify.Begin(c.state, cfg.Threshold, cfg.Now()), name: d.Name, text: d.Text, lock: cfg.Locks[d.Name], lines: lines.New(d.Text)}
	p.OnDemand(true, c.resolve(d.Name))
	if err := p.Resolve(d.Text, nil); err != nil {
		return p, err
	}
	for i := range p.Claims {
		counted := map[int]bool{}
		for j := range p.Claims[i].Citations {
			at := c.add(&p.Claims[i].Citations[j], d.Name)
			if at >= 0 && !counted[at] && !p.Claims[i].Covered {
				counted[at] = true
				c.sources[at].Cited++
			}
		}
	}
	return p, nil
}

// listed returns the source that was read at an address in the reference list of a draft.
func (c *collector) listed(d *parsed, address string) (src loopstate.Source, read bool) {
	at := d.Follow(address)
	if isFile(at.URL) && at.SourceID == "" {
		at.URL = c.nameOf(at.URL, d.name)
	}
	if i := c.find(at); i >= 0 && c.sources[i].read() {
		return c.sources[i].record, true
	}
	return src, false
}
