package local

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"github.com/citeloop/citeloop/fetch/extract"
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
	// Patience is how long a search waits for the few files that are new or changed; 0 = 5 s. While most files are not
	// indexed yet, a search waits as long as its context allows.
	Patience time.Duration
	Logger   *slog.Logger // default: nothing is logged
}

// Limits.
const (
	maxFileBytes = 20 << 20                 // what fetch reads of one document
	maxDataBytes = extract.MaxTextFileBytes // what fetch reads of data and source code
	maxFiles     = 200_000                  // in all folders; chosen: each takes about 200 bytes of memory

	defaultPatience = 5 * time.Second // chosen
	lookEvery       = time.Second     // scans by searches; 10,000 files take 50 ms
)

// schemaEdition changes with the tables and with what an index has of a text.
const schemaEdition = "fts 12"

// complete returns a configuration with its defaults, and the folders as absolute paths, sorted.
func (cfg Config) complete() (Config, error) {
	cfg.Edition += ", " + schemaEdition
	cfg.Patience = cmp.Or(max(cfg.Patience, 0), defaultPatience)
	cfg.Logger = cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler))
	cfg.Folders = slices.Clone(cfg.Folders)
	for i, folder := range cfg.Folders {
		abs, err := filepath.Abs(folder)
		if err != nil {
			return cfg, err
		}
		cfg.Folders[i] = abs
	}
	slices.Sort(cfg.Folders)
	cfg.Folders = slices.Compact(cfg.Folders)
	return cfg, nil
}
