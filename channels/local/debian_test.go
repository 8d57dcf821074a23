package local_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
)

// Debian's documentation packages (installed by .ci/services corpus) are real folders with known answers.
func TestDebianDocumentation(t *testing.T) {
	docs := os.Getenv("CITELOOP_TEST_DEBIAN_DOCS")
	if docs == "" {
		t.Skip("CITELOOP_TEST_DEBIAN_DOCS does not name the folder of Debian's documentation, such as /usr/share/doc")
	}
	if testing.Short() { // such as under the race detector, which is ten times as slow
		t.Skip("reads thousands of files: without -short")
	}
	tests := []struct {
		name, folder string
		answers      map[string]string // query: a path among the first three
	}{
		{"sqlite3-doc", "sqlite3", map[string]string{
			"sqlite wal checkpoint":                  "c3ref/wal_checkpoint.html",
			"write-ahead logging":                    "/wal.html",
			"how to corrupt an sqlite database file": "/howtocorrupt.html",
			"title:vacuum path:lang_":                "/lang_vacuum.html",
			"appropriate uses for sqlite":            "/whentouse.html",
			"type:pdf copyright release":             "/copyright-release.pdf",
		}},
		{"postgresql-doc-15", "postgresql-doc-15", map[string]string{
			"vacuum freeze": "/sql-vacuum.html",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := os.Stat(filepath.Join(docs, tt.name)); err != nil { // package sqlite3 also creates the folder
				t.Skipf("%s is not installed below %s", tt.name, docs)
			}
			tt.folder = filepath.Join(docs, tt.folder)
			c, reader := indexed(t, tt.folder)
			if r := c.Report(); r.Files < 500 {
				t.Fatalf("%+v", r)
			}
			for query, want := range tt.answers {
				hits, _, err := c.Search(t.Context(), query, 3)
				if err != nil {
					t.Fatal(err)
				}
				found := false
				for _, h := range hits {
					found = found || strings.HasSuffix(h.Path, want)
				}
				if !found {
					t.Errorf("%q finds %+v, not %s", query, hits, want)
				}
				for _, h := range hits { // fetch reads the same text at the same offsets
					page := reader.Read(t.Context(), fetch.FileAddress(h.Path))
					if page.Status != fetch.StatusRead {
						t.Errorf("%s: %s %s", h.Path, page.Status, page.Reason)
						continue
					}
					if diff := cmp.Diff(h.Passage, string([]rune(page.Text)[h.Start:h.End])); diff != "" {
						t.Errorf("%s, %d to %d (-index +fetch)\n%s", h.Path, h.Start, h.End, diff)
					}
				}
			}
		})
	}
}
