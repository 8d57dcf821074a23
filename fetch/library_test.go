package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

type library func(address string) (Item, error)

func (l library) Open(_ context.Context, address string) (Item, error) { return l(address) }

func said(text string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return text, nil }
}

func TestReadLibrary(t *testing.T) {
	dir := t.TempDir()
	kept := write(t, filepath.Join(dir, "storage", "PDFS2345", "tide.txt"), "kept "+longText)
	linked := write(t, filepath.Join(dir, "linked", "tide.txt"), "linked "+longText)
	corpus := filepath.Join(dir, "corpus")
	inCorpus := write(t, filepath.Join(corpus, "tide.txt"), "corpus "+longText)
	secret := write(t, filepath.Join(dir, "private", "key.txt"), "secret "+longText)
	for _, err := range []error{
		os.Symlink(filepath.Join(dir, "private"), filepath.Join(dir, "storage", "EVIL2345")),
		os.Symlink(secret, filepath.Join(dir, "storage", "PDFS2345", "out.txt")),
		os.Symlink(filepath.Join(dir, "storage"), filepath.Join(dir, "moved")),
	} {
		if err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	const zotero, web = "zotero://select/library/items/TIDE2345", "https://journal.example.org/tide"
	tests := []struct {
		name   string
		item   Item
		err    error
		status Status
		text   string // its beginning
		final  string
		reason string
	}{
		{"a file that the library keeps", Item{File: fileURL(kept), Folder: "storage/PDFS2345", URL: web}, nil, StatusRead, "kept ", web,
			""},
		{"the same, by a folder that was moved", Item{File: fileURL(filepath.Join(dir, "moved", "PDFS2345", "tide.txt")),
			Folder: "storage/PDFS2345"}, nil, StatusRead, "kept ", zotero, ""},
		{"a linked file in the corpus", Item{File: fileURL(inCorpus), Folder: "storage/PDFS2345"}, nil, StatusRead, "corpus ", zotero, ""},
		{"a linked file elsewhere", Item{File: fileURL(linked), Folder: "storage/PDFS2345"}, nil, StatusBlocked, "", "",
			"only inside corpus folders"},
		{"a linked file elsewhere, with an index", Item{File: fileURL(linked), Folder: "storage/PDFS2345",
			Text: said("indexed " + longText)}, nil, StatusRead, "indexed ", zotero, ""},
		{"a folder that leads elsewhere", Item{File: fileURL(filepath.Join(dir, "storage", "EVIL2345", "key.txt")),
			Folder: "storage/EVIL2345"}, nil, StatusBlocked, "", "", "only inside corpus folders"},
		{"a file that leads elsewhere", Item{File: fileURL(filepath.Join(dir, "storage", "PDFS2345", "out.txt")),
			Folder: "storage/PDFS2345"}, nil, StatusBlocked, "", "", "only inside corpus folders"},
		{"nothing at all", Item{}, nil, StatusNotFound, "", "", "no attachment that can be read"},
		{"an address that may not be read", Item{See: "http://127.0.0.1:1/x"}, nil, StatusBlocked, "", "", "loopback"},
		{"a refusal", Item{}, &LibraryError{Status: StatusBlocked, Reason: "not enabled"}, StatusBlocked, "", "", "not enabled"},
		{"a failure", Item{}, errors.New("odd"), StatusError, "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := reader(t, func(c *Config) { c.Corpus = []string{corpus} })
			tt.item.Address = zotero
			tt.item.Document = document.Document{Head: document.Head{Title: "Known", Authors: []string{"Ada Müller"},
				DOI:         "10.5555/tide.1",
				PublishedAt: "2021"}}
			r.AddLibrary("zotero", library(func(string) (Item, error) { return tt.item, tt.err }))
			page := r.Read(t.Context(), zotero)
			if page.Status != tt.status || !strings.HasPrefix(page.Text, tt.text) || page.URL != zotero ||
				!strings.Contains(page.Reason, tt.reason) {
				t.Fatalf("%s %q %q, %q; want %s", page.Status, page.Text, page.URL, page.Reason, tt.status)
			}
			if page.Status == StatusRead && (page.FinalURL != tt.final || page.Via != "zotero" || page.Title != "Known" ||
				page.DOI != "10.5555/tide.1" || page.Authors[0] != "Ada Müller" || page.Capture == nil) {
				t.Errorf("%+v", page)
			}
		})
	}
	if page := reader(t).Read(t.Context(), zotero); page.Status != StatusBlocked {
		t.Errorf("without a library: %s, %s", page.Status, page.Reason)
	}
}

// An item without a text is read from the web, and keeps the library's metadata.
func TestReadLibraryItemFromTheWeb(t *testing.T) {
	r, srv := serve(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/tide" {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, article)
			return
		}
		http.NotFound(w, req)
	}))
	r.AddLibrary("zotero", library(func(string) (Item, error) {
		return Item{Address: "zotero://select/library/items/TIDE2345", See: srv.URL + "/tide",
			Document: document.Document{Head: document.Head{DOI: "10.5555/tide.1"}}}, nil
	}))
	page := r.Read(t.Context(), "zotero://select/library/items/TIDE2345")
	if page.Status != StatusRead || page.FinalURL != srv.URL+"/tide" || page.Via != "" || page.Title != "Tide tables" ||
		page.DOI != "10.5555/tide.1" {
		t.Errorf("%+v", page)
	}
}
