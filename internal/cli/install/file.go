package install

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/citeloop/citeloop/internal/cli/safefile"
)

// file is a client's file with the content that was read.
type file struct {
	path   string // with symbolic links resolved, because some users link their settings
	text   []byte
	exists bool
	mode   fs.FileMode
}

// readFile reads a file. A missing file is empty.
func readFile(path string) (file, error) {
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return file{path: path, mode: 0o600}, nil
	}
	if err != nil {
		return file{}, err
	}
	info, err := os.Stat(target)
	if err != nil {
		return file{}, err
	}
	text, err := os.ReadFile(target)
	return file{target, text, true, info.Mode().Perm()}, err
}

// write replaces the file atomically. The first write of a day saves the old content in a backup beside it, whose path is
// returned. It fails if another program changed the file meanwhile.
func (f file) write(text []byte, now time.Time) (backup string, err error) {
	if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
		return "", err
	}
	if f.exists {
		backup = f.path + "." + now.Format(time.DateOnly) + ".bak"
		if _, err := os.Lstat(backup); errors.Is(err, fs.ErrNotExist) {
			if err := f.replace(backup, f.text); err != nil {
				return "", err
			}
		}
	}
	// The client may be running and write the file, too. This reduces the race to the time of one rename.
	current, err := readFile(f.path)
	if err == nil && (current.exists != f.exists || !bytes.Equal(current.text, f.text)) {
		err = fmt.Errorf("%s was changed by another program meanwhile; nothing was written, try again", f.path)
	}
	if err != nil {
		return "", err
	}
	return backup, f.replace(f.path, text)
}

func (f file) replace(path string, text []byte) error {
	return safefile.Replace(path, f.mode, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}
