package folder

import (
	"io/fs"
	"path/filepath"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Config configures Folders. All fields but Off are required.
type Config struct {
	Data  string // the data folder, absolute
	Off   bool   // loops have no folders; those of earlier processes are still removed with their loops
	Now   func() time.Time
	NewID func() string // for temporary files, unique among processes
}

const (
	loopsName = "loops" // in the data folder
	indexName = "index.md"
	// ReportName is the name of reports, without their extension.
	ReportName = "report"
	// tempName has the files that are being written. A process that is killed leaves one there, and none in a loop's folder.
	tempName = ".new"
	// tempAge is when such a file counts as left behind (chosen: no write takes a minute).
	tempAge = time.Hour
	// maxKnown bounds the loops whose files this process remembers as checked (chosen).
	maxKnown = 64
)

// Folders writes the folders of loops. It is safe for concurrent use by goroutines, and by processes as the package comment
// says.
type Folders struct {
	cfg   Config
	mu    sync.Mutex
	known *lru.Cache[string, map[string]file] // by loop and source: the files that were compared with the store
	ready bool                                // prepare was done
}

// file is a file of a source that was found to have the stored text.
type file struct {
	hash  string // of the stored text
	lines int
	size  int64
	at    time.Time // when it was last changed
}

// New returns Folders. It touches no file.
func New(cfg Config) *Folders {
	known, _ := lru.New[string, map[string]file](maxKnown) // its only error is a size below one
	return &Folders{cfg: cfg, known: known}
}

// Root returns the path of the folder that contains those of the loops, or "" without folders.
func (f *Folders) Root() string {
	if f.cfg.Off {
		return ""
	}
	return filepath.Join(f.cfg.Data, loopsName)
}

// Path returns the path of a loop's folder, or "" if loops have none.
func (f *Folders) Path(loop, question string) string {
	if f.Root() == "" {
		return ""
	}
	return filepath.Join(f.Root(), Name(loop, question))
}

// SourcePath returns the path of a source's file in the folder of its loop, or "" for an invalid id.
func SourcePath(dir, source string) string {
	name := fileName(source)
	if name == "" {
		return ""
	}
	return filepath.Join(dir, name)
}

// is reports whether a file is the one that was checked.
func (f file) is(hash string, now fs.FileInfo) bool {
	return f.hash == hash && now.Mode().IsRegular() && f.size == now.Size() && f.at.Equal(now.ModTime())
}
