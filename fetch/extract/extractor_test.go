package extract

import (
	"archive/zip"
	"bytes"
	"errors"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/limit"
	"github.com/citeloop/citeloop/fetch/extract/pdf/pdftest"
)

// zipped is a zip archive of pairs of names and contents.
func zipped(files ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i+1 < len(files); i += 2 {
		f, _ := w.Create(files[i])
		_, _ = f.Write([]byte(files[i+1]))
	}
	_ = w.Close()
	return b.Bytes()
}

// The content of a body decides its format, and the declared type only the cases that the content leaves open.
func TestExtractor(t *testing.T) {
	var paper pdftest.Doc
	paper.Page(pdftest.Show(72, 700, 10, "Spring tides are high."))
	book := string(zipped("META-INF/container.xml", `<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>`,
		"b.opf", `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref `+
			`idref="a"/></spine></package>`,
		"a.xhtml", "<p>Spring tides are high.</p>"))
	letter := string(zipped("word/document.xml", `<w:document xmlns:w="w"><w:p><w:r><w:t>Spring tides are `+
		`high.</w:t></w:r></w:p></w:document>`))
	rss := `<rss version="2.0"><channel><title>Tides</title><item><title>One</title><description>Spring tides are ` +
		`high.</description></item></channel></rss>`
	const octets = "application/octet-stream"
	tests := []struct {
		name, contentType, body string
		want                    string
		err                     error
	}{
		{"PDF", document.TypePDF, string(paper.Bytes()), document.TypePDF, nil},
		{"PDF that says it is text", "text/plain", string(paper.Bytes()), document.TypePDF, nil},
		{"EPUB", octets, book, document.TypeEPUB, nil},
		{"DOCX", "application/zip", letter, document.TypeDOCX, nil},
		{"RSS", "text/xml", rss, document.TypeRSS, nil},
		{"Atom", "application/atom+xml", `<feed xmlns="http://www.w3.org/2005/Atom"><title>Spring tides are high.</title></feed>`,
			document.TypeAtom, nil},
		{"JATS", "application/xml", `<article><front><article-meta/></front><body><p>Spring tides are high.</p></body></article>`,
			document.TypeJATS, nil},
		{"JATS without a word about it", "", `<!DOCTYPE article><article><front><journal-meta/></front><body><p>Spring tides are ` +
			`high.</p></body></article>`, document.TypeJATS, nil},
		{"HTML", "text/html", "<p>Spring tides are high.</p>", document.TypeHTML, nil},
		{"Markdown", "text/markdown", "Spring tides are high.", document.TypeMarkdown, nil},
		{"a feed that says it is a page", "text/html", rss, document.TypeHTML, nil},
		{"XML of another kind", "application/xml", "<svg></svg>", "", document.ErrUnsupported},
		{"a damaged archive", octets, "PK\x03\x04" + strings.Repeat("x", 500), "", document.ErrUnsupported},
		{"an archive of other things", octets, string(zipped("a.txt", "x")), "", document.ErrUnsupported},
		{"a bomb", octets, string(zipped("word/document.xml", "<w:document>"+strings.Repeat(" ", 3<<20))), "", limit.ErrTooLarge},
	}
	e := New(Config{CacheDir: filepath.Join(os.TempDir(), "citeloop-test-wazero"), MaxDecoded: 2 << 20,
		Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { _ = e.Close() })
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, err := e.Extract(t.Context(), tt.contentType, []byte(tt.body), nil)
			if !errors.Is(err, tt.err) || (err == nil) != (tt.err == nil) {
				t.Fatalf("%v, want %v", err, tt.err)
			}
			if x.ContentType != tt.want || err == nil && !strings.Contains(x.Text, "Spring tides are high.") {
				t.Errorf("%s, %q; want %s", x.ContentType, x.Text, tt.want)
			}
		})
	}
}

func TestTypeByName(t *testing.T) {
	for name, want := range map[string]string{
		"a.html": document.TypeHTML, "A.HTM": document.TypeHTML, "a.b.md": document.TypeMarkdown, `dir\notes.txt`: document.TypePlain,
		"README": document.TypePlain, "dir/readme": document.TypePlain,
		"paper.PDF": document.TypePDF, "book.epub": document.TypeEPUB, "letter.docx": document.TypeDOCX, "news.rss": document.TypeRSS,
		"news.atom": document.TypeAtom, "PMC1.nxml": document.TypeJATS,
		"data.bin": "", "makefile": "", "": "",
	} {
		if got := TypeByName(name); got != want {
			t.Errorf("TypeByName(%q) = %q, want %q", name, got, want)
		}
	}
}

// An unsupported type is recognised by its header.
func TestMayRead(t *testing.T) {
	for _, tt := range []struct {
		contentType, url string
		may              bool
	}{
		{"text/html; charset=utf-8", "https://x.example/", true},
		{"", "https://x.example/", true},
		{document.TypePDF, "https://x.example/", true},
		{"application/json", "https://x.example/", false},
		{"application/octet-stream", "https://x.example/paper.pdf", true},
		{"application/zip", "https://x.example/book.epub", true},
		{"application/zip", "https://x.example/all.zip", false},
		{"text/csv", "https://x.example/", true},
		{"text/css", "https://x.example/", false},
		{"image/png", "https://x.example/paper.pdf", false},
		{"video/mp4", "https://x.example/", false},
	} {
		at, err := url.Parse(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		if err := MayRead(tt.contentType, at); (err == nil) != tt.may || err != nil && !errors.Is(err, document.ErrUnsupported) {
			t.Errorf("%s at %s: %v", tt.contentType, tt.url, err)
		}
	}
}
