package folder_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/folder"
	"github.com/citeloop/citeloop/loopstate"
)

const loopID = "0199c1d2-b77e-7d3c-9d5e-0a1b2c3d4e5f"

// texts are the stored texts by their hashes.
type texts map[string]string

func (t texts) get(hash string) (string, error) {
	text, ok := t[hash]
	if !ok {
		return "", loopstate.ErrNotFound
	}
	return text, nil
}

// state returns a loop with a question and sources of these texts, S1 first.
func state(t texts, question string, sources ...string) *loopstate.State {
	st := &loopstate.State{Loop: loopID, Started: loopstate.Started{Owner: "local", Query: question, AsOf: "2026-11-23",
		Budget: loopstate.Budget{Rounds: 5, Tokens: 1000}}, StartedAt: time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)}
	for i, text := range sources {
		hash := loopstate.HashText([]byte(text)).String()
		t[hash] = text
		st.Sources = append(st.Sources, loopstate.Source{ID: fmt.Sprintf("S%d", i+1), SHA256: hash, Title: fmt.Sprintf("Title %d", i+1),
			FinalURL: fmt.Sprintf("https://example.org/%d", i+1), PublishedAt: "2026-01-02", Chars: 9})
	}
	return st
}

func dataFolder(t *testing.T) string { return filepath.Join(t.TempDir(), "data") }

// settle writes until nothing changes, as callers do.
func settle(t *testing.T, f *folder.Folders, st *loopstate.State, stored texts) {
	t.Helper()
	for range 3 {
		changed := must(f.Write(folder.Of(st), stored.get))(t)
		if !changed {
			return
		}
	}
	t.Fatal("the folder changes with every write")
}

func read(t *testing.T, path string) string {
	t.Helper()
	text := must(os.ReadFile(path))(t)
	return string(text)
}

