package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// outputDepth is the number of levels that an output schema describes: the fields of the answer. The docs list the fields
// of the objects in them. Users pay for tools/list on every request, and with two levels it would have 43 kB.
const outputDepth = 1

// localKey is the path of a loop's folder, which only a server on the user's own machine answers. Output schemas, which are
// the same for all servers, do not name it.
const localKey = "folder"

// input is a tool's input schema: as sent to clients, and parsed for decoding arguments.
type input struct {
	raw    json.RawMessage
	schema *jsonschema.Schema
}

func inputSchema[In any]() (*input, error) {
	s, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: unionSchemas()})
	if err != nil {
		return nil, err
	}
	if s.Properties == nil {
		s.Properties = map[string]*jsonschema.Schema{}
	}
	simplify(s)
	enumerate(s, reflect.TypeFor[In]())
	raw, err := encodeSchema(s)
	return &input{raw: raw, schema: s}, err
}

func outputSchema[Out any]() (json.RawMessage, error) {
	s, err := jsonschema.For[Out](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): {},
	}})
	if err != nil {
		return nil, err
	}
	delete(s.Properties, localKey)
	s.PropertyOrder = slices.DeleteFunc(s.PropertyOrder, func(name string) bool { return name == localKey })
	simplify(s)
	prune(s, outputDepth)
	return encodeSchema(s)
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
		name, _, _ := bytes.Cut([]byte(f.Tag.Get("json")), []byte(","))
		p := s.Properties[string(name)]
		if p == nil {
			continue
		}
		if words := f.Tag.Get("enum"); words != "" {
			target := p
			if p.Type == "array" && p.Items != nil {
				target = p.Items
			}
			for _, w := range bytes.Split([]byte(words), []byte(",")) {
				target.Enum = append(target.Enum, string(w))
			}
		}
		if len(p.AnyOf) == 0 && (p.Items == nil || len(p.Items.AnyOf) == 0) {
			enumerate(p, f.Type)
		}
	}
}

// prune removes the fields of objects deeper than depth, and what clients must not check: a newer server may return more
// fields, and the golden files show which are always present.
func prune(s *jsonschema.Schema, depth int) {
	if s == nil {
		return
	}
	s.Required, s.Description = nil, "" // an answer explains itself; hosts rarely show its schema to the model
	if s.Properties != nil {
		s.AdditionalProperties = nil
	}
	if depth == 0 {
		s.Properties, s.PropertyOrder, s.Items, s.AdditionalProperties = nil, nil, nil, nil
		return
	}
	for _, p := range s.Properties {
		if p.Type == "array" {
			p.Description = ""
			if depth == 1 {
				p.Items = nil // a list of objects without fields, or of texts, is just a list
			} else {
				prune(p.Items, depth-1)
			}
			continue
		}
		prune(p, depth-1)
	}
}

func encodeSchema(s *jsonschema.Schema) (json.RawMessage, error) {
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("encoding a schema: %w", err)
	}
	return raw, nil
}
