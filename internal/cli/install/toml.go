package install

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// A statement of TOML is a header or a pair, by its place in the text.
type statement struct {
	header     bool     // [path] or [[path]]
	array      bool     // [[path]]
	path       []string // of a pair, below the header before it
	start, end int      // its lines, with the line break at the end
	value      tomlValue
}

// tomlValue is as much of a value as an edit asks for.
type tomlValue struct {
	start, end int
	text       *string // of a string
	elements   []tomlValue
	array      bool
}

// tomlReader reads the statements of TOML 1.0, and the line breaks in inline tables of 1.1. It refuses what is not of
// that form; that a name is given twice, it does not see.
type tomlReader struct {
	text []byte
	at   int
}

func parseTOML(text []byte) ([]statement, error) {
	r := tomlReader{text: text}
	if bytes.HasPrefix(text, bom) {
		r.at = len(bom)
	}
	var all []statement
	for {
		start := r.at
		r.spaces()
		switch c := r.peek(); {
		case r.at >= len(r.text):
			return all, nil
		case c == '#' || c == '\n' || c == '\r':
			if err := r.endLine(); err != nil {
				return nil, err
			}
			continue
		case c == '[':
			s, err := r.header()
			if err != nil {
				return nil, err
			}
			s.start, s.end = start, r.at
			all = append(all, s)
		default:
			s := statement{start: start}
			var err error
			if s.path, err = r.key(); err != nil {
				return nil, err
			}
			if r.peek() != '=' {
				return nil, r.fail("= is missing")
			}
			r.at++
			r.spaces()
			if s.value, err = r.value(0); err != nil {
				return nil, err
			}
			if err := r.endLine(); err != nil {
				return nil, err
			}
			s.end = r.at
			all = append(all, s)
		}
	}
}

func (r *tomlReader) fail(problem string, args ...any) error {
	return syntaxError(r.text, r.at, problem, args...)
}

func (r *tomlReader) peek() byte {
	if r.at < len(r.text) {
		return r.text[r.at]
	}
	return 0
}

func (r *tomlReader) has(prefix string) bool {
	return bytes.HasPrefix(r.text[r.at:], []byte(prefix))
}

func (r *tomlReader) spaces() {
	for r.peek() == ' ' || r.peek() == '\t' {
		r.at++
	}
}

// endLine passes white space, a comment and the line break, or the end of the text.
func (r *tomlReader) endLine() error {
	r.spaces()
	if r.peek() == '#' {
		for r.at < len(r.text) && r.text[r.at] != '\n' {
			r.at++
		}
	}
	switch {
	case r.at >= len(r.text):
	case r.has("\n"):
		r.at++
	case r.has("\r\n"):
		r.at += 2
	default:
		return r.fail("something follows the end of the value")
	}
	return nil
}

func (r *tomlReader) header() (statement, error) {
	s := statement{header: true, array: r.has("[[")}
	bracket := "]"
	r.at++
	if s.array {
		r.at++
		bracket = "]]"
	}
	var err error
	if s.path, err = r.key(); err != nil {
		return s, err
	}
	if !r.has(bracket) {
		return s, r.fail("%s is missing", bracket)
	}
	r.at += len(bracket)
	return s, r.endLine()
}

// key reads a name, or several with dots, and the white space around them.
func (r *tomlReader) key() ([]string, error) {
	var path []string
	for {
		r.spaces()
		start := r.at
		switch c := r.peek(); {
		case c == '"' || c == '\'':
			if r.has(`"""`) || r.has(`'''`) {
				return nil, r.fail("a name cannot have several lines")
			}
			name, err := r.string()
			if err != nil {
				return nil, err
			}
			path = append(path, name)
		default:
			for c := r.peek(); c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-'; c = r.peek() {
				r.at++
			}
			if start == r.at {
				return nil, r.fail("a name is missing")
			}
			path = append(path, string(r.text[start:r.at]))
		}
		r.spaces()
		if r.peek() != '.' {
			return path, nil
		}
		r.at++
	}
}

func (r *tomlReader) value(depth int) (tomlValue, error) {
	v := tomlValue{start: r.at}
	if depth > maxDepth {
		return v, r.fail("more than %d values inside one another", maxDepth)
	}
	var err error
	switch c := r.peek(); c {
	case '"', '\'':
		var s string
		s, err = r.string()
		v.text = &s
	case '[':
		v.array = true
		v.elements, err = r.list(']', func() (tomlValue, error) { return r.value(depth + 1) })
	case '{':
		_, err = r.list('}', func() (tomlValue, error) {
			if _, err := r.key(); err != nil {
				return tomlValue{}, err
			}
			if r.peek() != '=' {
				return tomlValue{}, r.fail("= is missing")
			}
			r.at++
			r.spaces()
			return r.value(depth + 1)
		})
	default:
		err = r.scalar()
	}
	v.end = r.at
	return v, err
}

