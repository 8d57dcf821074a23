package server

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
)

// The library answers a number that no float64 holds with the words of Go's decoder and the number itself, of
// however many digits. Such a request is refused before it comes to that.

// suspectNumber finds what may be such a number, or stands inside of a text.
var suspectNumber = regexp.MustCompile(`[0-9]{300}|[0-9][eE][+-]?[0-9]{3}`)

var errNumber = errors.New("a number in the request is too large; numbers must fit into 64 bits of floating point. Nothing was done")

func rejectHugeNumbers(_ context.Context, _ any, message any) error {
	raw, ok := message.(json.RawMessage)
	if !ok || !suspectNumber.Match(raw) {
		return nil
	}
	var any any
	var wrong *json.UnmarshalTypeError
	if errors.As(json.Unmarshal(raw, &any), &wrong) {
		return errNumber
	}
	return nil
}
