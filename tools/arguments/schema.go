// Package arguments decodes what models send to tools: values of the wrong type are converted if only one meaning is possible, and errors
// tell a model what to send instead.
package arguments

import (
	"encoding/json"
	"slices"

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

// takes reports whether a value of a JSON type is one of the schema's.
func (s *Schema) takes(jsonType string) bool {
	return s.Type == jsonType || s.Type == "integer" && jsonType == "number"
}

// mayBe reports whether one of the alternatives has a type.
func (s *Schema) mayBe(jsonType string) bool {
	return slices.ContainsFunc(s.AnyOf, func(a *Schema) bool { return a.Type == jsonType })
}
