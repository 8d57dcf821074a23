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
	cfg Config

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	all    sync.WaitGroup // passes

	mu      sync.Mutex
	ix      *index        // nil before its first use, and after damage
	running chan struct{} // closed at the end of the pass that brings the index up to date; nil if no pass is running
	ended   time.Time
	state   state
}

// New returns the corpus of the folders. It reads nothing yet: the first search or Index opens the index and starts indexing.
func New(cfg Config) (*Corpus, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	c := &Corpus{cfg: cfg, state: state{Report: Report{Folders: len(cfg.Folders)}}}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c, nil
}

// Close stops indexing, keeps the files read so far, and closes the index. No search may be running.
func (c *Corpus) Close() (err error) {
	c.cancel()
	c.all.Wait()
	if c.ix != nil {
		err = c.ix.db.Close()
	}
	c.ix = nil
	return err
}

// index opens the index at its first use.
func (c *Corpus) index() (*index, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ix == nil {
		ix, err := openIndex(c.cfg)
		if err != nil {
			return nil, err
		}
		c.ix = ix
	}
	return c.ix, nil
}

// mend removes the index if an error says that it is damaged, so that the next pass builds it again.
func (c *Corpus) mend(ix *index, cause error) (removed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !isDamage(cause) || c.ix != ix {
		return false
	}
	c.ix, c.ended = nil, time.Time{}
	err := errors.Join(ix.db.Close(), ix.remove())
	c.cfg.Logger.Warn("corpus: the index is damaged and is built again", slog.Any("cause", errors.Join(cause, err)))
	return err == nil
}

// Index starts to bring the index up to date in the background, if it is not being done. Searches do the same.
func (c *Corpus) Index() { c.start(0) }

// start returns the end of the running pass, or of a new one unless the last one ended less than age ago.
func (c *Corpus) start(age time.Duration) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running == nil && c.ctx.Err() == nil && time.Since(c.ended) >= age {
		c.running = make(chan struct{})
		c.all.Go(c.run)
	}
	return c.running
}

// run makes the running pass, a second time if the index turns out to be damaged.
func (c *Corpus) run() {
	ix, err := c.refresh()
	if c.mend(ix, err) {
		_, err = c.refresh()
	}
	if c.ctx.Err() != nil {
		err = nil
	}
	if err != nil {
		c.cfg.Logger.Warn("corpus: indexing failed", slog.Any("cause", err))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state.Failed, c.ended = err, time.Now()
	close(c.running)
	c.running = nil
}

// progressEvery is how often those who wait look at the progress (chosen).
const progressEvery = 50 * time.Millisecond

// ready waits for the end of a pass, or until patience is over and most files are indexed, and reports the state of the index. The error
// is that of ctx, and only if nothing is indexed.
func (c *Corpus) ready(ctx context.Context) (report Report, err error) {
	done := c.start(lookEvery)
	if deadline, ok := ctx.Deadline(); ok { // a quarter of the time remains for the search
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)*3/4)
		defer cancel()
	}
	look := time.NewTicker(progressEvery)
	defer look.Stop()
	for since := time.Now(); done != nil && err == nil && (time.Since(since) < c.cfg.Patience || !c.Report().MostlyIndexed()); {
		select {
		case <-done:
			done = nil
		case <-look.C:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	report = c.Report()
	if report.Files > report.Pending {
		err = nil
	}
	return report, err
}
