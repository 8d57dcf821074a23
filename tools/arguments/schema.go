package arguments

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schema is the schema of a tool's arguments.
type Schema struct {
	Raw    json.RawMessage // as sent to clients
	parsed *jsonschema.Schema
}

// Types are the schemas of types that accept several JSON types.
type Types = map[reflect.Type]*jsonschema.Schema

// For returns the schema of the arguments in a struct. Fields tagged `enum:"a,b"` have these values only.
func For[In any](types Types) (*Schema, error) {
	s, err := Of[In](types)
	if err != nil {
		return nil, err
	}
	if s.Properties == nil {
		s.Properties = map[string]*jsonschema.Schema{}
	}
	shown := s.CloneSchemas()
	for _, p := range shown.Properties {
		hideClosed(p)
	}
	raw, err := json.Marshal(shown)
	raw = bytes.ReplaceAll(raw, []byte(`{"not":{}}`), []byte("false"))
	return &Schema{Raw: raw, parsed: s}, err
}

// hideClosed leaves out that the objects within arguments are closed: users pay for each byte of tools/list, the list of keys
// says it, and [Schema.Decode] names the valid keys all the same.
func hideClosed(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil {
		s.AdditionalProperties = nil
	}
	for _, p := range s.Properties {
		hideClosed(p)
	}
	for _, a := range s.AnyOf {
		hideClosed(a)
	}
	hideClosed(s.Items)
}

// Of returns the schema of a struct within arguments.
func Of[In any](types Types) (*jsonschema.Schema, error) {
	s, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: types})
	if err != nil {
		return nil, err
	}
	simplify(s)
	enumerate(s, reflect.TypeFor[In]())
	return s, nil
}

// ForAnswer returns the schema of an answer, without a key that only some servers answer.
func ForAnswer[Out any](without string) (json.RawMessage, error) {
	s, err := jsonschema.For[Out](&jsonschema.ForOptions{TypeSchemas: Types{reflect.TypeFor[json.RawMessage](): {}}})
	if err != nil {
		return nil, err
	}
	Drop(s, without)
	simplify(s)
	prune(s)
	return json.Marshal(s)
}

// Drop removes a property.
func Drop(s *jsonschema.Schema, name string) {
	delete(s.Properties, name)
	s.PropertyOrder = slices.DeleteFunc(s.PropertyOrder, func(listed string) bool { return listed == name })
}

// simplify removes null from the unions that Go's slices and pointers produce: some clients fail on them, and citeloop
// never answers null.
func simplify(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Types) > 0 {
		types := slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" })
		if len(types) == 1 {
			s.Type, s.Types = types[0], nil
		}
	}
	for _, p := range s.Properties {
		simplify(p)
	}
	simplify(s.Items)
	simplify(s.AdditionalProperties)
	for _, a := range s.AnyOf {
		simplify(a)
	}
}

// enumerate writes the enums of fields tagged `enum:"a,b"` into the schema.
func enumerate(s *jsonschema.Schema, t reflect.Type) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		if t.Kind() == reflect.Slice {
			s = s.Items
		}
		t = t.Elem()
	}
	if s == nil || t.Kind() != reflect.Struct {
		return
	}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		p := s.Properties[name]
		if p == nil {
			continue
		}
		if words := f.Tag.Get("enum"); words != "" {
			target := p
			if p.Type == "array" && p.Items != nil {
				target = p.Items
			}
			for word := range strings.SplitSeq(words, ",") {
				target.Enum = append(target.Enum, word)
			}
		}
		if len(p.AnyOf) == 0 && (p.Items == nil || len(p.Items.AnyOf) == 0) {
			enumerate(p, f.Type)
		}
	}
}

// prune leaves the types of an answer's fields, and removes what clients must not check: a newer server may return more fields,
// and the golden files show which are always present. The docs list the fields of nested objects. Users pay for tools/list on
// every request, and hosts rarely show an answer's schema to the model; with nested fields it would have 43 kB.
func prune(s *jsonschema.Schema) {
	s.Required, s.Description, s.AdditionalProperties = nil, "", nil
	for _, p := range s.Properties {
		p.Required, p.Description, p.AdditionalProperties = nil, "", nil
		p.Properties, p.PropertyOrder, p.Items = nil, nil, nil
	}
}
