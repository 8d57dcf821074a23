package local

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"github.com/citeloop/citeloop/channels/local/index"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

// Reader reads files. *fetch.Reader is one.
type Reader interface {
	// EachDocument yields the documents of an open file. It is called from several goroutines.
	EachDocument(ctx context.Context, name string, in io.Reader, yield func(part string, d document.Document) error) error
}

// Config says what to search, and with what. Now and Logger have defaults.
type Config struct {
	Folders []string
	// Dir is where the indexes are kept, in one folder for each; "" = in memory, for as long as the program runs.
	Dir string
	// Edition names what reads and cuts the texts. An index of another edition is made anew, because offsets and
	// stems may have changed.
	Edition string
	Reader  Reader
	// Reads reports whether a file of this name is of a kind that Reader reads; nil = fetch.ReadsFile.
	Reads func(name string) bool
	// Patience is how long a search waits for the few files that are new or changed; 0 = 5 s. While most files are not
	// indexed yet, a search waits as long as its context allows.
	Patience time.Duration
	Now      func() time.Time
	Logger   *slog.Logger
}

// Limits.
const (
	// maxFileBytes is what fetch reads of one file; a mailbox is read message by message and has no limit.
	maxFileBytes = 20 << 20
	maxFiles     = 200_000 // in one folder; chosen: what is known of each takes some 200 bytes of memory
	maxMessages  = 500_000 // in one mailbox; chosen
	listedAtMost = 100     // problems kept by name; the others are counted

	defaultPatience = 5 * time.Second // chosen
	lookEvery       = time.Second     // by searches; a walk over 10,000 files takes 50 ms
	lookWhenWatched = 5 * time.Minute // by searches, where the system tells of changes: it may lose some
	commitEvery     = 5 * time.Second // the first time, while an index is built; then twice as long each time
	segmentBytes    = 32 << 20        // of text in one segment at most, but for a single larger file; a builder takes twice that
)

func (cfg Config) withDefaults() Config {
	if cfg.Reads == nil {
		cfg.Reads = fetch.ReadsFile
	}
	if cfg.Patience <= 0 {
		cfg.Patience = defaultPatience
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return cfg
}

// roots are the folders as absolute paths, without those that another one holds: a file is found once.
func (cfg Config) roots() ([]string, error) {
	var all []string
	for _, folder := range cfg.Folders {
		abs, err := filepath.Abs(folder)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(all, abs) {
			all = append(all, abs)
		}
	}
	var roots []string
	for _, inner := range all {
		if !slices.ContainsFunc(all, func(outer string) bool { return outer != inner && walksInto(outer, inner) }) {
			roots = append(roots, inner)
		}
	}
	return roots, nil
}

// indexed is what the index keeps of what was read.
func indexed(part string, d document.Document) index.Document {
	return index.Document{
		Part: part, Title: d.Title, Authors: d.Authors, PublishedAt: d.PublishedAt, DOI: d.DOI, SourceType: d.SourceType,
		Type: shortType(d.ContentType), Language: d.Language, Text: d.Text,
	}
}

// shortType is a media type as a query names it.
func shortType(mediaType string) string {
	switch mediaType {
	case "text/html", "application/xhtml+xml":
		return "html"
	case "text/markdown":
		return "markdown"
	case "text/plain":
		return "text"
	case "application/pdf":
		return "pdf"
	case "application/epub+zip":
		return "epub"
	case "application/vnd.openxmlformats-officedocument.wordprocessingml.document":
		return "docx"
	case "message/rfc822":
		return "mail"
	case "application/rss+xml", "application/atom+xml", "application/feed+json":
		return "feed"
	}
	return mediaType
}
