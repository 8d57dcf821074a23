package local

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime"
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

// refresh scans a folder and reads new and changed files.
func (c *Corpus) refresh(ctx context.Context, f *folder, told func(done, total int)) error {
	unlock, err := f.disk.lock()
	if errors.Is(err, errLocked) {
		f.load(c.cfg.Edition)
		f.set(func(s *state) { s.busy, s.looked, s.missing = true, true, false })
		return nil
	}
	if err != nil {
		return err
	}
	defer unlock()
	f.load(c.cfg.Edition)
	f.sweep()
	found, err := c.walk(ctx, f.root)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		// It may come back, such as an unmounted disk: its index is kept but not searched.
		f.set(func(s *state) { *s = state{missing: true, looked: true} })
		return nil
	}
	p := &pass{c: c, f: f, found: found, base: f.now(), touched: map[string]int64{}, told: told}
	p.known = p.base.known()
	changed := p.compare()
	p.total = len(changed)
	f.mu.Lock()
	f.state = state{overflow: found.overflow, found: len(found.order), pending: len(changed), looked: f.state.looked}
	f.problems, f.left = found.problems, found.left
	f.mu.Unlock()
	if len(p.gone) > 0 && len(changed) == 0 {
		if err := p.commit(nil); err != nil {
			return err
		}
	}
	if err := p.read(ctx, changed); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := c.merge(ctx, f); err != nil && ctx.Err() == nil {
		return err
	}
	f.sweep()
	f.set(func(s *state) { s.looked, s.pending = true, 0 })
	return nil
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

// read indexes the changed files with one worker for each processor: reading is mostly parsing.
func (p *pass) read(ctx context.Context, changed []string) error {
	jobs := make(chan string)
	workers := min(max(runtime.GOMAXPROCS(0), 1), max(len(changed), 1))
	errs := make([]error, workers)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all sync.WaitGroup
	for i := range workers {
		all.Go(func() {
			w := worker{pass: p, since: p.c.cfg.Now()}
			if errs[i] = w.run(ctx, jobs); errs[i] != nil {
				cancel() // such as a full disk: stop the others
			}
		})
	}
feeding:
	for _, path := range changed {
		select {
		case jobs <- path:
		case <-ctx.Done():
			break feeding
		}
	}
	close(jobs)
	all.Wait()
	return errors.Join(errs...)
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

// segmentName returns a unique name.
func (c *Corpus) segmentName() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.named++
	return fmt.Sprintf("%s-%d%s", c.prefix, c.named, segmentSuffix)
}

func (p *pass) log(path string, err error) {
	p.c.cfg.Logger.Debug("corpus: file left out", slog.String("folder", p.f.root), slog.String("path", path), slog.Any("cause", err))
}
