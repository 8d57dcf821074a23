package setup

import (
	"os"
	"path/filepath"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/project"
)

// ReadProject reads a project file that is no link or pipe.
func ReadProject(name string) ([]byte, error) {
	if info, err := os.Lstat(name); err == nil && !info.Mode().IsRegular() {
		return nil, console.Usagef("%s is not a file: remove it, or use --config off", ShownPath(name))
	}
	return safefile.ReadInput(name, nil, project.MaxBytes)
}

// ShownPath returns a path as people see it: relative to the working folder where that is shorter.
func ShownPath(name string) string {
	if rel := FromHere(name); len(rel) < len(name) {
		return rel
	}
	return name
}

func RealPath(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	return name
}

// FromHere returns an absolute path relative to the working folder.
func FromHere(path string) string {
	here, err := os.Getwd()
	if err != nil {
		return path
	}
	return From(here, path)
}

// From returns an absolute path relative to a folder, whose links are followed where the path is below it only then.
func From(folder, path string) string {
	if rel, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	rel, err := filepath.Rel(RealPath(folder), RealPath(path))
	if err != nil {
		return path
	}
	return rel
}
