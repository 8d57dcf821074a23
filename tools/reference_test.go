package tools

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"
)

var update = flag.Bool("update", false, "rewrite docs/tools.md")

const referenceHead = `# Tools

The %d tools of the server, with their arguments. ` + "`go test ./tools -run TestReference -update`" + ` writes this page from the schemas
that clients get. [loop.md](loop.md) explains how an assistant uses them, [verdicts.md](verdicts.md) the words of the verdicts,
[install.md](install.md#what-a-model-sees-of-an-answer) what an answer has. A tool with the hint changes nothing but citeloop's own
record; 'citeloop serve --tools read' leaves out the tools that change even that ([deploy.md](deploy.md)).

| tool | purpose | ` + "`readOnlyHint`" + ` |
| --- | --- | --- |
`

// docs/tools.md is written from the schemas.
func TestReference(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	all := allTools(t)
	fmt.Fprintf(&b, referenceHead, len(all))
	for _, tool := range all {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s |\n", tool.Tool.Name, tool.Tool.Name, tool.Tool.Title, readOnly(tool.Tool.Annotations))
	}
	for _, tool := range all {
		b.WriteString(reference(t, tool.Tool))
	}
	path := filepath.Join("..", "docs", "tools.md")
	if *update {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("docs/tools.md (-file +schemas); run go test ./tools -run TestReference -update:\n%s", diff)
	}
}

func readOnly(a mcp.ToolAnnotation) string {
	if a.ReadOnlyHint != nil && *a.ReadOnlyHint {
		return "yes"
	}
	return "no"
}

// schema is the part of JSON Schema that the tools use.
type schema struct {
	Type        string            `json:"type"`
	Description string            `json:"description"`
	Enum        []string          `json:"enum"`
	Minimum     *float64          `json:"minimum"`
	Maximum     *float64          `json:"maximum"`
	Properties  map[string]schema `json:"properties"`
	Required    []string          `json:"required"`
	Items       *schema           `json:"items"`
}

func reference(t *testing.T, tool mcp.Tool) string {
	t.Helper()
	var both struct{ InputSchema, OutputSchema schema }
	if err := json.Unmarshal(schemaOf(t, tool.Name), &both); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n\n%s\n", tool.Name, tool.Description)
	if len(both.InputSchema.Properties) == 0 {
		b.WriteString("\nIt takes no arguments.\n")
	} else {
		b.WriteString("\n| argument | type | meaning |\n| --- | --- | --- |\n")
		both.InputSchema.rows(&b, "")
	}
	if keys := slices.Sorted(maps.Keys(both.OutputSchema.Properties)); len(keys) > 0 {
		fmt.Fprintf(&b, "\nKeys of the answer: `%s`.\n", strings.Join(keys, "`, `"))
	}
	return b.String()
}

// rows writes a row for each argument, required ones first, and for those of objects within them.
func (s schema) rows(b *strings.Builder, prefix string) {
	names := slices.SortedFunc(maps.Keys(s.Properties), func(x, y string) int {
		rank := func(name string) int {
			if slices.Contains(s.Required, name) {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(rank(x), rank(y)), cmp.Compare(x, y))
	})
	for _, name := range names {
		p := s.Properties[name]
		meaning := p.Description
		if p.Items != nil && meaning == "" {
			meaning = p.Items.Description
		}
		if len(p.enum()) > 0 {
			meaning = strings.TrimPrefix(meaning+"; one of `"+strings.Join(p.enum(), "`, `")+"`", "; ")
		}
		if slices.Contains(s.Required, name) {
			meaning = strings.TrimSuffix("required; "+meaning, "; ")
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", prefix+name, p.kind(), strings.ReplaceAll(meaning, "|", `\|`))
		p.rows(b, prefix+name+".")
		if p.Items != nil {
			p.Items.rows(b, prefix+name+"[].")
		}
	}
}

func (s schema) enum() []string {
	if s.Items != nil {
		return s.Items.Enum
	}
	return s.Enum
}

// kind is the type with its bounds.
func (s schema) kind() string {
	switch {
	case s.Items != nil:
		return "list of " + cmp.Or(s.Items.Type, "value") + "s"
	case s.Minimum != nil && s.Maximum != nil:
		return fmt.Sprintf("%s, %g to %g", s.Type, *s.Minimum, *s.Maximum)
	}
	return cmp.Or(s.Type, "any")
}
