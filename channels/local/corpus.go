package local

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
)

// Corpus is a searchable view of folders. It is safe for concurrent use.
type Corpus struct {
	cfg     Config
	folders []*folder

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	all    sync.WaitGroup // goroutines

	mu      sync.Mutex
	running *pass // nil while nothing is indexed
	next    *pass // wanted while one is running, which may have missed a change
	ended   time.Time
	follows bool
}

// Progress counts the files that a pass has processed, of those that are new or changed.
type Progress struct{ Done, Total int }

// pass brings all indexes up to date once.
type pass struct {
	done chan struct{}
	at   Progress // guarded by the corpus
}

// New returns the corpus of the folders. It reads nothing yet: the first search, Index or Follow opens the indexes and
// starts indexing.
func New(cfg Config) (*Corpus, error) {
	cfg = cfg.withDefaults()
	roots, err := cfg.roots()
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	c := &Corpus{cfg: cfg}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	for _, root := range roots {
		c.folders = append(c.folders, &folder{root: root, cfg: cfg})
	}
	return c, nil
}

// Close stops indexing, keeps the files read so far, and closes the indexes. No search may be running.
func (c *Corpus) Close() error {
	c.cancel()
	c.all.Wait()
	var errs []error
	for _, f := range c.folders {
		errs = append(errs, f.close())
	}
	return errors.Join(errs...)
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
		p := &pass{done: make(chan struct{})}
		c.running = p
		c.all.Go(func() { c.run(p) })
		return p
	case c.next == nil:
		c.next = &pass{done: make(chan struct{})}
	}
	return c.next
}

// run makes a pass, and the next one if somebody wants it.
func (c *Corpus) run(p *pass) {
	for p != nil {
		for _, f := range c.folders {
			err := f.refresh(c.ctx, func(done, total int) {
				c.mu.Lock()
				defer c.mu.Unlock()
				p.at = Progress{done, total}
			})
			if c.ctx.Err() != nil {
				err = nil
			}
			f.set(func(s *state) { s.failed = err })
			if err != nil {
				c.cfg.Logger.Warn("corpus: indexing failed", slog.String("folder", f.root), slog.Any("cause", err))
			}
		}
		c.mu.Lock()
		close(p.done)
		c.ended = c.cfg.Now()
		p, c.running, c.next = c.next, c.next, nil
		if c.ctx.Err() != nil && p != nil {
			close(p.done)
			p, c.running = nil, nil
		}
		c.mu.Unlock()
	}
}

// progressEvery is how often those who wait look at the progress (chosen).
const progressEvery = 50 * time.Millisecond

// wait waits for the end of a pass, or until enough once most files are indexed. told is called for each percent of it, and with the
// last step of a pass that ends.
func (c *Corpus) wait(ctx context.Context, p *pass, enough <-chan time.Time, told func(Progress)) error {
	last := Progress{}
	tell := func() {
		c.mu.Lock()
		at := p.at
		if c.running != nil && c.running != p { // p is the next one
			at = c.running.at
		}
		c.mu.Unlock()
		if told != nil && at != last && (at.Done == at.Total || at.Total != last.Total || at.Done*100/at.Total != last.Done*100/at.Total) {
			last = at
			told(at)
		}
	}
	look := time.NewTicker(progressEvery)
	defer look.Stop()
	for impatient := false; ; {
		tell()
		if impatient && c.report().MostlyIndexed() {
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

// ready waits for the indexes and reports their state, with what was read meanwhile. The error is that of ctx, and only if nothing
// is indexed.
func (c *Corpus) ready(ctx context.Context, told func(Progress)) (Report, error) {
	begun, read := c.cfg.Now(), 0
	var err error
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
	report := c.report()
	report.Read, report.ReadTime = read, c.cfg.Now().Sub(begun)
	if err != nil && report.Indexed == 0 {
		return report, err
	}
	return report, nil
}

// Index brings the indexes up to date, however long it takes. The error is that of ctx, or of an index that cannot be written.
func (c *Corpus) Index(ctx context.Context, told func(Progress)) (Report, error) {
	if p := c.request(false); p != nil {
		if err := c.wait(ctx, p, nil, told); err != nil {
			return c.Report(), err
		}
	}
	r := c.Report()
	return r, errors.Join(r.Failed...)
}

// Follow keeps the indexes up to date until Close: it indexes in the background and scans again periodically.
func (c *Corpus) Follow() {
	c.mu.Lock()
	follows := c.follows || c.ctx.Err() != nil
	c.follows = true
	c.mu.Unlock()
	if follows {
		return
	}
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
}

// Status compares the indexes on disk with the folders and changes neither. Files with the same size and modification
// time count as unchanged.
func (c *Corpus) Status(ctx context.Context) (Report, error) {
	for _, f := range c.folders {
		if _, err := f.scan(ctx); err != nil {
			return Report{}, err
		}
		f.set(func(s *state) { s.looked = true })
	}
	return c.Report(), nil
}

// Words is [Report.Words] of the current state.
func (c *Corpus) Words() string { return c.report().Words() }

// Report describes the current state. It does not scan the folders.
func (c *Corpus) Report() Report {
	r := c.report()
	for _, f := range c.folders {
		r.Bytes += f.bytes()
	}
	return r
}

// report is Report without the size on disk.
func (c *Corpus) report() Report {
	r := Report{Folders: len(c.folders)}
	left := leftOut{}
	for _, f := range c.folders {
		s := f.now()
		r.Overflow = r.Overflow || s.overflow
		if s.failed != nil {
			r.Failed = append(r.Failed, s.failed)
		}
		if s.missing {
			r.Missing = append(r.Missing, f.root)
			continue
		}
		r.Pending += s.pending
		if !s.looked {
			r.Unlooked++
		}
		n := f.count(c.ctx)
		r.Indexed += n.files
		r.Files += max(s.found, n.files)
		r.Documents += n.documents
		r.Passages += n.passages
		r.TextBytes += n.textBytes
		r.Problems = append(r.Problems, slices.Concat(s.problems, n.problems)...)
		left.merge(s.left)
		left.merge(n.left)
	}
	r.Unread, r.LeftOut = len(r.Problems), left.sorted()
	slices.SortFunc(r.Problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	r.Problems = r.Problems[:min(len(r.Problems), listedAtMost)]
	return r
}
