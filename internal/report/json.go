package report

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"

	"github.com/citeloop/citeloop/internal/report/messages"
)

// withWarning is a document after its warning and summary.
type withWarning struct {
	Warning string `json:"warning,omitempty"`
	Summary string `json:"summary"`
	Of      string `json:"confidence_of"` // what the confidence is a share of
	Document
}

// renderJSON writes the document, indented. Lists are never null.
func renderJSON(d Document) ([]byte, error) {
	out := withWarning{Document: filled(d)}
	out.Summary, out.Of = facts{Document: out.Document}.checked(), Shares(d)
	if d.Unverified {
		out.Warning = draftNotice(messages.Table{})
	}
	return indented(out)
}

func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// filled returns a copy of d for JSON: with what renderers set, and with empty lists instead of nil.
func filled(d Document) Document {
	d.Sentences = slices.Clone(d.Sentences)
	for i := range d.Sentences {
		s := &d.Sentences[i]
		s.nameReader()
		s.State = states[s.state()].word
		s.Noted = s.noted()
	}
	d.Origins = d.origins()
	n := readOf(d)
	d.Read, d.Of, d.Statement = n.Read, n.Of, facts{Document: d}.bound()
	return withoutNil(reflect.ValueOf(d)).Interface().(Document)
}

// withoutNil returns a copy of a value whose lists and maps, at any depth, are empty instead of nil. What a pointer leads to stays.
func withoutNil(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(withoutNil(v.Field(i)))
			}
		}
	case reflect.Slice:
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(withoutNil(v.Index(i)))
		}
	case reflect.Map:
		if v.IsNil() {
			out.Set(reflect.MakeMap(v.Type()))
		}
	}
	return out
}
