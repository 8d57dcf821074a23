package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/citeloop/citeloop/internal/tomledit"
)

// maxBrackets bounds nested values: the parser recurses. Brackets in strings count as well, and a client's history may have many.
// Chosen.
const maxBrackets = 10_000

// bom is the byte order mark that some editors on Windows write.
var bom = []byte("\xef\xbb\xbf")

// space has the characters that may stand between values.
const space = " \t\r\n"

// jsonFile is JSON with // and /* */ comments and trailing commas, which VS Code, Zed and others write.
type jsonFile struct {
	before  []byte        // the byte order mark, and the text of a file without a value
	root    *hujson.Value // nil: the file is empty or has only comments
	ended   bool          // parsing added a line break at the end
	newline string
	unit    string // one step of indentation
}

func openJSON(text []byte) (*jsonFile, error) {
	depth := 0
	for i, c := range text {
		switch c {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth > maxBrackets {
			return nil, syntaxError(text, i, fmt.Sprintf("more than %d nested values", maxBrackets))
		}
	}
	f := &jsonFile{newline: newlineOf(text), unit: "  "}
	body := bytes.TrimPrefix(text, bom)
	f.before = text[:len(text)-len(body)]
	if f.ended = !bytes.HasSuffix(body, []byte("\n")); f.ended { // a comment may be on the last line
		body = append(bytes.Clone(body), '\n')
	}
	if hujson.Extra(body).IsValid() {
		if len(bytes.TrimSpace(body)) > 0 {
			f.before = slices.Concat(f.before, body)
		}
		return f, nil
	}
	root, err := hujson.Parse(body)
	if err != nil {
		var line, column int
		_, problem, _ := strings.Cut(err.Error(), ": ")
		if _, scanErr := fmt.Sscanf(problem, "line %d, column %d:", &line, &column); scanErr == nil && line > 1+bytes.Count(text, []byte("\n")) {
			_, problem, _ = strings.Cut(problem, ": ")
			return nil, syntaxError(text, len(text), problem) // it was found at the added line break
		}
		return nil, errors.New(problem)
	}
	f.root = &root
	l := listOf(root.Value)
	if l == nil || root.Value.Kind() != '{' {
		return nil, errors.New("it does not hold an object")
	}
	if len(l.heads) > 0 {
		if unit, ok := indentation(l.heads[0].BeforeExtra); ok && unit != "" {
			f.unit = unit
		}
	}
	return f, nil
}

func newlineOf(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

func (f *jsonFile) Text() []byte {
	if f.root == nil {
		return f.before
	}
	body := f.root.Pack()
	if f.ended {
		body = bytes.TrimSuffix(body, []byte("\n"))
	}
	return slices.Concat(f.before, body)
}

// indentation returns the white space before a value that begins a line.
func indentation(before hujson.Extra) (string, bool) {
	at := bytes.LastIndexByte(before, '\n')
	line := before[at+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))]), at >= 0
}

// list has the members of an object or the elements of an array, so that both can be edited alike.
type list struct {
	heads []*hujson.Value // the names, or the elements
	tails []*hujson.Value // the values, or the elements
	after *hujson.Extra   // before the closing bracket
}

func listOf(v hujson.ValueTrimmed) *list {
	l := &list{}
	switch v := v.(type) {
	case *hujson.Object:
		for i := range v.Members {
			l.heads, l.tails = append(l.heads, &v.Members[i].Name), append(l.tails, &v.Members[i].Value)
		}
		l.after = &v.AfterExtra
	case *hujson.Array:
		for i := range v.Elements {
			l.heads, l.tails = append(l.heads, &v.Elements[i]), append(l.tails, &v.Elements[i])
		}
		l.after = &v.AfterExtra
	default:
		return nil
	}
	return l
}

// bare reports whether nothing is in the brackets, not even a comment.
func (l *list) bare() bool { return len(l.heads) == 0 && blank(*l.after) }

func blank(extra hujson.Extra) bool { return len(bytes.TrimSpace(extra)) == 0 }

// find returns the place of a member, or -1. path is that of the object.
func find(object *hujson.Object, path []string, name string) (int, error) {
	found, count := -1, 0
	for i, m := range object.Members {
		if m.Name.Value.(hujson.Literal).String() == name {
			found, count = i, count+1
		}
	}
	if count > 1 {
		return -1, fmt.Errorf("it has %q %d times, and clients differ in which they read; leave one", dotted(path, name), count)
	}
	return found, nil
}

func dotted(path []string, name string) string {
	return strings.Join(append(slices.Clone(path), name), ".")
}

// walk follows a path as far as it exists. It returns the last object, its indentation, and the place in it of path[depth], or -1.
func (f *jsonFile) walk(path []string) (object *hujson.Object, indent string, place, depth int, err error) {
	at := f.root
	for depth = range path {
		var ok bool
		if object, ok = at.Value.(*hujson.Object); !ok {
			return nil, "", 0, 0, fmt.Errorf("its %q is not an object", strings.Join(path[:depth], "."))
		}
		if place, err = find(object, path[:depth], path[depth]); err != nil || place < 0 || depth == len(path)-1 {
			break
		}
		m := &object.Members[place]
		if own, ok := indentation(m.Name.BeforeExtra); ok {
			indent = own
		}
		at = &m.Value
	}
	return object, indent, place, depth, err
}

// at returns the value at a path, or nil.
func (f *jsonFile) at(path []string) (*hujson.Value, error) {
	if f.root == nil {
		return nil, nil
	}
	object, _, place, depth, err := f.walk(path)
	if err != nil || place < 0 || depth < len(path)-1 {
		return nil, err
	}
	return &object.Members[place].Value, nil
}

