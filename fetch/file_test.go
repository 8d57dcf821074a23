package fetch

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
		"list.mbox": "x",
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
		{"a mailbox", in("list.mbox"), StatusUnsupported, "save their messages as .eml"},
		{"passwords", in(".env"), StatusBlocked, "may hold secrets"},
		{"a certificate", in("server.pem"), StatusBlocked, "may hold secrets"},
		{"hidden settings", in(".github/ci.yml"), StatusBlocked, "hidden files"},
		{"hidden settings that are not there", in(".git/none.yml"), StatusBlocked, "hidden files"},
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

// ReadOpen, which indexes folders, and Read of a file: address return the same text, so that offsets agree.
func TestReadOpenMatchesRead(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := reader(t, func(c *Config) { c.Corpus = []string{dir} })
	for name, body := range map[string]string{"a.md": "---\ntitle: Tides\n---\n# Heights\n\n" + longText, "c.html": article,
		"one.eml": "Subject: One\nFrom: Ada\n\n" + longText, "no one.txt": "short"} {
		path := filepath.Join(dir, name)
		write(t, path, body)
		want, err := r.ReadOpen(t.Context(), path, strings.NewReader(body))
		got := r.Read(t.Context(), FileAddress(path))
		if diff := cmp.Diff(want, got.Document); diff != "" || got.Status != StatusRead || err != nil {
			t.Errorf("%s: %v, %s %s (-ReadOpen +Read)\n%s", name, err, got.Status, got.Reason, diff)
		}
	}
}
