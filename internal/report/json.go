package report

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
)

// withSummary is a document after its warning and summary.
type withSummary struct {
	Warning string `json:"warning,omitempty"`
	Summary string `json:"summary"`
	Of      string `json:"confidence_of"` // what the confidence is a share of
	Document
}

// renderJSON writes the document with its receipts, indented. Lists are never null.
func renderJSON(d Document) ([]byte, error) {
	t := d.Tally()
	out := withSummary{Summary: Summary(d), Of: labels{}.f("%d of %d sentences were read", t.Read, t.Of)}
	if d.Unverified {
		out.Warning = draftNotice
	}
	d.Read, d.Of, d.Sentences = t.Read, t.Of, slices.Clone(d.Sentences)
	for i, state := range d.States() {
		d.Sentences[i].Word = state.Verdict().Word
	}
	out.Document = withoutNil(reflect.ValueOf(d)).Interface().(Document)
	return indented(out)
}

func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
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
