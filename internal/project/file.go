package project

import (
	"fmt"
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
	Coverage  string
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
