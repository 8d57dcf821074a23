package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// MarshalAnswer encodes an answer without its empty texts, lists and objects: the reader is a model, which pays for each
// character and learns nothing from them. Numbers and booleans stay, and so do the lists that are the answer itself (always).
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
	var out bytes.Buffer
	copyValue(&out, bytes.TrimRight(buf.Bytes(), "\n"))
	return out.Bytes(), nil
}

// always reports whether a list stays in an answer when it is empty. Scripted clients loop over these.
func always(key string) bool {
	switch key {
	case "evidence", "channels", "sources", "passages", "gaps", "claim_ids", "loops", "items", "verified_claims", "hallucinated_citations", "coverage_gaps":
		return true
	}
	return false
}

// copyValue copies the value at the beginning of JSON without white space, and leaves out the empty members of its objects.
// It returns the rest of the input, and whether the value is empty. The JSON must be valid.
func copyValue(out *bytes.Buffer, in []byte) (rest []byte, empty bool) {
	switch in[0] {
	case '{':
		out.WriteByte('{')
		begin := out.Len()
		for in = in[1:]; in[0] != '}'; {
			before := out.Len()
			if before > begin {
				out.WriteByte(',')
			}
			n := stringEnd(in)
			key := string(in[1 : n-1])
			out.Write(in[:n+1]) // with the colon
			if in, empty = copyValue(out, in[n+1:]); empty && !always(key) {
				out.Truncate(before)
			}
			in = bytes.TrimPrefix(in, []byte(","))
		}
		empty = out.Len() == begin
		out.WriteByte('}')
		return in[1:], empty
	case '[':
		out.WriteByte('[')
		empty = in[1] == ']'
		for in = in[1:]; in[0] != ']'; {
			in, _ = copyValue(out, in)
			if in[0] == ',' {
				out.WriteByte(',')
				in = in[1:]
			}
		}
		out.WriteByte(']')
		return in[1:], empty
	case '"':
		n := stringEnd(in)
		out.Write(in[:n])
		return in[n:], n == len(`""`)
	}
	n := bytes.IndexAny(in, ",]}")
	if n < 0 {
		n = len(in)
	}
	out.Write(in[:n])
	return in[n:], string(in[:n]) == "null"
}

// stringEnd returns the length of the JSON string at the beginning of in.
func stringEnd(in []byte) int {
	for i := 1; ; i++ {
		switch in[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
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
