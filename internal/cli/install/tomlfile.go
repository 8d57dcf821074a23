package install

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// tomlDocument is a TOML file whose tables [key.NAME] are the servers. Our entry can be edited if it is a table with a header,
// as Codex writes it; other forms are rejected.
type tomlDocument struct {
	text     []byte
	key      string
	newline  string
	sections []section // ours: [key.citeloop] and the tables below it
}

// section is a table: its header and the pairs below it.
type section struct {
	path  []string
	pairs []statement
	start int
	end   int // the end of the last pair; later lines belong to the next table
}

func openTOML(text []byte, key string) (document, error) {
	all, err := parseTOML(text)
	if err != nil {
		return nil, err
	}
	d := &tomlDocument{text: text, key: key, newline: "\n"}
	if bytes.Contains(text, []byte("\r\n")) {
		d.newline = "\r\n"
	}
	ours := []string{key, Name}
	var table []string
	var current *section
	for _, s := range all {
		path := s.path
		if s.header {
			table, current = s.path, nil
			if !begins(path, ours) {
				if s.array && begins(ours, path) {
					return nil, shapeError("its %q is a list of tables, not a table", strings.Join(path, "."))
				}
				continue
			}
			if s.array {
				return nil, shapeError("its %q is a list of tables, not a table", strings.Join(path, "."))
			}
			d.sections = append(d.sections, section{path: path, start: s.start, end: s.end})
			current = &d.sections[len(d.sections)-1]
			continue
		}
		if current != nil {
			current.pairs, current.end = append(current.pairs, s), s.end
			continue
		}
		if path = slices.Concat(table, path); begins(path, ours) || len(path) == 1 && path[0] == key {
			return nil, shapeError("it has %q in a form that this command does not edit; write it as a table with a header, [%s.%s]", strings.Join(path[:min(2, len(path))], "."), key, Name)
		}
	}
	return d, nil
}

func begins(path, with []string) bool {
	return len(path) >= len(with) && slices.Equal(path[:len(with)], with)
}

func (d *tomlDocument) pair(name string) (tomlValue, bool) {
	for _, s := range d.sections {
		if len(s.path) != 2 {
			continue
		}
		for _, p := range s.pairs {
			if len(p.path) == 1 && p.path[0] == name {
				return p.value, true
			}
		}
	}
	return tomlValue{}, false
}

func (d *tomlDocument) entry() (entry, bool) {
	var e entry
	if command, ok := d.pair("command"); ok {
		e.command = command.text
	}
	if args, ok := d.pair("args"); ok {
		e.odd = !args.array
		for _, element := range args.elements {
			if element == nil {
				e.odd = true
				continue
			}
			e.args = append(e.args, *element)
		}
	}
	if url, ok := d.pair("url"); ok && url.text != nil {
		e.url = *url.text
	}
	e.env = d.variables()
	return e, len(d.sections) > 0
}

func (d *tomlDocument) add(s Server) []byte {
	var b strings.Builder
	switch end := len(d.text); {
	case len(bytes.TrimSpace(bytes.TrimPrefix(d.text, bom))) == 0:
		d.text = nil
	case !bytes.HasSuffix(d.text, []byte("\n")):
		b.WriteString(d.newline + d.newline)
	case !bytes.HasSuffix(d.text[:end-len(d.newline)], []byte("\n")):
		b.WriteString(d.newline)
	}
	for _, line := range []string{
		fmt.Sprintf("[%s.%s]", d.key, Name),
		"command = " + tomlQuoted(s.Command),
		"args = " + tomlQuotedList(s.Args),
	} {
		b.WriteString(line + d.newline)
	}
	return apply(d.text, splice{len(d.text), len(d.text), b.String()})
}

func (d *tomlDocument) update(s Server) []byte {
	var splices []splice
	if command, ok := d.pair("command"); ok {
		splices = append(splices, splice{command.start, command.end, tomlQuoted(s.Command)})
	}
	if args, ok := d.pair("args"); ok {
		splices = append(splices, splice{args.start, args.end, tomlQuotedList(s.Args)})
	}
	return apply(d.text, splices...)
}

// without removes the tables, each with the empty line before it if an empty line or the end follows.
func (d *tomlDocument) without() []byte {
	out := d.text
	for _, s := range slices.Backward(d.sections) {
		start := s.start
		if rest := out[s.end:]; len(rest) == 0 || lineEnds(rest) {
			for _, newline := range []string{"\r\n", "\n"} {
				if bytes.HasSuffix(out[:start], []byte("\n"+newline)) {
					start -= len(newline)
					break
				}
			}
		}
		out = apply(out, splice{start, s.end, ""})
	}
	return out
}

// tomlQuoted returns a basic string. The escapes of JSON are valid in TOML, which also requires one for DEL.
func tomlQuoted(s string) string {
	return strings.ReplaceAll(quoted(s), "\x7f", `\u007f`)
}

func tomlQuotedList(list []string) string {
	return strings.ReplaceAll(quotedList(list), "\x7f", `\u007f`)
}
