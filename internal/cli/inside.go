package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/cli/install"
)

// The files of a pull request are anybody's. A link among them must not lead the check to a file that its author cannot
// read, such as .git/config or /proc/self/environ: its text would end in the log and in what the job keeps.

// openRegular opens a regular file that a command names. It refuses links inside of the working folder that lead out of it
// or into a hidden folder, files of /proc, /sys and /dev, and whatever is no regular file, without waiting for it.
func openRegular(name string) (*os.File, error) {
	real, err := insidePath(name)
	if err != nil {
		return nil, err
	}
	f, err := fetch.OpenInside(filepath.Dir(real), filepath.Base(real))
	if errors.Is(err, fetch.ErrIrregular) {
		return nil, &os.PathError{Op: "open", Path: name, Err: errors.New("is not a regular file; copy its text into one, or give it on standard input as -")}
	}
	return f, err
}

// insidePath returns the path of a named file or folder with its links resolved, if it may be read.
func insidePath(name string) (string, error) {
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
	case filepath.Clean(target) != filepath.Clean(rel) && hidden(target):
		return refuse("is a link to a hidden file; name the file itself")
	}
	return real, nil
}

// hidden reports whether a part of a relative path begins with a dot.
func hidden(path string) bool {
	for part := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if strings.HasPrefix(part, ".") && part != "." && part != ".." {
			return true
		}
	}
	return false
}

// isDescriptor reports whether a name is one that the system gives to an open file, such as that of a shell's <(command).
// Only the user can write it: files of a folder have other names.
func isDescriptor(name string) bool {
	return name == "/dev/stdin" || strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/proc/self/fd/")
}

// checkFolders checks the folders of a corpus like named files.
func checkFolders(folders []string) error {
	for _, folder := range folders {
		if _, err := insidePath(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return usageError{fmt.Errorf("--corpus: %w", err)}
		}
	}
	return nil
}

// ownFile refuses a project's file that is a link out of the project: somebody else made the project, and install would write
// a file of the user that they did not name.
func ownFile(path string, scope install.Scope) error {
	if scope != install.Project {
		return nil
	}
	_, err := insidePath(path)
	if errors.Is(err, fs.ErrNotExist) {
		_, err = insidePath(filepath.Dir(path))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("nothing was written: %w; remove the link, or use --scope user", err)
	}
	return nil
}
