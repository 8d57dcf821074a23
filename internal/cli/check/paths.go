package check

import (
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/project"
)

// nameOf returns an address as results show it: a file by its path from the working folder, as drafts are named, which is the same on every
// machine with the same folders.
func nameOf(address string) string {
	file, err := fetch.FilePath(address)
	if err != nil || !isFile(address) {
		return address
	}
	if name := filepath.ToSlash(fromHere(file)); filepath.IsLocal(name) || strings.HasPrefix(name, "../") {
		return name
	}
	return filepath.Base(file)
}

func isFile(address string) bool {
	scheme, _, ok := strings.Cut(address, ":")
	return ok && strings.EqualFold(scheme, "file")
}

func absolute(file string) string {
	if abs, err := filepath.Abs(file); err == nil {
		return abs
	}
	return file
}

// fromHere returns an absolute path relative to the working folder, whose links are followed where the path is below it only then.
func fromHere(path string) string {
	here := absolute(".")
	rel, err := filepath.Rel(here, path)
	if err != nil || !filepath.IsLocal(rel) {
		rel, err = filepath.Rel(project.Resolved(here), project.Resolved(path))
	}
	if err != nil {
		return path
	}
	return rel
}
