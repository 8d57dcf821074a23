package agents

import (
	"encoding/json"
	"io"
)

// responses is OpenAI's Responses API, with streaming.
type responses struct{}

type responsesTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Deferred    bool            `json:"defer_loading"`
	Tools       []responsesTool `json:"tools"` // of a namespace
}

func (responses) read(body []byte) (request, error) {
	var in struct {
		Instructions string          `json:"instructions"`
		Input        []object        `json:"input"`
		Tools        []responsesTool `json:"tools"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	r := request{Text: in.Instructions, Results: map[string]string{}}
	for _, t := range in.Tools {
		if t.Type != "namespace" {
			r.Tools = append(r.Tools, tool{Name: t.Name, Description: t.Description, Deferred: t.Deferred})
			continue
		}
		r.Text += "\n" + t.Description
		for _, inner := range t.Tools {
			r.Tools = append(r.Tools, tool{Name: inner.Name, Space: t.Name, Description: inner.Description, Deferred: inner.Deferred ||
				t.Deferred})
		}
	}
	for _, item := range in.Input {
		if item["type"] == "function_call_output" {
			id, _ := item["call_id"].(string)
			r.Results[id] = textOf(item["output"])
			continue
		}
		r.Text += "\n" + textOf(item["content"])
	}
	return r, nil
}

func (responses) write(w io.Writer, id string, offered tool, args object) {
	encoded, _ := json.Marshal(args)
	item := object{"type": "function_call", "id": "fc_" + id, "call_id": id, "name": offered.Name, "arguments": string(encoded)}
	if offered.Space != "" {
		item["namespace"] = offered.Space
	}
	output(w, item)
}

func (responses) say(w io.Writer, text string) {
	output(w, object{"type": "message", "id": "msg_scripted", "role": "assistant",
		"content": []object{{"type": "output_text", "text": text}}})
}

// output streams a response with one item.
func output(w io.Writer, item object) {
	event(w, "response.created", object{"type": "response.created", "response": object{"id": "resp_scripted"}})
	event(w, "response.output_item.done", object{"type": "response.output_item.done", "output_index": 0, "item": item})
	event(w, "response.completed", object{"type": "response.completed", "response": object{"id": "resp_scripted", "usage": object{
		"input_tokens": 1, "input_tokens_details": nil, "output_tokens": 1, "output_tokens_details": nil, "total_tokens": 2}}})
}
