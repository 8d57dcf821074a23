package project

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// Find returns the project file for the texts of a folder, or "". It looks in the folder and those above it: as far as the
// root of the repository, which has .git; without a repository as far as the home folder; elsewhere, where others may write,
// only in the folder itself.
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
	for at := folder; ; at = filepath.Dir(at) {
		name := filepath.Join(at, Name)
		if _, err := os.Lstat(name); err == nil {
			return name
		}
		if at == top {
			return ""
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

// Match reports whether a pattern matches a file, both relative with slashes: * and ? within a name, ** for any folders. The
// name of a folder matches all below it.
func Match(pattern, file string) bool {
	var b strings.Builder
	b.WriteString("^")
	for rest := path.Clean(pattern); rest != ""; {
		switch {
		case strings.HasPrefix(rest, "**/"):
			b.WriteString("(?:[^/]*/)*")
			rest = rest[3:]
		case strings.HasPrefix(rest, "**"):
			b.WriteString(".*")
			rest = rest[2:]
		case rest[0] == '*':
			b.WriteString("[^/]*")
			rest = rest[1:]
		case rest[0] == '?':
			b.WriteString("[^/]")
			rest = rest[1:]
		default:
			end := strings.IndexAny(rest, "*?")
			if end < 0 {
				end = len(rest)
			}
			b.WriteString(regexp.QuoteMeta(rest[:end]))
			rest = rest[end:]
		}
	}
	if path.Clean(pattern) == "." {
		return true
	}
	re, err := regexp.Compile("(?s)" + b.String() + "(?:/.*)?$")
	return err == nil && re.MatchString(file)
}
