package loops_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// bundled writes the bundle of a loop with a text into a folder.
func bundled(t *testing.T, texts bool) string {
	t.Helper()
	h, loop := studiedLoop(t)
	var out bytes.Buffer
	noError(t, h.ExportCrate(t.Context(), loops.CrateInput{Loop: loop, Texts: texts}, &out, nil))
	z := must(zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len())))(t)
	dir := t.TempDir()
	noError(t, os.CopyFS(dir, z))
	return dir
}

// The metadata have what RO-Crate 1.2 requires: a flat graph, ids that are unique and, if they are referred to, described,
// and the properties that the root must have.
func TestCrateHasWhatItsSpecificationRequires(t *testing.T) {
	t.Parallel()
	for _, texts := range []bool{true, false} {
		dir := bundled(t, texts)
		body, err := os.ReadFile(filepath.Join(dir, "ro-crate-metadata.json"))
		if err != nil {
			t.Fatal(err)
		}
		var crate struct {
			Context string           `json:"@context"`
			Graph   []map[string]any `json:"@graph"`
		}
		if err := json.Unmarshal(body, &crate); err != nil || crate.Context != "https://w3id.org/ro/crate/1.2/context" {
			t.Fatalf("context %q, %v", crate.Context, err)
		}
		byID := map[string]map[string]any{}
		for _, e := range crate.Graph {
			id, _ := e["@id"].(string)
			if id == "" || e["@type"] == nil || byID[id] != nil {
				t.Errorf("an entity without id or type, or described twice: %v", e)
			}
			byID[id] = e
		}
		for _, key := range []string{"name", "description", "datePublished", "license", "hasPart"} {
			if byID["./"][key] == nil {
				t.Errorf("the root has no %s", key)
			}
		}
		if got := byID["ro-crate-metadata.json"]["conformsTo"]; got == nil || byID["#export"]["instrument"] == nil || byID["#citeloop"]["softwareVersion"] == nil {
			t.Errorf("metadata conform to %v; or the program is missing", got)
		}
		for _, e := range crate.Graph {
			for key, value := range e {
				list, isList := value.([]any)
				if !isList {
					list = []any{value}
				}
				for _, v := range list {
					ref, ok := v.(map[string]any)
					if ok && (len(ref) != 1 || byID[ref["@id"].(string)] == nil && key != "conformsTo") {
						t.Errorf("%s of %v is %v, which is not described", key, e["@id"], ref)
					}
				}
			}
		}
		err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			name, _ := filepath.Rel(dir, path)
			if e := byID[filepath.ToSlash(name)]; err == nil && !d.IsDir() && name != "ro-crate-metadata.json" && (e["sha256"] == nil || e["encodingFormat"] == nil) {
				t.Errorf("%s has no hash or type: %v", name, e)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// check.py finds each kind of damage, also if who did it corrected the hashes in the metadata.
func TestCheckScriptFindsDamage(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	for _, row := range []struct {
		name, file, old, new string
		rehash               bool
		want                 string // "" for a bundle that holds
	}{
		{name: "undamaged", want: "no problems"},
		{name: "a changed report", file: "report.md", old: "1874", new: "1875", want: "report.md: changed"},
		{name: "another passage", file: "report.json", old: `"passage": "`, new: `"passage": "Never: `, rehash: true, want: "the passage is not at"},
		{name: "other lines", file: "report.json", old: `"lines": "1`, new: `"lines": "7`, rehash: true, want: "the passage is on other lines"},
		{name: "a citation more", file: "report.md", old: "# ", new: "# As [S1:900] says: ", rehash: true, want: "[S1:900] has no receipt"},
		{name: "a new file", file: "more.txt", new: "more", want: "more.txt: not in ro-crate-metadata.json"},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := bundled(t, true)
			if row.file != "" {
				damage(t, filepath.Join(dir, row.file), row.old, row.new, row.rehash)
			}
			out, err := exec.Command(python, filepath.Join(dir, "check.py")).CombinedOutput()
			if (err == nil) != (row.name == "undamaged") || !strings.Contains(string(out), row.want) {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// damage replaces the first old in a file, and, with rehash, the file's hash and size in the metadata.
func damage(t *testing.T, file, old, new string, rehash bool) {
	t.Helper()
	before, err := os.ReadFile(file)
	if err != nil && old != "" {
		t.Fatal(err)
	}
	after := bytes.Replace(before, []byte(old), []byte(new), 1)
	if bytes.Equal(before, after) {
		t.Fatalf("%s has no %q", file, old)
	}
	noError(t, os.WriteFile(file, after, 0o600))
	if !rehash {
		return
	}
	metadata := filepath.Join(filepath.Dir(file), "ro-crate-metadata.json")
	damage(t, metadata, loopstate.HashText(before).String(), loopstate.HashText(after).String(), false)
	var crate map[string]any
	body, _ := os.ReadFile(metadata)
	noError(t, json.Unmarshal(body, &crate))
	for _, e := range crate["@graph"].([]any) {
		if e := e.(map[string]any); e["@id"] == filepath.Base(file) {
			e["contentSize"] = len(after)
		}
	}
	if body, err = json.Marshal(crate); err != nil {
		t.Fatal(err)
	}
	noError(t, os.WriteFile(metadata, body, 0o600))
}
