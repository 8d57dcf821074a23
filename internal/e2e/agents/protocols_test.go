package agents

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/tidwall/gjson"
)

// protocol reads a client's request and writes the model's answer, streamed.
type protocol interface {
	read(body gjson.Result) request
	write(w io.Writer, id string, offered tool, args object)
	say(w io.Writer, text string)
}

// request is a client's request to the model, in any of the three protocols.
type request struct {
	Text    string // all instructions and messages
	Tools   []tool
	Results map[string]string // the results of calls by id, as the model reads them
}

// tool is a tool as a client offers it to the model.
type tool struct {
	Name        string // the name for calls
	Space       string // the namespace in Codex
	Description string
	Deferred    bool // the model has to search for it
}

func newRequest(instructions, tools gjson.Result) *request {
	r := &request{Text: textOf(instructions), Results: map[string]string{}}
	r.offer(tools, "", false)
	return r
}

// offer adds tools: those of a list, and of the lists within, which Codex names and Gemini does not.
func (r *request) offer(list gjson.Result, space string, deferred bool) {
	for _, t := range list.Array() {
		later := deferred || t.Get("defer_loading").Bool()
		r.offer(t.Get("functionDeclarations"), "", later)
		if name := t.Get("name").Str; t.Get("type").Str == "namespace" {
			r.Text += "\n" + t.Get("description").Str
			r.offer(t.Get("tools"), name, later)
		} else if name != "" {
			r.Tools = append(r.Tools, tool{name, space, t.Get("description").Str, later})
		}
	}
}

// textOf joins all strings of a message's content: a string, or blocks with text.
func textOf(v gjson.Result) string {
	switch {
	case v.IsArray():
		var parts []string
		for _, item := range v.Array() {
			parts = append(parts, textOf(item))
		}
		return strings.Join(parts, "\n")
	case v.IsObject() && v.Get("text").Exists():
		return textOf(v.Get("text"))
	case v.IsObject():
		return textOf(v.Get("content"))
	}
	return v.Str
}

// event writes a server-sent event.
func event(w io.Writer, name string, data any) {
	if name != "" {
		fmt.Fprintf(w, "event: %s\n", name)
	}
	fmt.Fprintf(w, "data: %s\n\n", encoded(data))
}

func encoded(v any) string {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err) // only maps, strings and numbers are written
	}
	return string(body)
}

// messages is Anthropic's Messages API.
type messages struct{}

func (messages) read(body gjson.Result) request {
	r := newRequest(body.Get("system"), body.Get("tools"))
	for _, m := range body.Get("messages").Array() {
		content := m.Get("content")
		r.Text += "\n" + textOf(content)
		for _, result := range content.Get(`#(type=="tool_result")#`).Array() {
			r.Results[result.Get("tool_use_id").Str] = textOf(result.Get("content"))
		}
	}
	return *r
}

func (messages) write(w io.Writer, id string, offered tool, args object) {
	turn(w, "tool_use", object{"type": "tool_use", "id": id, "name": offered.Name, "input": object{}},
		object{"type": "input_json_delta", "partial_json": encoded(args)})
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

// responses is OpenAI's Responses API.
type responses struct{}

func (responses) read(body gjson.Result) request {
	r := newRequest(body.Get("instructions"), body.Get("tools"))
	for _, item := range body.Get("input").Array() {
		if item.Get("type").Str == "function_call_output" {
			r.Results[item.Get("call_id").Str] = textOf(item.Get("output"))
		}
		r.Text += "\n" + textOf(item.Get("content"))
	}
	return *r
}

func (responses) write(w io.Writer, id string, offered tool, args object) {
	item := object{"type": "function_call", "id": "fc_" + id, "call_id": id, "name": offered.Name, "arguments": encoded(args)}
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

// generate is Gemini's generateContent.
type generate struct{}

func (generate) read(body gjson.Result) request {
	r := newRequest(body.Get("systemInstruction.parts"), body.Get("tools"))
	for _, part := range body.Get("contents.#.parts|@flatten").Array() {
		r.Text += "\n" + part.Get("text").Str
		response := part.Get("functionResponse")
		id := response.Get("id").Str
		if id == "" { // then the order identifies the call
			id = callID(len(r.Results))
		}
		if text := response.Get("response.output"); response.Exists() && text.Type == gjson.String {
			r.Results[id] = text.Str
		} else if response.Exists() {
			r.Results[id] = response.Get("response").Raw
		}
	}
	return *r
}

func (generate) write(w io.Writer, id string, offered tool, args object) {
	parts(w, object{"functionCall": object{"id": id, "name": offered.Name, "args": args}})
}

func (generate) say(w io.Writer, text string) { parts(w, object{"text": text}) }

// parts streams an answer with one part.
func parts(w io.Writer, part object) {
	event(w, "", object{
		"candidates":    []object{{"index": 0, "finishReason": "STOP", "content": object{"role": "model", "parts": []object{part}}}},
		"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
	})
}
