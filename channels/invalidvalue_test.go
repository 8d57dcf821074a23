package channels_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/citeloop/citeloop/channels"
)

// oddValues replace documented values: other types, empty values and invalid text.
var oddValues = []any{nil, 0.5, -1, true, "", "�\u0000", []any{}, []any{nil, 1, "x", []any{}}, map[string]any{}, map[string]any{"x": nil}}

// One invalid value removes at most its own record; the others are still found. The list of records is the longest list
// of objects in the fixture.
func TestInvalidValueCostsOneRecord(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: long, and nothing runs beside it")
	}
	for _, s := range webSources() {
		if s.kind != "application/json" {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			kept := func(doc any) (int, error) {
				body, err := json.Marshal(doc)
				if err != nil {
					t.Fatal(err)
				}
				out, found := s.answered(t, 200, body, channels.Query{Text: "tidal mills"})
				if out.Status != channels.StatusOK && out.Status != channels.StatusDegraded {
					return 0, errors.New(out.Message)
				}
				return len(found), nil
			}
			var doc any
			if err := json.Unmarshal(s.body(t), &doc); err != nil {
				t.Fatal(err)
			}
			whole, err := kept(doc)
			if err != nil || whole == 0 {
				t.Fatalf("%d results of the fixture, %v", whole, err)
			}
			records, path := recordsOf(doc, "")
			if len(records) < 2 {
				t.Fatalf("no list of records in the fixture")
			}
			odd, cost := 0, 0
			for i := range records {
				place := fmt.Sprintf("%s[%d]", path, i)
				was := records[i]
				for _, value := range oddValues {
					odd++
					records[i] = value
					if n, err := kept(doc); err != nil || n < whole-1 {
						t.Errorf("%s = %#v: %d results of %d, %v", place, value, n, whole, err)
					}
				}
				records[i] = was
				places(was, place, func(place string, set func(any)) {
					for _, value := range oddValues {
						odd++
						set(value)
						n, err := kept(doc)
						if err != nil || n < whole-1 {
							t.Errorf("%s = %#v: %d results of %d, %v", place, value, n, whole, err)
						}
						cost += whole - min(n, whole)
					}
				})
			}
			t.Logf("%d odd values, of which %d cost a record", odd, cost)
		})
	}
}

// recordsOf returns the longest list of objects in a document, and its path. It prefers a shallower list.
func recordsOf(doc any, path string) (list []any, at string) {
	switch v := doc.(type) {
	case []any:
		for _, item := range v {
			if _, ok := item.(map[string]any); ok {
				return v, path
			}
		}
	case map[string]any:
		for key, value := range v {
			if inner, where := recordsOf(value, path+"."+key); len(inner) > len(list) {
				list, at = inner, where
			}
		}
	}
	return list, at
}

// places calls do for each place in a value with a function that sets it, and restores the value.
func places(value any, path string, do func(place string, set func(any))) {
	switch v := value.(type) {
	case []any:
		for i, was := range v {
			place := fmt.Sprintf("%s[%d]", path, i)
			do(place, func(x any) { v[i] = x })
			v[i] = was
			places(was, place, do)
		}
	case map[string]any:
		for key, was := range v {
			place := path + "." + key
			do(place, func(x any) { v[key] = x })
			v[key] = was
			places(was, place, do)
		}
	}
}
