package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// createPrivate creates an empty file that only its owner can read, and its folder, if they are missing: SQLite would create the file
// with the mode of the umask. A file that is there is not opened, because closing a descriptor of it outside SQLite would drop all locks of
// this process (https://www.sqlite.org/howtocorrupt.html, section 2.2).
func createPrivate(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("not a regular file: %s; name the file of the store", path)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) { // another process was faster
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}
