package project

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/pelletier/go-toml/v2"

	"github.com/citeloop/citeloop/internal/tomledit"
)

var update = flag.Bool("update", false, "write docs/citeloop.schema.json")

func TestParse(t *testing.T) {
	yes, threshold := true, 0.9
	got, err := Parse("citeloop.toml", []byte(`#:schema x
corpus = ["sources", "papers/2024"]
offline = true
reader = "model"
strict = true
threshold = 0.9
fail-on = []
include = ["docs/**/*.md"]
exclude = ["docs/old"]

[[suppress]]
finding = "uncited"
file = "docs/a.md"
text = "The tower is old."
reason = "an opinion"
until = 2027-01-31
`))
	want := &File{Path: "citeloop.toml", Corpus: []string{"sources", "papers/2024"}, Offline: &yes, Reader: "model", Strict: &yes, Threshold: &threshold, FailOn: []string{},
		Include: []string{"docs/**/*.md"}, Exclude: []string{"docs/old"},
		Suppress: []Suppression{{Line: 11, Finding: "uncited", File: "docs/a.md", Text: "The tower is old.", Reason: "an opinion", Until: time.Date(2027, 1, 31, 0, 0, 0, 0, time.UTC)}}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("error %v, -want +got:\n%s", err, diff)
	}
}

