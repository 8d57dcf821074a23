package arguments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/citeloop/citeloop/internal/jsoncount"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/wording"
)

// MaxBytes bounds the arguments of one call. The largest regular ones are drafts and pasted texts.
const MaxBytes = 10 << 20

// MaxValues bounds the JSON values of one call, see [jsoncount.Counter]. The largest lists of a call have 1,000
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
	if trimmed := bytes.TrimSpace(raw); len(trimmed) > 0 && !bytes.Equal(trimmed, []byte("null")) {
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.UseNumber()
		if err := dec.Decode(&value); err != nil {
			return &wording.Mistake{Argument: "arguments", Problem: "invalid JSON", Remedy: "send one JSON object"}
		}
	}
	clean, err := coerce(s.parsed, value, "")
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

// coerce converts value to the type that the schema requires.
func coerce(s *jsonschema.Schema, value any, path string) (any, error) {
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

// notGiven reports whether a model filled in an optional argument to say that it has nothing for it: with an empty text, or with a word
// for nothing where free text is not expected. A blank question is a mistake, which the caller has to hear of.
func notGiven(name string, s *jsonschema.Schema, value any) bool {
	text, ok := single(value).(string)
	if !ok {
		return false
	}
	text = strings.ToLower(strings.TrimSpace(text))
	free := s.Type == "string" && len(s.Enum) == 0 || s.Type == "array" && s.Items.Type == "string" && len(s.Items.Enum) == 0
	switch {
	case text == "":
		return name != "query"
	case free || slices.ContainsFunc(s.Enum, func(word any) bool { return word == text }):
		return false
	}
	return text == "null" || text == "undefined" || text == "none" || text == "nil"
}

// single returns the item of a list of one, or else the value.
func single(value any) any {
	if list, ok := value.([]any); ok && len(list) == 1 {
		return list[0]
	}
	return value
}

// coerceUnion takes the alternative of the value's type, else the first that the value can be converted to. Where a boolean is one, the
// words for yes and no are booleans.
func coerceUnion(s *jsonschema.Schema, value any, path string) (any, error) {
	if slices.ContainsFunc(s.AnyOf, func(a *jsonschema.Schema) bool { return a.Type == "boolean" }) {
		if yes, err := coerceBool(single(value), path); err == nil {
			return yes, nil
		}
	}
	for _, a := range s.AnyOf {
		if jsonType(value) == a.Type || (a.Type == "integer" && jsonType(value) == "number") {
			return coerce(a, value, path)
		}
	}
	var first error
	for _, a := range s.AnyOf {
		v, err := coerce(a, value, path)
		if err == nil {
			return v, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

func coerceObject(s *jsonschema.Schema, value any, path string) (any, error) {
	object, ok := parsed(value, '{').(map[string]any)
	if !ok {
		err := wrongType(path, "an object", value)
		if len(s.PropertyOrder) > 0 && path != "" {
			err.Remedy = "give it as one with these keys: " + strings.Join(s.PropertyOrder, ", ")
			if len(s.Required) > 0 {
				err.Remedy += " (needed: " + strings.Join(s.Required, ", ") + ")"
			}
		}
		return nil, err
	}
	open := s.AdditionalProperties == nil || s.AdditionalProperties.Not == nil // a closed one has "not: {}"
	out := make(map[string]any, len(object))
	for _, key := range slices.Sorted(maps.Keys(object)) { // the same call gets the same error
		v := object[key]
		name, field := property(s, key, object)
		if field == nil {
			if !open {
				if text, is := v.(string); v == nil || is && strings.TrimSpace(text) == "" { // it says nothing
					continue
				}
				return nil, unknownArgument(s, path, key)
			}
			name, field = key, s.AdditionalProperties
		}
		if v == nil || field == nil || name != "state_id" && !slices.Contains(s.Required, name) &&
			notGiven(name, field, v) { // null is "not given"
			continue
		}
		c, err := coerce(field, v, join(path, name))
		if err != nil {
			return nil, err
		}
		if name == "state_id" && path == "" && strings.TrimSpace(c.(string)) == "" {
			return nil, &wording.Mistake{Argument: name, Problem: "empty",
				Remedy: "use the state_id that loop_init returned; loop_list shows your loops"}
		}
		out[name] = c
	}
	for _, name := range s.Required {
		if _, ok := out[name]; !ok && name == "state_id" {
			return nil, &wording.Mistake{Argument: name, Problem: "missing",
				Remedy: "give the state_id that loop_init returned; loop_list shows your loops"}
		} else if !ok {
			return nil, &wording.Mistake{Argument: join(path, name), Problem: "missing", Remedy: "give it: " + meaning(s.Properties[name])}
		}
	}
	return out, nil
}

// meaning returns the description of an argument within a sentence. A name, such as BibTeX, keeps its capitals.
func meaning(s *jsonschema.Schema) string {
	switch {
	case s.Description != "":
	case len(s.Properties) > 0 || s.Type == "object":
		return "an object with " + strings.Join(s.PropertyOrder, ", ")
	default:
		return "a " + strings.Replace(s.Type, "string", "text", 1)
	}
	first, _, _ := strings.Cut(s.Description, " ")
	if rest := first[1:]; rest != strings.ToLower(rest) {
		return s.Description
	}
	return strings.ToLower(s.Description[:1]) + s.Description[1:]
}

// property finds the field for a key: its own name, that in camelCase, or one of the names that the critic prompt of
// research-synthesis-loop uses in a gap.
func property(s *jsonschema.Schema, key string, object map[string]any) (string, *jsonschema.Schema) {
	if p := s.Properties[key]; p != nil {
		return key, p
	}
	name := snakeCase(key)
	if name == "description" && s.Properties["gap"] != nil {
		name = "gap"
	}
	if p := s.Properties[name]; p != nil {
		if _, given := object[name]; !given {
			return name, p
		}
	}
	return "", nil
}

func coerceArray(s *jsonschema.Schema, value any, path string) (any, error) {
	list, ok := parsed(value, '[').([]any)
	if !ok {
		list = []any{value} // a single item is a list of one
	}
	out := make([]any, 0, len(list))
	for i, v := range list {
		c, err := coerce(s.Items, v, fmt.Sprintf("%s[%d]", path, i))
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// numericTexts are the texts that a client may send as a number: years, ids, and a confidence as a share.
var numericTexts = []string{"since", "until", "as_of", "published_at", "operation_id", "confidence"}

func coerceString(s *jsonschema.Schema, value any, path string) (any, error) {
	if list, ok := value.([]any); ok && len(list) == 1 {
		value = list[0]
	}
	text, ok := value.(string)
	if number, is := value.(json.Number); is {
		if !slices.Contains(numericTexts, path[strings.LastIndexByte(path, '.')+1:]) {
			err := wrongType(path, "a text", value)
			err.Remedy = fmt.Sprintf("give a text in quotes, such as %q, if it is meant", Clip(number.String()))
			return nil, err
		}
		text, ok = number.String(), true
	}
	if !ok {
		return nil, wrongType(path, "a text", value)
	}
	if len(s.Enum) > 0 {
		var words []string
		for _, word := range s.Enum {
			if strings.EqualFold(strings.TrimSpace(text), word.(string)) {
				return word, nil
			}
			words = append(words, word.(string))
		}
		return nil, &wording.Mistake{Argument: path, Problem: fmt.Sprintf("unknown value: %q", Clip(text)),
			Remedy: "use one of " + strings.Join(words, ", ")}
	}
	return text, nil
}

func coerceNumber(s *jsonschema.Schema, value any, path string) (any, error) {
	number, ok := value.(json.Number)
	if text, isText := value.(string); isText {
		number, ok = json.Number(strings.TrimSpace(text)), true
	}
	f, err := strconv.ParseFloat(number.String(), 64)
	want := map[string]string{"integer": "a whole number", "number": "a number"}[s.Type]
	wrong := wrongType(path, want, value)
	wrong.Remedy = "give " + want + " in digits, or leave it out"
	if !ok || err != nil || f != f || f > 1e300 || f < -1e300 {
		return nil, wrong
	}
	if s.Type == "number" {
		return f, nil
	}
	if f != float64(int64(f)) || f > 1<<53 || f < -(1<<53) {
		return nil, wrong
	}
	return int64(f), nil
}

func coerceBool(value any, path string) (any, error) {
	switch v := value.(type) {
	case bool:
		return v, nil
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true", "yes":
			return true, nil
		case "false", "no":
			return false, nil
		}
	}
	err := wrongType(path, "true or false", value)
	err.Remedy = "give true or false without quotes, or leave it out"
	return nil, err
}

// parsed returns the list or object that a client sent as a string, or else the value.
func parsed(value any, opening byte) any {
	text, _ := value.(string)
	if text = strings.TrimSpace(text); text == "" || text[0] != opening {
		return value
	}
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var inner any
	if err := dec.Decode(&inner); err != nil || dec.More() {
		return value
	}
	return inner
}

func wrongType(path, want string, got any) *wording.Mistake {
	if path == "" {
		path = "arguments"
	}
	shown := jsonType(got)
	switch v := got.(type) {
	case string:
		shown = fmt.Sprintf("%q", Clip(v))
	case json.Number:
		shown = Clip(v.String())
	}
	return &wording.Mistake{Argument: path, Problem: fmt.Sprintf("must be %s, not %s", want, shown)}
}

func unknownArgument(s *jsonschema.Schema, path, key string) error {
	names, what := s.PropertyOrder, "argument"
	if path != "" {
		what = "field"
	}
	mistake := &wording.Mistake{Argument: join(path, Clip(key)), Problem: fmt.Sprintf("unknown %[1]s; valid %[1]ss: %[2]s", what,
		strings.Join(names, ", "))}
	if len(names) == 0 {
		mistake.Problem = "unknown argument; this tool takes none"
	}
	if near := nearest(key, names); near != "" {
		mistake.Remedy = fmt.Sprintf("did you mean %q?", near)
	}
	return mistake
}

// nearest returns the valid name that a mistyped one probably means: it begins or ends alike, or differs in one or two
// letters.
func nearest(key string, names []string) string {
	key = strings.ToLower(Clip(key))
	best, bestDistance := "", 3 // two wrong letters are a typing error, three are another word
	for _, name := range names {
		if len(key) >= 3 && (strings.HasPrefix(name, key) || strings.HasSuffix(name, "_"+key) || strings.HasPrefix(key, name)) {
			return name
		}
		if d := levenshtein.ComputeDistance(key, name); d < bestDistance {
			best, bestDistance = name, d
		}
	}
	return best
}

func jsonType(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number, float64, int64:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}

var camelHump = lazyregexp.New(`(.)([A-Z])`)

func snakeCase(s string) string {
	s = camelHump.ReplaceAllString(s, "${1}_$2")
	return strings.ToLower(strings.NewReplacer("-", "_", " ", "_").Replace(s))
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// Clip shortens untrusted text in an error.
func Clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
