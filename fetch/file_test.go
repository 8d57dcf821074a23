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
		"plain.txt": longText, "short.txt": "short", "empty.txt": "\n", "photo.png": "x", ".env": "KEY=1", "server.pem": "x",
		"program": "\x7fELF\x00\x01", "big.json": strings.Repeat("{}\n", 1<<20), ".github/ci.yml": "on: push",
		"sub/two words.md": "# Deep\n\n" + longText,
	}
	for name, text := range names {
		write(t, filepath.Join(corpus, name), text)
	}
	links := map[string]string{"in.txt": filepath.Join(corpus, "plain.txt"), "out.txt": secret, "up": outside}
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
		{"plain", in("plain.txt"), StatusRead, ""},
		{"localhost", strings.Replace(in("plain.txt"), "file://", "FILE://localhost", 1), StatusRead, ""},
		{"a link inside", in("in.txt"), StatusRead, ""},
		{"short", in("short.txt"), StatusRead, ""},
		{"empty", in("empty.txt"), StatusTooShort, "only 0 characters"},
		{"an image", in("photo.png"), StatusUnsupported, "images are not read"},
		{"a program", in("program"), StatusUnsupported, "binary data is not read"},
		{"too much data", in("big.json"), StatusError, "2 MiB"},
		{"passwords", in(".env"), StatusBlocked, "may hold secrets"},
		{"a certificate", in("server.pem"), StatusBlocked, "may hold secrets"},
		{"hidden settings", in(".github/ci.yml"), StatusBlocked, "hidden files"},
		{"missing", in("nowhere.txt"), StatusNotFound, "no such file"},
		{"a folder", in("sub"), StatusBlocked, "regular"},
		{"outside", fileURL(secret), StatusBlocked, "--corpus"},
		{"a folder whose name begins the same", fileURL(filepath.Join(dir, "corpus-two", "x.txt")), StatusBlocked, "--corpus"},
		{"a link that leads out", in("out.txt"), StatusBlocked, "--corpus"},
		{"a folder link that leads out", in("up/secret.txt"), StatusBlocked, "--corpus"},
		{"dots", fileURL(corpus) + "/../outside/secret.txt", StatusBlocked, ".."},
		{"another machine", "file://server/share/x.txt", StatusBlocked, "other machines"},
		{"relative", "file:plain.txt", StatusBlocked, "not valid"},
		{"a null byte", fileURL(corpus) + "/a%00.txt", StatusBlocked, "not valid"},
		{"a device", "file:///dev/zero", StatusBlocked, "--corpus"},
		{"a path", filepath.Join(corpus, "plain.txt"), StatusRead, ""},
		{"a path outside", secret, StatusBlocked, "--corpus"},
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
		{"page.html.gz", pack(article), "Tide tables", document.TypeHTML, StatusRead},
		{"paper.pdf", string(d.Bytes()), "", document.TypePDF, StatusRead},
		{"liar.txt.gz", longText, "", "", StatusUnsupported},
		{"large.txt", strings.Repeat("a ", 1<<20), "", "", StatusError},
		{"bomb.txt.gz", pack(strings.Repeat("a ", 1<<20)), "", "", StatusError},
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
