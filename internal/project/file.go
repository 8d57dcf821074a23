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

const listOfTexts = `a list of texts, such as ["words"]`

// kinds says what the value of each key must be.
var kinds = map[string]string{
	"corpus": listOfTexts, "fail-on": listOfTexts, "include": listOfTexts, "exclude": listOfTexts, "offline": "true or false",
}

// File is a project file. Nil and empty fields were not given.
type File struct {
	Path    string   `toml:"-"` // as it was named
	Corpus  []string `toml:"corpus"`
	Offline *bool    `toml:"offline"`
	FailOn  []string `toml:"fail-on"` // not nil if given
	Include []string `toml:"include"`
	Exclude []string `toml:"exclude"`
}

// Parse reads a project file. The error names the key that is wrong, and of what is no TOML the line.
func Parse(name string, body []byte) (*File, error) {
	f := &File{Path: name}
	body = bytes.TrimPrefix(body, []byte("\uFEFF"))
	err := toml.NewDecoder(bytes.NewReader(body)).DisallowUnknownFields().Decode(f)
	if err == nil {
		err = f.check()
	} else {
		err = undecoded(err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return f, nil
}

// undecoded returns an error of the decoder in our words.
func undecoded(err error) error {
	at, decoding := errors.AsType[*toml.DecodeError](err)
	strict, unknown := errors.AsType[*toml.StrictMissingError](err)
	if unknown {
		at = &strict.Errors[0]
	} else if !decoding {
		return fmt.Errorf("invalid TOML: %s", short(err.Error()))
	}
	line, _ := at.Position()
	key := strings.Join(at.Key(), ".")
	switch {
	case unknown:
		return fmt.Errorf("line %d: unknown key %q: use corpus, offline, fail-on, include or exclude", line, short(key))
	case kinds[key] != "" && !strings.Contains(err.Error(), "already defined"):
		return fmt.Errorf("line %d: %s must be %s", line, key, kinds[key])
	}
	return fmt.Errorf("line %d: invalid TOML: %s", line, short(strings.TrimPrefix(err.Error(), "toml: ")))
}

// short bounds what an error repeats of the file.
func short(word string) string { return sanitize.Short(word, 100) }

// check checks the paths.
func (f *File) check() error {
	all := slices.Concat(f.Corpus, f.Include, f.Exclude)
	if len(all) > maxPatterns {
		return fmt.Errorf("more than %d patterns and folders: use fewer, such as docs/**/*.md", maxPatterns)
	}
	for _, name := range all {
		switch {
		case len(name) > maxPatternBytes:
			return fmt.Errorf("%q has more than %d bytes: shorten it", short(name), maxPatternBytes)
		case strings.TrimSpace(name) == "":
			return errors.New("a path is empty: give one, or remove the key")
		case !below(name):
			return fmt.Errorf("%q does not lie below this file: give a path relative to its folder, without .. and hidden folders; "+
				"--corpus takes other folders", short(name))
		}
	}
	return nil
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
