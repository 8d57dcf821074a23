package project

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	yes := true
	got, err := Parse("citeloop.toml", []byte(`#:schema x
corpus = ["sources", "papers/2024"]
offline = true
fail-on = []
include = ["docs/**/*.md"]
exclude = ["docs/old"]
`))
	want := &File{Path: "citeloop.toml", Corpus: []string{"sources", "papers/2024"}, Offline: &yes,
		FailOn: []string{}, Include: []string{"docs/**/*.md"}, Exclude: []string{"docs/old"}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("error %v, -want +got:\n%s", err, diff)
	}
}

// Each mistake is reported with its key or line.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"x":                                "f: line 1: invalid TOML",
		"\noffline = true\noffline = true": "f: line 3: invalid TOML",
		"\ncorpuss = [\"a\"]":              "f: line 2: unknown key \"corpuss\": use corpus, ",
		"offline = \"yes\"":                "f: line 1: offline must be true or false",
		"corpus = \"a\"":                   "f: line 1: corpus must be a list of texts",
		"corpus = [1]":                     "f: line 1: corpus must be a list of texts",
		"corpus = [\"\"]":                  "f: a path is empty",
		"reader.url = \"x\"":               "f: line 1: unknown key \"reader",
		"allow-undecided = true":           "f: line 1: unknown key",
	} {
		if _, err := Parse("f", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{strings.Repeat("a.", 9999) + "b = 1", "offline = '" + strings.Repeat("x", 9999) + "'", "corpus = " +
		"['../" + strings.Repeat("x", 9999) + "']"} {
		if _, err := Parse("f", []byte(text)); err == nil || len(err.Error()) > 400 {
			t.Errorf("an error repeats the file: %.500s", err)
		}
	}
	for _, out := range []string{"..", "../x", "a/../../x", "/etc", "~/../x/.git", ".git", "a/.ssh", `C:\x`, "C:/x", `..\x`, `\\host\x`} {
		for _, key := range []string{"corpus", "include", "exclude"} {
			if _, err := Parse("f", []byte(key+" = ['"+out+"']")); err == nil || !strings.Contains(err.Error(), "does not lie below "+
				"this file") {
				t.Errorf("%s %s: %v", key, out, err)
			}
		}
	}
}

// A file is found upwards as far as the repository's root, without one as far as the home folder, elsewhere beside the text.
func TestFind(t *testing.T) {
	top := Resolved(t.TempDir())
	for _, name := range []string{Name, "home/" + Name, "home/notes/a.md", "repo/.git", "repo/docs/a.md", "own/.git", "own/" + Name,
		"own/docs/deep/a.md", "own/vendor/.git", "home/repo/.git", "loose/a.md"} {
		name = filepath.Join(top, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
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
	if err := errors.Join(os.Mkdir(filepath.Join(top, "papers"), 0o755), os.Mkdir(filepath.Join(top, ".git"), 0o755)); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"out": outside, "hid": ".git", "in": "papers"} {
		if err := os.Symlink(to, filepath.Join(top, name)); err != nil {
			t.Skip(err)
		}
	}
	for name, want := range map[string]bool{"papers": true, "in": true, ".": true, "out": false, "hid": false, "missing": false,
		"../" + filepath.Base(outside): false} {
		if _, got := Inside(top, name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// A pull request may bring a file of any size.
func TestLimits(t *testing.T) {
	long, wild := strings.Repeat("x", 201), strings.Repeat("**/a*/", 33)
	for _, text := range []string{"exclude = ['" + strings.Repeat("a', '", 201) + "a']", "include = ['" + long + "']", "corpus = " +
		"['" + long + "']"} {
		if _, err := Parse("f", []byte(text)); err == nil {
			t.Errorf("%.40s… is accepted", text)
		}
	}
	f, err := Parse("f", []byte("exclude = ['"+strings.Repeat(wild+"b', '", 199)+"z']"))
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	for range 20 {
		f.Excludes(strings.Repeat("aaaa/", 40))
	}
	if took := time.Since(begun); took > time.Second {
		t.Errorf("20 names take %s", took)
	}
}

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, file string
		want          bool
	}{
		{"docs/*.md", "docs/a.md", true}, {"docs/*.md", "docs/x/a.md", false}, {"docs/**/*.md", "docs/a.md", true},
		{"docs/**/*.md", "docs/x/y/a.md", true},
		{"docs", "docs/x/a.md", true}, {"docs", "docs.md", false}, {"a.md", "a.md", true}, {"a.md", "aXmd", false}, {"**", "x/y", true},
		{".", "x/y", true}, {"?.md", "ab.md", false},
		{"./docs/", "docs/a.md", true}, {"(x)[1].md", "(x)[1].md", true}, {"*.md", "é.md", true},
	} {
		f, err := Parse("f", fmt.Appendf(nil, "include = ['%s']", tt.pattern))
		if err != nil || f.Includes(tt.file) != tt.want {
			t.Errorf("%s %s: not %v (%v)", tt.pattern, tt.file, tt.want, err)
		}
	}
}

// The example of the docs is valid and has each key.
func TestDocs(t *testing.T) {
	body, err := os.ReadFile(filepath.Join("..", "..", "docs", "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(body), "```toml\n")
	example, _, ok := strings.Cut(example, "```")
	f, err := Parse("example", []byte(example))
	if err != nil || !ok || f.Offline == nil || f.FailOn == nil ||
		len(f.Corpus)*len(f.Include)*len(f.Exclude) == 0 {
		t.Errorf("the example: %v, %+v", err, f)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"corpus = [\"a\"]\ninclude = [\"**/**/a*\"]\n", "x = {a = [1, {b = 2}]}", "\uFEFFoffline = true"} {
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
		file.Includes(name)
	})
}
