// Package safefile opens and writes files that a command names. The files of a pull request are anybody's: a link among them must not
// lead a check to a file that its author cannot read, such as .git/config or /proc/self/environ, whose text would end in the log.
package safefile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/cli/console"
)

// WriteNew writes a new file, completely or not at all.
func WriteNew(name string, write func(io.Writer) error) error {
	// O_EXCL: an existing archive may be the only copy.
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

// OpenRegular opens a regular file that a command names. It refuses links inside of the working folder that lead out of it
// or into a hidden folder, files of /proc, /sys and /dev, and whatever is no regular file, without waiting for it.
func OpenRegular(name string) (*os.File, error) {
	real, err := InsidePath(name)
	if err != nil {
		return nil, err
	}
	f, err := fetch.OpenInside(filepath.Dir(real), filepath.Base(real))
	if errors.Is(err, fetch.ErrIrregular) {
		return nil, &os.PathError{Op: "open", Path: name,
			Err: errors.New("is not a regular file; copy its text into one, or give it on standard input as -")}
	}
	return f, err
}

// InsidePath returns the path of a named file or folder with its links resolved, if it may be read.
func InsidePath(name string) (string, error) {
	refuse := func(why string) (string, error) {
		return "", &os.PathError{Op: "open", Path: name, Err: errors.New(why)}
	}
	full, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(full)
	if err != nil {
		return "", err
	}
	for _, system := range []string{"/proc", "/sys", "/dev"} {
		if real == system || strings.HasPrefix(real, system+"/") {
			return refuse("is a file of the system")
		}
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	realHere, err := filepath.EvalSymlinks(here)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(here, full)
	if err != nil || !filepath.IsLocal(rel) {
		if rel, err = filepath.Rel(realHere, full); err != nil || !filepath.IsLocal(rel) {
			return real, nil // named by the user, not by the folder
		}
	}
	target, err := filepath.Rel(realHere, real)
	switch {
	case err != nil || !filepath.IsLocal(target):
		return refuse("is a link that leads out of the working folder; name the file itself")
	case filepath.Clean(target) != filepath.Clean(rel) && fetch.Hidden(target):
		return refuse("is a link to a hidden file; name the file itself")
	}
	return real, nil
}

// isDescriptor reports whether a name is one that the system gives to an open file, such as that of a shell's <(command).
// Only the user can write it: files of a folder have other names.
func isDescriptor(name string) bool {
	return name == "/dev/stdin" || strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/self/fd/")
}

// ReadInput reads a file of at most most bytes; - is standard input.
func ReadInput(file string, stdin io.Reader, most int64) ([]byte, error) {
	f, err := OpenInput(file, stdin)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(f, most+1))
	if err := errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if int64(len(body)) > most {
		return nil, console.Usagef("%s is larger than %d MiB: use smaller files", file, most>>20)
	}
	return body, nil
}

// OpenInput opens a file; - is standard input.
func OpenInput(file string, stdin io.Reader) (io.ReadCloser, error) {
	if file == "-" {
		return io.NopCloser(struct{ io.Reader }{stdin}), nil
	}
	open := OpenRegular
	if isDescriptor(file) {
		open = os.Open
	} else if info, err := os.Stat(file); err == nil && info.IsDir() {
		return nil, &os.PathError{Op: "open", Path: file, Err: errors.New("is a folder; name the files in it")}
	}
	f, err := open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, console.Usagef("no such file: %s; name a file that exists, or - for standard input", file)
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// WriteFile writes a file atomically.
func WriteFile(name string, to func(io.Writer) error) error {
	if strings.HasPrefix(name, "/dev/") || strings.HasPrefix(name, "/proc/self/fd/") { // /dev/stdout
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(to(f), f.Close())
	}
	if _, err := InsidePath(filepath.Dir(name)); err != nil {
		return err
	}
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0 { // a link is replaced
		return &os.PathError{Op: "write", Path: name, Err: errors.New("is not a regular file")}
	}
	return Replace(name, 0o644, to)
}

// Replace writes a file completely or not at all, whatever is there.
func Replace(name string, mode fs.FileMode, to func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	if err = errors.Join(to(f), f.Chmod(mode), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
