package extract

import (
	"errors"
	"testing"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

func TestFormat(t *testing.T) {
	tests := []struct{ name, contentType, body, url, want string }{
		{"XHTML", "application/xhtml+xml", "<?xml version='1.0'?><html>", "", "text/html"},
		{"Markdown", "text/markdown", "x", "", "text/markdown"},
		{"plain", "TEXT/PLAIN", "x", "", "text/plain"},
		{"plain by type, Markdown by name", "text/plain; charset=utf-8", "x", "https://forge.example/raw/README.md", "text/markdown"},
		{"a broken parameter", "text/html; charset", "x", "", "text/html"},
		{"nothing declared, HTML", "", "<!DOCTYPE html><p>x", "", "text/html"},
		{"nothing declared, HTML behind a comment", "", "<?xml version='1.0'?> <!-- long --> <html>", "", "text/html"},
		{"nothing declared, plain", "", "x", "", "text/plain"},
		{"octets with a name", "application/octet-stream", "x", "https://x.example/a.md", "text/markdown"},
		{"UTF-16", "text/plain; charset=utf-16le", "a\x00b\x00", "", "text/plain"},
		{"empty", "text/html", "", "", "text/html"},
		{"HTML that says PDF", "application/pdf", "<!DOCTYPE html><p>x", "", "text/html"},
		{"binary that says plain", "text/plain", "\x00\x01\x02", "", ""},
		{"a text with signs of a terminal", "text/plain", "N\x08NA\x1a", "", "text/plain"},
		{"a text with separators", "text/plain", "a\x1cb\x1dc\x1ed\x1fe", "", "text/plain"},
		{"JSON", "application/json", "{}", "", ""},
	}
	for _, tt := range tests {
		got, err := formatOf(tt.contentType, []byte(tt.body), base(t, tt.url))
		if got != tt.want || (err == nil) != (tt.want != "") || err != nil && !errors.Is(err, document.ErrUnsupported) {
			t.Errorf("%s: formatOf = %q, %v; want %q", tt.name, got, err, tt.want)
		}
	}
}

func TestFileType(t *testing.T) {
	for name, want := range map[string]string{
		"a.html": document.TypeHTML, "A.HTM": document.TypeHTML, "a.b.md": document.TypeMarkdown, `dir\notes.txt`: document.TypePlain,
		"README": document.TypePlain, "a.PDF": document.TypePDF, "book.epub": document.TypeEPUB, "letter.docx": document.TypeDOCX,
		"news.rss": document.TypeRSS, "news.atom": document.TypeAtom, "PMC1.nxml": document.TypeJATS, "one.eml": document.TypeMessage,
		"a.yaml": document.TypePlain, "Makefile": document.TypePlain, "list.mbox": "mailboxes (save their messages as .eml)",
		"x.unknown": document.TypePlain, "main.go": document.TypePlain,
		"a.jpg": "images", "a.mp3": "audio files", "a.tar": "archives", "a.so": "programs", "a.ttf": "fonts", "a.sqlite": "databases",
		"a.xlsx":     "documents of other formats",
		"Cargo.lock": "lock files", "package-lock.json": "lock files", "go.sum": "lock files",
		".env": Secrets, ".env.local": Secrets, "prod.env": Secrets, "a.pem": Secrets, "A.KEY": Secrets, "id_rsa": Secrets,
		"id_rsa.pub": Secrets, "id_rsa_notes": Secrets,
		"environment.txt": document.TypePlain, "keys.md": document.TypeMarkdown, "id_rsablock.txt": document.TypePlain,
	} {
		kind, left := FileType(name)
		if kind+left != want {
			t.Errorf("%s: %q, %q; want %q", name, kind, left, want)
		}
	}
}
