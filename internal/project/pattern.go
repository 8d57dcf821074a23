package project

import (
	"path"
	"slices"
	"strings"
)

// pattern is the parts of a path: * and ? within a name, ** for any folders. The name of a folder matches all below it.
type pattern []string

func patternOf(text string) pattern {
	text = strings.ReplaceAll(path.Clean(text), "[", `\[`) // which has a meaning in package path
	if text == "." {
		return pattern{"**"}
	}
	return append(strings.Split(text, "/"), "**")
}

// matches reports whether the pattern matches a file, relative with slashes. The time is that of parts times parts.
func (p pattern) matches(file string) bool {
	names := strings.Split(file, "/")
	at, name, star, from := 0, 0, -1, 0 // from is the first name after the last **
	for name < len(names) {
		switch {
		case at < len(p) && p[at] == "**":
			star, from = at, name
			at++
		case at < len(p) && fits(p[at], names[name]):
			at++
			name++
		case star >= 0:
			from++
			at, name = star+1, from
		default:
			return false
		}
	}
	for at < len(p) && p[at] == "**" {
		at++
	}
	return at == len(p)
}

func fits(part, name string) bool {
	ok, err := path.Match(part, name)
	return err == nil && ok
}

func matches(patterns []pattern, text string) bool {
	return slices.ContainsFunc(patterns, func(p pattern) bool { return p.matches(text) })
}
