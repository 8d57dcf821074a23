package arguments

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/wording"
)

// MaxBytes bounds the arguments of one call. The largest regular ones are drafts and pasted texts.
const MaxBytes = 10 << 20

// Decode parses the arguments of a call by the schema. It rejects unknown arguments and lists the valid ones. It converts
// values of the wrong type if only one meaning is possible: "5" to 5, a single string to a list, JSON in a string to the
// object, 2026 to a date. A number in place of another text, such as a question, is a mistake.
func (s *Schema) Decode(raw json.RawMessage, into any) error {
	if len(raw) > MaxBytes {
		return &wording.Mistake{Argument: "arguments", Problem: fmt.Sprintf("too large: %d bytes", len(raw)),
			Remedy: fmt.Sprintf("send at most %d bytes in one call", MaxBytes)}
	}
	var d decoder
	value := any(map[string]any{})
	if !slices.Contains([]string{"", "null", `""`, "[]"}, string(bytes.TrimSpace(raw))) {
		var err error
		if value, err = d.parse(raw); err != nil && d.values <= MaxValues {
			return &wording.Mistake{Argument: "arguments", Problem: "invalid JSON", Remedy: "send one JSON object"}
		}
	}
	clean, err := d.coerce(s, value, "")
	if d.values > MaxValues {
		return &wording.Mistake{Argument: "arguments", Problem: fmt.Sprintf("too many JSON values: %d", d.values),
			Remedy: fmt.Sprintf("send at most %d in one call", MaxValues)}
	}
	if err != nil {
		return err
	}
	encoded, err := json.Marshal(clean)
	if err != nil {
		return fmt.Errorf("arguments: encoding clean arguments: %w", err)
	}
	if err := json.Unmarshal(encoded, into); err != nil {
		return fmt.Errorf("arguments: arguments that fit their schema do not fit their type: %w", err)
	}
	return nil
}

// decoder reads the arguments of one call.
type decoder struct {
	values int // JSON values so far, those in strings too
}

