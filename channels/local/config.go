package local

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// Reader reads files. *fetch.Reader is one.
type Reader interface {
	// EachDocument yields the documents of an open file. It is called from several goroutines.
	EachDocument(ctx context.Context, name string, in io.Reader, yield func(part string, d document.Document) error) error
}

// Config configures a Corpus. Now and Logger have defaults.
type Config struct {
	Folders []string
	Dir     string // of the indexes
	// Edition is the version of the code that extracts and splits texts. An index of another edition is built again,
	// because offsets and stems may have changed.
	Edition string
	Reader  Reader
	// Patience is how long a search waits for the few files that are new or changed; 0 = 5 s. While most files are not
	// indexed yet, a search waits as long as its context allows.
	Patience time.Duration
	Now      func() time.Time
	Logger   *slog.Logger
}

// Limits.
const (
	maxFileBytes = 20 << 20                 // what fetch reads of one document; a mailbox is read message by message
	maxDataBytes = extract.MaxTextFileBytes // what fetch reads of data and source code
	maxFiles     = 200_000                  // in all folders; chosen: each takes about 200 bytes of memory
	maxMessages  = 500_000                  // in one mailbox; chosen
	maxMailBytes = 256 << 20                // of text in one mailbox, which is kept in memory until it is written; chosen

	defaultPatience = 5 * time.Second // chosen
	lookEvery       = time.Second     // scans by searches; 10,000 files take 50 ms
	commitEvery     = time.Second     // of files read, so that a search sees them
	commitBytes     = 8 << 20         // of text in one transaction
)

// schemaEdition changes with the tables and with what an index has of a text.
const schemaEdition = "fts 9"

func (cfg Config) withDefaults() Config {
	cfg.Edition += ", " + schemaEdition
	cfg.Patience = cmp.Or(max(cfg.Patience, 0), defaultPatience)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.Logger = cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler))
	return cfg
}

// roots returns the folders as absolute paths with slashes, sorted, without those inside another one: a file is found once.
func (cfg Config) roots() (all []string, err error) {
	for _, folder := range cfg.Folders {
		abs, err := filepath.Abs(folder)
		if err != nil {
			return nil, err
		}
		all = append(all, filepath.ToSlash(abs))
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(slices.Clone(all), func(inner string) bool {
		return slices.ContainsFunc(all, func(outer string) bool { return outer != inner && walksInto(outer, inner) })
	}), nil
}

// walksInto reports whether a walk over outer reaches inner.
func walksInto(outer, inner string) bool {
	rel, ok := within(outer, inner)
	at := outer
	for name := range strings.SplitSeq(rel, "/") {
		at += "/" + name
		if info, err := os.Lstat(at); !ok || skipped(name) || err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// within returns the path of a file within a folder.
func within(folder, file string) (rel string, ok bool) {
	return strings.CutPrefix(file, strings.TrimSuffix(folder, "/")+"/")
}

// rootOf returns the folder that a file was found in, and its path within it.
func (c *Corpus) rootOf(file string) (root, rel string) {
	for _, folder := range c.roots { // a folder inside another one is after it
		if inner, ok := within(folder, file); ok {
			root, rel = folder, inner
		}
	}
	return root, rel
}