// Each mistake is reported with its line and key.
func TestParseErrors(t *testing.T) {
	const table = "[[suppress]]\nfinding = \"uncited\"\nreason = \"r\"\n"
	for text, want := range map[string]string{
		"x":                                 "f:1: invalid TOML",
		"\noffline = true\noffline = true":  "f:3: invalid TOML",
		"\ncorpuss = [\"a\"]":               "f:2: corpuss: unknown key",
		"offline = \"yes\"":                 "f:1: offline: must be true or false",
		"corpus = \"a\"":                    "f:1: corpus: must be a list of texts",
		"corpus = [1]":                      "f:1: corpus: must be a list of texts",
		"corpus = [\"\"]":                   "f:1: corpus: is empty",
		"threshold = 2":                     "f:1: threshold: must be a number from 0 to 1",
		"threshold = nan":                   "f:1: threshold: must be a number from 0 to 1",
		"reader = \"http://evil.example\"":  "f:1: reader: unknown value",
		"reader_url = \"http://e.example\"": "f:1: reader_url: unknown key",
		"[reader]\nurl = \"x\"":             "f:1: reader: unknown key",
		"reader.url = \"x\"":                "f:1: reader.url: unknown key",
		"store-loop = \"last\"":             "f:1: store-loop: unknown key",
		"allow-undecided = true":            "f:1: allow-undecided: unknown key",
		"fail-on = [\"uncitted\"]":          "f:1: fail-on: unknown value \"uncitted\"",
		"suppress = []":                     "f:1: suppress: write each suppression as a table",
		"[suppress]\nfinding = \"quote\"":   "f:1: suppress: write each suppression as a table",
		"\n[[suppress]]\nfinding = \"quote\"\ntext = \"a\"": "f:2: reason: is missing",
		table: "f:1: suppress: names no place",
		table + "text = \"a\"\nuntil = \"2027-01-31\"": "f:5: until: must be a date",
		table + "text = \"a\"\nwhy = \"b\"":            "f:5: why: unknown key",
		"[[suppress]]\nfinding = \"unread\"":           "f:2: finding: \"unread\" cannot be suppressed",
		"[[suppress]]\nreason = \" \"":                 "f:2: reason: is empty",
	} {
		if _, err := Parse("f", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{strings.Repeat("a.", 9999) + "b = 1", "reader = '" + strings.Repeat("x", 9999) + "'", "corpus = ['../" + strings.Repeat("x", 9999) + "']"} {
		if _, err := Parse("f", []byte(text)); err == nil || len(err.Error()) > 400 {
			t.Errorf("an error repeats the file: %.500s", err)
		}
	}
	for _, out := range []string{"..", "../x", "a/../../x", "/etc", "~/../x/.git", ".git", "a/.ssh", `C:\x`, "C:/x", `..\x`, `\\host\x`} {
		for _, key := range []string{"corpus", "include", "exclude"} {
			if _, err := Parse("f", []byte(key+" = ['"+out+"']")); err == nil || !strings.Contains(err.Error(), "does not lie below this file") {
				t.Errorf("%s %s: %v", key, out, err)
			}
		}
	}
}

// A file is found upwards as far as the repository's root, without one as far as the home folder, elsewhere beside the text.
func TestFind(t *testing.T) {
	top := resolved(t.TempDir())
	put := func(name string) {
		t.Helper()
		name = filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{Name, "home/" + Name, "home/notes/a.md", "repo/.git", "repo/docs/a.md", "own/.git", "own/" + Name, "own/docs/deep/a.md", "own/vendor/.git", "home/repo/.git", "loose/a.md"} {
		put(name)
	}
	for folder, want := range map[string]string{
		"own/docs/deep": "own/" + Name,
		"own":           "own/" + Name,
		"own/vendor":    "", // a repository of its own
		"repo/docs":     "",
		"home/notes":    "home/" + Name,
		"home":          "home/" + Name,
		"home/repo":     "",
		"loose":         "",
		"":              Name,
	} {
		if want != "" {
			want = filepath.Join(top, want)
		}
		if got := Find(filepath.Join(top, folder), filepath.Join(top, "home")); got != want {
			t.Errorf("%s: %q, want %q", folder, got, want)
		}
	}
}

func TestInside(t *testing.T) {
	top, outside := t.TempDir(), t.TempDir()
	for _, name := range []string{"papers", ".git"} {
		if err := os.Mkdir(filepath.Join(top, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"out": outside, "hid": ".git", "in": "papers"} {
		if err := os.Symlink(to, filepath.Join(top, name)); err != nil {
			t.Skip(err)
		}
	}
	for name, want := range map[string]bool{"papers": true, "in": true, ".": true, "out": false, "hid": false, "missing": false, "../" + filepath.Base(outside): false} {
		if _, got := Inside(top, name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, file string
		want          bool
	}{
		{"docs/*.md", "docs/a.md", true}, {"docs/*.md", "docs/x/a.md", false}, {"docs/**/*.md", "docs/a.md", true}, {"docs/**/*.md", "docs/x/y/a.md", true},
		{"docs", "docs/x/a.md", true}, {"docs", "docs.md", false}, {"a.md", "a.md", true}, {"a.md", "aXmd", false}, {"**", "x/y", true}, {".", "x/y", true}, {"?.md", "ab.md", false},
		{"./docs/", "docs/a.md", true}, {"(x)[1].md", "(x)[1].md", true}, {"*.md", "é.md", true},
	} {
		if got := Match(tt.pattern, tt.file); got != tt.want {
			t.Errorf("%s %s: %v", tt.pattern, tt.file, got)
		}
	}
}

// docs/citeloop.schema.json is the schema, and docs/project-file.md names each key and has a complete example.
func TestDocs(t *testing.T) {
	want, err := json.MarshalIndent(Schema(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	schema := filepath.Join("..", "..", "docs", "citeloop.schema.json")
	if *update {
		if err := os.WriteFile(schema, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(schema); err != nil || string(got) != string(want) {
		t.Errorf("run go test ./internal/project -update: %v", err)
	}
	body, err := os.ReadFile(filepath.Join("..", "..", "docs", "project-file.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(body), "```toml\n")
	example, _, ok := strings.Cut(example, "```")
	f, err := Parse("example", []byte(example))
	if err != nil || !ok || !strings.Contains(example, "#:schema "+SchemaURL) {
		t.Fatalf("the example: %v", err)
	}
	for _, k := range slices.Concat(keys(), suppressKeys()) {
		if !strings.Contains(string(body), "| `"+k.name+"` |") || !strings.Contains("\n"+example, "\n"+k.name+" = ") {
			t.Errorf("docs/project-file.md lacks %s in its tables or its example", k.name)
		}
	}
	if len(f.Suppress) == 0 {
		t.Error("the example suppresses nothing")
	}
	for text, valid := range map[string]bool{
		example: true, "offline = true": true, "reader = 'http://x.example'": false, "corpuss = ['a']": false, "threshold = 2": false, "corpus = 'a'": false, "fail-on = ['x']": false,
		"[[suppress]]\nfinding = 'quote'\nreason = 'r'": false, "[[suppress]]\nfinding = 'quote'\ntext = 'x'": false, "[[suppress]]\nfinding = 'unread'\ntext = 'x'\nreason = 'r'": false,
	} {
		if err := conforms(t, want, text); (err == nil) != valid {
			t.Errorf("the schema on %s: %v", text, err)
		}
		if _, err := Parse("f", []byte(text)); (err == nil) != valid {
			t.Errorf("the parser on %s: %v", text, err)
		}
	}
}

// conforms checks a TOML text against a schema, as editors do.
func conforms(t *testing.T, of []byte, text string) error {
	t.Helper()
	var schema jsonschema.Schema
	if err := json.Unmarshal(of, &schema); err != nil {
		t.Fatal(err)
	}
	rules, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := toml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	clear(v)
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatal(err)
	}
	return rules.Validate(v)
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"corpus = [\"a\"]\n[[suppress]]\nfinding = \"quote\"\ntext = \"x\"\nreason = \"y\"\nuntil = 2027-01-31\n", "x = {a = [1, {b = 2}]}", "\uFEFFoffline = true", "[[suppress]]\nfile = \"**/**/a*\""} {
		f.Add([]byte(seed), "offline")
	}
	f.Fuzz(func(t *testing.T, body []byte, name string) {
		file, err := Parse("f", body)
		if err != nil {
			return
		}
		for _, folder := range file.Corpus {
			if !filepath.IsLocal(filepath.FromSlash(folder)) {
				t.Errorf("corpus %q", folder)
			}
		}
		for _, s := range file.Suppress {
			s.Covers(name)
			if strings.TrimSpace(s.Reason) == "" {
				t.Error("no reason")
			}
		}
		body = []byte(strings.TrimPrefix(string(body), "\uFEFF"))
		text, err := tomledit.Open(body)
		if err != nil {
			t.Fatal(err)
		}
		if err := text.Set([]string{name}, "exclude"); err != nil {
			t.Fatal(err)
		}
		again, err := Parse("f", text.Text())
		if err == nil && name != "" && utf8.ValidString(name) && !slices.Equal(again.Exclude, []string{name}) {
			t.Errorf("exclude %q became %q", name, again.Exclude)
		}
	})
}
