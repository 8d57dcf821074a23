package project

// Schema returns the JSON schema of the file, for editors.
func Schema() map[string]any {
	file := object(keys())
	file["$schema"] = "http://json-schema.org/draft-07/schema#"
	file["$id"] = SchemaURL
	file["title"] = Name
	suppress := object(suppressKeys())
	suppress["anyOf"] = []any{map[string]any{"required": []string{"file"}}, map[string]any{"required": []string{"text"}}}
	file["properties"].(map[string]any)["suppress"] = map[string]any{"type": "array", "items": suppress, "description": "Findings that somebody has looked at and accepts."}
	return file
}

func object(of []key) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, k := range of {
		words := map[string]any{"type": "string", "minLength": 1}
		if k.words != nil {
			words["enum"] = k.words
		}
		p := map[valueKind]map[string]any{
			text: words, truth: {"type": "boolean"}, number: {"type": "number", "minimum": 0, "maximum": 1},
			list: {"type": "array", "items": words}, date: {"type": "string", "format": "date"},
		}[k.kind]
		p["description"] = k.says
		properties[k.name] = p
		if k.required {
			required = append(required, k.name)
		}
	}
	out := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}
