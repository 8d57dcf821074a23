package local

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// Reader reads files. *fetch.Reader is one.
type Reader interface {
	// ReadOpen reads an open file. It is called from several goroutines.
	ReadOpen(ctx context.Context, name string, in io.Reader) (document.Document, error)
}

// Config configures a Corpus.
type Config struct {
	Folders []string
	Dir     string // holds the indexes of corpora
	// Edition is the version of the code that extracts and splits texts. Each edition has an index of its own, because offsets and
	// stems may differ.
	Edition string
	Reader  Reader
	Logger  *slog.Logger // default: nothing is logged
}

const (
	// schemaEdition changes with the tables and with what an index has of a text.
	schemaEdition = "fts 14"

	lookEvery = time.Second // scans by searches; 10,000 files take 50 ms
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
	report  Report           // of the last walk over the folders, and of what was read since
	unread  map[place]string // files that were left out by their content or an error, with the reasons
}

// New returns the corpus of the folders. It reads nothing yet: the first search or Index opens the index and starts indexing.
func New(cfg Config) (*Corpus, error) {
	cfg.Edition += ", " + schemaEdition
	cfg.Logger = cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler))
	cfg.Folders = slices.Clone(cfg.Folders)
	for i, folder := range cfg.Folders {
		abs, err := filepath.Abs(folder)
		if err != nil {
			return nil, err
		}
		cfg.Folders[i] = abs
	}
	slices.Sort(cfg.Folders)
	cfg.Folders = slices.Compact(cfg.Folders)
	c := &Corpus{cfg: cfg}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c, nil
}

// Close stops indexing, keeps the files read so far, and closes the index. No search may be running.
func (c *Corpus) Close() (err error) {
	c.cancel()
	c.all.Wait()
	if c.ix != nil {
		err = c.ix.Close()
	}
	c.ix = nil
	return err
}

// index opens the index at its first use.
func (c *Corpus) index() (ix *index, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ix == nil {
		if ix, err = openIndex(c.cfg); err == nil {
			c.ix = ix
		}
	}
	return c.ix, err
}

// mend removes the index if an error says that it is damaged, so that the next pass builds it again.
func (c *Corpus) mend(ix *index, cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if isDamage(cause) && c.ix == ix {
		c.ix, c.ended = nil, time.Time{}
		err := errors.Join(ix.Close(), ix.remove())
		c.cfg.Logger.Warn("corpus: the index is damaged and is built again", slog.Any("cause", errors.Join(cause, err)))
	}
}

// Index starts to bring the index up to date in the background, if it is not being done. Searches do the same.
func (c *Corpus) Index() { c.start(0) }

// start returns the end of the running pass, or of a new one unless the last one ended less than age ago: then it returns nil.
func (c *Corpus) start(age time.Duration) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running == nil && c.ctx.Err() == nil && time.Since(c.ended) >= age {
		c.running = make(chan struct{})
		c.all.Go(c.pass)
	}
	return c.running
}

// pass brings the index up to date.
func (c *Corpus) pass() {
	ix, err := c.index()
	if err == nil {
		err = c.refresh(ix)
	}
	if c.ctx.Err() != nil {
		err = nil
	}
	if err != nil {
		c.cfg.Logger.Warn("corpus: indexing failed", slog.Any("cause", err))
	}
	c.mu.Lock()
	c.report.Failed, c.ended = err, time.Now()
	close(c.running)
	c.running = nil
	c.mu.Unlock()
	c.mend(ix, err)
}

// ready waits for the end of a pass, at most three quarters of the time that ctx leaves, and reports the state of the index, which is
// nil if it cannot be opened. The error is that of ctx, and only if nothing is indexed.
func (c *Corpus) ready(ctx context.Context) (ix *index, report Report, err error) {
	done := c.start(lookEvery)
	if deadline, ok := ctx.Deadline(); ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)*3/4)
		defer cancel()
	}
	if done != nil {
		select {
		case <-done:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if report = c.Report(); err != nil && report.Files == report.Pending {
		return nil, report, err
	}
	ix, err = c.index()
	if err != nil {
		c.cfg.Logger.Warn("corpus: the index cannot be opened", slog.Any("cause", err))
	}
	return ix, report, nil
}
