package tools

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/report"
)

// The formats in the schema are those of package report; a struct tag cannot refer to them.
func TestReportFormats(t *testing.T) {
	t.Parallel()
	field, ok := reflect.TypeFor[loopReportIn]().FieldByName("Format")
	if !ok {
		t.Fatal("there is no argument format")
	}
	if diff := cmp.Diff(report.Formats(), strings.Split(field.Tag.Get("enum"), ",")); diff != "" {
		t.Errorf("(-report +schema):\n%s", diff)
	}
}
