package folder

import (
	"path/filepath"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

const (
	loopsName = "loops" // in the data folder
	indexName = "index.md"
	// ReportName is the name of reports, without their extension.
	ReportName = "report"
	// tempName has the files that are being written, so that a killed process leaves none in a loop's folder.
	tempName = ".new"
	// maxKnown bounds the loops whose files this process remembers as checked (chosen).
	maxKnown = 64
)

// Folders writes the folders of loops. It is safe for concurrent use by goroutines, and by processes as the package comment
// says.
type Folders struct {
	data  string // the data folder, absolute
	off   bool
	mu    sync.Mutex
	known *lru.Cache[string, map[string]file] // by loop and name: the files that were compared with the store
}

// New returns Folders in a data folder. It touches no file. If they are off, loops have none, and those of earlier processes are still
// removed with their loops.
func New(data string, off bool) *Folders {
	known, _ := lru.New[string, map[string]file](maxKnown) // its only error is a size below one
	return &Folders{data: data, off: off, known: known}
}

// Root returns the path of the folder that contains those of the loops, or "" without folders.
func (f *Folders) Root() string {
	if f.off {
		return ""
	}
	return filepath.Join(f.data, loopsName)
}

// Path returns the path of a loop's folder, or "" if loops have none.
func (f *Folders) Path(loop, question string) string {
	if f.off {
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
