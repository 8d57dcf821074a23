package loops_test

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/folder"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// withFolders returns the service of another process on the harness' store, whose loops have folders in data.
func (h *harness) withFolders(data string, store func(loopstate.Store) loopstate.Store) *loops.Service {
	h.t.Helper()
	cfg := h.service().Config
	if store != nil {
		cfg.Store = store(cfg.Store)
	}
	cfg.Folders = folder.New(data, false)
	return loops.New(cfg)
}

// withLighthouse returns a store with a page on the web, and a place for a data folder.
func withLighthouse(t *testing.T) (h *harness, data string) {
	t.Helper()
	h = newHarness(t)
	h.web.put("https://example.org/lighthouse", "The lighthouse", lighthouse)
	return h, filepath.Join(t.TempDir(), "data")
}

func fileText(t *testing.T, path string) string {
	t.Helper()
	text := must(os.ReadFile(path))(t)
	return string(text)
}

// A folder follows its loop: the files that a call names are there, the index soon, and it ends with the loop.
func TestFolderFollowsTheLoop(t *testing.T) {
	t.Parallel()
	h, data := withLighthouse(t)
	svc := h.withFolders(data, nil)
	a := must(svc.Start(t.Context(), loopstate.StartInput{Query: "What is at Cape Arden?"}))(t)
	if filepath.Dir(a.Folder) != filepath.Join(data, "loops") || !strings.Contains(fileText(t, filepath.Join(a.Folder, "index.md")),
		"# What is at Cape Arden?\n") {
		t.Fatalf("folder %q", a.Folder)
	}
	index := func() string { svc.Close(); return fileText(t, filepath.Join(a.Folder, "index.md")) }
	must(svc.AddGap(t.Context(), a.StateID, "", loopstate.GapInput{Gap: "Who keeps the lighthouse?"}))(t)
	if !strings.Contains(index(), "- G1: Who keeps the lighthouse?\n") {
		t.Errorf("after a gap:\n%s", index())
	}
	for range 2 { // read, and known already
		pages := done(h, svc.Read, loops.ReadInput{Loop: a.StateID, URLs: []string{"https://example.org/lighthouse",
			"https://example.org/nowhere"}})
		if pages[0].File != filepath.Join(a.Folder, "S1.md") || fileText(t, pages[0].File) != pages[0].Text || pages[1].File != "" {
			t.Errorf("files %q and %q", pages[0].File, pages[1].File)
		}
		if !strings.Contains(index(), "- S1 (S1.md, ") {
			t.Errorf("the index lacks S1:\n%s", index())
		}
		noError(t, os.RemoveAll(a.Folder)) // it comes back with the next call
	}
	other := h.withFolders(data, nil)
	if v, err := other.State(t.Context(), loops.ViewInput{Loop: a.StateID}); err != nil || v.Folder != a.Folder ||
		!strings.Contains(index(), "- S1 (S1.md, ") {
		t.Errorf("another process: folder %q, %v", v.Folder, err)
	}
	if path := svc.ShowReport(t.Context(), a.StateID, "markdown", "# Answer\n"); path != filepath.Join(a.Folder, "report.md") ||
		fileText(t, path) != "# Answer\n" || !strings.Contains(index(), "- Report: report.md\n") {
		t.Errorf("report at %q:\n%s", path, index())
	}
	noError(t, svc.Delete(t.Context(), a.StateID))
	if _, err := os.Stat(a.Folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is there after the loop is deleted: %v", err)
	}
}

