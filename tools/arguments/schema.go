// Package arguments decodes what models send to tools: values of the wrong type are converted if only one meaning is possible, and errors
// tell a model what to send instead.
package arguments

import (
	"encoding/json"

	"github.com/tidwall/gjson"
)

// Schema is the part of JSON Schema that describes arguments. An object within arguments is closed unless it says otherwise.
type Schema struct {
	Type        string     `json:"type"`
	Description string     `json:"description"`
	Enum        []string   `json:"enum"`
	Items       *Schema    `json:"items"`
	AnyOf       []*Schema  `json:"anyOf"`
	Required    []string   `json:"required"`
	Properties  properties `json:"properties"`
	Additional  additional `json:"additionalProperties"`
}

// properties are the fields of an object in the order of the schema.
type properties struct {
	names []string
	of    map[string]*Schema
}

// UnmarshalJSON implements json.Unmarshaler.
func (p *properties) UnmarshalJSON(data []byte) error {
	gjson.ParseBytes(data).ForEach(func(name, _ gjson.Result) bool {
		p.names = append(p.names, name.Str)
		return true
	})
	return json.Unmarshal(data, &p.of)
}

// additional says what an object may have besides its properties: anything, which is left out, or values of a schema.
type additional struct {
	anything bool
	schema   *Schema
}

// UnmarshalJSON implements json.Unmarshaler.
func (a *additional) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &a.anything) == nil {
		return nil
	}
	return json.Unmarshal(data, &a.schema)
}

// alternative returns the alternative of a type, or nil.
func (s *Schema) alternative(jsonType string) *Schema {
	for _, a := range s.AnyOf {
		if a.Type == jsonType {
			return a
		}
	}
	return nil
}