// all returns the files below a folder with their texts. None may be a link.
func all(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(root, path)
			out[filepath.ToSlash(rel)] = read(t, path)
			if !d.Type().IsRegular() {
				t.Errorf("%s is no file of its own", rel)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWrite(t *testing.T) {
	data, stored := dataFolder(t), texts{}
	first, second := "---\nstatus: final\n---\n\n\nline six\r\nline seven", "one\ntwo\n"
	st := state(stored, "Does a four-day week raise output?", first, second)
	st.Gaps = []loopstate.Gap{{ID: "G1", Gap: "Who measured it?", Material: true, Status: loopstate.GapOpen},
		{ID: "G2", Gap: "In Chad?", Status: loopstate.GapUnanswerable, Why: "nobody counted"}}
	f := folder.New(data, false)
	settle(t, f, st, stored)
	dir := f.Path(loopID, st.Query)
	if want := filepath.Join(data, "loops", "does-a-four-day-week-raise-output-"+loopID); dir != want {
		t.Errorf("the folder is %s, want %s", dir, want)
	}
	files := all(t, dir)
	index := files["index.md"]
	if files["S1.md"] != first || files["S2.md"] != second || len(files) != 3 {
		t.Errorf("files %q", files)
	}
	for _, want := range []string{
		"# Does a four-day week raise output?\n", loopID, "as of 2026-11-23", "- Rounds: 0 closed; running\n", "- Decision: ",
		"## Open gaps\n\n- G1: Who measured it?\n", "- G2: In Chad? (nobody counted)\n",
		"- S1 (S1.md, 9 characters, published 2026-01-02): Title 1 <https://example.org/1>\n- S2 (S2.md, 9 characters, ",
	} {
		if !strings.Contains(index, want) {
			t.Errorf("the index lacks %q:\n%s", want, index)
		}
	}
	for _, name := range []string{dir, filepath.Join(dir, "S1.md")} {
		if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others can read %s: %v", name, err)
		}
	}
	if path, err := f.Report(loopID, st.Query, ".md", "# Report\n"); err != nil || path != filepath.Join(dir, "report.md") ||
		read(t, path) != "# Report\n" {
		t.Errorf("report at %q, %v", path, err)
	}
	settle(t, f, st, stored)
	if index := read(t, filepath.Join(dir, "index.md")); !strings.Contains(index, "- Report: report.md\n") {
		t.Errorf("the index does not name the report:\n%s", index)
	}
}

// What is missing is written again; so is what a person or a killed process has changed, by the next process.
func TestRebuild(t *testing.T) {
	stored := texts{}
	st := state(stored, "q", "the first text\n", "the second text\n")
	const here, next = false, true
	for name, tt := range map[string]struct {
		damage func(dir string) error
		by     bool
	}{
		"all folders":       {func(dir string) error { return os.RemoveAll(filepath.Dir(dir)) }, here},
		"a text":            {func(dir string) error { return os.Remove(filepath.Join(dir, "S1.md")) }, here},
		"the index":         {func(dir string) error { return os.Remove(filepath.Join(dir, "index.md")) }, here},
		"an older index":    {func(dir string) error { return os.WriteFile(filepath.Join(dir, "index.md"), []byte("# q\n"), 0o600) }, here},
		"a text edited":     {func(dir string) error { return os.WriteFile(filepath.Join(dir, "S2.md"), []byte("the\n"), 0o600) }, next},
		"a text of no byte": {func(dir string) error { return os.Truncate(filepath.Join(dir, "S2.md"), 0) }, next},
		"links in place of files": {func(dir string) error {
			text, index, precious := filepath.Join(dir, "S1.md"), filepath.Join(dir, "index.md"), filepath.Join(dir, "../../../precious")
			return errors.Join(os.Rename(text, precious), os.Remove(index), os.Symlink(precious, text), os.Symlink(precious, index))
		}, next},
	} {
		data := dataFolder(t)
		f := folder.New(data, false)
		settle(t, f, st, stored)
		dir := f.Path(loopID, "q")
		want := all(t, dir)
		if err := tt.damage(dir); err != nil && runtime.GOOS == "windows" { // without the right to make links
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		if tt.by == next {
			f = folder.New(data, false)
		}
		settle(t, f, st, stored)
		if got := all(t, dir); !maps.Equal(got, want) {
			t.Errorf("%s: %q", name, got)
		}
		if behind, err := os.ReadFile(filepath.Join(data, "../precious")); err == nil && string(behind) != "the first text\n" {
			t.Errorf("%s: the file behind the links is now %q", name, behind)
		}
	}
}

// A text that the store does not return is left out with an error; the rest is written, and a later call adds it.
func TestMissingText(t *testing.T) {
	data, stored := dataFolder(t), texts{}
	st := state(stored, "q", "the first text\n", "the second text\n")
	late := st.Sources[0].SHA256
	text := stored[late]
	delete(stored, late)
	f := folder.New(data, false)
	if _, err := f.Write(folder.Of(st), stored.get); !errors.Is(err, loopstate.ErrNotFound) {
		t.Errorf("error %v", err)
	}
	dir := f.Path(loopID, "q")
	if got := all(t, dir); len(got) != 2 || got["index.md"] == "" {
		t.Errorf("%q", got)
	}
	stored[late] = text
	settle(t, f, st, stored)
	if got := all(t, dir); got["S1.md"] != text {
		t.Errorf("%q", got)
	}
}

func TestHostileNames(t *testing.T) {
	for question, want := range map[string]string{
		"":                                "",
		"../../etc/passwd":                "etc-passwd-",
		"a\nb\x00c\td":                    "a-b-c-d-",
		"C:\\Windows\\System32":           "c-windows-system32-",
		"$(touch x) `id` * ? [a]":         "touch-x-id-a-",
		"Wie bremst die Straßenbahn?":     "wie-bremst-die-straßenbahn-",
		"四天工作制":                           "四天工作制-",
		"\u202egnirts":                    "gnirts-",
		strings.Repeat("\U00020000", 200): strings.Repeat("\U00020000", 48) + "-",
		"\xff\xfe":                        "",
	} {
		got := folder.Name(loopID, question)
		if got != want+loopID || len(got) > 255 || !utf8.ValidString(got) {
			t.Errorf("%.40q: %q, want %q", question, got, want+loopID)
		}
	}
	for id, want := range map[string]string{"S1": "S1.md", "S120": "S120.md", "../S1": "", "S0": "", "S1/../../x": "", "S1\n": "", "": "",
		"S99999999999999": "", "index": ""} {
		if got := folder.SourcePath("d", id); got != "" != (want != "") || want != "" && got != filepath.Join("d", want) {
			t.Errorf("source %q: %q, want %q", id, got, want)
		}
	}
}

// Hostile sources of an imported archive write nothing outside, and their titles stay on their lines.
func TestHostileSources(t *testing.T) {
	data, stored := dataFolder(t), texts{}
	st := state(stored, "a question\n## Sources\n- S9: forged", "text\n", "text\n")
	st.Sources[0].ID, st.Sources[0].DuplicateOf = "../../S1", "../S2"
	st.Sources[1].Title = "Title\n- S7 (S7.md): forged\u202e\x1b[31m" + strings.Repeat("x", 10_000)
	f := folder.New(data, false)
	settle(t, f, st, stored)
	if got := all(t, filepath.Dir(data)); len(got) != 2 {
		t.Errorf("%d files: %q", len(got), got)
	}
	index := read(t, filepath.Join(f.Path(loopID, st.Query), "index.md"))
	if strings.Contains(index, "\n- S7") || strings.Contains(index, "\n- S9") || strings.ContainsAny(index, "\u202e\x1b") ||
		len(index) > 2_000 {
		t.Errorf("index:\n%s", index)
	}
}

// Nothing is written through links in the data folder.
func TestLinks(t *testing.T) {
	for _, link := range []string{"loops", "loops/" + folder.Name(loopID, "q"), "loops/.new"} {
		data, stored := dataFolder(t), texts{}
		outside := t.TempDir()
		at := filepath.Join(data, filepath.FromSlash(link))
		noError(t, os.MkdirAll(filepath.Dir(at), 0o755))
		if err := os.Symlink(outside, at); err != nil {
			t.Skip(err)
		}
		f := folder.New(data, false)
		if _, err := f.Write(folder.Of(state(stored, "q", "text\n")), stored.get); err == nil {
			t.Errorf("%s: no error", link)
		}
		if err := f.Check(); (err == nil) != (link == "loops/"+folder.Name(loopID, "q")) {
			t.Errorf("%s: check says %v", link, err)
		}
		if got := all(t, outside); len(got) > 0 {
			t.Errorf("%s: written outside: %q", link, got)
		}
	}
}

// A loop that is deleted loses its folder, also where folders are off now; others stay.
func TestRemove(t *testing.T) {
	data, stored := dataFolder(t), texts{}
	st := state(stored, "q", "text\n")
	here := folder.New(data, false)
	settle(t, here, st, stored)
	other := state(stored, "q", "text\n")
	other.Loop = "0199c1d2-b77e-7d3c-9d5e-0a1b2c3d4e60"
	settle(t, here, other, stored)
	off := folder.New(data, true)
	if off.Path(loopID, "q") != "" || off.Root() != "" {
		t.Errorf("off, but %q", off.Path(loopID, "q"))
	}
	if changed, err := off.Write(folder.Of(st), stored.get); changed || err != nil {
		t.Errorf("off, but wrote: %t, %v", changed, err)
	}
	for _, id := range []string{"", "-", "../..", loopID} {
		if err := off.Remove(id); err != nil {
			t.Error(err)
		}
	}
	if got := all(t, filepath.Join(data, "loops")); len(got) != 2 {
		t.Errorf("left in the data folder: %q", got)
	}
}

// Where nothing can be written, there is an error and nothing else.
func TestUnwritable(t *testing.T) {
	data, stored := dataFolder(t), texts{}
	noError(t, os.WriteFile(data, []byte("a file"), 0o600))
	f := folder.New(data, false)
	_, write := f.Write(folder.Of(state(stored, "q", "text\n")), stored.get)
	_, report := f.Report(loopID, "q", ".md", "x")
	for call, err := range map[string]error{"Write": write, "Report": report, "Remove": f.Remove(loopID), "Check": f.Check()} {
		if err == nil {
			t.Errorf("%s finds nothing", call)
		}
	}
}

// must returns the value of a call that has to succeed.
func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		noError(t, err)
		return value
	}
}

// noError ends a test with an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
