package hookrun

import (
	"io"
	"os"
	"path/filepath"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/hooks"
)

// mayRecord returns the path of a file without links, unless the file must not be recorded: by its name or that of a link to
// it, by a rule of a .gitignore that names secrets, or because it is citeloop's own.
func (h hook) mayRecord(path string) (real string, ok bool) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", false
	}
	for _, name := range []string{path, real} {
		_, secret := h.Never.Names(name)
		if secret || ignored(name) || h.Folders != nil && h.Folders.Root() != "" && isBelow(h.Folders.Root(), name) {
			return "", false
		}
	}
	return real, true
}

func isBelow(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

const (
	// maxParents bounds the folders above a file in which a .gitignore is looked for (chosen).
	maxParents = 64
	// maxIgnoreBytes bounds a .gitignore that is read (chosen).
	maxIgnoreBytes = 256 << 10
)

// ignored reports whether a .gitignore above a file excludes it by a rule that names secrets. The folder with .git is the
// last one that is looked at.
func ignored(path string) bool {
	dir := filepath.Dir(path)
	for range maxParents {
		if text, err := readFile(filepath.Join(dir, ".gitignore"), maxIgnoreBytes); err == nil {
			if rel, err := filepath.Rel(dir, path); err == nil {
				if _, ok := hooks.Ignored(text, rel); ok {
					return true
				}
			}
		}
		up := filepath.Dir(dir)
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil || up == dir {
			return false
		}
		dir = up
	}
	return false
}

// readFile returns at most limit bytes of a regular file.
func readFile(path string, limit int64) (string, error) {
	in, err := fetch.OpenInside(filepath.Dir(path), filepath.Base(path))
	if err != nil {
		return "", err
	}
	defer in.Close()
	body, err := io.ReadAll(io.LimitReader(in, limit))
	return string(body), err
}
