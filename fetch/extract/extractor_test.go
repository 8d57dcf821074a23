package extract

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/limit"
	"github.com/citeloop/citeloop/fetch/extract/pdf/pdftest"
	"github.com/citeloop/citeloop/internal/sanitize"
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

// bookFiles are the files of a book of one chapter, without the chapter.
var bookFiles = []string{
	"META-INF/container.xml", `<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>`,
	"b.opf", `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref ` +
		`idref="a"/></spine></package>`,
}

// letter is a DOCX of one paragraph, which is escaped, and further files.
func letter(text string, files ...string) string {
	return string(zipped(append(files, "word/document.xml", wordDocument(text))...))
}

func wordDocument(text string) string {
	return `<w:document xmlns:w="w"><w:p><w:r><w:t>` + text + `</w:t></w:r></w:p></w:document>`
}

// widened are pairs of names and contents, the contents in UTF-16.
func widened(files ...string) []string {
	for i := 1; i < len(files); i += 2 {
		wide, _ := unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewEncoder().String(files[i])
		files[i] = wide
	}
	return files
}

// The content of a body decides its format, and the declared type only the cases that the content leaves open. A damaged file is
// called damaged, not a type that is not read.
func TestExtractor(t *testing.T) {
	const octets, text = "application/octet-stream", "Spring tides are high."
	var paper pdftest.Doc
	paper.Page(pdftest.Show(72, 700, 10, text))
	rss := `<rss version="2.0"><channel><title>Tides</title><item><title>One</title><description>` + text + `</description></item>` +
		`</channel></rss>`
	damagedZip, noise := "PK\x03\x04"+strings.Repeat("x", 500), strings.Repeat("\x01\x02\xfe\x9c\x00", 300)
	tests := []struct{ name, contentType, path, body, want string }{ // or a part of the error
		{"PDF", document.TypePDF, "", string(paper.Bytes()), document.TypePDF},
		{"PDF that says it is text", "text/plain", "", string(paper.Bytes()), document.TypePDF},
		{"EPUB", octets, "", string(zipped(append(bookFiles, "a.xhtml", "<p>"+text)...)), document.TypeEPUB},
		{"PDF behind white space", "text/html", "", "\n\n  " + string(paper.Bytes()), document.TypePDF},
		{"EPUB in UTF-16", octets, "", string(zipped(widened(append(bookFiles, "a.xhtml", "<p>"+text)...)...)), document.TypeEPUB},
		{"DOCX in UTF-16", "application/zip", "", string(zipped(widened("word/document.xml", wordDocument(text))...)), document.TypeDOCX},
		{"RSS in UTF-16", "text/xml", "", widened("", `<?xml version="1.0" encoding="UTF-16"?>`+rss)[1], document.TypeRSS},
		{"DOCX", "application/zip", "", letter(text), document.TypeDOCX},
		{"RSS", "text/xml", "", rss, document.TypeRSS},
		{"Atom", "application/atom+xml", "", `<feed xmlns="http://www.w3.org/2005/Atom"><title>` + text + `</title></feed>`,
			document.TypeAtom},
		{"JATS", "application/xml", "", `<article><front><article-meta/></front><body><p>` + text + `</p></body></article>`,
			document.TypeJATS},
		{"JATS without a word about it", "", "", `<!DOCTYPE article><article><front><journal-meta/></front><body><p>` + text +
			`</p></body></article>`, document.TypeJATS},
		{"HTML", "text/html", "", "<p>" + text + "</p>", document.TypeHTML},
		{"Markdown", "text/markdown", "", text, document.TypeMarkdown},
		{"a feed that says it is a page", "text/html", "", rss, document.TypeHTML},
		{"XML of another kind", "application/xml", "", "<svg></svg>", "unsupported type"},
		{"an archive of other things", octets, "", string(zipped("a.txt", "x")), "unsupported type"},
		{"a bomb", octets, "", string(zipped("word/document.xml", "<w:document>"+strings.Repeat(" ", 3<<20))), limit.ErrTooLarge.Error()},
		{"a damaged PDF", document.TypePDF, "", noise, "the PDF is damaged"},
		{"a damaged PDF by its name", octets, "/a.pdf", noise, "the PDF is damaged"},
		{"a damaged DOCX", document.TypeDOCX, "", damagedZip, "the DOCX is damaged"},
		{"a damaged EPUB", document.TypeEPUB, "", damagedZip, "the EPUB is damaged"},
		{"a DOCX with a password", document.TypeDOCX, "", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + noise, "the DOCX needs a password"},
		{"a damaged archive", "application/zip", "", damagedZip, "the file is a damaged zip archive"},
		{"noise", octets, "", noise, "binary data is not read"},
	}
	e := New(Config{CacheDir: filepath.Join(os.TempDir(), "citeloop-test-wazero"), MaxDecoded: 2 << 20,
		Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { _ = e.Close() })
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, err := e.Extract(t.Context(), tt.contentType, []byte(tt.body), base(t, tt.path))
			switch isTyped := errors.Is(err, document.ErrUnsupported) || errors.Is(err, limit.ErrTooLarge); {
			case err != nil && (!isTyped || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("%v, want %s", err, tt.want)
			case err == nil && (x.ContentType != tt.want || !strings.Contains(x.Text, text)):
				t.Errorf("%s, %q; want %s", x.ContentType, x.Text, tt.want)
			}
		})
	}
}

