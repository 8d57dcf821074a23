package folder

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/citeloop/citeloop/loopstate"
)

// maxFileBytes bounds a file that is compared with a text (chosen: the largest text that a store takes).
const maxFileBytes = 64 << 20

// Write writes what the folder of a loop lacks or has otherwise, and reports whether it wrote anything. text returns a
// stored text by its hash; a source whose text it does not return is left out, and its error returned after the rest is
// written. If it wrote anything, read the loop again and repeat it, see the package comment.
func (f *Folders) Write(l Loop, text func(hash string) (string, error)) (changed bool, err error) {
	if f.off {
		return false, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	w, err := f.open(Name(l.ID, l.Question))
	if err != nil {
		return false, fmt.Errorf("folder: %w", err)
	}
	defer w.root.Close()
	found, err := w.files()
	if err != nil {
		return false, fmt.Errorf("folder: %w", err)
	}
	var missing error
	for _, src := range l.sources {
		name := fileName(src.ID)
		if name == "" {
			continue
		}
		same := path.Join(w.dir, name) + " " + src.SHA256
		if found[name] && (f.same.Contains(same) || w.has(name, src.SHA256)) {
			f.same.Add(same, true)
			continue
		}
		body, err := text(src.SHA256)
		if err != nil {
			missing = errors.Join(missing, fmt.Errorf("folder: %s: %w", src.ID, err))
			continue
		}
		if err := w.put(name, body); err != nil {
			return changed, fmt.Errorf("folder: %w", err)
		}
		f.same.Add(same, true)
		changed = true
	}
	index := l.index(found)
	if !w.has(indexName, loopstate.HashText([]byte(index)).String()) {
		if err := w.put(indexName, index); err != nil {
			return changed, errors.Join(missing, fmt.Errorf("folder: %w", err))
		}
		changed = true
	}
	return changed, missing
}

// Report writes a report into the folder of a loop, and returns its path. extension begins with a dot.
func (f *Folders) Report(loop, question, extension, text string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	w, err := f.open(Name(loop, question))
	if err != nil {
		return "", fmt.Errorf("folder: %w", err)
	}
	defer w.root.Close()
	if err := w.put(reportName+extension, text); err != nil {
		return "", fmt.Errorf("folder: %w", err)
	}
	return filepath.Join(f.Path(loop, question), reportName+extension), nil
}

// writer writes files of one loop.
type writer struct {
	root *os.Root
	dir  string // in root
}

// open makes the folder of a loop, or with an empty name the one that contains them. The caller closes the root.
func (f *Folders) open(name string) (*writer, error) {
	if err := os.MkdirAll(f.data, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(f.data)
	if err != nil {
		return nil, err
	}
	w := &writer{root, path.Join(loopsName, name)}
	if err := errors.Join(root.MkdirAll(path.Join(loopsName, tempName), 0o700), root.MkdirAll(w.dir, 0o700)); err != nil {
		root.Close()
		return nil, err
	}
	return w, nil
}

// files returns the names of the regular files of the loop's folder.
func (w *writer) files() (map[string]bool, error) {
	entries, err := fs.ReadDir(w.root.FS(), w.dir)
	if err != nil {
		return nil, err
	}
	out := make(map[string]bool, len(entries))
	for _, e := range entries {
		out[e.Name()] = e.Type().IsRegular()
	}
	return out, nil
}

// has reports whether a file has the text of a hash. A larger one than any text has not.
func (w *writer) has(name, hash string) bool {
	info, err := w.root.Lstat(path.Join(w.dir, name))
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFileBytes {
		return false
	}
	text, err := w.root.ReadFile(path.Join(w.dir, name))
	return err == nil && loopstate.HashText(text).String() == hash
}

// put writes a file under a name that nobody else has and renames it. A crash of the machine may leave it empty: it is not synced, because
// the store has its content, and a later process compares it. On Windows it fails while another program reads the old file; the next
// Write repeats it.
func (w *writer) put(name, text string) error {
	temp := path.Join(loopsName, tempName, rand.Text())
	err := w.root.WriteFile(temp, []byte(text), 0o600)
	if err == nil {
		err = w.root.Rename(temp, path.Join(w.dir, name))
	}
	if err != nil {
		return errors.Join(err, w.root.Remove(temp))
	}
	return nil
}
