package fetch

import (
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/pdf/pdftest"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func fileURL(name string) string {
	return (&url.URL{Scheme: "file", Path: slashPath(name)}).String()
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	corpus, outside := filepath.Join(dir, "corpus"), filepath.Join(dir, "outside")
	secret := write(t, filepath.Join(outside, "secret.txt"), "secret "+longText)
	write(t, filepath.Join(dir, "corpus-two", "x.txt"), "beside "+longText)
	names := map[string]string{
		"page.html": article, "notes.md": "# Notes\n\n" + longText, "plain.txt": longText,
		"short.txt": "short", "data.csv": "a,b\n1,2", "empty.txt": "\n", "photo.png": "x", ".env": "KEY=1",
		"server.pem": "x", "go.sum": "x",
		"program": "\x7fELF\x00\x01", "late.go": "package x // " + strings.Repeat("y", 600) + "\x00",
		"app.js": strings.Repeat("a=1;", 6_000), "rows.jsonl": strings.Repeat("a", 30_000),
		"symbols.xml": "<?xml version=\"1.0\"?>\n<x>" + strings.Repeat("<keyword name=\"a.b.c\" link=\"a.html#b\"/>\n", 8_000),
		"prose.xml":   "<x>" + strings.Repeat("<p>The keeper trims the lamp.</p>\n", 9_000),
		"deploy.yaml": "key: |\n  -----BEGIN PRIVATE KEY-----\n", "big.json": strings.Repeat("{}\n", 1<<20), ".github/ci.yml": "on: push",
		"sub/two words.md": "# Deep\n\n" + longText, "fake.txt": "%PDF-1.7\n" + longText,
	}
	for name, text := range names {
		write(t, filepath.Join(corpus, name), text)
	}
	links := map[string]string{"in.txt": filepath.Join(corpus, "plain.txt"), "out.txt": secret, "up": outside,
		"broken.txt": filepath.Join(corpus, "nowhere")}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(corpus, name)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	r := reader(t, func(c *Config) { c.Corpus = []string{corpus} })
	in := func(name string) string { return fileURL(filepath.Join(corpus, name)) }
	tests := []struct {
		name, url string
		status    Status
		reason    string
	}{
		{"HTML", in("page.html"), StatusRead, ""},
		{"plain", in("plain.txt"), StatusRead, ""},
		{"localhost", strings.Replace(in("plain.txt"), "file://", "FILE://localhost", 1), StatusRead, ""},
		{"a link inside", in("in.txt"), StatusRead, ""},
		{"short", in("short.txt"), StatusRead, ""},
		{"empty", in("empty.txt"), StatusTooShort, "only 0 characters"},
		{"data", in("data.csv"), StatusRead, ""},
		{"a record a line", in("rows.jsonl"), StatusRead, ""},
		{"an image", in("photo.png"), StatusUnsupported, "images are not read"},
		{"a lock file", in("go.sum"), StatusUnsupported, "lock files are not read"},
		{"a program", in("program"), StatusUnsupported, "binary data is not read"},
		{"binary behind the beginning", in("late.go"), StatusUnsupported, "binary data is not read"},
		{"minified", in("app.js"), StatusUnsupported, "more than 20000 bytes"},
		{"an index of symbols", in("symbols.xml"), StatusUnsupported, "hardly any text"},
		{"text in XML", in("prose.xml"), StatusRead, ""},
		{"too much data", in("big.json"), StatusError, "2 MiB"},
		{"passwords", in(".env"), StatusBlocked, "may hold secrets"},
		{"a certificate", in("server.pem"), StatusBlocked, "may hold secrets"},
		{"a private key", in("deploy.yaml"), StatusUnsupported, "may hold secrets"},
		{"hidden settings", in(".github/ci.yml"), StatusBlocked, "hidden files"},
		{"content of another type", in("fake.txt"), StatusUnsupported, "the PDF could not be parsed"},
		{"missing", in("nowhere.txt"), StatusNotFound, "no such file"},
		{"a link to nothing", in("broken.txt"), StatusNotFound, "no such file"},
		{"a folder", in("sub"), StatusBlocked, "regular"},
		{"the corpus itself", fileURL(corpus), StatusBlocked, "regular"},
		{"outside", fileURL(secret), StatusBlocked, "--corpus"},
		{"outside and missing", fileURL(filepath.Join(outside, "nothing.txt")), StatusBlocked, "--corpus"},
		{"a folder whose name begins the same", fileURL(filepath.Join(dir, "corpus-two", "x.txt")), StatusBlocked, "--corpus"},
		{"a link that leads out", in("out.txt"), StatusBlocked, "--corpus"},
		{"a folder link that leads out", in("up/secret.txt"), StatusBlocked, "--corpus"},
		{"dots", fileURL(corpus) + "/../outside/secret.txt", StatusBlocked, ".."},
		{"encoded dots", fileURL(corpus) + "/%2e%2e/outside/secret.txt", StatusBlocked, ".."},
		{"another machine", "file://server/share/x.txt", StatusBlocked, "other machines"},
		{"relative", "file:plain.txt", StatusBlocked, "not valid"},
		{"a null byte", fileURL(corpus) + "/a%00.txt", StatusBlocked, "not valid"},
		{"a device", "file:///dev/zero", StatusBlocked, "--corpus"},
		{"a path", filepath.Join(corpus, "plain.txt"), StatusRead, ""},
		{"a path behind https://", "https://" + slashPath(filepath.Join(corpus, "plain.txt")), StatusRead, ""},
		{"a path outside", secret, StatusBlocked, "--corpus"},
		{"a path outside behind https://", "https:///etc/passwd", StatusBlocked, "--corpus"},
		{"a path with dots", corpus + "/../outside/secret.txt", StatusBlocked, ".."},
		{"a relative path", "papers/a.pdf", StatusError, "full path of a file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := r.Read(t.Context(), tt.url)
			if p.Status != tt.status || !strings.Contains(p.Reason, tt.reason) || strings.Contains(p.Text, "secret") {
				t.Errorf("%s: %s, %q; want %s, %q", tt.url, p.Status, p.Reason, tt.status, tt.reason)
			}
		})
	}
	if p := reader(t).Read(t.Context(), in("plain.txt")); p.Status != StatusBlocked {
		t.Errorf("without a corpus: %s", p.Status)
	}
}

