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

	"github.com/citeloop/citeloop/loopstate"
)

// Write writes what the folder of a loop lacks or has otherwise, and reports whether it wrote anything. text returns a
// stored text by its hash; a source whose text it does not return is left out, and its error returned after the rest is
// written. If it wrote anything, read the loop again and repeat it, see the package comment.
func (f *Folders) Write(l Loop, text func(hash string) (string, error)) (changed bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cfg.Off {
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
		if name == "" {
			continue
		}
		have, there := found[name]
		if known, ok := checked[src.ID]; ok && there && known.is(src.SHA256, have) {
			written[src.ID] = known
			continue
		}
		if there {
			if body, ok := w.read(name, have.Size()); ok && loopstate.HashText([]byte(body)).String() == src.SHA256 {
				written[src.ID] = file{src.SHA256, linesOf(body), have.Size(), have.ModTime()}
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

// Report writes a report into the folder of a loop, and returns its path. extension begins with a dot.
func (f *Folders) Report(loop, question, extension, text string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cfg.Off {
		return "", nil
	}
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
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.cfg.Off {
		return nil
	}
	w, err := f.open("")
	if err != nil {
		return err
	}
	defer w.root.Close()
	name := path.Join(w.temp, f.cfg.NewID())
	err = w.root.WriteFile(name, nil, 0o600)
	return errors.Join(err, w.root.Remove(name))
}

// Remove removes the folder of a loop, also one that another process wrote. The question is not needed. Without folders it does nothing.
func (f *Folders) Remove(loop string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.known.Remove(loop)
	if len(suffix(loop)) < len("-01234567-01234567") {
		return nil // not an id of a loop, and the end of too many names
	}
	root, err := os.OpenRoot(f.cfg.Data)
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
