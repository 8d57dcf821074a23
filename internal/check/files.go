package check

import (
	"cmp"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A text cites files by relative links, and may cite them by file: addresses. Results name a file by a path that is the same
// on every machine with the same folders.

func isFile(address string) bool {
	scheme, _, ok := strings.Cut(address, ":")
	return ok && strings.EqualFold(scheme, "file")
}

// filePath returns the path of a file: address, or "".
func filePath(address string) string {
	u, err := url.Parse(address)
	if err != nil || !isFile(address) {
		return ""
	}
	if len(u.Path) > 2 && u.Path[2] == ':' { // /C:/notes.md
		return filepath.FromSlash(u.Path[1:])
	}
	return filepath.FromSlash(u.Path)
}

func isRegular(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular()
}

func absolute(file string) string {
	if abs, err := filepath.Abs(file); err == nil {
		return abs
	}
	return file
}

// named returns a file as results name it, with slashes: relative to the working folder, as drafts are named; outside of it, where
// the draft has an absolute name, relative to the folder of the draft.
func named(file, draft string) string {
	from := []string{absolute("."), resolved(".")}
	if filepath.IsAbs(draft) {
		from = append(from, filepath.Dir(draft), resolved(filepath.Dir(draft)))
	}
	best := ""
	for _, folder := range from {
		name, err := filepath.Rel(folder, file)
		switch {
		case err != nil:
		case filepath.IsLocal(name):
			return filepath.ToSlash(name)
		case best == "" || strings.Count(name, "..") < strings.Count(best, ".."):
			best = name
		}
	}
	return filepath.ToSlash(cmp.Or(best, file))
}

// resolved is absolute without links, as the reader names a file that it has read.
func resolved(folder string) string {
	if real, err := filepath.EvalSymlinks(absolute(folder)); err == nil {
		return real
	}
	return absolute(folder)
}

func hasHidden(name string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(name), "/"), func(part string) bool {
		return strings.HasPrefix(part, ".") && part != "." && part != ".."
	})
}

// Beside lists the folders whose files drafts may cite without more: those of the drafts, the working folder and the repository
// that contain them.
func Beside(drafts []Draft) []string {
	var out []string
	add := func(folder string) {
		if !slices.Contains(out, folder) {
			out = append(out, folder)
		}
	}
	working := absolute(".")
	for _, d := range drafts {
		folder := absolute(filepath.Dir(d.Name))
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			continue
		}
		add(folder)
		if rel, err := filepath.Rel(working, folder); err == nil && filepath.IsLocal(rel) {
			add(working)
		}
		for at := folder; filepath.Dir(at) != at; at = filepath.Dir(at) {
			if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
				add(at)
				break
			}
		}
	}
	return out
}
