package textcheck

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
)

const otterNotes = `---
title: Otter notes
status: Withdrawn
---
# Otters

Otters swim well in cold water and rest on ice. They come back to the same holt for years, and leave it only in a flood.

## Food & drink

Otters eat 12 crabs a day.

They drink sea water.

## Food & drink

Voles eat grass in summer, and the bark of young willows in winter, when the grass is under snow.
`

// writeFiles writes files into a new folder.
func writeFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// tree writes files and makes their folder the working one.
func tree(t *testing.T, files map[string]string) string {
	root := writeFiles(t, files)
	t.Chdir(root)
	return root
}

// checkFiles checks drafts of the working folder as the command does, without the network.
func checkFiles(t *testing.T, corpus []string, drafts ...Draft) *Result {
	t.Helper()
	reader, err := fetch.New(fetch.Config{UserAgent: "test", Corpus: append(corpus, Beside(drafts)...), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = reader.Close() })
	saved, err := OpenCorpus(t.Context(), corpus)
	if err != nil {
		t.Fatal(err)
	}
	cfg := config(nil)
	cfg.Reader, cfg.Corpus, cfg.Offline = reader, saved, true
	return check(t, cfg, drafts...)
}

// Links to files beside the text, and in a corpus folder, lead to the lines that they name, under names that are the same on
// each machine.
func TestRelativeLinks(t *testing.T) {
	tree(t, map[string]string{"repo/docs/notes.md": otterNotes, "repo/docs/my notes.md": otterNotes, "repo/README.md": otterNotes, "kb/deep/base.md": otterNotes, "repo/docs/.env/x.md": otterNotes})
	for _, tt := range []struct{ link, want string }{
		{"notes.md#L7", "docs/notes.md:7"},
		{"./notes.md#L7-L9", "docs/notes.md:7-9"},
		{"../README.md#L11", "README.md:11"},
		{"my%20notes.md#L7", "docs/my notes.md:7"},
		{"notes.md#food--drink", "docs/notes.md:9-13"},
		{"notes.md#food--drink-1", "docs/notes.md:15-17"},
		{"notes.md#:~:text=eat%2012%20crabs", "docs/notes.md:11"},
		{"deep/base.md#L13", "../kb/deep/base.md:13"},
		{"notes.md#L120", "docs/notes.md has 17 lines, so there is no docs/notes.md:120"},
		{"gone.md#L3", "docs/gone.md: no such file or message in the corpus"},
		{"../../outside.md#L3", "blocked"},
		{".env/x.md", "blocked"},
	} {
		t.Run(tt.link, func(t *testing.T) {
			t.Chdir(filepath.Join("repo")) // the working folder
			r := checkFiles(t, []string{"../kb"}, Draft{"docs/text.md", "Otters and voles eat and drink ([see](" + tt.link + ")).\n"})
			cite := r.Claims[0].Citations[0]
			got := r.Claims[0].Lines
			switch {
			case cite.Status == "blocked":
				got = cite.Status
			case got == "":
				got = cite.Reason
			}
			if got != tt.want {
				t.Errorf("%s leads to %q (%s), want %q", tt.link, got, cite.URL, tt.want)
			}
			for _, format := range Formats() {
				var out bytes.Buffer
				if err := Write(&out, format, r); err != nil {
					t.Fatal(err)
				}
				if wd, _ := os.Getwd(); tt.want != "blocked" && strings.Contains(out.String(), filepath.Dir(wd)) {
					t.Errorf("%s names the machine's folder", format)
				}
			}
		})
	}
}

// Files that differ by case alone, or are named like a site, are not mixed up.
func TestNamesOfFilesAreNoAddresses(t *testing.T) {
	tree(t, map[string]string{"notes.md": otterNotes, "NOTES.md": "Voles eat grass in summer, and so do their young.\n"})
	r := checkFiles(t, nil, Draft{"text.md", "Otters eat crabs ([a](notes.md)).\n\nVoles eat grass ([b](NOTES.md)).\n\nIt is so ([c](https://notes.md/)).\n"})
	if a, b, c := r.Claims[0], r.Claims[1], r.Claims[2]; !strings.HasPrefix(a.Lines, "notes.md:") || b.Lines != "NOTES.md:1" || c.Citations[0].Status != "not_read" {
		t.Errorf("%s, %s, %+v", a.Lines, b.Lines, c.Citations)
	}
}

// Two machines with the same folders in other places give the same result.
func TestSameOnAnotherMachine(t *testing.T) {
	const text = "Otters eat 12 crabs a day ([notes](notes.md#L11)).\n\nVoles eat grass in winter ([again](../README.md#L17)).\n"
	var outs []string
	for range 2 {
		tree(t, map[string]string{"docs/notes.md": otterNotes, "README.md": otterNotes})
		var out bytes.Buffer
		r := checkFiles(t, nil, Draft{"docs/text.md", text})
		for i := range r.Sources {
			r.Sources[i].FetchedAt = nil
		}
		for _, format := range []string{Text, JSON, SARIF, GitHub} {
			if err := Write(&out, format, r); err != nil {
				t.Fatal(err)
			}
		}
		outs = append(outs, out.String())
	}
	if diff := cmp.Diff(outs[0], outs[1]); diff != "" {
		t.Errorf("(-first +second):\n%s", diff)
	}
}

// A text in a repository may cite all of it; one without may cite its own folder, and the working folder if that contains it.
func TestBeside(t *testing.T) {
	root := tree(t, map[string]string{"repo/.git/config": "", "repo/a/b/text.md": "x", "plain/a/text.md": "x"})
	for _, tt := range []struct {
		working, draft string
		want           []string
	}{
		{"repo/a", "b/text.md", []string{"repo/a/b", "repo/a", "repo"}},
		{"plain", "a/text.md", []string{"plain/a", "plain"}},
		{"repo", "../plain/a/text.md", []string{"plain/a"}},
		{"plain", "<stdin>", []string{"plain"}},
	} {
		t.Chdir(filepath.Join(root, tt.working))
		var want []string
		here, _ := os.Getwd()
		base := strings.TrimSuffix(here, filepath.FromSlash(tt.working))
		for _, folder := range tt.want {
			want = append(want, filepath.Join(base, folder))
		}
		if diff := cmp.Diff(want, Beside([]Draft{{Name: tt.draft}})); diff != "" {
			t.Errorf("%s from %s (-want +got):\n%s", tt.draft, tt.working, diff)
		}
	}
}

// Texts named by absolute paths outside of the working folder have files relative to themselves; two files keep two names.
func TestAbsoluteDrafts(t *testing.T) {
	root := tree(t, map[string]string{"a/notes.md": otterNotes, "b/notes.md": otterNotes, "elsewhere/x": ""})
	t.Chdir(filepath.Join(root, "elsewhere"))
	const text = "Otters eat 12 crabs a day ([notes](notes.md#L11)).\n"
	r := checkFiles(t, nil, Draft{filepath.Join(root, "a", "text.md"), text}, Draft{filepath.Join(root, "b", "text.md"), text})
	if len(r.Sources) != 2 || r.Claims[0].Lines != "notes.md:11" || r.Claims[1].Lines == r.Claims[0].Lines || !strings.HasSuffix(r.Claims[1].Lines, "/b/notes.md:11") {
		t.Errorf("%d sources; %s; %s", len(r.Sources), r.Claims[0].Lines, r.Claims[1].Lines)
	}
}
