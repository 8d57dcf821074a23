package local

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"log/slog"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/citeloop/citeloop/channels/local/index"
)

// folder is one of the user's folders with its index.
type folder struct {
	root   string // absolute
	disk   indexDir
	logger *slog.Logger

	mu       sync.Mutex
	view     *view
	state    state
	problems []Problem // folders inside that cannot be listed
	left     leftOut   // files inside that are left out by their names
}

// state is the result of the last scan of a folder.
type state struct {
	missing  bool // the folder cannot be opened
	overflow bool // it has more files than the index can hold
	busy     bool // another process writes its index
	found    int  // readable files
	pending  int  // readable files that are not indexed yet
	looked   bool // the folder was fully scanned
	failed   error
}

// view is an immutable snapshot of an index.
type view struct {
	number int64 // of its manifest
	parts  []part

	once   sync.Once
	counts counts
}

// counts are the sizes of a view.
type counts struct {
	files, documents, passages int
	textBytes                  int64
	problems                   []Problem
	left                       leftOut
}

// count computes the counts once: every search reports them, and a view may have 10,000 files.
func (v *view) count(root string) *counts {
	v.once.Do(func() {
		n := &v.counts
		n.left = leftOut{}
		seen := map[string]bool{} // parts of one mailbox
		for _, p := range v.parts {
			n.textBytes += int64(p.live())
			n.passages += p.segment.Passages()
			for _, file := range p.eachFile() {
				n.documents += file.Documents()
				if seen[file.Path] {
					continue
				}
				seen[file.Path] = true
				n.files++
				if quiet(file.Problem) {
					n.left.add(file.Problem, path.Base(file.Path))
				} else if file.Problem != "" {
					n.problems = append(n.problems, Problem{filepath.Join(root, filepath.FromSlash(file.Path)), file.Problem})
				}
			}
		}
	})
	return &v.counts
}

type part struct {
	name    string
	segment *index.Segment
	file    io.Closer
	deleted *index.Bits
	touched map[string]int64
}

// eachFile yields the files that are not deleted, with their numbers and last known times.
func (p part) eachFile() iter.Seq2[int, index.File] {
	return func(yield func(int, index.File) bool) {
		for n, file := range p.segment.EachFile() {
			if mtime, ok := p.touched[file.Path]; ok {
				file.ModTime = mtime
			}
			if !p.deleted.Has(n) && !yield(n, file) {
				return
			}
		}
	}
}

// openFolder returns a folder with an empty index.
func openFolder(root string, cfg Config) *folder {
	f := &folder{root: root, logger: cfg.Logger, view: &view{}}
	if cfg.Dir != "" {
		sum := sha256.Sum256([]byte(root))
		f.disk.dir = filepath.Join(cfg.Dir, hex.EncodeToString(sum[:8]))
	}
	return f
}

// load opens the index on disk if it is newer.
func (f *folder) load(edition string) {
	number := f.disk.number()
	f.mu.Lock()
	current := f.view.number
	f.mu.Unlock()
	if number == current {
		return
	}
	for range 3 { // a writer may remove a segment between the reading of the manifest and of the segment
		m, err := f.disk.load()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return
		case err == nil && m.Edition != edition:
			f.logger.Info("corpus: the index has another edition and will be rebuilt", slog.String("folder", f.root))
			return
		case err != nil:
			f.logger.Warn("corpus: the index is unreadable and will be rebuilt", slog.String("folder", f.root), slog.Any("cause", err))
			return
		}
		if v, err := f.open(m); err == nil {
			f.show(v)
			return
		}
	}
}

// open opens the segments of a manifest. Damaged ones are skipped: their files count as unknown and are read again. A
// missing segment is an error.
func (f *folder) open(m manifest) (*view, error) {
	v := &view{number: m.number}
	f.mu.Lock()
	have := map[string]part{}
	for _, p := range f.view.parts {
		have[p.name] = p
	}
	f.mu.Unlock()
	for _, r := range m.Segments {
		p, open := have[r.Name]
		if !open {
			seg, file, err := f.disk.open(r.Name)
			if errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			if err != nil {
				f.logger.Warn("corpus: a segment is damaged; its files will be read again", slog.String("folder", f.root), slog.Any("cause", err))
				continue
			}
			p = part{name: r.Name, segment: seg, file: file}
		}
		p.deleted, p.touched = index.BitsFrom(r.Deleted, p.segment.Files()), r.Touched
		v.parts = append(v.parts, p)
	}
	return v, nil
}

// show makes a view the current one. The runtime closes files of dropped segments once no search reads them.
func (f *folder) show(v *view) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.view = v
}

func (f *folder) now() *view {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.view
}

// publish saves a view as the next manifest and makes it current.
func (f *folder) publish(parts []part, edition string) error {
	v := &view{number: max(f.now().number, f.disk.number()) + 1, parts: parts}
	m := manifest{Edition: edition, Folder: f.root, number: v.number}
	for _, p := range parts {
		r := segmentRecord{Name: p.name, Touched: p.touched}
		if p.deleted.Count() > 0 {
			r.Deleted = p.deleted.Bytes()
		}
		m.Segments = append(m.Segments, r)
	}
	if err := f.disk.save(m); err != nil {
		return fmt.Errorf("saving the index of %s: %w", f.root, err)
	}
	f.show(v)
	return nil
}

// sweep removes segments that are not in the view. The caller holds the lock and writes no segments meanwhile.
func (f *folder) sweep() {
	named := map[string]bool{}
	for _, p := range f.now().parts {
		named[p.name] = true
	}
	f.disk.sweep(named)
}

// drop removes a damaged part from the view. The next pass reads its files again.
func (f *folder) drop(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	parts := slices.DeleteFunc(slices.Clone(f.view.parts), func(p part) bool { return p.name == name })
	f.view = &view{number: f.view.number, parts: parts}
	f.state.looked = false
}

func (f *folder) set(change func(*state)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.state)
}

// ref is a file's location in a view.
type ref struct {
	part, file int
	index.File
}

// known returns the files of a view by path. A large mailbox is in several parts.
func (v *view) known() map[string][]ref {
	known := map[string][]ref{}
	for i, p := range v.parts {
		for n, file := range p.eachFile() {
			known[file.Path] = append(known[file.Path], ref{i, n, file})
		}
	}
	return known
}

// without returns the parts of a view with some files deleted and others marked as touched.
func (v *view) without(gone []ref, touched map[string]int64, known map[string][]ref) []part {
	parts := slices.Clone(v.parts)
	for i := range parts {
		parts[i].deleted = parts[i].deleted.Clone(parts[i].segment.Files())
		parts[i].touched = maps.Clone(parts[i].touched)
	}
	for _, r := range gone {
		parts[r.part].deleted.Set(r.file)
		delete(parts[r.part].touched, r.Path)
	}
	for path, mtime := range touched {
		for _, r := range known[path] {
			if parts[r.part].touched == nil {
				parts[r.part].touched = map[string]int64{}
			}
			parts[r.part].touched[path] = mtime
		}
	}
	return parts
}

// close closes the files of the index.
func (f *folder) close() error {
	var errs []error
	for _, p := range f.now().parts {
		if p.file != nil {
			errs = append(errs, p.file.Close())
		}
	}
	f.show(&view{})
	return errors.Join(errs...)
}

// live estimates the bytes of text in a part that are not deleted.
func (p part) live() int {
	files := p.segment.Files()
	if files == 0 {
		return 0
	}
	return int(float64(p.segment.TextBytes()) * float64(files-p.deleted.Count()) / float64(files))
}
