package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// file is a file of a source that was found to have the stored text: its hash, with the size and the time of the file.
type file struct {
	hash string
	size int64
	at   int64
}

func fileOf(hash string, info fs.FileInfo) file {
	return file{hash, info.Size(), info.ModTime().UnixNano()}
}

// Write writes what the folder of a loop lacks or has otherwise, and reports whether it wrote anything. text returns a
// stored text by its hash; a source whose text it does not return is left out, and its error returned after the rest is
// written. If it wrote anything, read the loop again and repeat it, see the package comment.
func (f *Folders) Write(l Loop, text func(hash string) (string, error)) (changed bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.off {
		return false, nil
	}
	w, err := f.open(Name(l.ID, l.Question))
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
		have, there := found[name]
		switch {
		case name == "":
			continue
		case there && (checked[name] == fileOf(src.SHA256, have) || w.has(name, src.SHA256)):
		default:
			body, err := text(src.SHA256)
			if err != nil {
				missing = errors.Join(missing, fmt.Errorf("folder: %s: %w", src.ID, err))
				continue
			}
			if have, err = w.put(name, body); err != nil {
				return changed, fmt.Errorf("folder: %w", err)
			}
			changed = true
		}
		written[name] = fileOf(src.SHA256, have)
	}
	f.known.Add(l.ID, written)
	index := l.index(written, found)
	if !w.has(indexName, loopstate.HashText([]byte(index)).String()) {
		if _, err := w.put(indexName, index); err != nil {
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
	if _, err := w.put(ReportName+extension, text); err != nil {
		return "", fmt.Errorf("folder: %w", err)
	}
	return filepath.Join(f.Path(loop, question), ReportName+extension), nil
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
	_, err = w.put(name, "")
	return errors.Join(err, w.root.Remove(path.Join(w.dir, name)))
}

// Remove removes the folder of a loop, also one that another process wrote. The question is not needed. Without folders it does nothing.
func (f *Folders) Remove(loop string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.known.Remove(loop)
	if len(suffix(loop)) < len("-01234567-01234567") {
		return nil // not an id of a loop, and the end of too many names
	}
	root, err := os.OpenRoot(f.data)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("folder: %w", err)
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), loopsName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix(loop)) {
			err = errors.Join(err, root.RemoveAll(path.Join(loopsName, e.Name())))
		}
	}
	if err != nil {
		return fmt.Errorf("folder: %w", err)
	}
	return nil
}
