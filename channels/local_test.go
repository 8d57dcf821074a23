package channels_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/local"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/fetch"
	"github.com/google/go-cmp/cmp"
)

// A hit has the place of its passage, and what the file says of itself.
func TestLocal(t *testing.T) {
	dir := t.TempDir()
	for name, body := range map[string]string{
		"tides.md": "# Tidal mills\n\nA tidal mill uses the **sea**. Its wheel turns with the ebb; see `Vec<T>` and <b> in HTML.\n",
		"page.html": `<!doctype html><html lang="de"><head><title>Gezeitenmühle</title><meta name="author" content="Ada Miller">
			<meta property="article:published_time" content="2021-07-03T10:00:00Z"></head><body><article><h1>Gezeitenmühle</h1>
			<p>` + strings.Repeat("Die Mühle am Meer mahlt mit Ebbe und Flut. ", 12) + `</p></article></body></html>`,
		"picture.png": "a tidal mill", ".private.md": "# Hidden\n\nA tidal mill.",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := registry(t, newClock(), channels.Config{}, nil, source.All(folder(t, dir))...)
	out, found := one(t, r, "local", channels.Query{Text: "tidal mill of the sea"})
	if out.Status != channels.StatusOK || len(found) != 1 || found[0].Title != "Tidal mills" ||
		!strings.Contains(found[0].Snippet, "Vec<T>") || found[0].URL != fetch.FileAddress(filepath.Join(dir, "tides.md")) {
		t.Fatalf("%+v, %+v", out, found)
	}
	_, found = one(t, r, "local", channels.Query{Text: "Mühle Ebbe Flut", Since: "2021", Language: "de"})
	if len(found) == 0 || found[0].Lines != "1-3" || found[0].Section != "Gezeitenmühle" {
		t.Fatalf("the German page: %+v", found)
	}
	got := found[0].Evidence
	got.URL, got.Snippet, got.Score, got.SourceType = "", "", 0, ""
	want := channels.Evidence{Title: "Gezeitenmühle", Source: "local", PublishedAt: "2021-07-03", Authors: []string{"Ada Miller"},
		Language: "de"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, info := range r.List() {
		if want := map[string]string{"local": "2 files; left out: hidden files (1), images (1)"}[info.Name]; info.Files != want {
			t.Errorf("%s: files %q, want %q", info.Name, info.Files, want)
		}
	}
	if out, _ := one(t, r, "local", channels.Query{Text: "xyzzyplugh"}); out.Status != channels.StatusEmpty {
		t.Errorf("nothing to find: %+v", out)
	}
	out, found = one(t, r, "local", channels.Query{Text: "*", List: true, Limit: 1, From: 1})
	if len(found) != 1 || found[0].Title != "Tidal mills" || out.Total != 2 || out.First != 1 || out.Message != "2 documents" {
		t.Errorf("a list: %+v, %+v", out, found)
	}
}

// Documents of one title and DOI stay apart in a list: they are files.
func TestListOfFolders(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.md", "b.md"} {
		body := "---\ntitle: The same mill\ndoi: 10.1000/1\n---\n\nThe mill.\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := registry(t, newClock(), channels.Config{}, nil, source.All(folder(t, dir))...)
	if out, found := one(t, r, "local", channels.Query{Text: "*", List: true}); len(found) != 2 || out.Total != 2 {
		t.Errorf("%+v, %+v", out, found)
	}
}

// folder returns a corpus in memory, read by fetch.
func folder(t *testing.T, dirs ...string) *local.Corpus {
	t.Helper()
	reader, err := fetch.New(fetch.Config{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := local.New(local.Config{Folders: dirs, Dir: t.TempDir(), Reader: reader})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(c.Close(), reader.Close()); err != nil {
			t.Error(err)
		}
	})
	return c
}

func TestLocalWithoutFolders(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	for _, tt := range []struct {
		corpus []string
		status channels.Status
		says   string
	}{
		{nil, channels.StatusUnavailable, "--corpus"},
		{[]string{gone}, channels.StatusUnavailable, "not a readable folder: " + gone},
		{[]string{gone, "testdata"}, channels.StatusDegraded, "not a readable folder: " + gone},
	} {
		var corpus *local.Corpus
		if tt.corpus != nil {
			corpus = folder(t, tt.corpus...)
		}
		clock := newClock()
		r := registry(t, clock, channels.Config{}, nil, source.All(corpus)...)
		for range channels.CircuitFailures + 1 { // a folder may reappear at any time, so it opens no circuit
			clock.pass(time.Minute)
			if out, _ := one(t, r, "local", channels.Query{}); out.Status != tt.status || !strings.Contains(out.Message, tt.says) {
				t.Errorf("%+v, want %s saying %q", out, tt.status, tt.says)
			}
		}
	}
}
