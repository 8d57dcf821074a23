package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Place is where loops have their folders.
type Place string

// The places.
const (
	Data    Place = "data"    // loops/ in the data folder
	Project Place = "project" // .citeloop/loops/ in the folder of the project
	Off     Place = "off"     // nowhere; folders of earlier processes are still removed with their loops
)

// Places lists the places.
func Places() []string { return []string{string(Data), string(Project), string(Off)} }

// Config configures Folders. All fields are required; Project only in its place.
type Config struct {
	Place   Place
	Data    string // the data folder, absolute
	Project string // the folder of the project, absolute
	Now     func() time.Time
	NewID   func() string // for temporary files, unique among processes
}

const (
	dataLoops    = "loops"
	projectFiles = ".citeloop"
	projectLoops = projectFiles + "/loops"
	indexName    = "index.md"
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

// place is a folder with loops, by the folder that it must not leave.
type place struct{ base, below string }

func (p place) path() string { return filepath.Join(p.base, filepath.FromSlash(p.below)) }

// in returns the place of new folders.
func (f *Folders) in() (place, bool) {
	switch f.cfg.Place {
	case Data:
		return place{f.cfg.Data, dataLoops}, true
	case Project:
		return place{f.cfg.Project, projectLoops}, true
	}
	return place{}, false
}

// Root returns the path of the folder that contains those of the loops, or "" without folders.
func (f *Folders) Root() string {
	at, on := f.in()
	if !on {
		return ""
	}
	return at.path()
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

// Write writes what the folder of a loop lacks or has otherwise, and reports whether it wrote anything. text returns a
// stored text by its hash; a source whose text it does not return is left out, and its error returned after the rest is
// written. If it wrote anything, read the loop again and repeat it, see the package comment.
func (f *Folders) Write(l Loop, text func(hash string) (string, error)) (changed bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, on := f.in()
	if !on {
		return false, nil
	}
	w, err := f.open(at, Name(l.ID, l.Question))
	if err != nil {
		return false, fmt.Errorf("folder: %w", err)
	}
	defer w.root.Close()
	found, err := w.files()
	if err != nil {
		return false, fmt.Errorf("folder: %w", err)
	}
	checked, _ := f.known.Get(l.ID)
	written := make(map[string]file, len(l.sources))
	var missing error
	for _, src := range l.sources {
		name := fileName(src.ID)
		if name == "" {
			continue
		}
		have, there := found[name]
		if known, ok := checked[src.ID]; ok && there && known.is(src.SHA256, have) {
			written[src.ID] = known
			continue
		}
		if there {
			if known, ok := w.check(name, src.SHA256); ok {
				written[src.ID] = known
				continue
			}
		}
		body, err := text(src.SHA256)
		if err != nil {
			missing = errors.Join(missing, fmt.Errorf("folder: %s: %w", src.ID, err))
			continue
		}
		info, err := w.put(name, body)
		if err != nil {
			return changed, fmt.Errorf("folder: %w", err)
		}
		written[src.ID] = file{src.SHA256, linesOf(body), info.Size(), info.ModTime()}
		changed = true
	}
	f.known.Add(l.ID, written)
	var reports []string
	for name := range found {
		if strings.HasPrefix(name, ReportName+".") {
			reports = append(reports, name)
		}
	}
	slices.Sort(reports)
	index := l.index(written, reports)
	if now, ok := w.read(indexName, int64(len(index))); !ok || now != index {
		if _, err := w.put(indexName, index); err != nil {
			return changed, errors.Join(missing, fmt.Errorf("folder: %w", err))
		}
		changed = true
	}
	return changed, missing
}

// is reports whether a file is the one that was checked.
func (f file) is(hash string, now fs.FileInfo) bool {
	return f.hash == hash && now.Mode().IsRegular() && f.size == now.Size() && f.at.Equal(now.ModTime())
}

// linesOf counts lines as the numbers of citations do: a line break at the end does not open another.
func linesOf(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// Report writes a report into the folder of a loop, and returns its path. extension begins with a dot.
func (f *Folders) Report(loop, question, extension, text string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, on := f.in()
	if !on {
		return "", nil
	}
	w, err := f.open(at, Name(loop, question))
	if err != nil {
		return "", fmt.Errorf("folder: %w", err)
	}
	defer w.root.Close()
	if _, err := w.put(ReportName+extension, text); err != nil {
		return "", fmt.Errorf("folder: %w", err)
	}
	return filepath.Join(f.Path(loop, question), ReportName+extension), nil
}

// Remove removes the folders of a loop, here and in every project where one was written. The question is not needed.
// Without folders it does nothing.
func (f *Folders) Remove(loop string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.known.Remove(loop)
	if len(suffix(loop)) < len("-01234567-01234567") {
		return nil // not an id of a loop, and the end of too many names
	}
	places := []place{{f.cfg.Data, dataLoops}}
	for _, base := range f.projects() {
		places = append(places, place{base, projectLoops})
	}
	var all error
	for _, at := range places {
		if err := at.remove(suffix(loop)); err != nil {
			all = errors.Join(all, fmt.Errorf("folder: %w", err))
		}
	}
	return all
}

// remove removes the folders whose names have an ending.
func (p place) remove(ending string) error {
	root, err := os.OpenRoot(p.base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), p.below)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ending) {
			err = errors.Join(err, root.RemoveAll(path.Join(p.below, e.Name())))
		}
	}
	return err
}

// Check reports why the folders of loops cannot be written, or nil. It makes the folder that contains them.
func (f *Folders) Check() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	at, on := f.in()
	if !on {
		return nil
	}
	w, err := f.open(at, "")
	if err != nil {
		return err
	}
	defer w.root.Close()
	name := path.Join(w.temp, f.cfg.NewID())
	err = w.root.WriteFile(name, nil, 0o600)
	return errors.Join(err, w.root.Remove(name))
}