func (f *jsonFile) Get(path ...string) (any, error) {
	v, err := f.at(path)
	if v == nil || err != nil {
		return nil, err
	}
	plain := v.Clone()
	plain.Standardize()
	var out any
	if err := json.Unmarshal(plain.Pack(), &out); err != nil {
		return nil, fmt.Errorf("%v", err)
	}
	if out == nil {
		return false, nil // null is a value
	}
	return out, nil
}

// Set sets the value at a path, and makes the objects that are missing.
func (f *jsonFile) Set(value any, path ...string) error {
	if f.root == nil {
		root, err := hujson.Parse([]byte(f.nested(tomledit.Quote(value), path, "", false) + f.newline))
		f.root, f.ended = &root, false
		return err
	}
	object, indent, place, depth, err := f.walk(path)
	if err != nil {
		return err
	}
	if place >= 0 {
		object.Members[place].Value.Value = literal(tomledit.Quote(value)).Value
		return nil
	}
	before, child, inline, tail := f.room(object, indent)
	m := hujson.ObjectMember{Name: literal(tomledit.Quote(path[depth])), Value: literal(" " + f.nested(tomledit.Quote(value), path[depth+1:], child, inline))}
	m.Name.BeforeExtra, m.Value.AfterExtra = before, tail
	object.Members = append(object.Members, m)
	return nil
}

// nested returns a value within objects with the names of a path.
func (f *jsonFile) nested(value string, path []string, indent string, inline bool) string {
	switch {
	case len(path) == 0:
		return value
	case inline:
		return "{" + tomledit.Quote(path[0]) + ": " + f.nested(value, path[1:], indent, true) + "}"
	}
	child := indent + f.unit
	return "{" + f.newline + child + tomledit.Quote(path[0]) + ": " + f.nested(value, path[1:], child, false) + f.newline + indent + "}"
}

// literal parses a value of ours. An invalid one would be found by the check of the edit.
func literal(text string) hujson.Value {
	v, err := hujson.Parse([]byte(text))
	if err != nil {
		return hujson.Value{Value: hujson.Literal("null")}
	}
	return v
}

// room makes room for an item behind the comments at the end of a list. It returns what stands before the item, its indentation,
// whether the list is on one line, and what follows it: not nil if the list ends with a comma.
func (f *jsonFile) room(in hujson.ValueTrimmed, indent string) (before hujson.Extra, child string, inline bool, tail hujson.Extra) {
	l := listOf(in)
	n := len(l.heads)
	child = indent + f.unit
	if n > 0 {
		whole := hujson.Value{Value: in}
		inline = !bytes.ContainsRune(whole.Pack(), '\n')
		if own, ok := indentation(l.heads[0].BeforeExtra); ok {
			child = own
		}
		if l.tails[n-1].AfterExtra != nil {
			tail = hujson.Extra{}
		}
	}
	comments := bytes.TrimRight(*l.after, space)
	white := (*l.after)[len(comments):]
	if n == 0 && !bytes.ContainsRune(white, '\n') {
		white = hujson.Extra(f.newline + indent)
	}
	*l.after = slices.Clone(white)
	if inline {
		return slices.Concat(comments, []byte(" ")), child, true, tail
	}
	return slices.Concat(comments, []byte(f.newline+child)), child, false, tail
}

// leave prepares the removal of an item: the comments around it go to the next item, or to the end of the list.
func (l *list) leave(i int) {
	before, after := l.heads[i].BeforeExtra, bytes.TrimLeft(l.tails[i].AfterExtra, space)
	if i < len(l.heads)-1 {
		next := &l.heads[i+1].BeforeExtra
		*next = slices.Concat(before, after, bytes.TrimLeft(*next, space))
		return
	}
	var lead hujson.Extra
	if i > 0 {
		last := &l.tails[i-1].AfterExtra
		switch {
		case l.tails[i].AfterExtra == nil: // no comma at the end
			lead, *last = *last, nil
		case *last == nil:
			*last = hujson.Extra{}
		}
	}
	end := slices.Concat(lead, bytes.TrimRight(before, space), after, *l.after)
	if !end.IsValid() { // a line comment needs its line break
		end = slices.Concat(lead, before, after, *l.after)
	}
	if i == 0 && blank(end) {
		end = nil
	}
	*l.after = end
}

// Remove removes the member at a path, which exists, with its line if nothing else is on it. Comments stay.
func (f *jsonFile) Remove(path ...string) error {
	object, _, place, _, err := f.walk(path)
	if err != nil {
		return err
	}
	listOf(object).leave(place)
	object.Members = slices.Delete(object.Members, place, place+1)
	return nil
}

// array returns the list at a path, its indentation, and the place in it of a text, or -1; nil without a list.
func (f *jsonFile) array(path []string, element string) (array *hujson.Array, indent string, place int, err error) {
	v, err := f.at(path)
	if v == nil || err != nil {
		return nil, "", -1, err
	}
	object, indent, i, _, _ := f.walk(path)
	if own, ok := indentation(object.Members[i].Name.BeforeExtra); ok {
		indent = own
	}
	array, ok := v.Value.(*hujson.Array)
	if !ok {
		return nil, "", -1, fmt.Errorf("its %q is not a list", strings.Join(path, "."))
	}
	place = slices.IndexFunc(array.Elements, func(e hujson.Value) bool {
		l, ok := e.Value.(hujson.Literal)
		return ok && l.Kind() == '"' && l.String() == element
	})
	return array, indent, place, nil
}