// Another process changes the loop after this one has read its state for the folder: the folder shows the change, although
// this process renames its index last.
func TestFolderOfTwoProcesses(t *testing.T) {
	t.Parallel()
	h, data := withLighthouse(t)
	h.web.put("https://example.org/mill", "The mill", "The mill was built in 1902. It stands at the river.")
	hooked := &hookedStore{}
	late := h.withFolders(data, func(s loopstate.Store) loopstate.Store { hooked.Store = s; return hooked })
	other := h.withFolders(data, nil)
	loop := h.start("q")
	must(late.Read(t.Context(), loops.ReadInput{Loop: loop, URLs: []string{"https://example.org/lighthouse"}}))(t)
	path := late.Folder(t.Context(), loop)
	noError(t, os.Remove(filepath.Join(path, "S1.md"))) // so that its text is read between the state and the index
	hooked.before = map[string]func(){"Blob": func() {
		if _, err := other.Read(t.Context(), loops.ReadInput{Loop: loop, URLs: []string{"https://example.org/mill"}}); err != nil {
			t.Error(err)
		}
	}}
	_, err := late.AddGap(t.Context(), loop, "", loopstate.GapInput{Gap: "Who keeps it?"})
	if late.Close(); err != nil || len(hooked.before) > 0 {
		t.Fatalf("the other process had no turn, or %v", err)
	}
	for _, want := range []string{"- S1 (S1.md, ", "- S2 (S2.md, ", "- G1: "} {
		if index := fileText(t, filepath.Join(path, "index.md")); !strings.Contains(index, want) {
			t.Errorf("the index lacks %q:\n%s", want, index)
		}
	}
	// Deleted by the other process meanwhile: no folder stays.
	h.web.put("https://example.org/quay", "The quay", "The quay of Cape Arden was built in 1911.")
	hooked.before = map[string]func(){"Blob": func() {
		if err := other.Delete(t.Context(), loop); err != nil {
			t.Error(err)
		}
	}}
	_, _ = late.Read(t.Context(), loops.ReadInput{Loop: loop, URLs: []string{"https://example.org/quay"}})
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) || len(hooked.before) > 0 {
		t.Errorf("the folder of a deleted loop: %v", err)
	}
}

// A folder that cannot be written fails no call, and is logged once.
func TestFolderThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	h, data := withLighthouse(t)
	if err := os.WriteFile(data, nil, 0o600); err != nil { // a file is in its place
		t.Fatal(err)
	}
	var log bytes.Buffer
	cfg := h.withFolders(data, nil).Config
	cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
	svc := loops.New(cfg)
	a, err := svc.Start(t.Context(), loopstate.StartInput{Query: "q"})
	if err != nil || a.Folder != "" {
		t.Fatalf("folder %q, %v", a.Folder, err)
	}
	pages, err := svc.Read(t.Context(), loops.ReadInput{Loop: a.StateID, URLs: []string{"https://example.org/lighthouse"}})
	if err != nil || pages[0].ID != "S1" || pages[0].File != "" {
		t.Errorf("read: %v, %v", pages, err)
	}
	if n := strings.Count(log.String(), "\n"); n != 1 || !strings.Contains(log.String(), "the folder of a loop could not be written") {
		t.Errorf("logged %d times:\n%s", n, log.String())
	}
}

// Loops of owners with a token, and all loops of a service without folders, have none.
func TestNoFolder(t *testing.T) {
	t.Parallel()
	h, data := withLighthouse(t)
	off := h.withFolders(data, nil).Config
	off.Folders = folder.New(data, true)
	for name, svc := range map[string]*loops.Service{"an owner": h.withFolders(data, nil), "off": loops.New(off), "none": h.Service} {
		ctx := t.Context()
		if name == "an owner" {
			ctx = loops.WithOwner(ctx, "anna")
		}
		a := must(svc.Start(ctx, loopstate.StartInput{Query: "q"}))(t)
		pages := must(svc.Read(ctx, loops.ReadInput{Loop: a.StateID, URLs: []string{"https://example.org/lighthouse"}}))(t)
		v := must(svc.State(ctx, loops.ViewInput{Loop: a.StateID}))(t)
		if got := a.Folder + pages[0].File + v.Folder + svc.ShowReport(ctx, a.StateID, "markdown", "x"); got != "" {
			t.Errorf("%s: %q", name, got)
		}
		noError(t, svc.Delete(ctx, a.StateID))
	}
	if _, err := os.Stat(data); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("files were written: %v", err)
	}
}
