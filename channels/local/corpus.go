package local

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// Corpus is a searchable view of folders. It is safe for concurrent use.
type Corpus struct {
	cfg   Config
	roots []string // absolute and sorted

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	all    sync.WaitGroup // goroutines
	follow sync.Once

	mu      sync.Mutex
	ix      *index // nil before its first use
	running *pass  // nil while nothing is indexed
	next    *pass  // wanted while one is running, which may have missed a change
	ended   time.Time
	state   state
	counted *counted // nil after a change
	damage  error    // that a search met: the next pass builds the index again
}

// Progress counts the files that a pass has processed, of those that are new or changed.
type Progress struct{ Done, Total int }

// pass brings the index up to date once.
type pass struct {
	done chan struct{}
	at   Progress // guarded by the corpus
}

// New returns the corpus of the folders. It reads nothing yet: the first search, Index or Follow opens the index and starts indexing.
func New(cfg Config) (*Corpus, error) {
	cfg = cfg.withDefaults()
	roots, err := cfg.roots()
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	c := &Corpus{cfg: cfg, roots: roots}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c, nil
}

// Close stops indexing, keeps the files read so far, and closes the index. No search may be running.
func (c *Corpus) Close() (err error) {
	c.cancel()
	c.all.Wait()
	if c.ix != nil {
		err = c.ix.close()
	}
	c.ix = nil
	return err
}

// index opens the index at its first use.
func (c *Corpus) index() (*index, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ix == nil {
		ix, err := openIndex(c.cfg.Dir, c.roots, c.cfg.Edition)
		if err != nil {
			return nil, err
		}
		c.ix = ix
	}
	return c.ix, nil
}

// request returns a pass that begins after this call; or nil if the last one ended just now and recent allows it.
func (c *Corpus) request(recent bool) *pass {
	c.mu.Lock()
	defer c.mu.Unlock()
	age := c.cfg.Now().Sub(c.ended)
	switch {
	case c.running == nil && recent && !c.ended.IsZero() && age >= 0 && age < lookEvery, c.ctx.Err() != nil:
		return nil
	case c.running == nil:
		c.running = &pass{done: make(chan struct{})}
		c.all.Go(c.run)
		return c.running
	case c.next == nil:
		c.next = &pass{done: make(chan struct{})}
	}
	return c.next
}

// run makes the running pass, and the next one if somebody wants it.
func (c *Corpus) run() {
	for again := true; again; {
		err := c.refresh()
		if err != nil && c.ctx.Err() == nil {
			c.cfg.Logger.Warn("corpus: indexing failed", slog.Any("cause", err))
		}
		c.mu.Lock()
		if c.state.failed = err; c.ctx.Err() != nil {
			c.state.failed = nil
		}
		close(c.running.done)
		c.ended = c.cfg.Now()
		c.running, c.next = c.next, nil
		again = c.running != nil
		c.mu.Unlock()
	}
}

// told records the progress of the running pass.
func (c *Corpus) told(done, total int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running.at = Progress{done, total}
}

func (c *Corpus) progress(p *pass) Progress {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running != nil && p != c.running && p == c.next {
		return c.running.at
	}
	return p.at
}

// progressEvery is how often those who wait look at the progress (chosen).
const progressEvery = 50 * time.Millisecond

// wait waits for the end of a pass, or until enough once most files are indexed. told is called for each percent of it, and with the
// last step of a pass that ends.
func (c *Corpus) wait(ctx context.Context, p *pass, enough <-chan time.Time, told func(Progress)) error {
	last := Progress{}
	tell := func() {
		at := c.progress(p)
		if at != last && (at.Done == at.Total || at.Total != last.Total || at.Done*100/at.Total != last.Done*100/at.Total) {
			last = at
			told(at)
		}
	}
	look := time.NewTicker(progressEvery)
	defer look.Stop()
	for impatient := false; ; {
		tell()
		if impatient && c.Report().MostlyIndexed() {
			return nil
		}
		select {
		case <-p.done:
			tell()
			return nil
		case <-look.C:
		case <-enough:
			impatient = true
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// ready waits for the index and reports its state, with what was read meanwhile. The error is that of ctx, and only if nothing is
// indexed.
func (c *Corpus) ready(ctx context.Context, told func(Progress)) (report Report, err error) {
	begun, read := c.cfg.Now(), 0
	if p := c.request(true); p != nil {
		waiting := ctx
		if deadline, ok := ctx.Deadline(); ok { // a quarter of the time remains for the search
			var cancel context.CancelFunc
			waiting, cancel = context.WithTimeout(ctx, time.Until(deadline)*3/4)
			defer cancel()
		}
		patience := time.NewTimer(c.cfg.Patience)
		defer patience.Stop()
		err = c.wait(waiting, p, patience.C, func(at Progress) {
			if read = at.Done; told != nil {
				told(at)
			}
		})
	}
	report = c.Report()
	report.Read, report.ReadTime = read, c.cfg.Now().Sub(begun)
	if report.Indexed > 0 {
		err = nil
	}
	return report, err
}

// Index brings the index up to date, however long it takes. The error is that of ctx, or of an index that cannot be written.
func (c *Corpus) Index(ctx context.Context) (Report, error) {
	if p := c.request(false); p != nil {
		if err := c.wait(ctx, p, nil, func(Progress) {}); err != nil {
			return c.Report(), err
		}
	}
	r := c.Report()
	return r, errors.Join(r.Failed)
}

// Follow keeps the index up to date until Close: it indexes in the background and scans again periodically.
func (c *Corpus) Follow() {
	c.follow.Do(func() {
		c.request(false)
		c.all.Go(func() {
			poll := time.NewTicker(pollEvery)
			defer poll.Stop()
			for {
				select {
				case <-c.ctx.Done():
					return
				case <-poll.C:
					c.request(true)
				}
			}
		})
	})
}
