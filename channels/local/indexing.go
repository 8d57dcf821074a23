package local

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// start starts indexing in the background, once. The first pass has number 1.
func (c *Corpus) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running || c.ctx.Err() != nil {
		return
	}
	c.running = true
	c.all.Go(c.index)
}

// update changes the state of the passes and wakes all waiting searches.
func (c *Corpus) update(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
	close(c.changed)
	c.changed = make(chan struct{})
}

// index makes the requested passes until Close.
func (c *Corpus) index() {
	for _, f := range c.folders {
		f.load(c.cfg.Edition)
	}
	for c.ctx.Err() == nil {
		c.mu.Lock()
		number := c.wanted
		idle := number == c.finished
		if c.passing = !idle; c.passing {
			c.step = Progress{}
		}
		c.mu.Unlock()
		if idle {
			select {
			case <-c.wake:
			case <-c.ctx.Done():
			}
			continue
		}
		began := c.cfg.Now()
		c.pass()
		c.update(func() { c.finished, c.looked, c.passing = number, began, false })
	}
}

// pass brings all folders up to date once.
func (c *Corpus) pass() {
	for _, f := range c.folders {
		err := c.refresh(c.ctx, f, func(done, total int) { c.update(func() { c.step = Progress{done, total} }) })
		if c.ctx.Err() != nil {
			err = nil
		}
		f.set(func(s *state) { s.failed = err })
		if err != nil {
			c.cfg.Logger.Warn("corpus: indexing failed", slog.String("folder", f.root), slog.Any("cause", err))
		}
	}
}

// request requests a pass and returns its number. It starts after this call; or it is the last one, if that is recent enough.
func (c *Corpus) request(recent bool) int {
	c.start()
	c.mu.Lock()
	defer c.mu.Unlock()
	age := c.cfg.Now().Sub(c.looked)
	if recent && c.finished > 0 && c.finished == c.wanted && age >= 0 && age < lookEvery {
		return c.finished
	}
	c.wanted = c.finished + 1
	if c.passing {
		c.wanted++ // the running pass may have missed a change
	}
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return c.wanted
}

// errClosed is the error of a corpus after Close.
var errClosed = errors.New("the corpus is closed")

// await waits for a pass: once most files are indexed, for the configured patience at most.
func (c *Corpus) await(ctx context.Context, told func(Progress)) error {
	if deadline, ok := ctx.Deadline(); ok { // a quarter of the time remains for the search, which competes with the indexer
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)*3/4)
		defer cancel()
	}
	patience := time.NewTimer(c.cfg.Patience)
	defer patience.Stop()
	return c.wait(ctx, c.request(true), patience.C, told)
}

// wait waits for the end of a pass. told is called for each percent of it.
func (c *Corpus) wait(ctx context.Context, number int, enough <-chan time.Time, told func(Progress)) error {
	last, impatient := Progress{}, false
	c.mu.Lock()
	ended := c.finished >= number // its progress was told to those who waited for it
	c.mu.Unlock()
	for !ended {
		if impatient && c.report().MostlyIndexed() {
			return nil
		}
		c.mu.Lock()
		changed, step := c.changed, c.step
		ended = c.finished >= number
		c.mu.Unlock()
		if told != nil && step.Total > 0 && (step.Total != last.Total || step.Done*100/step.Total != last.Done*100/step.Total) {
			last = step
			told(step)
		}
		if ended {
			break
		}
		select {
		case <-changed:
		case <-enough:
			impatient = true
		case <-ctx.Done():
			return ctx.Err()
		case <-c.ctx.Done():
			return errClosed
		}
	}
	return nil
}

// Index brings the indexes up to date, however long it takes. It waits while another process indexes. The error is that
// of ctx, or of an index that cannot be written.
func (c *Corpus) Index(ctx context.Context, told func(Progress)) (Report, error) {
	for {
		if err := c.wait(ctx, c.request(false), nil, told); err != nil {
			return c.Report(), err
		}
		r := c.Report()
		if !r.Busy {
			return r, errors.Join(r.Failed...)
		}
		again := time.NewTimer(lookEvery)
		select {
		case <-again.C:
		case <-ctx.Done():
			again.Stop()
			return r, ctx.Err()
		}
	}
}

// pollEvery is the interval of scans while nothing searches: 10,000 files take 50 ms. A search scans anyway.
const pollEvery = time.Minute

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
				c.request(false)
			}
		}
	})
}
