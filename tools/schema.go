package tools

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// localKey is the path of a loop's folder, which only a server on the user's own machine answers. Output schemas, which are
// the same for all servers, do not name it.
const localKey = "folder"

// input is a tool's input schema: as sent to clients, and parsed for decoding arguments.
type input struct {
	raw    json.RawMessage
	schema *jsonschema.Schema
}

func inputSchema[In any]() (*input, error) {
	unions, err := unionSchemas()
	if err != nil {
		return nil, err
	}
	s, err := jsonschema.For[In](&jsonschema.ForOptions{TypeSchemas: unions})
	if err != nil {
		return nil, err
	}
	if s.Properties == nil {
		s.Properties = map[string]*jsonschema.Schema{}
	}
	simplify(s)
	enumerate(s, reflect.TypeFor[In]())
	raw, err := json.Marshal(s)
	return &input{raw: raw, schema: s}, err
}

func outputSchema[Out any]() (json.RawMessage, error) {
	s, err := jsonschema.For[Out](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): {},
	}})
	if err != nil {
		return nil, err
	}
	dropProperty(s, localKey)
	simplify(s)
	prune(s)
	return json.Marshal(s)
}

func dropProperty(s *jsonschema.Schema, name string) {
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

// unionSchemas are the schemas of the types above that accept several JSON types.
func unionSchemas() (map[reflect.Type]*jsonschema.Schema, error) {
	type plainGap gapArg
	text := &jsonschema.Schema{Type: "string"}
	all := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[looseReal]():     {Type: "number"},
		reflect.TypeFor[confidenceArg](): {Type: "string", Description: "high, med or low"},
		reflect.TypeFor[abortArg]():      {AnyOf: []*jsonschema.Schema{text, {Type: "boolean"}}},
	}
	gap, err := jsonschema.For[plainGap](nil)
	if err != nil {
		return nil, err
	}
	simplify(gap)
	enumerate(gap, reflect.TypeFor[plainGap]())
	all[reflect.TypeFor[gapArg]()] = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{text, gap}}
	evidence, err := jsonschema.For[evidenceArg](&jsonschema.ForOptions{TypeSchemas: all})
	if err != nil {
		return nil, err
	}
	dropProperty(evidence, "score")     // accepted, but nobody has to give it
	evidence.AdditionalProperties = nil // open: see evidenceArg
	evidence.Required = nil             // an item without a title is rejected alone, not with the whole call
	all[reflect.TypeFor[evidenceArg]()] = evidence
	return all, nil
}
