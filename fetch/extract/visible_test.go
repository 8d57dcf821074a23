package extract

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/sanitize"
)

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
	book := zipped("META-INF/container.xml", `<container><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>`,
		"b.opf", `<package><metadata><title>`+entity+`</title><creator>`+entity+`</creator></metadata><manifest><item id="a" `+
			`href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`,
		"a.xhtml", "<p>"+text+"</p>")
	letter := zipped("word/document.xml", `<w:document xmlns:w="w"><w:p><w:r><w:t>`+text+`</w:t></w:r></w:p></w:document>`,
		"docProps/core.xml", `<cp:coreProperties xmlns:cp="c" `+
			`xmlns:dc="d"><dc:title>`+entity+`</dc:title><dc:creator>`+entity+`</dc:creator></cp:coreProperties>`)
	tests := []struct{ name, contentType, body string }{
		{"HTML", "text/html; charset=utf-8", "<title>" + plain + "</title><meta name=author content='" + smuggled + "'><p>" + plain +
			"</p>"},
		{"Markdown", "text/markdown; charset=utf-8", "---\ntitle: " + smuggled + "\nauthor: " + smuggled + "\n---\n# " + smuggled + "\n\n" +
			plain},
		{"plain text", "text/plain; charset=utf-8", smuggled + "\n\n" + plain},
		{"EPUB", "application/epub+zip", string(book)},
		{"DOCX", "application/zip", string(letter)},
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
