package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/tools/arguments"
)

// byteOrderMark begins the input of some Windows clients. It is not part of JSON.
var byteOrderMark = []byte("\ufeff")

// checkValues rejects a message that would take too much memory to decode.
func checkValues(message []byte) error {
	if n := arguments.CountValues(message); n > arguments.MaxValues {
		return fmt.Errorf("too many JSON values in the request: %d; send at most %d; nothing was done", n, arguments.MaxValues)
	}
	return nil
}

// mcp-go decodes ids into float64, which holds integers up to 2^53. Longer ids pass through it as texts with this prefix.
const longIDPrefix = "citeloop-number:"

// longIDDigits is the length from which an integer may not fit into a float64.
const longIDDigits = 16

// passLongIDs replaces the long ids of a message by texts: its own, and that of a call to be cancelled.
func passLongIDs(message []byte) []byte {
	for _, place := range []string{"id", "params.requestId"} {
		id := gjson.GetBytes(message, place)
		if id.Type == gjson.Number && len(id.Raw) >= longIDDigits && isInteger([]byte(id.Raw)) {
			message = slices.Concat(message[:id.Index], []byte(`"`+longIDPrefix+id.Raw+`"`), message[id.Index+len(id.Raw):])
		}
	}
	return message
}

// restoreLongID puts the number back into a response, whose id precedes everything that a client wrote.
func restoreLongID(response []byte) []byte {
	before, rest, _ := bytes.Cut(response, []byte(`"id":"`+longIDPrefix))
	number, after, found := bytes.Cut(rest, []byte(`"`))
	if !found || !isInteger(number) {
		return response
	}
	return slices.Concat(before, []byte(`"id":`), number, after)
}

func isInteger(text []byte) bool {
	digits := bytes.TrimPrefix(text, []byte("-"))
	return len(digits) > 0 && len(bytes.Trim(digits, "0123456789")) == 0
}

// methodOf returns the method of a message as the library decodes it, or "".
func methodOf(message []byte) mcp.MCPMethod {
	var m struct {
		Method mcp.MCPMethod `json:"method"`
	}
	_ = json.Unmarshal(message, &m) // the library answers invalid JSON
	return m.Method
}
