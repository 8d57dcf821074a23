package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/internal/check"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/cli/setup"
)

// openLocks returns the lock of the folder of each draft that is a file, by its name.
func (run *verifyRun) openLocks(ctx context.Context, drafts []check.Draft) (map[string]*check.Lock, error) {
	of := map[string]*check.Lock{}
	run.locks = map[string]*check.Lock{}
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
			if run.lockBase != "" {
				base, err := lockAt(ctx, folder, run.lockBase)
				if err != nil {
					return nil, err
				}
				run.locks[folder].Since(base)
			}
		}
		of[d.Name] = run.locks[folder]
	}
	return of, nil
}

// openLock reads the lock of a folder; without a file it is empty.
func openLock(folder string) (*check.Lock, error) {
	name := filepath.Join(folder, check.LockName)
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return readLock(folder, folder, strings.NewReader(""))
	}
	if err == nil && !info.Mode().IsRegular() {
		return nil, console.Usagef("%s is not a file: remove it, or use --no-lock", name)
	}
	f, err := safefile.OpenRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readLock(folder, folder, f)
}

// readLock reads a lock, which an error calls by a name.
func readLock(folder, name string, in io.Reader) (*check.Lock, error) {
	lock, err := check.ReadLock(folder, in)
	if bad, ok := errors.AsType[*check.LockError](err); ok {
		return nil, console.Usagef("%s: %w", name, bad)
	}
	return lock, err
}

// lockAt reads the lock of a folder as it is in a revision of its repository; without a file there it is empty.
func lockAt(ctx context.Context, folder, revision string) (*check.Lock, error) {
	if strings.HasPrefix(revision, "-") {
		return nil, console.Usagef("invalid --lock-base %q: use a revision such as origin/main", revision)
	}
	git := func(args ...string) ([]byte, error) {
		return exec.CommandContext(ctx, "git", append([]string{"-C", folder}, args...)...).Output()
	}
	if _, err := git("rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}"); err != nil {
		return nil, console.Usagef("--lock-base: git knows no revision %q in %s: fetch it first (fetch-depth: 0)",
			revision, setup.ShownPath(folder))
	}
	body, _ := git("show", revision+":./"+check.LockName) // nothing, if the revision has no lock
	return readLock(folder, folder+" at "+revision, bytes.NewReader(body))
}

// writeLocks keeps new readings. A lock is made or changed only after a review, so that a check alone writes nothing.
func (run *verifyRun) writeLocks() error {
	for folder, lock := range run.locks {
		body, changed := lock.Bytes()
		if !changed {
			continue
		}
		name := filepath.Join(folder, check.LockName)
		if err := safefile.WriteFile(name, func(w io.Writer) error { _, err := w.Write(body); return err }); err != nil {
			return fmt.Errorf("keeping what the reader found: %w; use --no-lock to keep nothing", err)
		}
		fmt.Fprintf(run.p.Stderr, "wrote %s to %s: commit it, and the check passes without a reader until the text or its sources change\n",
			console.Counted(lock.Len(), "reading", "readings"), setup.ShownPath(name))
	}
	return nil
}
