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
)

// Name is the name of the file.
const Name = "citeloop.toml"

// Limits of a file (chosen). A check matches each pattern with each file of the project.
const (
	MaxBytes        = 1 << 20
	maxPatterns     = 200
	maxPatternBytes = 200
)

// The readers.
const (
	ReaderNone      = "none"
	ReaderAssistant = "assistant" // a subagent of the assistant, in its loops and by --read=FILE.json
	ReaderModel     = "model"     // that of CITELOOP_READER_URL
)

// findings are the kinds of findings that --fail-on takes, worst first. A test compares them with those of the check.
var findings = []string{"hallucinated", "quote", "contradicted", "unsupported", "uncited", "mistitled", "addresses_the_model", "remark",
	"not_read", "unread", "new_reading"}

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
	p := parser{file: &File{Path: name}, body: body}
	if len(body) > MaxBytes {
		return nil, p.fail("", "the file has more than %d MiB: shorten it", MaxBytes>>20)
	}
	if err := toml.NewDecoder(bytes.NewReader(body)).DisallowUnknownFields().Decode(p.file); err != nil {
		return nil, p.invalid(err)
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	return p.file, nil
}

// Includes reports whether the file lists a text, which is relative to the folder of the file, with slashes.
func (f *File) Includes(text string) bool { return matches(f.include, text) }

// Excludes reports whether the file leaves a text or folder out.
func (f *File) Excludes(text string) bool { return matches(f.exclude, text) }

func matches(patterns []pattern, text string) bool {
	return slices.ContainsFunc(patterns, func(p pattern) bool { return p.matches(text) })
}

// parser checks what was decoded.
type parser struct {
	file     *File
	body     []byte
	patterns int
}

func (p *parser) fail(key, problem string, args ...any) *Error {
	return &Error{Path: p.file.Path, Line: p.line(key), Key: key, Problem: fmt.Sprintf(problem, args...)}
}

func (p *parser) unknown(key, problem, word string, valid []string) *Error {
	err := p.fail(key, "%s", problem)
	err.Word, err.Valid = short(word), valid
	return err
}

// line returns the line of the first assignment to a key, or 1.
func (p *parser) line(key string) int {
	n := 0
	for line := range bytes.Lines(p.body) {
		n++
		if name, _, ok := bytes.Cut(line, []byte("=")); ok && key != "" && string(bytes.Trim(name, " \t\"'")) == key {
			return n
		}
	}
	return 1
}

// invalid returns the error for what could not be decoded.
func (p *parser) invalid(err error) *Error {
	if strict, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		bad := strict.Errors[0]
		key := strings.Join(bad.Key(), ".")
		valid := []string{"corpus", "offline", "reader", "threshold", "fail-on", "include", "exclude"}
		e := p.unknown(short(key), "unknown key", key, valid)
		e.Line, _ = bad.Position()
		return e
	}
	e := p.fail("", "invalid TOML: %s", short(strings.TrimPrefix(err.Error(), "toml: ")))
	bad, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return e
	}
	e.Line, _ = bad.Position()
	key := strings.Join(bad.Key(), ".")
	if must, ok := kinds()[key]; ok && !strings.Contains(err.Error(), "already defined") {
		e.Key, e.Problem = key, "must be "+must
	}
	return e
}

// kinds says what the value of a key must be.
func kinds() map[string]string {
	const truth, list = "true or false", `a list of texts, such as ["words"]`
	return map[string]string{"corpus": list, "offline": truth, "reader": `a text, such as "words"`,
		"threshold": "a number from 0 to 1", "fail-on": list, "include": list, "exclude": list}
}

// short bounds what an error repeats of the file.
func short(word string) string {
	if len(word) > 100 {
		return strings.ToValidUTF8(word[:100], "") + "…"
	}
	return word
}

func (p *parser) check() error {
	f := p.file
	if f.Reader != "" && !slices.Contains([]string{ReaderNone, ReaderAssistant, ReaderModel}, f.Reader) {
		return p.unknown("reader", fmt.Sprintf("unknown value "+
			"%q", short(f.Reader)), f.Reader, []string{ReaderNone, ReaderAssistant, ReaderModel})
	}
	if f.Threshold != nil && !(*f.Threshold >= 0 && *f.Threshold <= 1) {
		return p.fail("threshold", "must be a number from 0 to 1")
	}
	for _, kind := range f.FailOn {
		if !slices.Contains(findings, kind) {
			return p.unknown("fail-on", fmt.Sprintf("unknown value %q", short(kind)), kind, findings)
		}
	}
	for _, folder := range f.Corpus {
		if _, err := p.pattern("corpus", folder); err != nil {
			return err
		}
	}
	for _, list := range []struct {
		key  string
		from []string
		to   *[]pattern
	}{{"include", f.Include, &f.include}, {"exclude", f.Exclude, &f.exclude}} {
		for _, pattern := range list.from {
			re, err := p.pattern(list.key, pattern)
			if err != nil {
				return err
			}
			*list.to = append(*list.to, re)
		}
	}
	return nil
}

// pattern checks and compiles a pattern, or the name of a folder.
func (p *parser) pattern(key, text string) (pattern, *Error) {
	if p.patterns++; p.patterns > maxPatterns {
		return nil, p.fail(key, "the file has more than %d patterns and folders: use fewer, such as docs/**/*.md", maxPatterns)
	}
	switch {
	case len(text) > maxPatternBytes:
		return nil, p.fail(key, "%q has more than %d bytes: shorten it", short(text), maxPatternBytes)
	case strings.TrimSpace(text) == "":
		return nil, p.fail(key, "is empty: give a path, or remove the key")
	case !below(text):
		return nil, p.fail(key, "%q does not lie below this file: give a path relative to its folder, without .. and hidden folders; "+
			"--corpus takes other folders", short(text))
	}
	return compiled(text), nil
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