// list reads what stands between brackets, over lines and comments; a comma may stand at the end.
func (r *tomlReader) list(bracket byte, one func() (tomlValue, error)) ([]tomlValue, error) {
	var all []tomlValue
	comma := true
	for r.at++; ; {
		r.blank()
		if r.peek() == bracket && r.at < len(r.text) {
			r.at++
			return all, nil
		}
		if !comma {
			return nil, r.fail("a comma or %c is missing", bracket)
		}
		v, err := one()
		if err != nil {
			return nil, err
		}
		all = append(all, v)
		r.blank()
		if comma = r.peek() == ','; comma {
			r.at++
		}
	}
}

// blank passes white space, line breaks and comments.
func (r *tomlReader) blank() {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ' ', '\t', '\n', '\r':
			r.at++
		case '#':
			for r.at < len(r.text) && r.text[r.at] != '\n' {
				r.at++
			}
		default:
			return
		}
	}
}

// string reads a string of any of the four kinds.
func (r *tomlReader) string() (string, error) {
	start := r.at
	quote := string(r.peek())
	long := r.has(strings.Repeat(quote, 3))
	if long {
		quote = strings.Repeat(quote, 3)
	}
	r.at += len(quote)
	var b strings.Builder
	for {
		switch c := r.peek(); {
		case r.at >= len(r.text) || c == '\n' && !long:
			r.at = start
			return "", r.fail("a string is not closed")
		case r.has(quote):
			r.at += len(quote)
			for extra := 0; long && extra < 2 && r.peek() == quote[0]; extra++ { // """" is a quote at the end
				b.WriteByte(quote[0])
				r.at++
			}
			s := b.String()
			if long {
				s = strings.TrimPrefix(strings.TrimPrefix(s, "\r"), "\n")
			}
			return s, nil
		case c == '\\' && quote[0] == '"':
			if err := r.escape(&b, long); err != nil {
				return "", err
			}
		case c < ' ' && c != '\t' && !(long && (c == '\n' || c == '\r')) || c == 0x7f:
			return "", r.fail("a string has a control character")
		default:
			b.WriteByte(c)
			r.at++
		}
	}
}

func (r *tomlReader) escape(b *strings.Builder, long bool) error {
	rest := r.text[r.at+1:]
	if len(rest) == 0 {
		return r.fail("a string is not closed")
	}
	if i := strings.IndexByte(`btnfre"\`, rest[0]); i >= 0 {
		b.WriteByte("\b\t\n\f\r\x1b\"\\"[i])
		r.at += 2
		return nil
	}
	if digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[rest[0]]; digits > 0 && len(rest) > digits {
		if code, err := strconv.ParseUint(string(rest[1:1+digits]), 16, 32); err == nil && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) {
			b.WriteRune(rune(code))
			r.at += 2 + digits
			return nil
		}
	}
	if line := bytes.TrimLeft(rest, " \t\r"); long && len(line) > 0 && line[0] == '\n' { // a line goes on in the next
		r.at = len(r.text) - len(bytes.TrimLeft(line, " \t\r\n"))
		return nil
	}
	return r.fail("a string has an escape that TOML does not know")
}

// scalar reads a number, a date or a time, true or false.
func (r *tomlReader) scalar() error {
	word := r.text[r.at:]
	if i := bytes.IndexAny(word, ",]}#\r\n"); i >= 0 {
		word = word[:i]
	}
	word = bytes.TrimRight(word, " \t")
	switch {
	case len(word) == 0:
		return r.fail("a value is missing")
	case len(word) > maxScalarBytes || !tomlScalar.Match(word):
		return r.fail("a value is none of TOML's; a text needs quotes")
	}
	r.at += len(word)
	return nil
}

// maxScalarBytes is more than any date or number that means something.
const maxScalarBytes = 1000

var tomlScalar = regexp.MustCompile(`^(?:true|false|` +
	`\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:\d\d)?)?|\d\d:\d\d(?::\d\d(?:\.\d+)?)?|` +
	`0x[0-9A-Fa-f_]+|0o[0-7_]+|0b[01_]+|[+-]?(?:inf|nan)|[+-]?\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d[\d_]*)?)$`)
