package folder

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"

	"github.com/citeloop/citeloop/loopstate"
)

// maxFileBytes bounds a file that is compared with a text (chosen: the largest text that a store takes).
const maxFileBytes = 64 << 20

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

// files returns the regular files of the loop's folder by their names.
func (w *writer) files() (map[string]fs.FileInfo, error) {
	entries, err := fs.ReadDir(w.root.FS(), w.dir)
	if err != nil {
		return nil, err
	}
	out := make(map[string]fs.FileInfo, len(entries))
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			out[e.Name()] = info
		}
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
func (w *writer) put(name, text string) (fs.FileInfo, error) {
	temp := path.Join(loopsName, tempName, rand.Text())
	err := w.root.WriteFile(temp, []byte(text), 0o600)
	if err == nil {
		err = w.root.Rename(temp, path.Join(w.dir, name))
	}
	if err != nil {
		return nil, errors.Join(err, w.root.Remove(temp))
	}
	return w.root.Lstat(path.Join(w.dir, name))
}
