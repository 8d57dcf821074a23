package server

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// suspectNumber matches numbers that may not fit into a float64, also inside strings.
var suspectNumber = lazyregexp.New(`[0-9]{300}|[0-9][eE][+-]?[0-9]{3}`)

var errNumber = errors.New("number too large in the request: numbers must fit into a 64-bit float; nothing was done")

// rejectHugeNumbers rejects a request with a number that no float64 holds. The library would answer with the words of
// Go's decoder and all digits of the number.
func rejectHugeNumbers(_ context.Context, _ any, message any) error {
	raw, ok := message.(json.RawMessage)
	if !ok || !suspectNumber.Match(raw) {
		return nil
	}
	var value any
	if _, huge := errors.AsType[*json.UnmarshalTypeError](json.Unmarshal(raw, &value)); huge {
		return errNumber
	}
	return nil
}
