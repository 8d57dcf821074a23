package tools

import (
	"bytes"
	"encoding/json"
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/report"
	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

var update = flag.Bool("update", false, "rewrite the golden files")

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

// Clients depend on names, keys, descriptions and annotations, so that every change must show.
func TestGoldenSchemas(t *testing.T) {
	t.Parallel()
	all := allTools(t)
	if files, err := os.ReadDir(filepath.Join("testdata", "schemas")); err != nil || len(files) != len(all) {
		t.Errorf("%d golden files for %d tools, %v", len(files), len(all), err)
	}
	for _, tool := range all {
		t.Run(tool.Tool.Name, func(t *testing.T) {
			raw, err := json.Marshal(tool.Tool)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := json.Indent(&got, raw, "", "  "); err != nil {
				t.Fatal(err)
			}
			got.WriteByte('\n')
			path := filepath.Join("testdata", "schemas", tool.Tool.Name+".json")
			if *update {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v; run go test ./tools -update", err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("the schema of %s has changed (-want +got); if this is intended, run go test ./tools -update:\n%s", tool.Tool.Name,
					diff)
			}
		})
	}
}

func TestToolsListBudget(t *testing.T) {
	t.Parallel()
	total := 0
	var all []mcp.Tool
	for _, tool := range allTools(t) {
		all = append(all, tool.Tool)
	}
	for _, tool := range Listed(all) {
		raw, err := json.Marshal(tool)
		if err != nil {
			t.Fatal(err)
		}
		total += len(raw)
		t.Logf("%-18s %6d bytes", tool.Name, len(raw))
	}
	t.Logf("%-18s %6d bytes", "all", total)
	if total > maxListBytes {
		t.Errorf("tools/list has %d bytes, want %d at most", total, maxListBytes)
	}
}

func TestToolOrder(t *testing.T) {
	t.Parallel()
	var got []string
	for _, tool := range allTools(t) {
		got = append(got, tool.Tool.Name)
	}
	if diff := cmp.Diff(Names(), got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// Every client can use the schemas: inputs are closed, no union contains null, and each tool has a description and all
// four annotations.
func TestSchemasArePortable(t *testing.T) {
	t.Parallel()
	for _, tool := range allTools(t) {
		t.Run(tool.Tool.Name, func(t *testing.T) {
			in, out := string(tool.Tool.RawInputSchema), string(tool.Tool.RawOutputSchema)
			for _, schema := range []string{in, out} {
				if strings.Contains(schema, `"null"`) {
					t.Errorf("a union with null: %s", schema)
				}
				if !strings.Contains(schema, `"type":"object"`) {
					t.Errorf("not an object: %s", schema)
				}
			}
			var top struct {
				AdditionalProperties *json.RawMessage `json:"additionalProperties"`
				Properties           map[string]any   `json:"properties"`
			}
			if err := json.Unmarshal(tool.Tool.RawInputSchema, &top); err != nil {
				t.Fatal(err)
			}
			if top.AdditionalProperties == nil || (string(*top.AdditionalProperties) != "false" &&
				string(*top.AdditionalProperties) != `{"not":{}}`) {
				t.Errorf("the input is not closed: %s", in)
			}
			if err := json.Unmarshal(tool.Tool.RawOutputSchema, &top); err != nil || len(top.Properties) == 0 {
				t.Errorf("the output has no properties: %s (%v)", out, err)
			}
			if len(tool.Tool.Description) < 80 {
				t.Errorf("the description is too short to be a manual: %q", tool.Tool.Description)
			}
			a := tool.Tool.Annotations
			if tool.Tool.Title == "" || a.ReadOnlyHint == nil || !*a.ReadOnlyHint && a.DestructiveHint == nil {
				t.Errorf("an annotation is missing: %+v", a)
			}
		})
	}
}

// Every tool that records something requires the write scope, even if its hint says read-only.
func TestWritesLog(t *testing.T) {
	t.Parallel()
	for tool, want := range map[string]bool{
		"loop_init": true, "loop_update": true, "loop_add_gap": true, "run_channel": true, "fetch": true, "verify_citations": true,
		"loop_reflect": true, "review_claims": true, "audit_references": true, "unknown": true,
		"loop_get_gaps": false, "loop_get_state": false, "loop_list": false, "find_passages": false, "list_channels": false,
		"loop_report": false,
	} {
		if got := WritesLog(tool); got != want {
			t.Errorf("WritesLog(%q) = %v", tool, got)
		}
	}
	for _, tool := range allTools(t) {
		if !*tool.Tool.Annotations.ReadOnlyHint && !WritesLog(tool.Tool.Name) {
			t.Errorf("%s changes something and asks for no right to", tool.Tool.Name)
		}
	}
}

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
