package local

import (
	"context"
	"errors"
	"fmt"
	"os"
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

	mu       sync.Mutex
	named    int    // segments written
	prefix   string // of their names, not that of another process
	running  bool   // the indexer was started
	passing  bool   // a pass is running
	wanted   int    // passes requested
	finished int    // number of the last finished pass
	looked   time.Time
	follows  bool          // Follow was called
	changed  chan struct{} // closed and replaced at each step of a pass
	wake     chan struct{}
	step     Progress
}

// Progress counts the files that a pass has processed, of those that are new or changed.
type Progress struct{ Done, Total int }

// Report says how complete an answer is.
type Report struct {
	Folders  int       `json:"-"`                  // configured
	Files    int       `json:"files"`              // readable files in the folders
	Indexed  int       `json:"indexed"`            // files that are searchable or found unreadable
	Pending  int       `json:"pending"`            // new or changed files that are not indexed yet
	Missing  []string  `json:"missing,omitempty"`  // folders that cannot be opened
	Problems []Problem `json:"problems,omitempty"` // unreadable files and folders, sorted; the first 100
	Unread   int       `json:"unread"`             // number of unreadable files and folders
	LeftOut  []LeftOut `json:"left_out,omitempty"` // files that are not searched, by reason, besides the unreadable ones
	Overflow bool      `json:"overflow,omitempty"` // more files than the index can hold
	Busy     bool      `json:"busy,omitempty"`     // another process is indexing
	Unlooked int       `json:"-"`                  // folders not fully scanned yet
	Failed   []error   `json:"-"`                  // folders whose index cannot be written
	// Read counts the files that were read while a search waited, for ReadTime.
	Read     int           `json:"-"`
	ReadTime time.Duration `json:"-"`
	// Documents, Passages and TextBytes count what is searchable. Bytes is the size on disk; Search leaves it 0.
	Documents int   `json:"documents"`
	Passages  int   `json:"passages"`
	TextBytes int64 `json:"text_bytes"`
	Bytes     int64 `json:"bytes"`
}

// New returns the corpus of the folders. It reads nothing yet: the first search, Index or Follow opens the indexes and
// starts indexing.
func New(cfg Config) (*Corpus, error) {
	cfg = cfg.withDefaults()
	roots, err := cfg.roots()
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	c := &Corpus{cfg: cfg, changed: make(chan struct{}), wake: make(chan struct{}, 1),
		prefix: fmt.Sprintf("%x-%x", cfg.Now().UnixNano(), os.Getpid())}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	for _, root := range roots {
		c.folders = append(c.folders, openFolder(root, cfg))
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

// Words is [Report.Words] of the current state.
func (c *Corpus) Words() string { return c.report().Words() }

// report is Report without the size on disk.
func (c *Corpus) report() Report {
	r := Report{Folders: len(c.folders)}
	left := leftOut{}
	for _, f := range c.folders {
		f.mu.Lock()
		v, s, problems := f.view, f.state, slices.Clone(f.problems)
		byName := f.left
		f.mu.Unlock()
		r.Busy, r.Overflow = r.Busy || s.busy, r.Overflow || s.overflow
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
		n := v.count(f.root)
		r.Indexed += n.files
		r.Files += max(s.found, n.files)
		r.Documents += n.documents
		r.Passages += n.passages
		r.TextBytes += n.textBytes
		problems = append(problems, n.problems...)
		left.merge(byName)
		left.merge(n.left)
		r.Problems = append(r.Problems, problems...)
	}
	r.Unread, r.LeftOut = len(r.Problems), left.sorted()
	slices.SortFunc(r.Problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	r.Problems = r.Problems[:min(len(r.Problems), listedAtMost)]
	return r
}
