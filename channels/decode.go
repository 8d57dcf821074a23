package channels

import (
	"bytes"
	"encoding/xml"

	"golang.org/x/net/html/charset"
)

// decodeXML reads a whole body in any charset that the document declares.
func decodeXML[T any](body []byte) (T, error) {
	var v T
	dec := xml.NewDecoder(bytes.NewReader(body))
	dec.CharsetReader = charset.NewReaderLabel
	if err := dec.Decode(&v); err != nil {
		return v, &Failure{Status: StatusMalformed, Message: "the answer is not the documented XML", Cause: err}
	}
	return v, nil
}
