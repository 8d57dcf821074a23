package install

import (
	"bytes"
	"slices"
	"strings"
)

// splice replaces text[start:end].
type splice struct {
	start, end int
	words      string
}

// apply applies splices that do not overlap.
func apply(text []byte, splices ...splice) []byte {
	slices.SortStableFunc(splices, func(a, b splice) int { return a.start - b.start })
	var out []byte
	at := 0
	for _, s := range splices {
		out = append(append(out, text[at:s.start]...), s.words...)
		at = s.end
	}
	return append(out, text[at:]...)
}

// layout is the formatting of a text, which additions follow.
type layout struct {
	newline string
	unit    string // one step of indentation
}

func layoutOf(text []byte, root *value) layout {
	l := layout{newline: "\n", unit: "  "}
	if bytes.Contains(text, []byte("\r\n")) {
		l.newline = "\r\n"
	}
	if root != nil && len(root.members) > 0 {
		if unit, alone := indentation(text, root.members[0].start); alone && unit != "" {
			l.unit = unit
		}
	}
	return l
}

// indentation returns the white space before an offset if there is nothing else before it on its line.
func indentation(text []byte, at int) (string, bool) {
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	white := line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
	return string(white), len(white) == len(line)
}

// field is a member to write: its value is a text or other fields.
type field struct {
	name   string // empty for an element of an array
	value  string
	fields []field
}

// render returns a field's value. Without indentation it is on one line.
func (f field) render(indent string, l layout, inline bool) string {
	if f.fields == nil {
		return f.value
	}
	var parts []string
	for _, inner := range f.fields {
		parts = append(parts, quoted(inner.name)+": "+inner.render(indent+l.unit, l, inline))
	}
	if inline {
		return "{" + strings.Join(parts, ", ") + "}"
	}
	step := l.newline + indent + l.unit
	return "{" + step + strings.Join(parts, ","+step) + l.newline + indent + "}"
}

// text returns a field with its name.
func (f field) text(indent string, l layout, inline bool) string {
	if f.name == "" {
		return f.render(indent, l, inline)
	}
	return quoted(f.name) + ": " + f.render(indent, l, inline)
}

// insert adds a member at the end of an object, after the comments there.
func insert(text []byte, object value, f field, l layout) []byte {
	inside := text[object.start:object.end]
	own, _ := indentation(text, object.start)
	child := own + l.unit
	if len(object.members) == 0 {
		at := lastComment(text, object.start+1, object.end-1)
		words := l.newline + child + f.text(child, l, false)
		if !bytes.ContainsRune(text[at:object.end], '\n') {
			words += l.newline + own
		}
		return apply(text, splice{at, at, words})
	}
	if indent, alone := indentation(text, object.members[0].start); alone {
		child = indent
	}
	last := object.members[len(object.members)-1]
	end, tail := last.value.end, ""
	var splices []splice
	if last.comma >= 0 {
		end, tail = last.comma+1, "," // the style of this file
	} else {
		splices = append(splices, splice{end, end, ","})
	}
	at := lastComment(text, end, object.end-1)
	if white := at + len(text[at:]) - len(bytes.TrimLeft(text[at:], " \t")); lineEnds(text[white:]) {
		at = white
	}
	inline := !bytes.ContainsRune(inside, '\n')
	words := l.newline + child
	if inline {
		words = " "
	}
	words += f.text(child, l, inline) + tail
	return apply(text, append(splices, splice{at, at, words})...)
}

// lastComment returns the end of the last comment in text[start:end], which has only white space and comments, or start. A
// line comment ends before its line break.
func lastComment(text []byte, start, end int) int {
	last := start
	for at := start; at < end; {
		rest := text[at:end]
		switch {
		case bytes.HasPrefix(rest, []byte("//")):
			line, _, _ := bytes.Cut(rest, []byte("\n"))
			at += len(line)
			last = at - len(line) + len(bytes.TrimRight(line, "\r"))
		case bytes.HasPrefix(rest, []byte("/*")):
			at += 2 + bytes.Index(rest[2:], []byte("*/")) + 2
			last = at
		default:
			at++
		}
	}
	return last
}

// remove removes a member and its comma, and its line if nothing else is on it. Comments stay.
func remove(text []byte, object value, index int) []byte {
	m := object.members[index]
	splices := []splice{}
	start, end := m.start, m.value.end
	if m.comma >= 0 {
		if len(bytes.TrimSpace(text[end:m.comma])) == 0 {
			end = m.comma + 1
		} else { // there is a comment between them
			splices = append(splices, splice{m.comma, m.comma + 1, ""})
		}
	} else if index > 0 {
		comma := object.members[index-1].comma
		splices = append(splices, splice{comma, comma + 1, ""})
	}
	after := end
	for after < len(text) && (text[after] == ' ' || text[after] == '\t') {
		after++
	}
	before := len(bytes.TrimRight(text[:start], " \t"))
	switch {
	case before > 0 && text[before-1] == '\n' && lineEnds(text[after:]):
		start, end = before-1, after
		if start > 0 && text[start-1] == '\r' {
			start--
		}
	case index == len(object.members)-1 && text[before-1] != '\n':
		start = before
	case index == len(object.members)-1 && index > 0 && after == object.end-1 && len(bytes.TrimSpace(text[object.members[index-1].comma+1:start])) == 0:
		start, end = object.members[index-1].comma+1, after // the brace followed the previous member
	case !lineEnds(text[after:]):
		end = after
	}
	out := apply(text, append(splices, splice{start, end, ""})...)
	// Remove the white space in an empty object.
	closing := len(out) - (len(text) - object.end) // the new end of text[:object.end]
	if inside := out[object.start+1 : closing-1]; len(object.members) == 1 && len(bytes.TrimSpace(inside)) == 0 {
		return apply(out, splice{object.start + 1, closing - 1, ""})
	}
	return out
}

func lineEnds(text []byte) bool {
	return len(text) == 0 || text[0] == '\n' || bytes.HasPrefix(text, []byte("\r\n"))
}
