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
		return err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("not a regular file: %s; name the file of the store", path)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	empty, err := os.CreateTemp(dir, ".store-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(empty.Name())
	if err := empty.Close(); err != nil {
		return err
	}
	err = os.Link(empty.Name(), path)
	if err != nil && !errors.Is(err, fs.ErrExist) { // no links here: the file is closed before this call opens it as a store
		var file *os.File
		if file, err = os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600); err == nil {
			return file.Close()
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}
