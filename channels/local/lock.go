package local

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
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
	file := flock.New(filepath.Join(s.dir, lockFile), flock.SetPermissions(0o600))
	switch locked, err := file.TryLock(); {
	case err != nil:
		return nil, errors.Join(err, file.Close())
	case !locked:
		return nil, errors.Join(errLocked, file.Close())
	}
	return func() { _ = file.Close() }, nil // closing releases the lock
}