// parse reads JSON with its numbers as they are written, unless that would take too much memory. It ignores what follows the first value.
func (d *decoder) parse(raw []byte) (value any, err error) {
	if d.values += CountValues(raw); d.values > MaxValues {
		return nil, fmt.Errorf("more than %d values", MaxValues)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	err = dec.Decode(&value)
	return value, err
}

// parsed returns the list or object that a client sent as JSON in a string, or else the value.
func (d *decoder) parsed(value any, opening byte) any {
	text, _ := value.(string)
	if text = strings.TrimSpace(text); text == "" || text[0] != opening || !json.Valid([]byte(text)) {
		return value
	}
	inner, err := d.parse([]byte(text))
	if err != nil {
		return value
	}
	return inner
}

// coerce converts a value to the type that the schema requires. nil is "not given".
func (d *decoder) coerce(s *Schema, value any, path string) (any, error) {
	if len(s.AnyOf) > 0 {
		return d.union(s, value, path)
	}
	switch s.Type {
	case "object":
		return d.object(s, value, path)
	case "array":
		return d.array(s, value, path)
	case "string":
		return text(s, value, path)
	case "integer":
		return integer(value, path)
	case "number":
		return number(value, path)
	case "boolean":
		return boolean(value, path)
	}
	return value, nil
}

// union reads a text or something else. A text in place of an object is its first field. Yes in place of a reason is the user's word, and
// no is no reason.
func (d *decoder) union(s *Schema, value any, path string) (any, error) {
	object := s.alternative("object")
	if _, is := d.parsed(value, '{').(map[string]any); is && object != nil {
		return d.object(object, value, path)
	}
	if yes, err := boolean(single(value), path); err == nil && object == nil {
		return map[any]any{true: "by the user"}[yes], nil
	}
	words, err := text(s.alternative("string"), value, path)
	if err != nil || object == nil {
		return words, err
	}
	return map[string]any{object.Properties.names[0]: words}, nil
}

func (d *decoder) object(s *Schema, value any, path string) (any, error) {
	object, ok := d.parsed(value, '{').(map[string]any)
	if !ok {
		remedy := "give it as one with these keys: " + strings.Join(s.Properties.names, ", ")
		if path == "" {
			remedy = "send one JSON object"
		}
		return nil, wrongType(cmp.Or(path, "arguments"), "an object", value, remedy)
	}
	out := make(map[string]any, len(object))
	for _, key := range slices.Sorted(maps.Keys(object)) { // the same call gets the same error
		name, field := s.property(key, object)
		switch {
		case object[key] == nil, field == nil && (s.Additional.anything || blank(object[key])),
			field != nil && !s.needs(name) && notGiven(name, field, object[key]):
			continue
		case field == nil:
			return nil, unknownArgument(s, path, key)
		}
		clean, err := d.coerce(field, object[key], join(path, name))
		if err != nil {
			return nil, err
		}
		if clean != nil {
			out[name] = clean
		}
	}
	for _, name := range s.Required {
		if out[name] == nil {
			return nil, &wording.Mistake{Argument: join(path, name), Problem: "missing",
				Remedy: "give " + meaning(name, s.Properties.of[name])}
		}
	}
	if path == "" && out["state_id"] == "" {
		return nil, &wording.Mistake{Argument: "state_id", Problem: "empty", Remedy: "use " + meaning("state_id", nil)}
	}
	return out, nil
}

// meaning returns what an argument is.
func meaning(name string, s *Schema) string {
	switch {
	case name == "state_id":
		return "the state_id that loop_init returned; loop_list shows your loops"
	case s.Description == "":
		return "it: a " + strings.Replace(s.Type, "string", "text", 1)
	}
	return "it: " + strings.ToLower(s.Description[:1]) + s.Description[1:]
}

// blank reports whether a value says nothing, of whatever argument.
func blank(value any) bool {
	text, is := value.(string)
	return is && strings.TrimSpace(text) == ""
}

// needs reports whether words for nothing are a value of an argument.
func (s *Schema) needs(name string) bool {
	return name == "state_id" || slices.Contains(s.Required, name)
}

// notGiven reports whether a model filled in an optional argument to say that it has nothing for it: with a word for nothing, or with an
// empty or false value of another type. A blank question is a mistake, which the caller has to hear of.
func notGiven(name string, s *Schema, value any) bool {
	switch v := value.(type) {
	case []any:
		if len(v) == 0 {
			return true
		}
	case map[string]any:
		return len(v) == 0
	case bool:
		return !v && s.Type != "boolean"
	}
	word, ok := single(value).(string)
	if !ok {
		return false
	}
	switch word = strings.ToLower(strings.TrimSpace(word)); word {
	case "":
		return name != "query"
	case "null", "undefined", "none", "nil", "n/a", "[]", "{}":
		return !slices.Contains(s.Enum, word)
	case "false":
		return s.Type != "boolean"
	case "no": // as a text it may be the language
		return s.Type != "boolean" && s.Type != "string"
	}
	return false
}

// property finds the field for a key: its own name, that in camelCase, or one of the names that the critic prompt of
// research-synthesis-loop uses in a gap. What an object has besides has a name of its own.
func (s *Schema) property(key string, object map[string]any) (string, *Schema) {
	if p := s.Properties.of[key]; p != nil {
		return key, p
	}
	name := strings.ToLower(camelHump.ReplaceAllString(key, "${1}_$2"))
	if name == "description" && s.Properties.of["gap"] != nil {
		name = "gap"
	}
	if p := s.Properties.of[name]; p != nil && object[name] == nil {
		return name, p
	}
	return key, s.Additional.schema
}

var camelHump = lazyregexp.New(`(.)([A-Z])`)

func (d *decoder) array(s *Schema, value any, path string) (any, error) {
	value = d.parsed(value, '[')
	list, ok := value.([]any)
	if !ok {
		list = several(value)
	}
	out := make([]any, 0, len(list))
	for i, item := range list {
		if item == nil {
			continue
		}
		clean, err := d.coerce(s.Items, item, fmt.Sprintf("%s[%d]", path, i))
		if err != nil {
			return nil, err
		}
		out = append(out, clean)
	}
	return out, nil
}

// several returns the addresses of a text that has nothing else. Any other single item is a list of one: prose has commas.
func several(value any) (list []any) {
	text, _ := value.(string)
	for _, field := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
		if !strings.Contains(field, "://") {
			return []any{value}
		}
		list = append(list, field)
	}
	if list == nil {
		return []any{value}
	}
	return list
}

