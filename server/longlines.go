package server

import (
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
)

// maxOutlineBytes bounds what is kept of a line that exceeds the limit. Ids and methods are far shorter.
const maxOutlineBytes = 4096

// outline keeps the top level of a JSON object of any length: its keys and its values, but nothing within nested
// objects and arrays. With it a request that is too large is answered under its id, wherever the id is.
type outline struct {
	kept            []byte
	depth           int
	inside, escaped bool // within a string; after a backslash in it
}

// Write reads the next bytes of the object.
func (o *outline) Write(p []byte) (int, error) {
	for _, c := range p {
		opens, closes := false, false
		switch {
		case o.escaped:
			o.escaped = false
		case o.inside:
			o.escaped, o.inside = c == '\\', c != '"'
		default:
			o.inside = c == '"'
			opens, closes = c == '{' || c == '[', c == '}' || c == ']'
		}
		if closes {
			o.depth--
		}
		if o.depth < 2 && len(o.kept) < maxOutlineBytes {
			o.kept = append(o.kept, c)
		}
		if opens {
			o.depth++
		}
	}
	return len(p), nil
}

// refusal returns the answer to a line of so many bytes, or nil if it is a notification or a response, which have none.
// An id that is not found is null, as JSON-RPC requires.
func (o *outline) refusal(size int) []byte {
	var message struct {
		Method mcp.MCPMethod   `json:"method"`
		ID     json.RawMessage `json:"id"`
	}
	if json.Unmarshal(o.kept, &message) == nil && (message.Method == "" || message.ID == nil) {
		return nil
	}
	if message.ID == nil {
		message.ID = json.RawMessage("null")
	}
	text, err := json.Marshal(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "id": message.ID, "error": map[string]any{
		"code": mcp.INVALID_REQUEST, "message": fmt.Sprintf("request too large: %d bytes; send at most %d bytes in one request", size, maxBodyBytes)}})
	if err != nil {
		return nil
	}
	return append(text, '\n')
}
