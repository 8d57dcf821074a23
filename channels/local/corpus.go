package local

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/citeloop/citeloop/channels/local/index"
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
	passing  bool   // it makes a pass now
	wanted   int    // passes asked for
	finished int    // the last that ended
	looked   time.Time
	dirty    bool          // something changed, by the system's word
	watched  bool          // the system says so
	watcher  *watcher      // nil: nobody follows
	changed  chan struct{} // closed, and made anew, at each step of a pass
	wake     chan struct{}
	step     Progress
}

// Progress is how far a pass is: files looked into, of those that are new or changed.
type Progress struct{ Done, Total int }

// Hit is a document that answers a query, with its best passage.
type Hit struct {
	Path        string // absolute; of a message: that of its mailbox, and its name
	Title       string
	Authors     []string
	PublishedAt string
	DOI         string
	SourceType  string
	Language    string
	Type        string // as type: finds it
	Passage     string
	Start, End  int // of the passage in the document's text, in code points
	Score       float64
}

// Report says how complete an answer is.
type Report struct {
	Folders  int       // named
	Files    int       // of the folders, that may be read
	Indexed  int       // of them, read and searched, those that cannot be read included
	Pending  int       // of them, new or changed and not read yet
	Missing  []string  // folders that cannot be opened
	Problems []Problem // what cannot be read, sorted; at most 100 are named
	Unread   int       // how many cannot be read
	Overflow bool      // there are more files than an index takes
	Busy     bool      // another process is indexing
	Unlooked int       // folders that were not looked at to the end yet
	Failed   []error   // folders whose index cannot be written
	// Documents, Passages and TextBytes count what is searched; Bytes is the indexes' size on disk; Search leaves it 0.
	Documents, Passages int
	TextBytes, Bytes    int64
}

// MostlyIndexed reports whether nine tenths of the files (chosen) are indexed. Before, the best hits of a search are
// likely among the files that it did not see.
func (r Report) MostlyIndexed() bool {
	return r.Unlooked == 0 && r.Pending == 0 || r.Files > 0 && 10*(r.Files-r.Pending) >= 9*r.Files
}

// New returns the corpus of the folders. It reads nothing yet: the first search opens the indexes and starts the
// indexing, and so does Follow.
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

// Close ends the indexing, which keeps what it has read, and closes the indexes. No search may be under way.
func (c *Corpus) Close() error {
	c.cancel()
	c.all.Wait()
	var errs []error
	for _, f := range c.folders {
		errs = append(errs, f.close())
	}
	return errors.Join(errs...)
}

// Search returns the documents that answer a query (package index says how queries are written), best first, after
// a look at the folders. Where that takes longer than ctx allows, or, once most files are indexed, longer than the
// configured patience, it answers from what is indexed, and the report says what is missing. told, where it is not nil, hears how far the
// indexing is while the search waits. The error is that of ctx, and only where nothing at all could be searched.
func (c *Corpus) Search(ctx context.Context, query string, limit int, told func(Progress)) ([]Hit, Report, error) {
	err := c.await(ctx, told)
	report := c.report()
	if err != nil && report.Indexed == 0 {
		return nil, report, err
	}
	return c.find(query, limit), report, nil
}

// find asks the indexes as they are.
func (c *Corpus) find(query string, limit int) []Hit {
	type origin struct {
		f    *folder
		name string
	}
	var parts []index.Part
	var origins []origin
	for _, f := range c.folders {
		f.mu.Lock()
		missing := f.state.missing
		f.mu.Unlock()
		if missing {
			continue
		}
		for _, p := range f.now().parts {
			parts = append(parts, index.Part{Segment: p.segment, Deleted: p.deleted, Folder: filepath.ToSlash(f.root)})
			origins = append(origins, origin{f, p.name})
		}
	}
	found, damaged := index.Search(parts, index.Parse(query), limit)
	for _, d := range damaged {
		from := origins[d.Part]
		c.cfg.Logger.Warn("corpus: a segment is damaged; its files are read anew", slog.String("folder", from.f.root), slog.Any("cause", d.Err))
		from.f.drop(from.name)
		c.mu.Lock()
		c.dirty = true
		c.mu.Unlock()
	}
	hits := make([]Hit, len(found))
	for i, h := range found {
		a := h.About
		full := filepath.Join(origins[h.Part].f.root, filepath.FromSlash(a.Path), a.Part)
		hits[i] = Hit{Path: full, Title: a.Title, Authors: a.Authors, PublishedAt: a.PublishedAt, DOI: a.DOI, SourceType: a.SourceType,
			Language: a.Language, Type: a.Type, Passage: h.Text, Start: h.Start, End: h.End, Score: h.Score}
		if strings.TrimSpace(a.Title) == "" {
			hits[i].Title = path.Base(a.Path)
		}
	}
	return hits
}

// Report says how the corpus is now. It reads nothing of the folders.
func (c *Corpus) Report() Report {
	r := c.report()
	for _, f := range c.folders {
		r.Bytes += f.shelf.bytes()
	}
	return r
}

// report is Report without the size on disk.
func (c *Corpus) report() Report {
	r := Report{Folders: len(c.folders)}
	for _, f := range c.folders {
		f.mu.Lock()
		v, s, problems := f.view, f.state, slices.Clone(f.problems)
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
		r.Problems = append(r.Problems, problems...)
	}
	r.Unread = len(r.Problems)
	slices.SortFunc(r.Problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	r.Problems = r.Problems[:min(len(r.Problems), listedAtMost)]
	return r
}