// Every format leaves invisible characters out of texts, titles and names, and counts those that can spell words.
func TestInvisibleCharactersInEveryFormat(t *testing.T) {
	const smuggled = "Ti\u200bde\U000E0061\U000E0062\U000E0063\ufe05\u202es"
	entity := func(s string) string { // of XML, which has no other way to write some of them
		var b strings.Builder
		for _, r := range s {
			if r > 0x7f {
				fmt.Fprintf(&b, "&#%d;", r)
			} else {
				b.WriteRune(r)
			}
		}
		return b.String()
	}(smuggled)
	text := entity + " rise and fall twice a day, and the harbour is dredged in spring."
	plain := smuggled + " rise and fall twice a day, and the harbour is dredged in spring."
	tests := []struct{ name, contentType, body string }{
		{"HTML", "text/html; charset=utf-8", "<title>" + plain + "</title><meta name=author content='" + smuggled + "'><p>" + plain +
			"</p>"},
		{"Markdown", "text/markdown; charset=utf-8", "---\ntitle: " + smuggled + "\nauthor: " + smuggled + "\n---\n# " + smuggled + "\n\n" +
			plain},
		{"plain text", "text/plain; charset=utf-8", smuggled + "\n\n" + plain},
		{"EPUB", "application/epub+zip", string(zipped(append(bookFiles[:3:3], strings.Replace(bookFiles[3], "<manifest>",
			"<metadata><title>"+entity+"</title><creator>"+entity+"</creator></metadata><manifest>", 1), "a.xhtml",
			"<p>"+text+"</p>")...))},
		{"DOCX", "application/zip", letter(text, "docProps/core.xml", `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>`+entity+
			`</dc:title><dc:creator>`+entity+`</dc:creator></cp:coreProperties>`)},
		{"RSS", "text/xml", `<rss version="2.0"><channel><title>` + entity + `</title><item><title>` + entity + `</title><description>` +
			text + `</description></item></channel></rss>`},
		{"JATS", "application/xml", `<article><front><article-meta><title-group><article-title>` + entity +
			`</article-title></title-group></article-meta></front><body><p>` + text + `</p></body></article>`},
		{"mail", "message/rfc822", "From: " + smuggled + " <a@example.org>\nSubject: " + smuggled +
			"\nContent-Type: text/plain; charset=utf-8\n\n" + plain},
	}
	e := New(Config{MaxDecoded: 1 << 20, Logger: slog.New(slog.DiscardHandler)})
	defer e.Close()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, err := e.Extract(t.Context(), tt.contentType, []byte(tt.body), nil)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(x.Title, "Tides") || !strings.Contains(x.Text, "Tides rise and fall") {
				t.Errorf("title %q, text %q", x.Title, x.Text)
			}
			for _, s := range append([]string{x.Title, x.Text}, x.Authors...) {
				if sanitize.Visible(s) != s {
					t.Errorf("invisible characters are left in %q", s)
				}
			}
			if x.Invisible < 4 {
				t.Errorf("%d invisible characters are counted", x.Invisible)
			}
		})
	}
}

// A message says what mail programs show of it.
func TestAlternatives(t *testing.T) {
	const long = "The harbour was dredged in spring and the ferry ran again from the old mole to the lighthouse on the island."
	tests := []struct{ name, html, want string }{
		{"HTML", "<p>" + long + "</p><p>More.</p>", long + "\n\nMore."},
		{"HTML that shows nothing", "<p hidden>" + long + "</p>", "It is plain."},
		{"words that the HTML hides", "<p>" + long + "<span hidden>It is not safe</span></p>", long},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			raw := "Subject: x\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\nIt is plain.\n" +
				"--b\nContent-Type: text/html\n\n" + tt.html + "\n--b--\n"
			x, err := New(Config{}).Extract(t.Context(), document.TypeMessage, []byte(raw), nil)
			if err != nil {
				t.Fatal(err)
			}
			if want := "Subject: x\n\n" + tt.want; x.Text != want {
				t.Errorf("text %q, want %q", x.Text, want)
			}
		})
	}
}
