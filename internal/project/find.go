package project

import (
	"os"
	"path/filepath"
)

// Find returns the project file for the texts of a folder, or "". It looks in the folder and those above it: as far as the
// root of the repository, which has .git; without a repository as far as the home folder; elsewhere, where others may write,
// only in the folder itself. The file in the highest folder applies, so that none below can loosen it.
func Find(folder, home string) string {
	folder, home = resolved(folder), resolved(home)
	top := folder
	if rel, err := filepath.Rel(home, folder); home != "" && err == nil && filepath.IsLocal(rel) {
		top = home
	}
	for at := folder; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			top = at
			break
		}
		if filepath.Dir(at) == at || at == home {
			break
		}
	}
	found := ""
	for at := folder; ; at = filepath.Dir(at) {
		name := filepath.Join(at, Name)
		if _, err := os.Lstat(name); err == nil {
			found = name
		}
		if at == top || filepath.Dir(at) == at {
			return found
		}
	}
}

// Inside returns the real path of a folder of the file, if it lies below the file's folder without links that lead out of it or
// into a hidden folder.
func Inside(root, name string) (string, bool) {
	root = resolved(root)
	real, err := filepath.EvalSymlinks(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(root, real)
	return real, err == nil && filepath.IsLocal(rel) && below(filepath.ToSlash(rel))
}

func resolved(folder string) string {
	if folder == "" {
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
