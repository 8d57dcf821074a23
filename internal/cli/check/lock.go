package check

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/textcheck"
)

// openLocks returns the lock of the folder of each draft that is a file, by its name.
func (run *verifyRun) openLocks(drafts []textcheck.Draft) (map[string]*textcheck.Lock, error) {
	of := map[string]*textcheck.Lock{}
	run.locks = map[string]*textcheck.Lock{}
	for _, d := range drafts {
		if d.Name == stdinName || run.noLock {
			continue
		}
		full, err := filepath.Abs(d.Name)
		if err != nil {
			return nil, err
		}
		folder := filepath.Dir(full)
		if run.locks[folder] == nil {
			if run.locks[folder], err = openLock(folder); err != nil {
				return nil, err
			}
		}
		of[d.Name] = run.locks[folder]
	}
	return of, nil
}

// openLock reads the lock of a folder; without a file it is empty.
func openLock(folder string) (*textcheck.Lock, error) {
	name := filepath.Join(folder, textcheck.LockName)
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return textcheck.ReadLock(folder, strings.NewReader(""))
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, console.Usagef("%s is not a file: remove it, or use --no-lock", name)
	}
	f, err := safefile.OpenRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lock, err := textcheck.ReadLock(folder, f)
	var bad *textcheck.LockError
	if errors.As(err, &bad) {
		return nil, console.Usagef("%s: %w", folder, bad)
	}
	return lock, err
}

// writeLocks keeps new readings. A lock is made or changed only after a review, so that a check alone writes nothing.
func (run *verifyRun) writeLocks() error {
	if !run.reads() {
		return nil
	}
	for folder, lock := range run.locks {
		body, changed := lock.Bytes()
		if !changed {
			continue
		}
		name := filepath.Join(folder, textcheck.LockName)
		if err := safefile.WriteFile(name, func(w io.Writer) error { _, err := w.Write(body); return err }); err != nil {
			return fmt.Errorf("keeping what the reader found: %w; use --no-lock to keep nothing", err)
		}
		fmt.Fprintf(run.p.Stderr, "wrote %s to %s: commit it, and the check passes without a reader until the text or its sources change\n", console.Counted(lock.Len(), "reading", "readings"), setup.ShownPath(name))
	}
	return nil
}
