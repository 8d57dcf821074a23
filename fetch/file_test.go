package fetch

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/pdf/pdftest"
)

func TestFileAddress(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	for raw, want := range map[string]string{
		"/home/ann/a #1?.pdf":       "file:///home/ann/a%20%231%3F.pdf",
		"~/a.pdf":                   FileAddress(home + "/a.pdf"),
		`C:\papers\a.pdf`:           "file:///C:/papers/a.pdf",
		"c:/papers/a.pdf":           "file:///c:/papers/a.pdf",
		"https://example.org/a.pdf": "", "https://c:80/a.pdf": "", "//example.org/a.pdf": "", "example.org/~ann/a.pdf": "",
	} {
		if got, ok := fileAddress(raw); got != want || ok != (want != "") {
			t.Errorf("fileAddress(%q) = %q, %v; want %q", raw, got, ok, want)
		}
	}
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	corpus := filepath.Join(dir, "corpus")
	in := func(name string) string { return FileAddress(filepath.Join(corpus, name)) }
	secret := write(t, filepath.Join(dir, "outside", "secret.txt"), "secret "+longText)
	beside := write(t, filepath.Join(dir, "corpus-two", "x.txt"), "secret "+longText)
	var d pdftest.Doc
	d.Page(pdftest.Show(72, 690, 10, "The tide tables of the harbour."))
	for name, text := range map[string]string{
		"plain.txt": longText, "short.txt": "short", "empty.txt": "\n", "photo.png": "x", ".env": "KEY=1", "server.pem": "x",
		"program": "\x7fELF\x00\x01", "big.json": strings.Repeat("{}\n", 1<<20), ".github/ci.yml": "on: push", "sub/x.md": "# Deep\n",
		"page.html.gz": packed(t, "gzip", article, 1), "paper.pdf": string(d.Bytes()), "liar.txt.gz": longText,
		"bomb.txt.gz": packed(t, "gzip", "a ", 2<<20), "login.html": "<title>Log in</title><p>You must log in to continue.",
		"list.mbox": listOfMails,
	} {
		write(t, filepath.Join(corpus, name), text)
	}
	symlink(t, filepath.Join(corpus, "plain.txt"), filepath.Join(corpus, "in.txt"))
	symlink(t, filepath.Join(dir, "outside", "secret.txt"), filepath.Join(corpus, "out.txt"))
	symlink(t, filepath.Join(dir, "outside"), filepath.Join(corpus, "up"))
	r := reader(t, func(c *Config) { c.Corpus, c.MaxDecoded = []string{corpus}, 2<<20 })
	pipe := ""
	if runtime.GOOS != "windows" {
		if pipe = in("pipe.txt"); makePipe(filepath.Join(corpus, "pipe.txt")) != nil {
			t.Skip("no named pipes here")
		}
	}
	for _, tt := range []struct {
		name, url string
		status    Status
		holds     string // the reason, or the title of a file that is read
	}{
		{"plain", in("plain.txt"), StatusRead, "plain.txt"},
		{"a path", filepath.Join(corpus, "plain.txt"), StatusRead, ""},
		{"localhost", strings.Replace(in("plain.txt"), "file://", "FILE://localhost", 1), StatusRead, ""},
		{"a link inside", in("in.txt"), StatusRead, ""},
		{"short", in("short.txt"), StatusRead, ""},
		{"compressed", in("page.html.gz"), StatusRead, "Tide tables"},
		{"a PDF", in("paper.pdf"), StatusRead, ""},
		{"a file of the user's own, whatever it says", in("login.html"), StatusRead, "Log in"},
		{"empty", in("empty.txt"), StatusTooShort, "no text"},
		{"an image", in("photo.png"), StatusUnsupported, "images are not read"},
		{"a program", in("program"), StatusUnsupported, "binary data is not read"},
		{"not compressed", in("liar.txt.gz"), StatusUnsupported, "not gzip"},
		{"too much data", in("big.json"), StatusError, "2 MiB"},
		{"a bomb", in("bomb.txt.gz"), StatusError, "2 MiB"},
		{"a mailbox", in("list.mbox"), StatusUnsupported, "many messages"},
		{"passwords", in(".env"), StatusBlocked, "may hold secrets"},
		{"a certificate", in("server.pem"), StatusBlocked, "may hold secrets"},
		{"hidden settings", in(".github/ci.yml"), StatusBlocked, "hidden files"},
		{"missing", in("nowhere.txt"), StatusNotFound, "no such file"},
		{"a folder", in("sub"), StatusBlocked, "regular"},
		{"a named pipe, which would block", pipe, StatusBlocked, "regular"},
		{"outside", secret, StatusBlocked, "--corpus"},
		{"a folder whose name begins the same", beside, StatusBlocked, "--corpus"},
		{"a link that leads out", in("out.txt"), StatusBlocked, "--corpus"},
		{"a folder link that leads out", in("up/secret.txt"), StatusBlocked, "--corpus"},
		{"dots", FileAddress(corpus) + "/../outside/secret.txt", StatusBlocked, ".."},
		{"another machine", "file://server/share/x.txt", StatusBlocked, "other machines"},
		{"relative", "file:plain.txt", StatusBlocked, "not valid"},
		{"a null byte", FileAddress(corpus) + "/a%00.txt", StatusBlocked, "not valid"},
		{"a device", "file:///dev/zero", StatusBlocked, "--corpus"},
		{"a relative path", "papers/a.pdf", StatusError, "full path of a file"},
	} {
		if tt.url == "" {
			continue
		}
		p := r.Read(t.Context(), tt.url)
		said := p.Reason
		if p.Status == StatusRead {
			said = p.Title
		}
		if p.Status != tt.status || !strings.Contains(said, tt.holds) || strings.Contains(p.Text, "secret") {
			t.Errorf("%s: %s, %q; want %s, %q", tt.name, p.Status, said, tt.status, tt.holds)
		}
	}
	if p := reader(t).Read(t.Context(), in("plain.txt")); p.Status != StatusBlocked {
		t.Errorf("without a corpus: %s", p.Status)
	}
	for _, bad := range []Config{{Corpus: []string{filepath.Join(dir, "nowhere")}}, {Corpus: []string{filepath.Join(corpus, "plain.txt")}},
		{AllowPrivate: []string{"nonsense"}}} {
		if _, err := New(bad); err == nil || !strings.Contains(err.Error(), append(bad.Corpus, bad.AllowPrivate...)[0]) {
			t.Errorf("New(%v, %v): %v", bad.Corpus, bad.AllowPrivate, err)
		}
	}
}

