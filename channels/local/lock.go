package local

import (
	"errors"
	"os"
	"path/filepath"
)

const lockFile = "lock"

// errLocked is the error while another process writes the index.
var errLocked = errors.New("another process writes this index")

// lock makes this process the writer of the index until unlock. The system releases the lock when the process ends.
func (s indexDir) lock() (unlock func(), err error) {
	if s.dir == "" {
		return func() {}, nil
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(s.dir, lockFile), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lockWhole(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() { _ = f.Close() }, nil // closing releases the lock
}
