package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// createPrivate creates an empty file that only its owner can read, and its folder, if they are missing.
//
// SQLite would create the file with the mode of the umask. The file is created under another name and linked, because a
// descriptor of the store's own file must never be closed outside SQLite: POSIX would drop all locks of this process
// (https://www.sqlite.org/howtocorrupt.html, section 2.2).
func createPrivate(path string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("sqlite: the store's folder: %w", err)
	}
	switch info, err := os.Stat(path); {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("sqlite: not a regular file: %s; name the file of the store", path)
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("sqlite: %w", err)
	}
	empty, err := os.CreateTemp(dir, ".store-*") // mode 0600
	if err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	defer os.Remove(empty.Name())
	if err := empty.Close(); err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	if err := os.Link(empty.Name(), path); err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	// On a file system without links, the file is closed before this call opens it as a store.
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("sqlite: %w", err)
	}
	return file.Close()
}
