package project

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/citeloop/citeloop/internal/tomledit"
)

// maxValues bounds the values of the file, and the elements of a list (chosen).
const maxValues = 10_000

// Parse reads a project file. The error is an [*Error].
func Parse(name string, body []byte) (*File, error) {
	body = bytes.TrimPrefix(body, []byte("\uFEFF"))
	p := parser{file: &File{Path: name}}
	if len(body) > MaxBytes {
		return nil, p.fail(1, "", "the file has more than %d MiB: shorten it", MaxBytes>>20)
	}
	text, err := tomledit.Open(body)
	if err != nil {
		line, problem := 1, err.Error()
		if bad, ok := errors.AsType[*tomledit.SyntaxError](err); ok {
			line, problem = bad.Line, bad.Problem
		}
		return nil, p.fail(line, "", "invalid TOML: %s", problem)
	}
	if err := p.check(text); err != nil {
		return nil, err
	}
	if err := toml.Unmarshal(body, p.file); err != nil {
		return nil, p.fail(1, "", "invalid values: %v", err)
	}
	for i := range p.file.Suppress {
		s := &p.file.Suppress[i]
		s.Line = p.tables[i]
		if !s.Until.IsZero() { // decoded as a day here
			s.Until = time.Date(s.Until.Year(), s.Until.Month(), s.Until.Day(), 0, 0, 0, 0, time.UTC)
		}
	}
	return p.file, nil
}

// parser checks a file before it is decoded, to name the line and the key of a mistake.
type parser struct {
	file   *File
	tables []int          // lines of the [[suppress]]
	open   map[string]any // the last of them
	n      int            // values
}

func (p *parser) fail(line int, key, problem string, args ...any) *Error {
	return &Error{Path: p.file.Path, Line: line, Key: short(key), Problem: fmt.Sprintf(problem, args...)}
}

// unknown is the error for a word that is none of the valid ones.
func (p *parser) unknown(line int, key, problem, word string, valid []string) *Error {
	err := p.fail(line, key, "%s", problem)
	err.Word, err.Valid = short(word), valid
	return err
}

// short bounds what an error repeats of the file.
func short(word string) string {
	if len(word) > 100 {
		return strings.ToValidUTF8(word[:100], "") + "…"
	}
	return word
}

// check checks the statements of a file one after the other.
func (p *parser) check(text *tomledit.File) error {
	suppressed, _ := text.Values["suppress"].([]any)
	for _, s := range text.Statements {
		name := strings.Join(s.Path[len(s.Table):], ".")
		if s.Header {
			name = strings.Join(s.Path, ".")
		}
		valid, values := keys(), text.Values
		if p.open != nil {
			valid, values = suppressKeys(), p.open
		}
		at := slices.IndexFunc(valid, func(k key) bool { return k.name == name })
		var err *Error
		switch {
		case s.Header && name != "suppress":
			err = p.unknown(s.Line, name, "unknown key", name, append(names(keys()), "suppress"))
		case !s.Array && (s.Header || p.open == nil) && (name == "suppress" || strings.HasPrefix(name, "suppress.")):
			err = p.fail(s.Line, "suppress", "write each suppression as a table [[suppress]]")
		case s.Header:
			p.open, _ = suppressed[len(p.tables)].(map[string]any)
			p.tables = append(p.tables, s.Line)
		case at < 0:
			err = p.unknown(s.Line, name, "unknown key", name, names(valid))
		default:
			err = p.value(s.Line, valid[at], values[name])
		}
		if err != nil {
			return err
		}
	}
	for i, line := range p.tables {
		has, _ := suppressed[i].(map[string]any)
		if err := p.table(line, has); err != nil {
			return err
		}
	}
	return nil
}

// table checks what a [[suppress]] must have.
func (p *parser) table(line int, has map[string]any) *Error {
	for _, k := range suppressKeys() {
		if k.required && has[k.name] == nil {
			return p.fail(line, k.name, "is missing: each [[suppress]] needs finding and reason")
		}
	}
	if has["file"] == nil && has["text"] == nil {
		return p.fail(line, "suppress", "names no place: add text, file, or both; fail-on lists the kinds that fail")
	}
	return nil
}

// value checks a value.
func (p *parser) value(line int, k key, value any) *Error {
	if whole, ok := value.(int64); ok {
		value = float64(whole)
	}
	var words []string
	ok := false
	switch v := value.(type) {
	case string:
		words, ok = []string{v}, k.kind == text
	case bool:
		ok = k.kind == truth
	case float64:
		ok = k.kind == number && v >= 0 && v <= 1
	case toml.LocalDate:
		ok = k.kind == date
	case []any:
		ok = k.kind == list
		for _, element := range v {
			word, isText := element.(string)
			words, ok = append(words, word), ok && isText
		}
	}
	if !ok {
		return p.fail(line, k.name, "must be %s", map[valueKind]string{text: `a text, such as "words"`, truth: "true or false", list: `a list of texts, such as ["words"]`,
			date: "a date, such as 2027-01-31, without quotes", number: "a number from 0 to 1"}[k.kind])
	}
	if p.n += 1 + len(words); p.n > maxValues {
		return p.fail(line, k.name, "the file has more than %d values: shorten it", maxValues)
	}
	for _, word := range words {
		switch {
		case slices.Contains(undecided, word) && k.words != nil && !slices.Contains(k.words, word):
			return p.fail(line, k.name, "%q cannot be suppressed: nothing was found yet. Have the sentence read, or give the source with --corpus", word)
		case k.words != nil && !slices.Contains(k.words, word):
			return p.unknown(line, k.name, fmt.Sprintf("unknown value %q", short(word)), word, k.words)
		case strings.TrimSpace(word) == "":
			return p.fail(line, k.name, "is empty: give a text, or remove the key")
		case slices.Contains([]string{"corpus", "include", "exclude", "file"}, k.name) && !below(word):
			return p.fail(line, k.name, "%q does not lie below this file: give a path relative to its folder, without .. and hidden folders; --corpus takes other folders", short(word))
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
