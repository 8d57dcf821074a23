package folder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strings"
)

// writer writes files of one loop.
type writer struct {
	root      *os.Root
	dir, temp string // in root
	newID     func() string
}

// open makes the folder of a loop, or with an empty name the one that contains them. The caller closes the root.
func (f *Folders) open(name string) (*writer, error) {
	if err := os.MkdirAll(f.cfg.Data, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(f.cfg.Data)
	if err != nil {
		return nil, err
	}
	w := &writer{root: root, dir: path.Join(loopsName, name), temp: path.Join(loopsName, tempName), newID: f.cfg.NewID}
	err = errors.Join(w.makeFolder(w.temp), w.makeFolder(w.dir))
	if err == nil && !f.ready {
		err = f.prepare(w)
		f.ready = err == nil
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return w, nil
}

// makeFolder makes a folder that only the user can read.
func (w *writer) makeFolder(dir string) error {
	if err := w.root.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := w.root.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", dir)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return w.root.Chmod(dir, 0o700)
	}
	return nil
}

// prepare removes what killed processes left.
func (f *Folders) prepare(w *writer) error {
	entries, err := fs.ReadDir(w.root.FS(), w.temp)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && f.cfg.Now().Sub(info.ModTime()) > tempAge {
			_ = w.root.Remove(path.Join(w.temp, e.Name())) // another process may have been faster
		}
	}
	return nil
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

// read returns the text of a file of size bytes.
func (w *writer) read(name string, size int64) (string, bool) {
	in, err := w.root.Open(path.Join(w.dir, name))
	if err != nil {
		return "", false
	}
	defer in.Close()
	if info, err := in.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() != size {
		return "", false
	}
	text, err := io.ReadAll(io.LimitReader(in, size))
	return string(text), err == nil
}

// put writes a file under another name and renames it. A crash of the machine may leave it empty: it is not synced, because
// the store has its content, and a later process compares it. On Windows it fails while another program reads the old file;
// the next Write repeats it.
func (w *writer) put(name, text string) (fs.FileInfo, error) {
	temp := path.Join(w.temp, w.newID())
	out, err := w.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = out.WriteString(text)
	info, statErr := out.Stat()
	if err = errors.Join(err, statErr, out.Close()); err == nil {
		err = w.root.Rename(temp, path.Join(w.dir, name))
	}
	if err != nil {
		return nil, errors.Join(err, w.root.Remove(temp))
	}
	return info, nil
}

// linesOf counts lines as the numbers of citations do: a line break at the end does not open another.
func linesOf(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
