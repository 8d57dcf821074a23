package source

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/tidwall/gjson"
	"golang.org/x/net/html/charset"
)

// Bounds of an answer in XML (chosen).
const (
	maxXMLDepth = 50
	maxXMLText  = 32 << 10 // bytes of one element, with those inside
)

// readXML reads XML as JSON, so that the same paths read both. An element with attributes or others inside is an object of them,
// and all its text is "text"; any other is its text. Several of one name are a list. Names are in lower case, without namespaces.
func readXML(body []byte) (gjson.Result, error) {
	dec := xml.NewDecoder(bytes.NewReader(body))
	dec.CharsetReader = charset.NewReaderLabel
	open := []element{{fields: map[string]any{}}} // the document, and the elements that are open
	for {
		token, err := dec.Token()
		if err == nil && len(open) > maxXMLDepth {
			err = errors.New("nested too deeply")
		}
		if err != nil {
			return gjson.Result{}, notXML(err)
		}
		last := &open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			inner := element{name: strings.ToLower(token.Name.Local), fields: map[string]any{}}
			for _, a := range token.Attr {
				inner.add(strings.ToLower(a.Name.Local), a.Value)
			}
			open = append(open, inner)
		case xml.CharData:
			last.say(string(token))
		case xml.EndElement:
			outer := &open[len(open)-2]
			outer.add(last.name, last.value())
			outer.say(last.text)
			if open = open[:len(open)-1]; len(open) == 1 {
				raw, err := json.Marshal(outer.fields)
				return gjson.ParseBytes(raw), err
			}
		}
	}
}

func notXML(cause error) *channels.Failure {
	return &channels.Failure{Status: channels.StatusMalformed, Message: "the answer is not the documented XML", Cause: cause}
}

type element struct {
	name   string
	fields map[string]any
	text   string
}

func (e *element) say(text string) {
	e.text += text[:min(len(text), maxXMLText-len(e.text))]
}

func (e *element) add(name string, value any) {
	switch before := e.fields[name].(type) {
	case nil:
		e.fields[name] = value
	case []any:
		e.fields[name] = append(before, value)
	default:
		e.fields[name] = []any{before, value}
	}
}

func (e *element) value() any {
	if len(e.fields) == 0 {
		return e.text
	}
	if text := strings.TrimSpace(e.text); text != "" && e.fields["text"] == nil {
		e.fields["text"] = text
	}
	return e.fields
}
