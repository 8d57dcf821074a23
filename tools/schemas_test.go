package tools

import (
	"encoding/json"
	"log/slog"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
)

// maxListBytes bounds tools/list, for which every user pays on every request. Do not raise it.
const maxListBytes = 18_000

func allTools(t *testing.T) []server.ServerTool {
	t.Helper()
	all, err := All(nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func schemaOf(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := schemas.ReadFile("schemas/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// The schemas are the contract: each tool has one, in the order of Names, which every client can use, and all together are short.
func TestDefinitions(t *testing.T) {
	t.Parallel()
	var names []string
	total := 0
	for _, tool := range allTools(t) {
		raw, err := json.Marshal(tool.Tool)
		if err != nil {
			t.Fatal(err)
		}
		names, total = append(names, tool.Tool.Name), total+len(raw)
		t.Logf("%-18s %6d bytes", tool.Tool.Name, len(raw))
		if schema := string(raw); strings.Contains(schema, `"null"`) || !strings.Contains(schema, `"additionalProperties":false`) {
			t.Errorf("a union with null, or an input that is not closed: %s", schema)
		}
		if len(tool.Tool.Description) < 80 {
			t.Errorf("the description is too short to be a manual: %q", tool.Tool.Description)
		}
		if a := tool.Tool.Annotations; tool.Tool.Title == "" || a.ReadOnlyHint == nil || !*a.ReadOnlyHint && a.DestructiveHint == nil {
			t.Errorf("an annotation is missing: %+v", a)
		}
	}
	if total > maxListBytes {
		t.Errorf("tools/list has %d bytes, want %d at most", total, maxListBytes)
	}
	if diff := cmp.Diff(Names(), names); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if files, err := os.ReadDir("schemas"); err != nil || len(files) != len(names) {
		t.Errorf("%d schemas for %d tools, %v", len(files), len(names), err)
	}
}

type jsonSchema struct {
	Type       string
	Items      *jsonSchema
	AnyOf      []*jsonSchema
	Properties map[string]*jsonSchema
}

// Arguments and answers have the keys of the schemas. A struct may know more arguments: only those of the schema reach it.
func TestSchemasAreThoseOfTheTypes(t *testing.T) {
	t.Parallel()
	for name, types := range map[string][2]reflect.Type{
		"loop_init":        {reflect.TypeFor[loopInitIn](), reflect.TypeFor[loops.Started]()},
		"loop_update":      {reflect.TypeFor[loopUpdateIn](), reflect.TypeFor[loops.Updated]()},
		"loop_get_gaps":    {reflect.TypeFor[loopGetGapsIn](), reflect.TypeFor[loops.Gaps]()},
		"loop_add_gap":     {reflect.TypeFor[loopAddGapIn](), reflect.TypeFor[loops.GapAdded]()},
		"run_channel":      {reflect.TypeFor[runChannelIn](), reflect.TypeFor[runChannelOut]()},
		"fetch":            {reflect.TypeFor[fetchIn](), reflect.TypeFor[fetchOut]()},
		"verify_citations": {reflect.TypeFor[verifyIn](), reflect.TypeFor[verifyOut]()},
		"loop_reflect":     {reflect.TypeFor[loopReflectIn](), reflect.TypeFor[loopReflectOut]()},
		"loop_get_state":   {reflect.TypeFor[loopGetStateIn](), reflect.TypeFor[loopGetStateOut]()},
		"loop_list":        {reflect.TypeFor[loopListIn](), reflect.TypeFor[loopListOut]()},
		"find_passages":    {reflect.TypeFor[findPassagesIn](), reflect.TypeFor[findPassagesOut]()},
		"list_channels":    {reflect.TypeFor[listChannelsIn](), reflect.TypeFor[listChannelsOut]()},
		"loop_report":      {reflect.TypeFor[loopReportIn](), reflect.TypeFor[loopReportOut]()},
		"review_claims":    {reflect.TypeFor[reviewIn](), reflect.TypeFor[reviewOut]()},
		"audit_references": {reflect.TypeFor[auditIn](), reflect.TypeFor[auditOut]()},
	} {
		var schema struct{ InputSchema, OutputSchema *jsonSchema }
		if err := json.Unmarshal(schemaOf(t, name), &schema); err != nil {
			t.Fatal(err)
		}
		fits(t, name, schema.InputSchema, types[0])
		want := slices.Sorted(maps.Keys(schema.OutputSchema.Properties))
		got := slices.DeleteFunc(slices.Sorted(maps.Keys(fieldsOf(types[1]))), func(key string) bool { return key == "folder" })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("the answer of %s (-schema +type):\n%s", name, diff)
		}
	}
}

// fits checks that a type has the fields of a schema.
func fits(t *testing.T, path string, s *jsonSchema, typ reflect.Type) {
	t.Helper()
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	for _, a := range s.AnyOf {
		if a.Type == "object" {
			s = a
		}
	}
	kinds := map[string][]reflect.Kind{"object": {reflect.Struct, reflect.Map}, "array": {reflect.Slice}, "string": {reflect.String},
		"boolean": {reflect.Bool}, "integer": {reflect.Int}, "number": {reflect.Float64}}
	if want, ok := kinds[s.Type]; ok && !slices.Contains(want, typ.Kind()) {
		t.Errorf("%s: %s for the type %s", path, typ, s.Type)
		return
	}
	if s.Items != nil {
		fits(t, path+"[]", s.Items, typ.Elem())
	}
	fields := map[string]reflect.Type{}
	if typ.Kind() == reflect.Struct {
		fields = fieldsOf(typ)
	}
	for key, p := range s.Properties {
		if field, ok := fields[key]; !ok {
			t.Errorf("%s has no field for %q", path, key)
		} else {
			fits(t, path+"."+key, p, field)
		}
	}
}

func fieldsOf(typ reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(typ) {
		if key, _, _ := strings.Cut(f.Tag.Get("json"), ","); key != "" && key != "-" && (out[key] == nil || len(f.Index) == 1) {
			out[key] = f.Type
		}
	}
	return out
}
