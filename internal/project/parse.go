package project

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// maxValues bounds the values of the file, and the elements of a list (chosen).
const maxValues = 10_000

// Parse reads a project file. The error is an [*Error].
func Parse(name string, body []byte) (*File, error) {
	p := parser{file: &File{Path: name}, body: bytes.Clone(bytes.TrimPrefix(body, []byte("\uFEFF")))}
	if len(p.body) > MaxBytes {
		return nil, p.fail(1, "", "the file has more than %d MiB: shorten it", MaxBytes>>20)
	}
	if err := toml.Unmarshal(p.body, &map[string]any{}); err != nil {
		line := 1
		if bad, ok := errors.AsType[*toml.DecodeError](err); ok {
			line, _ = bad.Position()
		}
		return nil, p.fail(line, "", "invalid TOML: %s", strings.TrimPrefix(err.Error(), "toml: "))
	}
	if err := p.read(); err != nil {
		return nil, err
	}
	if err := toml.Unmarshal(p.body, p.file); err != nil {
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
	body   []byte
	tables []int    // lines of the [[suppress]]
	open   bool     // the last of them is open
	has    []string // its keys
	n      int      // values
}

func (p *parser) fail(line int, key, problem string, args ...any) *Error {
	return &Error{Path: p.file.Path, Line: line, Key: short(key), Problem: fmt.Sprintf(problem, args...)}
}

// short bounds what an error repeats of the file.
func short(word string) string {
	if len(word) > 100 {
		return strings.ToValidUTF8(word[:100], "") + "…"
	}
	return word
}

func (p *parser) read() error {
	var in unstable.Parser
	for in.Reset(p.body); in.NextExpression(); {
		e := in.Expression()
		if e.Kind == unstable.Comment {
			continue
		}
		var names []string
		line := 0
		for it := e.Key(); it.Next(); {
			if line == 0 {
				line = p.lineOf(it.Node().Raw)
			}
			names = append(names, string(it.Node().Data))
		}
		name := strings.Join(names, ".")
		if e.Kind != unstable.KeyValue {
			if err := p.header(line, name, e.Kind == unstable.ArrayTable); err != nil {
				return err
			}
			continue
		}
		if err := p.pair(line, name, e.Value()); err != nil {
			return err
		}
	}
	if err := in.Error(); err != nil {
		return p.fail(1, "", "invalid TOML: %v", err)
	}
	return p.end()
}

func (p *parser) lineOf(at unstable.Range) int {
	return 1 + bytes.Count(p.body[:min(int(at.Offset), len(p.body))], []byte("\n"))
}

// header begins a table.
func (p *parser) header(line int, name string, array bool) error {
	if err := p.end(); err != nil {
		return err
	}
	if name != "suppress" {
		return p.unknown(line, name, append(names(keys()), "suppress"))
	}
	if !array {
		return p.fail(line, name, "write each suppression as a table [[suppress]]")
	}
	p.tables, p.open, p.has = append(p.tables, line), true, nil
	return nil
}

// end completes the open table.
func (p *parser) end() error {
	if !p.open {
		return nil
	}
	p.open = false
	line := p.tables[len(p.tables)-1]
	for _, k := range suppressKeys() {
		if k.required && !slices.Contains(p.has, k.name) {
			return p.fail(line, k.name, "is missing: each [[suppress]] needs finding and reason")
		}
	}
	if !slices.Contains(p.has, "file") && !slices.Contains(p.has, "text") {
		return p.fail(line, "suppress", "names no place: add text, file, or both; fail-on lists the kinds that fail")
	}
	return nil
}

func (p *parser) unknown(line int, name string, valid []string) *Error {
	err := p.fail(line, name, "unknown key")
	err.Word, err.Valid = short(name), valid
	return err
}

func (p *parser) pair(line int, name string, value *unstable.Node) error {
	valid := keys()
	if p.open {
		valid = suppressKeys()
		p.has = append(p.has, name)
	}
	at := slices.IndexFunc(valid, func(k key) bool { return k.name == name })
	switch {
	case at < 0 && !p.open && (name == "suppress" || strings.HasPrefix(name, "suppress.")):
		return p.fail(line, "suppress", "write each suppression as a table [[suppress]]")
	case at < 0:
		return p.unknown(line, name, names(valid))
	}
	return p.value(line, valid[at], value)
}

// value checks a value.
func (p *parser) value(line int, k key, value *unstable.Node) error {
	want := map[valueKind]unstable.Kind{text: unstable.String, truth: unstable.Bool, list: unstable.Array, date: unstable.LocalDate, number: unstable.Float}[k.kind]
	if value.Kind != want && (k.kind != number || value.Kind != unstable.Integer) {
		return p.fail(line, k.name, "must be %s", map[valueKind]string{text: `a text, such as "words"`, truth: "true or false", list: `a list of texts, such as ["words"]`,
			date: "a date, such as 2027-01-31, without quotes", number: "a number from 0 to 1"}[k.kind])
	}
	var words []string
	switch k.kind {
	case list:
		for it := value.Children(); it.Next(); {
			switch n := it.Node(); n.Kind {
			case unstable.Comment:
			case unstable.String:
				words = append(words, string(n.Data))
			default:
				return p.fail(line, k.name, `must be a list of texts, such as ["words"]`)
			}
		}
	default:
		words = []string{string(value.Data)}
	}
	if p.n += 1 + len(words); p.n > maxValues {
		return p.fail(line, k.name, "the file has more than %d values: shorten it", maxValues)
	}
	for _, word := range words {
		if k.kind != text && k.kind != list {
			break
		}
		if k.words != nil && !slices.Contains(k.words, word) {
			err := p.fail(line, k.name, "unknown value %q", short(word))
			if slices.Contains(undecided, word) {
				err.Problem = fmt.Sprintf("%q cannot be suppressed: nothing was found yet. Have the sentence read, or give the source with --corpus", word)
				return err
			}
			err.Word, err.Valid = short(word), k.words
			return err
		}
		if strings.TrimSpace(word) == "" {
			return p.fail(line, k.name, "is empty: give a text, or remove the key")
		}
		if slices.Contains([]string{"corpus", "include", "exclude", "file"}, k.name) && !below(word) {
			return p.fail(line, k.name, "%q does not lie below this file: give a path relative to its folder, without .. and hidden folders; --corpus takes other folders", short(word))
		}
	}
	if k.kind == number {
		if x, err := strconv.ParseFloat(words[0], 64); err != nil || math.IsNaN(x) || x < 0 || x > 1 {
			return p.fail(line, k.name, "must be a number from 0 to 1")
		}
	}
	if k.kind == date {
		if _, err := time.Parse(time.DateOnly, words[0]); err != nil {
			return p.fail(line, k.name, "must be a date, such as 2027-01-31, without quotes")
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
