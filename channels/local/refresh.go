package local

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
)

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
	p, changed, err := c.scan(ctx, f)
	if p == nil {
		return err
	}
	p.told = told
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

// scan compares a folder with its index and notes what it finds. It returns the pass that would bring the index up to date and
// the changed files; a nil pass with a nil error means that the folder is missing.
func (c *Corpus) scan(ctx context.Context, f *folder) (*pass, []string, error) {
	found, err := c.walk(ctx, f.root)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		// It may come back, such as an unmounted disk: its index is kept but not searched.
		f.set(func(s *state) { *s = state{missing: true, looked: true} })
		return nil, nil, nil
	}
	p := &pass{c: c, f: f, found: found, base: f.now(), touched: map[string]int64{}}
	p.known = p.base.known()
	changed := p.compare()
	p.total = len(changed)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state = state{overflow: found.overflow, found: len(found.order), pending: len(changed), looked: f.state.looked}
	f.problems, f.left = found.problems, found.left
	return p, changed, nil
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

// segmentName returns a unique name.
func (c *Corpus) segmentName() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.named++
	return fmt.Sprintf("%s-%d%s", c.prefix, c.named, segmentSuffix)
}

// Status compares the indexes on disk with the folders and changes neither. Files with the same size and modification
// time count as unchanged.
func (c *Corpus) Status(ctx context.Context) (Report, error) {
	for _, f := range c.folders {
		f.load(c.cfg.Edition)
		if _, _, err := c.scan(ctx, f); err != nil {
			return Report{}, err
		}
		f.set(func(s *state) { s.looked = true })
	}
	return c.Report(), nil
}
