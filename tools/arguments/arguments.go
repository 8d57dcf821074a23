package arguments

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/jsoncount"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/wording"
)

// MaxBytes bounds the arguments of one call. The largest regular ones are drafts and pasted texts.
const MaxBytes = 10 << 20

// MaxValues bounds the JSON values of one call, see [jsoncount.Count]. The largest lists of a call have 1,000
// items.
const MaxValues = 100_000

// Decode parses the arguments of a call by the schema. It rejects unknown arguments and lists the valid ones. It converts
// values of the wrong type if only one meaning is possible: "5" to 5, a single string to a list, JSON in a string to the
// object, 2026 to a date. A number in place of another text, such as a question, is a mistake.
func (s *Schema) Decode(raw json.RawMessage, into any) error {
	if len(raw) > MaxBytes {
		return &wording.Mistake{Argument: "arguments", Problem: fmt.Sprintf("too large: %d bytes", len(raw)),
			Remedy: fmt.Sprintf("send at most %d bytes in one call", MaxBytes)}
	}
	if n := jsoncount.Count(raw); n > MaxValues {
		return &wording.Mistake{Argument: "arguments", Problem: fmt.Sprintf("too many JSON values: %d", n),
			Remedy: fmt.Sprintf("send at most %d in one call", MaxValues)}
	}
	value := any(map[string]any{})
	if !slices.Contains([]string{"", "null", `""`, "[]"}, string(bytes.TrimSpace(raw))) {
		var err error
		if value, err = decode(raw); err != nil {
			return &wording.Mistake{Argument: "arguments", Problem: "invalid JSON", Remedy: "send one JSON object"}
		}
	}
	clean, err := coerce(s, value, "")
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

// decode parses JSON with its numbers as they are written. It ignores what follows the first value.
func decode(raw []byte) (value any, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	err = dec.Decode(&value)
	return value, err
}

// coerce converts value to the type that the schema requires. nil is "not given".
func coerce(s *Schema, value any, path string) (any, error) {
	if len(s.AnyOf) > 0 {
		return coerceUnion(s, value, path)
	}
	switch s.Type {
	case "object":
		return coerceObject(s, value, path)
	case "array":
		return coerceArray(s, value, path)
	case "string":
		return coerceString(s, value, path)
	case "integer", "number":
		return coerceNumber(s, value, path)
	case "boolean":
		return coerceBool(value, path)
	}
	return value, nil
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
	text, ok := single(value).(string)
	if !ok {
		return false
	}
	switch text = strings.ToLower(strings.TrimSpace(text)); text {
	case "":
		return name != "query"
	case "null", "undefined", "none", "nil", "n/a", "[]", "{}":
		return !slices.Contains(s.Enum, text)
	case "false":
		return s.Type != "boolean"
	case "no": // as a text it may be the language
		return s.Type != "boolean" && s.Type != "string"
	}
	return false
}

// single returns the item of a list of one, or else the value.
func single(value any) any {
	if list, ok := value.([]any); ok && len(list) == 1 {
		return list[0]
	}
	return value
}

// coerceUnion reads a text or something else. A text in place of an object is its first field. Yes in place of a reason is the user's word,
// and no is no reason.
func coerceUnion(s *Schema, value any, path string) (any, error) {
	object := s.alternative("object")
	if _, is := parsed(value, '{').(map[string]any); is && object != nil {
		return coerceObject(object, value, path)
	}
	if yes, err := coerceBool(single(value), path); err == nil && object == nil {
		return map[any]any{true: "by the user"}[yes], nil
	}
	text, err := coerceString(s.alternative("string"), value, path)
	if err != nil || object == nil {
		return text, err
	}
	return map[string]any{object.Properties.names[0]: text}, nil
}

func coerceObject(s *Schema, value any, path string) (any, error) {
	object, ok := parsed(value, '{').(map[string]any)
	if !ok {
		remedy := "give it as one with these keys: " + strings.Join(s.Properties.names, ", ")
		if path == "" {
			remedy = "send one JSON object"
		}
		return nil, wrongType(cmp.Or(path, "arguments"), "an object", value, remedy)
	}
	out := make(map[string]any, len(object))
	for _, key := range slices.Sorted(maps.Keys(object)) { // the same call gets the same error
		v := object[key]
		name, field := property(s, key, object)
		if field == nil {
			name, field = key, s.Additional.schema
		}
		needed := name == "state_id" || slices.Contains(s.Required, name)
		if v == nil || field == nil && s.Additional.anything || field != nil && !needed && notGiven(name, field, v) {
			continue
		}
		if text, is := v.(string); field == nil && is && strings.TrimSpace(text) == "" { // it says nothing
			continue
		}
		if field == nil {
			return nil, unknownArgument(s, path, key)
		}
		c, err := coerce(field, v, join(path, name))
		if err != nil {
			return nil, err
		}
		if text, is := c.(string); is && name == "state_id" && path == "" && strings.TrimSpace(text) == "" {
			return nil, &wording.Mistake{Argument: name, Problem: "empty",
				Remedy: "use the state_id that loop_init returned; loop_list shows your loops"}
		}
		if c != nil {
			out[name] = c
		}
	}
	for _, name := range s.Required {
		if _, ok := out[name]; !ok {
			remedy := "give it: " + meaning(s.Properties.of[name])
			if name == "state_id" {
				remedy = "give the state_id that loop_init returned; loop_list shows your loops"
			}
			return nil, &wording.Mistake{Argument: join(path, name), Problem: "missing", Remedy: remedy}
		}
	}
	return out, nil
}

// meaning returns what an argument is.
func meaning(s *Schema) string {
	if s.Description == "" {
		return "a " + strings.Replace(s.Type, "string", "text", 1)
	}
	return strings.ToLower(s.Description[:1]) + s.Description[1:]
}

// property finds the field for a key: its own name, that in camelCase, or one of the names that the critic prompt of
// research-synthesis-loop uses in a gap.
func property(s *Schema, key string, object map[string]any) (string, *Schema) {
	if p := s.Properties.of[key]; p != nil {
		return key, p
	}
	name := snakeCase(key)
	if name == "description" && s.Properties.of["gap"] != nil {
		name = "gap"
	}
	if _, given := object[name]; given {
		return "", nil
	}
	return name, s.Properties.of[name]
}

func coerceArray(s *Schema, value any, path string) (any, error) {
	value = parsed(value, '[')
	list, ok := value.([]any)
	if !ok {
		list = []any{value} // a single item is a list of one
	}
	out := make([]any, 0, len(list))
	for i, v := range list {
		if v == nil {
			continue
		}
		c, err := coerce(s.Items, v, fmt.Sprintf("%s[%d]", path, i))
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// numericTexts are the texts that a client may send as a number: years, ids, and a line.
var numericTexts = []string{"since", "until", "as_of", "published_at", "operation_id", "lines"}

func coerceString(s *Schema, value any, path string) (any, error) {
	value = single(value)
	name := path[strings.LastIndexByte(path, '.')+1:]
	text, ok := value.(string)
	if number, is := value.(json.Number); is {
		if !slices.Contains(numericTexts, name) && s.Enum == nil {
			remedy := fmt.Sprintf("give a text in quotes, such as %q, if it is meant", Clip(number.String()))
			return nil, wrongType(path, "a text", value, remedy)
		}
		text, ok = number.String(), true
	}
	switch {
	case !ok:
		return nil, wrongType(path, "a text", value, "give it as one text")
	case name == "state_id":
		return strings.TrimSpace(text), nil
	}
	for _, word := range s.Enum {
		if Fold(text) == Fold(word) {
			return word, nil
		}
	}
	if len(s.Enum) > 0 {
		return nil, &wording.Mistake{Argument: path, Problem: fmt.Sprintf("unknown value: %q", Clip(text)),
			Remedy: "use one of " + strings.Join(s.Enum, ", ")}
	}
	return text, nil
}

// Fold returns a name without its variants of case and of the mark between words: "Missing Counterarg" is "missing-counterarg".
func Fold(name string) string {
	return strings.NewReplacer("_", "-", " ", "-").Replace(strings.ToLower(strings.TrimSpace(name)))
}

func coerceNumber(s *Schema, value any, path string) (any, error) {
	number, ok := value.(json.Number)
	if text, isText := value.(string); isText {
		number, ok = json.Number(strings.TrimSpace(text)), true
	}
	f, err := strconv.ParseFloat(number.String(), 64)
	ok = ok && err == nil && f == f && f <= 1e300 && f >= -1e300
	want := "a number"
	if s.Type == "integer" {
		want, ok = "a whole number", ok && f == float64(int64(f)) && f <= 1<<53 && f >= -(1<<53)
	}
	switch {
	case !ok:
		return nil, wrongType(path, want, value, "give "+want+" in digits, or leave it out")
	case s.Type == "integer":
		return int64(f), nil
	}
	return f, nil
}

func coerceBool(value any, path string) (any, error) {
	switch v := value.(type) {
	case bool:
		return v, nil
	case json.Number:
		return coerceBool(v.String(), path)
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true", "yes", "1":
			return true, nil
		case "false", "no", "0":
			return false, nil
		}
	}
	return nil, wrongType(path, "true or false", value, "give true or false without quotes, or leave it out")
}

// parsed returns the list or object that a client sent as JSON in a string, or else the value.
func parsed(value any, opening byte) any {
	text, _ := value.(string)
	if text = strings.TrimSpace(text); text == "" || text[0] != opening {
		return value
	}
	if inner, err := decode([]byte(text)); err == nil && json.Valid([]byte(text)) {
		return inner
	}
	return value
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

var camelHump = lazyregexp.New(`(.)([A-Z])`)

func snakeCase(s string) string {
	s = camelHump.ReplaceAllString(s, "${1}_$2")
	return strings.ToLower(strings.NewReplacer("-", "_", " ", "_").Replace(s))
}

func join(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

// Clip shortens untrusted text in an error.
func Clip(s string) string { return sanitize.Short(s, 60) }
