package limit

import (
	"bytes"
	"encoding/xml"
	"fmt"

	"golang.org/x/net/html/charset"
)

const maxDepth = 500 // of nested elements; documents of word processors reach 60

// XMLDecoder returns a decoder for untrusted XML. The standard library's decoder knows only the five predefined entities
// and reads no external ones, so nothing expands.
func XMLDecoder(b []byte) *xml.Decoder {
	d := xml.NewDecoder(bytes.NewReader(b))
	d.CharsetReader = charset.NewReaderLabel
	return d
}

// WalkXML calls start, end and text for the tokens of a document. It ends at a syntax error without reporting it, so that
// callers keep what precedes the error.
func WalkXML(b []byte, start func(xml.StartElement), end func(xml.EndElement), text func(string)) error {
	d := XMLDecoder(b)
	depth := 0
	for {
		token, err := d.Token()
		if err != nil {
			return nil
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; depth > maxDepth {
				return fmt.Errorf("%w: elements nested more than %d deep", ErrTooLarge, maxDepth)
			}
			start(t)
		case xml.EndElement:
			depth--
			end(t)
		case xml.CharData:
			text(string(t))
		}
	}
}

// Attr returns the value of the attribute with this local name, or "".
func Attr(e xml.StartElement, local string) string {
	for _, a := range e.Attr {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}
