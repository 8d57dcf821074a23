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

	"github.com/citeloop/citeloop/channels/local/index"
	"github.com/citeloop/citeloop/fetch"
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
	// Dir holds one folder for each index; "" = in memory.
	Dir string
	// Edition is the version of the code that extracts and splits texts. An index of another edition is rebuilt,
	// because offsets and stems may have changed.
	Edition string
	Reader  Reader
	// Reads reports whether Reader reads files of this name, and else why they are left out, in words that follow a number;
	// nil = fetch.ReadsFile.
	Reads func(name string) (left string, ok bool)
	// Patience is how long a search waits for the few files that are new or changed; 0 = 5 s. While most files are not
	// indexed yet, a search waits as long as its context allows.
	Patience time.Duration
	Now      func() time.Time
	Logger   *slog.Logger
}

// Limits.
const (
	// maxFileBytes is what fetch reads of one document; a mailbox is read message by message and has no limit.
	maxFileBytes = 20 << 20
	// maxDataBytes is what fetch reads of data and source code.
	maxDataBytes = extract.MaxTextFileBytes
	maxFiles     = 200_000 // in one folder; chosen: each takes about 200 bytes of memory
	maxMessages  = 500_000 // in one mailbox; chosen
	listedAtMost = 100     // problems listed; the others are counted

	defaultPatience = 5 * time.Second // chosen
	lookEvery       = time.Second     // scans by searches; 10,000 files take 50 ms
	commitEvery     = 5 * time.Second // the first time; then twice as long each time
	segmentBytes    = 32 << 20        // of text in one segment, unless a single file is larger; a builder needs twice as much memory
)

// contentEdition changes with what an index has of a text: here, the names of files and folders beside the title, and what a
// document states of itself.
const contentEdition = "3"

func (cfg Config) withDefaults() Config {
	cfg.Edition += ", content " + contentEdition
	if cfg.Reads == nil {
		cfg.Reads = fetch.ReadsFile
	}
	cfg.Patience = cmp.Or(max(cfg.Patience, 0), defaultPatience)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.Logger = cmp.Or(cfg.Logger, slog.New(slog.DiscardHandler))
	return cfg
}

// roots returns the folders as absolute paths, without those inside another one: a file is found once.
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

// indexed returns what the index keeps of a document.
func indexed(rel, part string, d document.Document, links []index.Link) index.Document {
	return index.Document{
		Part: part, Title: d.Title, Authors: d.Authors, PublishedAt: d.PublishedAt, DOI: d.DOI, SourceType: d.SourceType,
		Type: cmp.Or(shortTypes[d.ContentType], d.ContentType), Language: d.Language, Head: headOf(rel, d), Text: d.Text, Links: links,
	}
}

// shortTypes are the names of media types in queries.
var shortTypes = map[string]string{
	document.TypeHTML: "html", "application/xhtml+xml": "html", document.TypeMarkdown: "markdown", document.TypePlain: "text",
	document.TypePDF: "pdf", document.TypeEPUB: "epub", document.TypeDOCX: "docx", document.TypeMessage: "mail",
	document.TypeRSS: "feed", document.TypeAtom: "feed", document.TypeJSONFeed: "feed",
}

// walksInto reports whether a walk over outer reaches inner.
func walksInto(outer, inner string) bool {
	rel, err := filepath.Rel(outer, inner)
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
	at := outer
	for name := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		at = filepath.Join(at, name)
		if info, err := os.Lstat(at); skipped(name) || err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}
