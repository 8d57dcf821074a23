package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"unicode"

	"github.com/google/uuid"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	loopsName = "loops" // in the data folder
	indexName = "index.md"
	// reportName is the name of reports, without their extension.
	reportName = "report"
	// tempName has the files that are being written, so that a killed process leaves none in a loop's folder.
	tempName = ".new"
	// maxSame bounds the files that this process remembers as compared with the store (chosen).
	maxSame = 4_096
	// maxWordsChars bounds the part of a folder's name that comes from the question, in code points (chosen: six words). With
	// four bytes each and the id, a name stays below the 255 bytes of common file systems.
	maxWordsChars = 48
)

// Folders writes the folders of loops. It is safe for concurrent use by goroutines, and by processes as the package comment
// says.
type Folders struct {
	data string // the data folder, absolute
	off  bool
	mu   sync.Mutex
	same *lru.Cache[string, bool] // by path and hash: the files of sources that have the stored text
}

// New returns Folders in a data folder. It touches no file. If they are off, loops have none, and those of earlier processes are still
// removed with their loops.
func New(data string, off bool) *Folders {
	same, _ := lru.New[string, bool](maxSame) // its only error is a size below one
	return &Folders{data: data, off: off, same: same}
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

// Name returns the name of a loop's folder: the first words of the question in lower case, and the id. It has only letters, digits and
// hyphens if the id is one of a loop.
func Name(loop, question string) string {
	words := strings.FieldsFunc(loopstate.Shorten(strings.ToLower(question), maxWordsChars), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	return strings.Join(append(words, loop), "-")
}

var sourceID = lazyregexp.New(`^S[1-9][0-9]{0,8}$`)

// fileName returns the name of the file of a source, or "" for an id that this program does not mint. An imported archive
// may have any.
func fileName(source string) string {
	if !sourceID.MatchString(source) {
		return ""
	}
	return source + ".md"
}

// SourcePath returns the path of a source's file in the folder of its loop, or "" for an invalid id.
func SourcePath(dir, source string) string {
	name := fileName(source)
	if name == "" {
		return ""
	}
	return filepath.Join(dir, name)
}

// Check reports why the folders of loops cannot be written, or nil. It makes the folder that contains them.
func (f *Folders) Check() error {
	if f.off {
		return nil
	}
	w, err := f.open("")
	if err != nil {
		return err
	}
	defer w.root.Close()
	const name = tempName + "/check"
	return errors.Join(w.put(name, ""), w.root.Remove(path.Join(w.dir, name)))
}

// Remove removes the folder of a loop, also one that another process wrote. The question is not needed. Without folders it does nothing.
func (f *Folders) Remove(loop string) error {
	if uuid.Validate(loop) != nil {
		return nil // the end of too many names
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	root, err := os.OpenRoot(f.data)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("folder: %w", err)
	}
	defer root.Close()
	f.same.Purge()
	entries, err := fs.ReadDir(root.FS(), loopsName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "-"+loop) || e.Name() == loop {
			err = errors.Join(err, root.RemoveAll(path.Join(loopsName, e.Name())))
		}
	}
	if err != nil {
		return fmt.Errorf("folder: %w", err)
	}
	return nil
}
