package hooks

import (
	"path"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// reads is what a command reads.
type reads struct {
	files  []string
	search bool // also below folders; the output says in which files
	pages  []string
}

// options are those of a command that leave its meaning as it is. A command with any other is passed over.
type options struct {
	flags  string   // letters without a value
	valued string   // letters with one
	long   []string // without their dashes; one that ends in "=" takes a value
}

// commands are those that show files as they are.
var commands = map[string]options{
	"cat":   {flags: "AbEensTtuv", long: []string{"number", "show-all"}},
	"nl":    {flags: "p", valued: "bvw"},
	"head":  {flags: "qv0123456789", valued: "nc", long: []string{"lines=", "bytes="}},
	"tail":  {flags: "qv0123456789", valued: "nc", long: []string{"lines=", "bytes="}},
	"sed":   {flags: "nErsuz", valued: "e", long: []string{"quiet", "silent", "regexp-extended"}},
	"grep":  grepOptions,
	"egrep": grepOptions,
	"fgrep": grepOptions,
	"rg":    {flags: "niwxNHIFSsPpu", valued: "eABCmgtTM", long: []string{"line-number", "ignore-case", "glob=", "type=", "no-heading", "context=", "max-count=", "color=", "hidden"}},
	"curl":  {flags: "sSLfkgN46", valued: "m", long: []string{"silent", "show-error", "location", "fail", "compressed", "max-time="}},
}

var grepOptions = options{flags: "niwxHhIEFGPrRsao", valued: "eABCm", long: []string{"line-number", "ignore-case", "include=", "exclude=", "exclude-dir=", "color", "colour", "color=", "colour=", "max-count=", "with-filename", "recursive", "context=", "extended-regexp", "fixed-strings", "no-messages"}}

// readBy returns what a literal command reads. It is empty for a command that is not understood.
func readBy(words []string) reads {
	name := path.Base(words[0])
	known, ok := commands[name]
	if !ok {
		return reads{}
	}
	used, rest, ok := known.split(words[1:])
	if !ok {
		return reads{}
	}
	switch name {
	case "curl":
		if len(rest) == 1 {
			return reads{pages: rest}
		}
		return reads{}
	case "sed":
		scripts := used["e"]
		if len(scripts) == 0 && len(rest) > 0 {
			scripts, rest = rest[:1], rest[1:]
		}
		if len(scripts) == 0 || slices.ContainsFunc(scripts, func(s string) bool { return !prints.MatchString(s) }) {
			return reads{}
		}
		return reads{files: rest}
	case "grep", "egrep", "fgrep", "rg":
		if len(used["e"]) == 0 {
			if len(rest) == 0 {
				return reads{}
			}
			rest = rest[1:] // the pattern
		}
		if len(rest) == 0 && (name == "rg" || used["r"] != nil || used["R"] != nil || used["recursive"] != nil) {
			rest = []string{"."}
		}
		return reads{files: rest, search: true}
	}
	return reads{files: rest}
}

// prints matches scripts of sed that only print, delete and quit at lines: "10,20p", "/begin/,/end/p", "5q".
var prints = lazyregexp.New(`^(?:(?:[0-9]+|\$|/[^/\\]*/)(?:,(?:\+?[0-9]+|\$|/[^/\\]*/))?[pdq][; ]*)+$`)

// split separates the options of a command from its other words. ok is false for an unknown option.
func (o options) split(words []string) (used map[string][]string, rest []string, ok bool) {
	used = map[string][]string{}
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
			return used, append(rest, words[i+1:]...), true
		case len(w) < 2 || w[0] != '-':
			rest = append(rest, w)
		case strings.HasPrefix(w, "--"):
			name, value, given := strings.Cut(w[2:], "=")
			takes := slices.Contains(o.long, name+"=")
			if !takes && (given || !slices.Contains(o.long, name)) {
				return nil, nil, false
			}
			if takes && !given && !slices.Contains(o.long, name) { // the next word is its value
				if i++; i >= len(words) {
					return nil, nil, false
				}
				value = words[i]
			}
			used[name] = append(used[name], value)
		default:
			for j := 1; j < len(w); j++ {
				letter := w[j : j+1]
				if strings.Contains(o.flags, letter) {
					used[letter] = append(used[letter], "")
					continue
				}
				if !strings.Contains(o.valued, letter) {
					return nil, nil, false
				}
				value := w[j+1:]
				if value == "" {
					if i++; i >= len(words) {
						return nil, nil, false
					}
					value = words[i]
				}
				used[letter] = append(used[letter], value)
				break
			}
		}
	}
	return used, rest, true
}

// filters reports whether a later stage of a pipeline only chooses from what it reads, and writes nothing but its output.
func filters(words []string) bool {
	switch path.Base(words[0]) {
	case "wc", "uniq", "cut", "tr", "column", "fold", "less", "more":
		return true
	case "sort":
		return !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-o") || strings.HasPrefix(w, "--o") })
	case "cat", "nl", "head", "tail", "sed", "grep", "egrep", "fgrep", "rg":
		_, _, ok := commands[path.Base(words[0])].split(words[1:])
		return ok && (path.Base(words[0]) != "sed" || slices.ContainsFunc(words[1:], prints.MatchString))
	}
	return false
}
