package channels

import (
	"bytes"
	"encoding/json"
	"encoding/xml"

	"github.com/tidwall/gjson"
	"golang.org/x/net/html/charset"
)

// DecodeXML reads a whole body in any charset that the document declares.
func DecodeXML[T any](body []byte) (T, error) {
	var v T
	dec := xml.NewDecoder(bytes.NewReader(body))
	dec.CharsetReader = charset.NewReaderLabel
	if err := dec.Decode(&v); err != nil {
		return v, &Failure{Status: StatusMalformed, Message: "the answer is not the documented XML", Cause: err}
	}
	return v, nil
}

// ReadJSON validates an answer. json.Valid, unlike gjson's own check, bounds the nesting of a document.
func ReadJSON(body []byte) (gjson.Result, error) {
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if !json.Valid(body) {
		return gjson.Result{}, Fail(StatusMalformed, "the answer is not the documented JSON")
	}
	return gjson.ParseBytes(body), nil
}
