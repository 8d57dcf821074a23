package local

import "context"

// Status compares the indexes on disk with the folders and changes neither. Files with the same size and modification
// time count as unchanged.
func (c *Corpus) Status(ctx context.Context) (Report, error) {
	for _, f := range c.folders {
		f.load(c.cfg.Edition)
		found, err := c.walk(ctx, f.root)
		if ctx.Err() != nil {
			return Report{}, ctx.Err()
		}
		s := state{missing: err != nil, overflow: found.overflow, found: len(found.order), looked: true}
		p := &pass{c: c, f: f, found: found, known: f.now().known()}
		s.pending = len(p.compare())
		f.set(func(old *state) { *old = s })
		f.mu.Lock()
		f.problems, f.left = found.problems, found.left
		f.mu.Unlock()
	}
	return c.Report(), nil
}
