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

// Hit is a document that matches a query, with its best passage.
type Hit struct {
	Path        string   `json:"-"` // absolute; of a message: the mailbox's path and the message's name
	Title       string   `json:"title"`
	Authors     []string `json:"authors,omitempty"`
	PublishedAt string   `json:"published_at,omitempty"`
	DOI         string   `json:"doi,omitempty"`
	SourceType  string   `json:"source_type,omitempty"`
	Language    string   `json:"language,omitempty"`
	Type        string   `json:"type"` // a value of type: in queries
	Passage     string   `json:"passage"`
	Start       int      `json:"start"` // of the passage in the document's text, in code points
	End         int      `json:"end"`
	Lines       string   `json:"lines,omitempty"`   // of the passage, such as 120-128
	Section     string   `json:"section,omitempty"` // the headings above the passage
	Score       float64  `json:"score"`
}

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

// MostlyIndexed reports whether at least 90 % of the files (chosen) are indexed. Below that share, the best hits of a
// search are probably in files that are not indexed yet.
func (r Report) MostlyIndexed() bool {
	return r.Unlooked == 0 && r.Pending == 0 || r.Files > 0 && 10*(r.Files-r.Pending) >= 9*r.Files
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

// Search scans the folders and returns the documents that match a query, best first. Package index documents the query
// syntax. If indexing takes longer than ctx allows, or, once most files are indexed, longer than the configured
// patience, Search answers from the indexed files, and the report counts the missing ones. told, if not nil, receives
// the progress of indexing. The error is that of ctx, and only if nothing is indexed.
func (c *Corpus) Search(ctx context.Context, query string, limit int, told func(Progress)) ([]Hit, Report, error) {
	report, err := c.ready(ctx, told)
	if err != nil {
		return nil, report, err
	}
	return c.find(query, limit), report, nil
}

// ready waits for the indexes and reports their state, with what was read meanwhile.
func (c *Corpus) ready(ctx context.Context, told func(Progress)) (Report, error) {
	begun, read, before := c.cfg.Now(), 0, 0
	c.mu.Lock()
	if c.passing {
		before = c.step.Done
	}
	c.mu.Unlock()
	err := c.await(ctx, func(p Progress) {
		if read = max(0, p.Done-before); told != nil {
			told(p)
		}
	})
	report := c.report()
	report.Read, report.ReadTime = read, c.cfg.Now().Sub(begun)
	if err != nil && report.Indexed == 0 {
		return report, err
	}
	return report, nil
}

// origin is where a part is from.
type origin struct {
	f    *folder
	name string
}

// parts returns the current indexes of the folders that can be opened.
func (c *Corpus) parts() (parts []index.Part, origins []origin) {
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
	return parts, origins
}

// damaged drops a damaged part.
func (c *Corpus) damaged(from origin, err error) {
	c.cfg.Logger.Warn("corpus: a segment is damaged; its files will be read again", slog.String("folder", from.f.root), slog.Any("cause", err))
	from.f.drop(from.name)
	c.mu.Lock()
	c.looked = time.Time{} // the next search scans
	c.mu.Unlock()
}

// find searches the current indexes without waiting. The documents that the query names come first.
func (c *Corpus) find(query string, limit int) []Hit {
	parts, origins := c.parts()
	found, damaged := index.Find(parts, index.Parse(query), limit)
	found = withNamed(parts, query, found, limit)
	for _, d := range damaged {
		c.damaged(origins[d.Part], d.Err)
	}
	hits := make([]Hit, len(found))
	for i, h := range found {
		a := h.About
		full := filepath.Join(origins[h.Part].f.root, filepath.FromSlash(a.Path), a.Part)
		hits[i] = Hit{Path: full, Title: titleOf(a), Authors: a.Authors, PublishedAt: a.PublishedAt, DOI: a.DOI, SourceType: a.SourceType,
			Language: a.Language, Type: a.Type, Passage: h.Text, Start: h.Start, End: h.End, Score: h.Score}
		if text, err := parts[h.Part].TextOf(a); err == nil { // a damaged segment was found by the search, or is by the next one
			hits[i].Lines, hits[i].Section = place(text, h.Start, h.End)
		}
	}
	return hits
}

// titleOf returns a document's title, or else the name of its file.
func titleOf(a index.About) string {
	if strings.TrimSpace(a.Title) == "" {
		return path.Base(a.Path)
	}
	return a.Title
}

// Report describes the current state. It does not scan the folders.
func (c *Corpus) Report() Report {
	r := c.report()
	for _, f := range c.folders {
		r.Bytes += f.disk.bytes()
	}
	return r
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
