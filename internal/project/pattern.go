package project

import (
	"path"
	"slices"
	"strings"
)

// Includes reports whether the file lists a text, which is relative to the folder of the file, with slashes.
func (f *File) Includes(text string) bool { return matches(f.Include, text) }

// Excludes reports whether the file leaves a text or folder out.
func (f *File) Excludes(text string) bool { return matches(f.Exclude, text) }

// matches reports whether a pattern matches a file: * and ? within a name, ** for any folders. The name of a folder matches all below it.
func matches(patterns []string, file string) bool {
	names := strings.Split(file, "/")
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		pattern = strings.ReplaceAll(path.Clean(pattern), "[", `\[`) // which has a meaning in package path
		return pattern == "." || fits(append(strings.Split(pattern, "/"), "**"), names)
	})
}

// fits compares the parts of a pattern with the names of a path. The time is that of parts times names.
func fits(parts, names []string) bool {
	at, name, star, from := 0, 0, -1, 0 // from is the first name after the last **
	for name < len(names) {
		switch {
		case at < len(parts) && parts[at] == "**":
			star, from = at, name
			at++
		case at < len(parts) && matched(parts[at], names[name]):
			at++
			name++
		case star >= 0:
			from++
			at, name = star+1, from
		default:
			return false
		}
	}
	return !slices.ContainsFunc(parts[at:], func(part string) bool { return part != "**" })
}

func matched(part, name string) bool {
	ok, err := path.Match(part, name)
	return err == nil && ok
}
