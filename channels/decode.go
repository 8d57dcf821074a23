package channels

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"

	"golang.org/x/net/html/charset"
)

// decodeJSON decodes a whole body. Fields of changing types use oneOrMany, scalar or loose; any other mismatch is
// malformed.
func decodeJSON[T any](body []byte) (T, error) {
	var v T
	if err := json.Unmarshal(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), &v); err != nil {
		return v, &Failure{Status: StatusMalformed, Message: "its JSON is not what it documents", Cause: err}
	}
	return v, nil
}

// decodeXML reads a whole body in any charset that the document declares.
func decodeXML[T any](body []byte) (T, error) {
	var v T
	dec := xml.NewDecoder(bytes.NewReader(body))
	dec.CharsetReader = charset.NewReaderLabel
	if err := dec.Decode(&v); err != nil {
		return v, &Failure{Status: StatusMalformed, Message: "its XML is not what it documents", Cause: err}
	}
	return v, nil
}

// each decodes the records of a list one by one, so that an invalid record does not affect the others. A field of an
// unexpected type is skipped. An invalid record becomes the zero record, which cleaning drops and counts.
func each[T any](raws []json.RawMessage) []T {
	out := make([]T, len(raws))
	for i, raw := range raws {
		err := json.Unmarshal(raw, &out[i])
		if _, mismatch := errors.AsType[*json.UnmarshalTypeError](err); err != nil && !mismatch {
			var zero T
			out[i] = zero
		}
	}
	return out
}

// resultsOf decodes the records of a list as each does, and makes each a result.
func resultsOf[T any](raws []json.RawMessage, result func(T) Result) []Result {
	found := make([]Result, len(raws))
	for i, record := range each[T](raws) {
		found[i] = result(record)
	}
	return found
}

// oneOrMany is a list of strings that may be a single string or null in some records.
type oneOrMany []string

func (l *oneOrMany) UnmarshalJSON(b []byte) error {
	*l = nil
	var many []*string
	if json.Unmarshal(b, &many) == nil {
		for _, s := range many {
			if s != nil {
				*l = append(*l, *s)
			}
		}
		return nil
	}
	var one string
	if json.Unmarshal(b, &one) == nil && one != "" {
		*l = oneOrMany{one}
	}
	return nil // of another type: the field stays empty
}

// scalar is a text that may be a number or null in some records. It is empty for other types.
type scalar string

func (t *scalar) UnmarshalJSON(b []byte) error {
	*t = ""
	var text string
	var number json.Number
	if json.Unmarshal(b, &text) == nil {
		*t = scalar(text)
	} else if json.Unmarshal(b, &number) == nil {
		*t = scalar(number)
	}
	return nil
}

// loose is an object whose fields are decoded one by one. It is nil for other types.
type loose map[string]json.RawMessage

func (l *loose) UnmarshalJSON(b []byte) error {
	*l = nil
	var fields map[string]json.RawMessage
	if json.Unmarshal(b, &fields) == nil {
		*l = fields
	}
	return nil
}

func (l oneOrMany) first() string {
	if len(l) == 0 {
		return ""
	}
	return l[0]
}
