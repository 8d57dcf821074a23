package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// MarshalAnswer encodes an answer, with empty lists for nil slices.
func MarshalAnswer(answer any) ([]byte, error) {
	v := reflect.New(reflect.TypeOf(answer))
	v.Elem().Set(reflect.ValueOf(answer))
	fillNil(v.Elem())
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false) // the reader is a model, not a browser
	if err := enc.Encode(v.Interface()); err != nil {
		return nil, fmt.Errorf("encoding an answer: %w", err)
	}
	return bytes.TrimRight(buf.Bytes(), "\n"), nil
}

// fillNil replaces the nil slices and maps of an answer, which would become null, by empty ones. It changes only the
// answer's own fields and the elements of its slices, which handlers have made for this answer. A slice that is shared with
// a state has no nil elements.
func fillNil(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fillNil(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				fillNil(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.IsNil() && v.CanSet() && v.Type() != reflect.TypeFor[json.RawMessage]() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
			return
		}
		if k := v.Type().Elem().Kind(); k == reflect.Struct || k == reflect.Pointer {
			for i := range v.Len() {
				fillNil(v.Index(i))
			}
		}
	case reflect.Map:
		if v.IsNil() && v.CanSet() {
			v.Set(reflect.MakeMap(v.Type()))
		}
	}
}