// single returns the item of a list of one, or else the value.
func single(value any) any {
	if list, ok := value.([]any); ok && len(list) == 1 {
		return list[0]
	}
	return value
}

// numericTexts are the texts that a client may send as a number: years, ids, and a line.
var numericTexts = []string{"since", "until", "as_of", "published_at", "operation_id", "lines"}

func text(s *Schema, value any, path string) (any, error) {
	value = single(value)
	name := path[strings.LastIndexByte(path, '.')+1:]
	words, ok := value.(string)
	if digits, is := value.(json.Number); is {
		if !slices.Contains(numericTexts, name) && s.Enum == nil {
			remedy := fmt.Sprintf("give a text in quotes, such as %q, if it is meant", Clip(digits.String()))
			return nil, wrongType(path, "a text", value, remedy)
		}
		words, ok = digits.String(), true
	}
	if !ok {
		return nil, wrongType(path, "a text", value, "give it as one text")
	}
	if name == "state_id" {
		return strings.TrimSpace(words), nil
	}
	for _, word := range s.Enum {
		if Fold(words) == Fold(word) {
			return word, nil
		}
	}
	if len(s.Enum) > 0 {
		return nil, &wording.Mistake{Argument: path, Problem: fmt.Sprintf("unknown value: %q", Clip(words)),
			Remedy: "use one of " + strings.Join(s.Enum, ", ")}
	}
	return words, nil
}

// Fold returns a name without its variants of case and of the mark between words: "Missing Counterarg" is "missing-counterarg".
func Fold(name string) string {
	return strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(strings.TrimSpace(name)))
}

func integer(value any, path string) (any, error) {
	f, ok := float(value)
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return nil, wrongType(path, "a whole number", value, "give a whole number in digits, or leave it out")
	}
	return int64(f), nil
}

func number(value any, path string) (any, error) {
	f, ok := float(value)
	if !ok {
		return nil, wrongType(path, "a number", value, "give a number in digits, or leave it out")
	}
	return f, nil
}

func float(value any) (f float64, ok bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(fmt.Sprint(value)), 64)
	return f, err == nil && math.Abs(f) <= 1e300 // NaN is not
}

func boolean(value any, path string) (any, error) {
	switch strings.ToLower(strings.TrimSpace(fmt.Sprint(value))) {
	case "true", "yes", "1":
		return true, nil
	case "false", "no", "0":
		return false, nil
	}
	return nil, wrongType(path, "true or false", value, "give true or false without quotes, or leave it out")
}

func wrongType(path, want string, got any, remedy string) *wording.Mistake {
	shown := "an object"
	switch v := got.(type) {
	case string:
		shown = fmt.Sprintf("%q", Clip(v))
	case json.Number, bool:
		shown = Clip(fmt.Sprint(v))
	case []any:
		shown = "a list"
	}
	return &wording.Mistake{Argument: path, Problem: fmt.Sprintf("must be %s, not %s", want, shown), Remedy: remedy}
}

func unknownArgument(s *Schema, path, key string) error {
	names, what := s.Properties.names, "argument"
	if path != "" {
		what = "field"
	}
	mistake := &wording.Mistake{Argument: join(path, Clip(key)), Problem: fmt.Sprintf("unknown %[1]s; valid %[1]ss: %[2]s", what,
		strings.Join(names, ", "))}
	if near := wording.Nearest(Clip(key), names); near != "" {
		mistake.Remedy = fmt.Sprintf("did you mean %q?", near)
	}
	return mistake
}

func join(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

// Clip shortens untrusted text in an error.
func Clip(s string) string { return sanitize.Short(s, 60) }
