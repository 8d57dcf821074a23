package local

import (
	"log/slog"
	"maps"
	"slices"
	"sync"
)

// pass updates the index of one folder. Files read before ctx ended stay indexed.
type pass struct {
	c     *Corpus
	f     *folder
	found walked
	known map[string][]ref
	told  func(done, total int)

	mu      sync.Mutex
	base    *view // the view of known
	gone    []ref // of base
	touched map[string]int64
	added   []part
	done    int
	total   int
}

// compare records deleted files and returns those that are new or may have changed, in walking order.
func (p *pass) compare() (changed []string) {
	for path, refs := range p.known {
		if _, still := p.found.files[path]; !still {
			p.gone = append(p.gone, refs...)
		}
	}
	for _, path := range p.found.order {
		refs, s := p.known[path], p.found.files[path]
		if len(refs) == 0 || refs[0].Size != s.size || refs[0].ModTime != s.mtime || slices.ContainsFunc(refs, func(r ref) bool { return r.Passing }) {
			changed = append(changed, path)
		}
	}
	return changed
}

// committed is the work that a worker publishes in one step: segments, and the paths that they replace.
type committed struct {
	parts    []part
	replaced []string // paths
	touched  map[string]int64
	files    int
}

// commit publishes c, or only the deletions if c is nil.
func (p *pass) commit(c *committed) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c != nil {
		for _, path := range c.replaced {
			p.gone = append(p.gone, p.known[path]...)
		}
		maps.Copy(p.touched, c.touched)
		p.added = append(p.added, c.parts...)
	}
	parts := append(p.base.without(p.gone, p.touched, p.known), p.added...)
	parts = slices.DeleteFunc(parts, func(p part) bool { return p.deleted.Count() == p.segment.Files() })
	if err := p.f.publish(parts, p.c.cfg.Edition); err != nil {
		return err
	}
	if c != nil {
		p.f.set(func(s *state) { s.pending -= c.files })
	}
	return nil
}

// stepped counts a processed file.
func (p *pass) stepped() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if p.told != nil {
		p.told(p.done, p.total)
	}
}

func (p *pass) log(path string, err error) {
	p.c.cfg.Logger.Debug("corpus: file left out", slog.String("folder", p.f.root), slog.String("path", path), slog.Any("cause", err))
}
