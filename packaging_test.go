package main

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/citeloop/citeloop/internal/cli"
)

func released(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The registry entry follows the main rules of its schema (2025-12-11). TestRegistrySchema uses the schema itself,
// which is not available on every machine.
func TestRegistryEntry(t *testing.T) {
	var entry struct {
		Name, Title, Description, Version string
		Packages                          []struct {
			RegistryType, Identifier, Version string
			Transport                         struct{ Type string }
			EnvironmentVariables              []struct{ Name, Description string }
		}
	}
	dec := json.NewDecoder(strings.NewReader(released(t, "packaging/registry/server.json")))
	if err := dec.Decode(&entry); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`).MatchString(entry.Name) || len(entry.Name) > 200 {
		t.Errorf("name %q", entry.Name)
	}
	if n := len(entry.Description); n < 1 || n > 100 {
		t.Errorf("the description has %d characters, 1 to 100 are allowed", n)
	}
	if len(entry.Title) > 100 || entry.Version != cli.Version {
		t.Errorf("title %q, version %q", entry.Title, entry.Version)
	}
	for _, p := range entry.Packages {
		image := p.RegistryType == "oci" && p.Version == "" && strings.HasSuffix(p.Identifier, ":"+cli.Version)
		wrapper := p.RegistryType == "npm" && p.Version == cli.Version && p.Identifier == "citeloop"
		if !image && !wrapper || p.Transport.Type != "stdio" {
			t.Errorf("package %+v: an image names its version in its identifier, the others in version", p)
		}
		for _, v := range p.EnvironmentVariables {
			if !strings.HasPrefix(v.Name, "CITELOOP_") || v.Description == "" {
				t.Errorf("variable %+v", v)
			}
		}
	}
	if !strings.Contains(released(t, "Dockerfile"), `io.modelcontextprotocol.server.name="`+entry.Name+`"`) {
		t.Error("the image does not say that it is the one of server.json")
	}
}

// TestRegistrySchema validates the entry, and invalid entries, with the registry's own schema, which .ci/release
// fetches.
func TestRegistrySchema(t *testing.T) {
	path := os.Getenv("CITELOOP_TEST_REGISTRY_SCHEMA")
	if path == "" {
		t.Skip("skipped: CITELOOP_TEST_REGISTRY_SCHEMA does not name the registry's schema; .ci/release fetches it")
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal([]byte(released(t, path)), &schema); err != nil {
		t.Fatal(err)
	}
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name  string
		spoil func(entry map[string]any)
		ok    bool
	}{
		{"as it is", func(map[string]any) {}, true},
		{"no name", func(e map[string]any) { delete(e, "name") }, false},
		{"a name without a namespace", func(e map[string]any) { e["name"] = "citeloop" }, false},
		{"a long description", func(e map[string]any) { e["description"] = strings.Repeat("a", 101) }, false},
		{"no transport", func(e map[string]any) { delete(e["packages"].([]any)[0].(map[string]any), "transport") }, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			var entry map[string]any
			if err := json.Unmarshal([]byte(released(t, "packaging/registry/server.json")), &entry); err != nil {
				t.Fatal(err)
			}
			row.spoil(entry)
			if err := resolved.Validate(entry); (err == nil) != row.ok {
				t.Errorf("the schema says: %v", err)
			}
		})
	}
}

func TestChangelogHasTheVersion(t *testing.T) {
	if !strings.Contains(released(t, "CHANGELOG.md"), "\n## "+cli.Version) {
		t.Errorf("CHANGELOG.md has no section for %s", cli.Version)
	}
}
