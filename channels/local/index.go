package local

import (
	"context"
	"log/slog"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/citeloop/citeloop/passages"
)

// Limits of an index.
const (
	maxFileBytes = 10 << 20 // a larger file is reported and left out; the largest manual of Debian in one page is 5 MB
	maxFiles     = 50_000   // chosen: above it, memory is the limit and a real search engine the tool
	passageChars = 600      // a passage is shown whole as a result's snippet
	lookEvery    = time.Second
	listedAtMost = 100 // problems kept by name; the others are counted
)

// Document is what was read of a file.
type Document struct {
	Title       string // "" = none of its own
	Text        string
	Language    string
	PublishedAt string
	DOI         string
	SourceType  string
	Authors     []string
}

// Config says what to search and how to read it.
type Config struct {
	Folders []string
	// Reads reports whether a file of this name is of a kind that Extract reads.
	Reads func(name string) bool
	// Extract makes a document of a file's bytes. It is called from several goroutines.
	Extract  func(path string, body []byte) (Document, error)
	Now      func() time.Time
	Logger   *slog.Logger
	Progress func(done, total int) // files read of those that are new or changed, one call at a time; nil is allowed
}

// Index is a searchable view of folders. It is safe for concurrent use.
type Index struct {
	cfg      Config
	folders  []string // absolute
	passages *passages.Index
	turn     chan struct{} // holds a token while nobody looks at the folders

	mu       sync.Mutex
	files    map[string]file // by absolute path
	looked   time.Time       // when the folders were last looked at to the end; zero = never
	pending  int             // files seen but not read yet
	missing  []string        // folders that cannot be opened
	overflow bool            // there are more files than maxFiles
}

// Hit is a file that answers a query, with its best passage.
type Hit struct {
	Path    string // absolute
	Title   string
	Passage string
	Score   float64 // BM25, comparable only within one answer
	Document
}

// Report says how complete an answer is.
type Report struct {
	Folders  int       // named
	Files    int       // read and searched
	Pending  int       // seen, but not read in time
	Missing  []string  // folders that cannot be opened
	Problems []Problem // files that cannot be read; at most 100 are named
	Unread   int       // how many files cannot be read
	Overflow bool      // there are more files than an index takes
}

// Problem is a file that was left out.
type Problem struct{ Path, Why string }

// New returns an index of the folders. It reads nothing yet.
func New(cfg Config) (*Index, error) {
	x := &Index{cfg: cfg, passages: passages.NewIndex(), turn: make(chan struct{}, 1), files: map[string]file{}}
	for _, folder := range cfg.Folders {
		abs, err := filepath.Abs(folder)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(x.folders, abs) {
			x.folders = append(x.folders, abs)
		}
	}
	x.turn <- struct{}{}
	return x, nil
}

// Search returns the files that answer a query, best first, one hit a file, after looking at the folders.
// Its error is that of the context, and only where nothing at all could be searched.
func (x *Index) Search(ctx context.Context, query string, limit int) ([]Hit, Report, error) {
	if err := x.refresh(ctx); err != nil && x.empty() {
		return nil, x.report(), err
	}
	return x.find(query, limit), x.report(), nil
}

// find collapses passages to files: more passages are asked for until there are enough files.
func (x *Index) find(query string, limit int) []Hit {
	total := x.passages.Len()
	for want := limit * 8; ; want *= 4 {
		ranked := x.passages.Search(query, want)
		var hits []Hit
		seen := make(map[string]int, limit) // place in hits, from 1; 0 for none
		for _, p := range ranked {
			if at, ok := seen[p.Doc]; ok {
				if at > 0 && titleOnly(hits[at-1]) { // the title is shown anyway: say something more
					hits[at-1].Passage = p.Passage.Text
				}
				continue
			}
			if len(hits) == limit {
				continue
			}
			seen[p.Doc] = 0
			if hit, ok := x.hit(p); ok {
				hits = append(hits, hit)
				seen[p.Doc] = len(hits)
			}
		}
		if len(hits) == limit || len(ranked) < want || want >= total {
			return hits
		}
	}
}

// titleOnly reports a hit whose passage is nothing but its file's title.
func titleOnly(h Hit) bool {
	return strings.TrimSpace(strings.TrimLeft(h.Passage, "# ")) == strings.TrimSpace(h.Title)
}

func (x *Index) hit(p passages.Hit) (Hit, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	f, ok := x.files[p.Doc]
	if !ok { // removed since the passage was found
		return Hit{}, false
	}
	h := Hit{Path: p.Doc, Title: f.about.Title, Passage: p.Passage.Text, Score: p.Score, Document: f.about}
	if strings.TrimSpace(h.Title) == "" {
		h.Title = path.Base(filepath.ToSlash(p.Doc))
	}
	return h, true
}

func (x *Index) empty() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.files) == 0
}

func (x *Index) report() Report {
	x.mu.Lock()
	defer x.mu.Unlock()
	r := Report{Folders: len(x.folders), Pending: x.pending, Missing: slices.Clone(x.missing), Overflow: x.overflow}
	for name, f := range x.files {
		if f.problem == "" {
			r.Files++
			continue
		}
		r.Unread++
		r.Problems = append(r.Problems, Problem{name, f.problem})
	}
	slices.SortFunc(r.Problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	r.Problems = r.Problems[:min(len(r.Problems), listedAtMost)]
	return r
}

// workers is how many files are read at once: reading is mostly parsing, so one a processor.
func workers() int { return max(runtime.GOMAXPROCS(0), 1) }
