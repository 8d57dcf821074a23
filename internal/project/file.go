package project

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"time"
)

// MaxBytes bounds a project file: thousands of suppressions (chosen).
const MaxBytes = 1 << 20

// File is a project file. Nil and empty fields were not given.
type File struct {
	Path      string `toml:"-"` // as it was named
	Corpus    []string
	Offline   *bool
	Reader    string
	Strict    *bool
	Threshold *float64
	FailOn    []string `toml:"fail-on"` // not nil if given
	Include   []string
	Exclude   []string
	Suppress  []Suppression
}

// Suppression accepts a finding that a person has looked at.
type Suppression struct {
	Line    int `toml:"-"` // of the table in the file
	Finding string
	File    string // pattern; empty: every text
	Text    string // the sentence; empty: every one
	Reason  string
	Until   time.Time // last day, UTC; zero: no end
}

// Error is a problem in a project file.
type Error struct {
	Path    string
	Line    int
	Key     string // empty for a problem of the whole file
	Problem string
	Word    string   // an unknown word
	Valid   []string // that is none of these
}

func (e *Error) Error() string {
	where := fmt.Sprintf("%s:%d: ", e.Path, e.Line)
	if e.Key != "" {
		where += e.Key + ": "
	}
	return where + e.Problem
}

// Covers reports whether the suppression is about a text: its file, relative to the folder of the project file, with slashes.
func (s Suppression) Covers(file string) bool { return s.File == "" || Match(s.File, file) }

// Exact reports whether the suppression names one file.
func (s Suppression) Exact() bool { return s.File != "" && !strings.ContainsAny(s.File, "*?") }

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