const listOfMails = `From ada@example.org Thu Nov 19 10:00:00 2026
From: Ada Miller <ada@example.org>
Subject: Tidal mills
Message-ID: <one@example.org>

The mill at the mouth of the river turns with the tide, twice a day, and has done so since the brothers built it.
>From the bridge one sees the wheel. It is made of oak and iron, and stands still for an hour between ebb and flood.

From jm@example.org Thu Nov 19 11:00:00 2026
Subject: Re: Tidal mills
Message-ID: <two@example.org>

Thanks.

From ada@example.org Thu Nov 19 10:00:00 2026
Subject: a copy of the first
Message-ID: <one@example.org>

The same again.
`

// EachDocument, which indexes folders, and Read of a file: address return the same text, so that offsets agree.
func TestEachDocumentMatchesRead(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := reader(t, func(c *Config) { c.Corpus = []string{dir} })
	var found []string
	for name, body := range map[string]string{"a.md": "---\ntitle: Tides\n---\n# Heights\n\n" + longText, "c.html": article,
		"list.mbox": listOfMails, "one.eml": "Subject: One\nFrom: Ada\n\n" + longText, "no one.txt": "short"} {
		path := filepath.Join(dir, name)
		write(t, path, body)
		if err := r.EachDocument(t.Context(), path, strings.NewReader(body), func(part string, want document.Document) error {
			found = append(found, filepath.Join(path, part))
			got := r.Read(t.Context(), FileAddress(filepath.Join(path, part)))
			if diff := cmp.Diff(want, got.Document); diff != "" || got.Status != StatusRead {
				t.Errorf("%s %s: %s %s (-EachDocument +Read)\n%s", name, part, got.Status, got.Reason, diff)
			}
			return nil
		}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(found) != 6 { // two messages of the mailbox: the third is a copy of the first
		t.Errorf("%d documents, want 6: %v", len(found), found)
	}
	outside := filepath.Join(t.TempDir(), "secret.mbox")
	write(t, outside, listOfMails)
	const unknown = "0123456789abcdef"
	for path, want := range map[string]Status{filepath.Join(dir, "list.mbox", unknown): StatusNotFound,
		filepath.Join(dir, "list.mbox", "first"): StatusNotFound, filepath.Join(outside, unknown): StatusBlocked,
		filepath.Join(dir, "gone.mbox", unknown): StatusNotFound} {
		if got := r.Read(t.Context(), FileAddress(path)); got.Status != want {
			t.Errorf("%s: %s (%s), want %s", path, got.Status, got.Reason, want)
		}
	}
}

type library func(address string) (Item, error)

func (l library) Open(_ context.Context, address string) (Item, error) { return l(address) }

func TestReadLibrary(t *testing.T) {
	dir := t.TempDir()
	corpus, stored := filepath.Join(dir, "corpus"), filepath.Join(dir, "storage", "PDFS2345")
	kept := write(t, filepath.Join(stored, "tide.txt"), "kept "+longText)
	linked := write(t, filepath.Join(dir, "linked", "tide.txt"), "linked "+longText)
	inCorpus := write(t, filepath.Join(corpus, "tide.txt"), "corpus "+longText)
	write(t, filepath.Join(dir, "private", "key.txt"), "secret "+longText)
	symlink(t, filepath.Join(dir, "private"), filepath.Join(dir, "storage", "EVIL2345"))
	symlink(t, filepath.Join(dir, "private", "key.txt"), filepath.Join(stored, "out.txt"))
	symlink(t, filepath.Join(dir, "storage"), filepath.Join(dir, "moved"))
	const zotero, at, outside = "zotero://select/library/items/TIDE2345", "https://journal.example.org/tide", "only inside corpus folders"
	r, srv := serve(t, site{"/tide": page(article)}, func(c *Config) { c.Corpus = []string{corpus} })
	for _, tt := range []struct {
		name       string
		item       Item
		err        error
		status     Status
		holds      string // the reason, or the beginning of the text
		final, via string
	}{
		{"a file that the library keeps", Item{File: kept, Folder: "storage/PDFS2345", URL: at}, nil, StatusRead, "kept ", at, "zotero"},
		{"the same, by a folder that was moved", Item{File: FileAddress(filepath.Join(dir, "moved", "PDFS2345", "tide.txt")),
			Folder: "storage/PDFS2345"}, nil, StatusRead, "kept ", zotero, "zotero"},
		{"a linked file in the corpus", Item{File: inCorpus, Folder: "storage/PDFS2345"}, nil, StatusRead, "corpus ", zotero, "zotero"},
		{"a linked file elsewhere", Item{File: linked, Folder: "storage/PDFS2345"}, nil, StatusBlocked, outside, "", ""},
		{"a linked file elsewhere, with an index", Item{File: linked, Text: func(context.Context) (string, error) {
			return "indexed " + longText, nil
		}}, nil, StatusRead, "indexed ", zotero, "zotero"},
		{"a folder that leads elsewhere", Item{File: FileAddress(filepath.Join(dir, "storage", "EVIL2345", "key.txt")),
			Folder: "storage/EVIL2345"}, nil, StatusBlocked, outside, "", ""},
		{"a file that leads elsewhere", Item{File: FileAddress(filepath.Join(stored, "out.txt")), Folder: "storage/PDFS2345"}, nil,
			StatusBlocked, outside, "", ""},
		{"no text, but an address", Item{See: srv.URL + "/tide"}, nil, StatusRead, "# Tide tables", srv.URL + "/tide", ""},
		{"an address that may not be read", Item{See: "http://127.0.0.1:1/x"}, nil, StatusBlocked, "loopback", "", ""},
		{"nothing at all", Item{}, nil, StatusNotFound, "no attachment that can be read", "", ""},
		{"a refusal", Item{}, &LibraryError{Status: StatusBlocked, Reason: "not enabled"}, StatusBlocked, "not enabled", "", ""},
		{"a failure", Item{}, io.ErrNoProgress, StatusError, "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.item.Address = zotero
			tt.item.Document = document.Document{Head: document.Head{Title: "Known", Authors: []string{"Ada Müller"},
				DOI: "10.5555/tide.1"}}
			r.AddLibrary("zotero", library(func(string) (Item, error) { return tt.item, tt.err }))
			p := r.Read(t.Context(), zotero)
			said := p.Reason
			if p.Status == StatusRead {
				said = p.Text
			}
			if p.Status != tt.status || !strings.Contains(said, tt.holds) || strings.Contains(p.Text, "secret") || p.URL != zotero {
				t.Fatalf("%s %q; want %s, %q", p.Status, said, tt.status, tt.holds)
			}
			if p.Status == StatusRead && (p.FinalURL != tt.final || p.Via != tt.via || p.Title != "Known" || p.DOI != "10.5555/tide.1" ||
				p.Authors[0] != "Ada Müller" || p.Capture == nil) {
				t.Errorf("%+v", p)
			}
		})
	}
	if p := reader(t).Read(t.Context(), zotero); p.Status != StatusBlocked {
		t.Errorf("without a library: %s, %s", p.Status, p.Reason)
	}
}
