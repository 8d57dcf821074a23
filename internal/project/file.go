// Package project reads citeloop.toml, the settings of the check of a project's texts, and says which file applies to a text. The
// file is untrusted: it names folders and texts below itself only, and no addresses, keys or loops.
package project

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// Name is the name of the file.
const Name = "citeloop.toml"

// Limits of a file (chosen). A check matches the patterns with each file of the project.
const (
	MaxBytes        = 1 << 20
	maxPatterns     = 200
	maxPatternBytes = 200
)

// ReaderModel is the reader of CITELOOP_READER_URL. An assistant reads in its loops and by --read=FILE.json.
const ReaderModel = "model"

var (
	readers = []string{"none", "assistant", ReaderModel}
	// findings are the kinds of findings that --fail-on takes, worst first. A test compares them with those of the check.
	findings = []string{"hallucinated", "quote", "contradicted", "unsupported", "uncited", "mistitled", "addresses_the_model", "remark",
		"not_read", "unread", "new_reading"}
	keys = []string{"corpus", "offline", "reader", "threshold", "fail-on", "include", "exclude"}
)

// File is a project file. Nil and empty fields were not given.
type File struct {
	Path      string   `toml:"-"` // as it was named
	Corpus    []string `toml:"corpus"`
	Offline   *bool    `toml:"offline"`
	Reader    string   `toml:"reader"`
	Threshold *float64 `toml:"threshold"`
	FailOn    []string `toml:"fail-on"` // not nil if given
	Include   []string `toml:"include"`
	Exclude   []string `toml:"exclude"`

	include, exclude []pattern
}

// Includes reports whether the file lists a text, which is relative to the folder of the file, with slashes.
func (f *File) Includes(text string) bool { return matches(f.include, text) }

// Excludes reports whether the file leaves a text or folder out.
func (f *File) Excludes(text string) bool { return matches(f.exclude, text) }

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

// Parse reads a project file. The error is an [*Error].
func Parse(name string, body []byte) (*File, error) {
	body = bytes.TrimPrefix(body, []byte("\uFEFF"))
	f, bad := &File{Path: name}, (*Error)(nil)
	if len(body) > MaxBytes {
		bad = &Error{Problem: fmt.Sprintf("the file has more than %d MiB: shorten it", MaxBytes>>20)}
	} else if err := toml.NewDecoder(bytes.NewReader(body)).DisallowUnknownFields().Decode(f); err != nil {
		bad = undecoded(err)
	} else {
		bad = f.check()
	}
	if bad == nil {
		return f, nil
	}
	if bad.Path = name; bad.Line == 0 {
		bad.Line = lineOf(body, bad.Key)
	}
	return nil, bad
}

// lineOf returns the line of the first assignment to a key, or 1.
func lineOf(body []byte, key string) int {
	n := 0
	for line := range bytes.Lines(body) {
		n++
		if name, _, ok := bytes.Cut(line, []byte("=")); ok && key != "" && string(bytes.Trim(name, " \t\"'")) == key {
			return n
		}
	}
	return 1
}

// undecoded returns the error for what could not be decoded.
func undecoded(err error) *Error {
	e := &Error{Problem: "invalid TOML: " + short(strings.TrimPrefix(err.Error(), "toml: "))}
	at, decoding := errors.AsType[*toml.DecodeError](err)
	strict, unknown := errors.AsType[*toml.StrictMissingError](err)
	if unknown {
		at = &strict.Errors[0]
	} else if !decoding {
		return e
	}
	key := strings.Join(at.Key(), ".")
	e.Line, _ = at.Position()
	if unknown {
		e.Key, e.Problem, e.Word, e.Valid = short(key), "unknown key", short(key), keys
	} else if slices.Contains(keys, key) && !strings.Contains(err.Error(), "already defined") {
		e.Key, e.Problem = key, "must be "+kindOf(key)
	}
	return e
}

// kindOf says what the value of a key must be.
func kindOf(key string) string {
	switch key {
	case "offline":
		return "true or false"
	case "reader":
		return `a text, such as "words"`
	case "threshold":
		return "a number from 0 to 1"
	}
	return `a list of texts, such as ["words"]`
}

// short bounds what an error repeats of the file.
func short(word string) string { return sanitize.Short(word, 100) }

// check checks what was decoded, and compiles the patterns.
func (f *File) check() (bad *Error) {
	known := func(key, word string, valid []string) {
		if bad == nil && !slices.Contains(valid, word) {
			bad = &Error{Key: key, Problem: fmt.Sprintf("unknown value %q", short(word)), Word: short(word), Valid: valid}
		}
	}
	if f.Reader != "" {
		known("reader", f.Reader, readers)
	}
	for _, kind := range f.FailOn {
		known("fail-on", kind, findings)
	}
	if f.Threshold != nil && !(*f.Threshold >= 0 && *f.Threshold <= 1) {
		bad = &Error{Key: "threshold", Problem: "must be " + kindOf("threshold")}
	}
	if bad == nil && len(f.Corpus)+len(f.Include)+len(f.Exclude) > maxPatterns {
		bad = &Error{Problem: fmt.Sprintf("the file has more than %d patterns and folders: use fewer, such as docs/**/*.md", maxPatterns)}
	}
	paths := func(key string, list []string) (compiled []pattern) {
		for _, text := range list {
			if problem := wrongPath(text); bad == nil && problem != "" {
				bad = &Error{Key: key, Problem: problem}
			}
			compiled = append(compiled, patternOf(text))
		}
		return compiled
	}
	_, f.include, f.exclude = paths("corpus", f.Corpus), paths("include", f.Include), paths("exclude", f.Exclude)
	return bad
}

// wrongPath says what is wrong with a pattern, or with the name of a folder; "" for nothing.
func wrongPath(text string) string {
	switch {
	case len(text) > maxPatternBytes:
		return fmt.Sprintf("%q has more than %d bytes: shorten it", short(text), maxPatternBytes)
	case strings.TrimSpace(text) == "":
		return "is empty: give a path, or remove the key"
	case !below(text):
		return fmt.Sprintf("%q does not lie below this file: give a path relative to its folder, without .. and hidden folders; "+
			"--corpus takes other folders", short(text))
	}
	return ""
}

// below reports whether a path leads below the folder of the file on every system, without hidden folders.
func below(name string) bool {
	if strings.ContainsAny(name, "\\:\x00") || path.IsAbs(name) {
		return false
	}
	for part := range strings.SplitSeq(path.Clean(name), "/") {
		if strings.HasPrefix(part, ".") && part != "." {
			return false
		}
	}
	return true
}
