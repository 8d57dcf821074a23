package tools

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/report"
)

// The formats that the schema offers are the ones that there are: a struct's tag cannot ask report itself.
func TestReportFormats(t *testing.T) {
	field, ok := reflect.TypeFor[loopReportIn]().FieldByName("Format")
	if !ok {
		t.Fatal("there is no argument format")
	}
	if diff := cmp.Diff(report.Formats(), strings.Split(field.Tag.Get("enum"), ",")); diff != "" {
		t.Errorf("(-report +schema):\n%s", diff)
	}
}
