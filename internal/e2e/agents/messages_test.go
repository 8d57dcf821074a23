package agents

import (
	"encoding/json"
	"fmt"
	"io"
	"sync/atomic"
)

// messages is Anthropic's Messages API, with streaming.
type messages struct{}

func (messages) read(body []byte) (request, error) {
	var in struct {
		System   any `json:"system"`
		Messages []struct {
			Content any `json:"content"`
		} `json:"messages"`
		Tools []struct {
			Name        string `json:"name"`
			Description string `json:"description"`
			Deferred    bool   `json:"defer_loading"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return request{}, err
	}
	r := request{Text: textOf(in.System), Results: map[string]string{}}
	for _, t := range in.Tools {
		r.Tools = append(r.Tools, tool{Name: t.Name, Description: t.Description, Deferred: t.Deferred})
	}
	for _, m := range in.Messages {
		r.Text += "\n" + textOf(m.Content)
		blocks, _ := m.Content.([]any)
		for _, b := range blocks {
			if block, ok := b.(object); ok && block["type"] == "tool_result" {
				id, _ := block["tool_use_id"].(string)
				r.Results[id] = textOf(block["content"])
			}
		}
	}
	return r, nil
}

func (messages) write(w io.Writer, id string, offered tool, args object) {
	encoded, _ := json.Marshal(args)
	turn(w, "tool_use", object{"type": "tool_use", "id": id, "name": offered.Name, "input": object{}},
		object{"type": "input_json_delta", "partial_json": string(encoded)})
}

func (messages) say(w io.Writer, text string) {
	turn(w, "end_turn", object{"type": "text", "text": ""}, object{"type": "text_delta", "text": text})
}

// sent counts messages. Claude Code joins messages with the same id.
var sent atomic.Int64

// turn streams a message of one content block.
func turn(w io.Writer, reason string, block, delta object) {
	usage := object{"input_tokens": 1, "output_tokens": 1}
	event(w, "message_start", object{"type": "message_start", "message": object{"id": fmt.Sprintf("msg_%03d", sent.Add(1)),
		"type": "message", "role": "assistant", "model": "scripted", "content": []any{}, "stop_reason": nil, "stop_sequence": nil,
		"usage": usage}})
	event(w, "content_block_start", object{"type": "content_block_start", "index": 0, "content_block": block})
	event(w, "content_block_delta", object{"type": "content_block_delta", "index": 0, "delta": delta})
	event(w, "content_block_stop", object{"type": "content_block_stop", "index": 0})
	event(w, "message_delta", object{"type": "message_delta", "delta": object{"stop_reason": reason, "stop_sequence": nil}, "usage": usage})
	event(w, "message_stop", object{"type": "message_stop"})
}
