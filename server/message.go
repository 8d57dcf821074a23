package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/lazyregexp"
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

var longCancel = lazyregexp.New(`("requestId"\s*:\s*)(-?[0-9]{16,})`)

// passLongIDs replaces the long ids of a message by texts.
func passLongIDs(message []byte) []byte {
	if bytes.Contains(message, []byte(mcp.MethodNotificationCancelled)) && methodOf(message) == mcp.MethodNotificationCancelled {
		return []byte(longCancel.ReplaceAllString(string(message), `$1"`+longIDPrefix+`$2"`))
	}
	if !hasLongID(message) {
		return message
	}
	dec := json.NewDecoder(bytes.NewReader(message))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return message
	}
	for dec.More() {
		key, err := dec.Token()
		var value json.RawMessage
		if err != nil || dec.Decode(&value) != nil {
			break
		}
		if key == "id" && len(value) >= longIDDigits && isInteger(value) {
			end := int(dec.InputOffset())
			return slices.Concat(message[:end-len(value)], []byte(`"`+longIDPrefix), value, []byte(`"`), message[end:])
		}
	}
	return message
}

// hasLongID reports whether an object of a message, at any depth, has a long integer as its id. Nearly no message has.
func hasLongID(message []byte) bool {
	for {
		_, after, found := bytes.Cut(message, []byte(`"id"`))
		if !found {
			return false
		}
		value := bytes.TrimLeft(after, " \t\r\n:")
		if len(value) >= longIDDigits && isInteger(value[:longIDDigits]) {
			return true
		}
		message = after
	}
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

// methodOf returns the method of a message, or "".
func methodOf(message []byte) mcp.MCPMethod {
	var m struct {
		Method mcp.MCPMethod `json:"method"`
	}
	_ = json.Unmarshal(message, &m) // the library answers invalid JSON
	return m.Method
}
