package limit

import (
	"bytes"
	"encoding/xml"
	"fmt"

	"golang.org/x/net/html/charset"
)

const (
	maxDepth      = 500   // of nested elements; documents of word processors reach 60
	maxAttributes = 1_000 // of one element, which the decoder keeps together; the root of a document has 40
)

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
	if tooManyAttributes(b) {
		return fmt.Errorf("%w: an element with more than %d attributes", ErrTooLarge, maxAttributes)
	}
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

// tooManyAttributes reports a tag with more than maxAttributes attributes. It counts the equals signs outside of quotes,
// before the decoder makes 100 bytes of each attribute. A tag may begin at any "<" for it, so that nothing in comments
// or CDATA sections hides one.
func tooManyAttributes(b []byte) bool {
	for i := 0; i < len(b); {
		open := bytes.IndexByte(b[i:], '<')
		if open < 0 {
			return false
		}
		i += open + 1
		count := 0
		for i < len(b) && b[i] != '<' && b[i] != '>' {
			switch c := b[i]; c {
			case '=':
				if count++; count > maxAttributes {
					return true
				}
			case '"', '\'':
				if end := bytes.IndexByte(b[i+1:], c); end >= 0 && count > 0 {
					i += end + 1
				}
			}
			i++
		}
	}
	return false
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