// A file without a title is titled by its name, and a compressed one is decompressed within the limit.
func TestReadFileForms(t *testing.T) {
	dir := t.TempDir()
	pack := func(s string) string { return packed(t, "gzip", s, 1) }
	var d pdftest.Doc
	d.Page(pdftest.Lines(72, 690, 12, 10, strings.Repeat("The tide tables of the harbour. ", 3),
		strings.Repeat("They were printed until 1931. ", 3), strings.Repeat("Nobody has made them since then. ", 3)))
	r := reader(t, func(c *Config) { c.Corpus, c.MaxDecoded = []string{dir}, 1<<20 })
	tests := []struct {
		name, body, title, kind string
		status                  Status
	}{
		{"notes.txt", longText, "notes.txt", document.TypePlain, StatusRead},
		{"titled.txt", "A title\n\n" + longText, "A title", document.TypePlain, StatusRead},
		{"page.html.gz", pack(article), "Tide tables", document.TypeHTML, StatusRead},
		{"plain.txt.gz", pack(longText), "plain.txt", document.TypePlain, StatusRead},
		{"paper.pdf", string(d.Bytes()), "", document.TypePDF, StatusRead},
		{"shell.html", "<p>Short.</p>", "Short.", document.TypeHTML, StatusRead},
		{"liar.txt.gz", longText, "", "", StatusUnsupported},
		{"large.txt", strings.Repeat("a ", 1<<20), "", "", StatusError},
		{"bomb.txt.gz", pack(strings.Repeat("a ", 1<<20)), "", "", StatusError},
		{"data.bin.gz", pack("x"), "", "", StatusUnsupported},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := r.Read(t.Context(), fileURL(write(t, filepath.Join(dir, tt.name), tt.body)))
			if p.Status != tt.status || tt.status == StatusRead && (p.ContentType != tt.kind || tt.title != "" && p.Title != tt.title ||
				p.Title == "") {
				t.Errorf("%s, %q, title %q, %s", p.Status, p.Reason, p.Title, p.ContentType)
			}
		})
	}
}

func TestNewNamesInvalidCorpus(t *testing.T) {
	file := write(t, filepath.Join(t.TempDir(), "x"), "")
	for _, bad := range []string{filepath.Join(t.TempDir(), "nowhere"), file} {
		if _, err := New(Config{Corpus: []string{bad}}); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("New with the corpus %s: %v", bad, err)
		}
	}
}

// A named pipe would block its reader.
func TestReadFilePipe(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no named pipes in folders here")
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "pipe.txt")
	if err := makePipe(name); err != nil {
		t.Skip("no named pipes here: ", err)
	}
	r := reader(t, func(c *Config) { c.Corpus = []string{dir} })
	if p := r.Read(t.Context(), fileURL(name)); p.Status != StatusBlocked || !strings.Contains(p.Reason, "regular") {
		t.Errorf("%s, %q", p.Status, p.Reason)
	}
}
