package project

import (
	"os"
	"path/filepath"
)

// Find returns the project file for the texts of a folder, or "". It looks in the folder and those above it: as far as the
// root of the repository, which has .git; without a repository as far as the home folder; elsewhere, where others may write,
// only in the folder itself. The file in the highest folder applies, so that none below can loosen it.
func Find(folder, home string) string {
	folder, home = Resolved(folder), Resolved(home)
	own, found := fileIn(folder), ""
	for at := folder; ; at = filepath.Dir(at) {
		if name := fileIn(at); name != "" {
			found = name
		}
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil || at == home {
			return found
		}
		if filepath.Dir(at) == at {
			return own
		}
	}
}

// fileIn returns the project file of a folder, or "".
func fileIn(folder string) string {
	name := filepath.Join(folder, Name)
	if _, err := os.Lstat(name); err != nil {
		return ""
	}
	return name
}

// Inside returns the real path of a folder of the file, if it lies below the file's folder without links that lead out of it or
// into a hidden folder.
func Inside(root, name string) (string, bool) {
	root = Resolved(root)
	real, err := filepath.EvalSymlinks(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(root, real)
	return real, err == nil && filepath.IsLocal(rel) && below(filepath.ToSlash(rel))
}

// Resolved returns the absolute path of a folder or file, with its links followed if it exists.
func Resolved(folder string) string {
	if folder == "" { // no home folder is known
		return ""
	}
	full, err := filepath.Abs(folder)
	if err != nil {
		return folder
	}
	if real, err := filepath.EvalSymlinks(full); err == nil {
		return real
	}
	return full
}
