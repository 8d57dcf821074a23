package extract

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/limit"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// longText is long enough to be a source.
var longText = strings.Repeat("The tide tables of the harbour were printed every year until 1931. ", 8)

func base(t testing.TB, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// Text reads a body without the gates of an Extractor.
func Text(ctx context.Context, contentType string, body []byte, at *url.URL) (document.Extraction, error) {
	kind, err := formatOf(contentType, body, at)
	if err != nil {
		return document.Extraction{}, err
	}
	return (&Extractor{}).read(ctx, kind, contentType, body, at)
}

// textOf returns the document of an extraction.
func textOf(ctx context.Context, contentType string, body []byte, at *url.URL) (document.Document, error) {
	x, err := Text(ctx, contentType, body, at)
	return x.Document, err
}

// said is what a document says about itself, by the names of its fields.
func said(d document.Document) (all string) {
	head := reflect.ValueOf(d.Head)
	for i := range head.NumField() {
		name, value := head.Type().Field(i).Name, head.Field(i).Interface()
		if name == "Authors" {
			value = strings.Join(d.Authors, " & ")
		}
		if name != "ContentType" && value != "" {
			all += fmt.Sprintf("%s=%v; ", name, value)
		}
	}
	return strings.TrimSuffix(all, "; ")
}

func TestExtractMetadata(t *testing.T) {
	tests := []struct{ name, url, head, want string }{
		{"a journal", "https://journal.example/a1", `<meta name=citation_title content="On tides"><meta name=citation_author ` +
			`content="Ada Byron"><meta name=citation_author content="B. Babbage"><meta name=citation_journal_title content="J. Tides">` +
			`<meta name=citation_publication_date content="2021/3/9"><meta name=citation_doi content="https://doi.org/10.1234/AbC.5">` +
			`<meta name=citation_reference content="citation_doi=10.9999/other"><title>On tides | J. Tides</title>` +
			`<link rel=canonical href="/a1?x=1">`, "Title=On tides; Authors=Ada Byron & B. Babbage; Publisher=J. Tides; " +
			"Container=journal; PublishedAt=2021-03-09; DOI=10.1234/abc.5; CanonicalURL=https://journal.example/a1?x=1"},
		{"news", "https://www.paper.example/n", `<script type="application/ld+json">{"@context":"https://schema.org",` +
			`"@graph":[{"@type":"WebPage","name":"Page"},{"@type":["NewsArticle"],"headline":"Harbour closed",` +
			`"author":[{"@type":"Person","name":"C. Day"},"D. Night"],"datePublished":"2024-02-29T23:30:00+02:00",` +
			`"publisher":{"@type":"Organization","name":"The Paper"},"inLanguage":"en-GB"}]}</script><title>Harbour closed</title>`,
			"Title=Harbour closed; Authors=C. Day & D. Night; Publisher=The Paper; PublishedAt=2024-02-29; Language=en-GB; " +
				"SourceType=press"},
		{"Open Graph", "https://blog.example/x", `<meta property="og:title" content="A  post"><meta property="og:site_name" ` +
			`content="Blog"><meta property="og:type" content=article><meta property="article:published_time" ` +
			`content="2020-05-06T07:08:09Z"><meta property="article:author" content="https://facebook.example/me">` +
			`<meta name=author content="By E. Evans"><meta property="og:locale" content="fr_FR">`,
			"Title=A post; Authors=E. Evans; Publisher=Blog; PublishedAt=2020-05-06; Language=fr-FR; SourceType=practitioner"},
		{"Dublin Core", "https://lib.example/x", `<meta name="DC.title" content="Old maps"><meta name="DC.creator" content="F. F.">` +
			`<meta name="DC.date" content="1899"><meta name="DC.identifier" content="doi:10.5555/maps">`,
			"Title=Old maps; Authors=F. F.; PublishedAt=1899; DOI=10.5555/maps"},
		{"a preprint", "https://arxiv.org/abs/2101.00001", `<title>[2101.00001] X</title><meta name=citation_title content=X>` +
			`<meta name=citation_doi content="10.48550/arXiv.2101.00001">`,
			"Title=X; DOI=10.48550/arxiv.2101.00001; ArXiv=2101.00001; SourceType=primary"},
		{"a canonical address elsewhere", "https://a.example.org/x",
			`<title>T</title><link rel=canonical href="https://famous.example.com/y">`, "Title=T"},
		{"a canonical address on the same site", "https://m.paper.co.uk/x",
			`<title>T</title><link rel=canonical href="https://www.paper.co.uk/y">`, "Title=T; CanonicalURL=https://www.paper.co.uk/y"},
		{"broken linked data", "https://x.example/", `<title>T</title><script type="application/ld+json">{"@type":"NewsArticle",` +
			`</script>`, "Title=T"},
		{"what is not believed", "https://x.example/", `<title>T</title><meta name=date content="next week"><meta name=author ` +
			`content="@handle"><meta name=citation_doi content="none">`, "Title=T"},
		{"no title", "https://x.example/", "", "Title=" + document.Title(longText)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			page := "<!doctype html><head>" + tt.head + "<body><main><p>" + longText + "</p></main>"
			d, err := textOf(t.Context(), "text/html; charset=utf-8", []byte(page), base(t, tt.url))
			if err != nil || said(d) != tt.want || d.Text != strings.TrimSpace(longText) {
				t.Errorf("%v, %s\nwant %s; text %q", err, said(d), tt.want, d.Text)
			}
		})
	}
}

// A text stays line by line; its first heading or its front matter says what it is.
func TestExtractText(t *testing.T) {
	const front = "---\ntitle: \"On tides\"\nauthors:\n  - Ada\n  - Bob\ndate: 2021-03-04 10:00\nlang: en\n" +
		"doi: 10.1234/X\nother: {a: b}\n---\n"
	tests := []struct{ kind, in, want, text string }{ // text is empty where it is what goes in
		{"markdown", "\n# Notes #\n\ntext", "Title=Notes", ""},
		{"markdown", "Notes\n=====\ntext", "Title=Notes", ""},
		{"markdown", "```sh\n# no\n```\n\n## Yes", "Title=Yes", ""},
		{"markdown", "####### no\n\ntext", "", ""},
		{"markdown", front + "\n# Heading", "Title=On tides; Authors=Ada & Bob; PublishedAt=2021-03-04; DOI=10.1234/x; Language=en", ""},
		{"markdown", "---\nauthor: [Ada, 'Bob']\n---\ntext", "Authors=Ada & Bob", ""},
		{"markdown", "---\n\nnothing here\n\n---\ntext", "", ""},
		{"markdown", "---\ntitle: x\n\ntext", "", ""},
		{"markdown", "# A\r\n\r\nb\u200b\u202ec  \r\n", "Title=A", "# A\n\nbc"},
		{"markdown", "# [Weir](https://e.org) `log` **2** ![b](c) {#weir}", "Title=Weir log 2", ""},
		{"markdown", "# Weir &amp; lock\\_2, a*b", "Title=Weir & lock_2, a*b", ""},
		{"markdown", "<h1 align=\"center\"><img src=x>Weir</h1>\n\n## Second", "Title=Weir", ""},
		{"markdown", "# First\n\n<h1>Weir</h1>", "Title=First", ""},
		{"plain", "\x1b[31mred\x1b[0m words\x1a", "", "red words"},
		{"plain", "N\bNA\bA\bAM\bME\bE\n       _\bw_\be\b_i_\br is +\bo end\b\nb", "", "NAME\n       weir is o end\nb"},
		{"plain", "month.\x1cIn\x1ethe\x0bdry", "", "month. In the\ndry"},
		{"markdown", "    x  =  1\n\ty", "", ""},
		{"plain", "On Tides\n\nOnce upon", "Title=On Tides", ""},
		{"plain", "On Tides\n--------\nOnce", "Title=On Tides", ""},
		{"plain", "Once upon\na time", "", ""},
		{"plain", "Once", "", ""},
		{"plain", "a\fb", "", "a\nb"},
		{"plain", "a\xffb", "", "aÿb"}, // which makes it Windows-1252
		{"plain", "a <b> & c", "", ""},
	}
	for _, tt := range tests {
		d, err := textOf(t.Context(), "text/"+tt.kind, []byte(tt.in), nil)
		if text := cmp.Or(tt.text, tt.in); err != nil || said(d) != tt.want || d.Text != text {
			t.Errorf("%s %q: %v, %q, text %q; want %q, %q", tt.kind, tt.in, err, said(d), d.Text, tt.want, text)
		}
	}
}

// Extracted text is clean, has the stated length, and is deterministic.
func FuzzExtract(f *testing.F) {
	for _, kind := range []string{"text/html", "text/html; charset=shift_jis", "text/markdown", "text/plain", "",
		"text/plain; charset=utf-16"} {
		f.Add(kind, []byte("<!doctype html><html lang=en><title>Tide tables</title><body><article><h1>Tide "+
			"tables</h1><p>"+longText+"</p></article>"))
		f.Add(kind, []byte("---\ntitle: x\n---\n# A\n\n- b\n\n| a | b |"))
		f.Add(kind, []byte("<table><tr><td><p>x<table><td>y<b><i></p><script>{}</script><ul><li>z\u200b\xff<svg><title>s</title><math>"))
		f.Add(kind, []byte(`<script `+
			`type="application/ld+json">{"@graph":[{"@type":"Article","author":[["x"]],"identifier":{"value":"10.1/x"}}]}</script><time `+
			`datetime=2021>`))
		f.Add(kind, []byte("\xff\xfea\x00<\x00p\x00>\x00"))
		f.Add(kind, []byte("\x1b$B%F \x81\x30\x81\x30 caf\xe9"))
		f.Add(kind, []byte("<rss version=\"2.0\"><channel><title>Tides</title><item><title>&lt;b>Ebb</title><link>/x</link></item>"))
		f.Add(kind, []byte("<feed><title>Tides</title><entry><title type=\"xhtml\"><b>x</b></title><content>y</content></entry></feed>"))
		f.Add(kind, []byte(`<article><front><article-meta/></front><body><p>a<xref ref-type="bibr" rid="b">1</xref></p><table-wrap>`+
			`<table><tr><td>x<disp-formula><alternatives><tex-math>$$</tex-math></body><back><ref-list><ref id="b"><citation>c`))
	}
	f.Add(document.TypeMessage, []byte("Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\n"+
		"Content-Transfer-Encoding: base64\n\n===="))
	at := base(f, "https://host.example/dir/page.html")
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		d, err := textOf(t.Context(), kind, body, at)
		if err != nil {
			if !errors.Is(err, document.ErrUnsupported) && !errors.Is(err, limit.ErrTooLarge) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		if !utf8.ValidString(d.Text) || d.Chars != utf8.RuneCountInString(d.Text) {
			t.Fatalf("text %q, %d characters", d.Text, d.Chars)
		}
		if seen := sanitize.Visible(d.Text); seen != d.Text {
			t.Fatalf("invisible characters in %q", d.Text)
		}
		if strings.ContainsFunc(d.Title, unicode.IsControl) || !utf8.ValidString(d.Title) {
			t.Fatalf("title %q", d.Title)
		}
		if again, _ := textOf(t.Context(), kind, body, at); !reflect.DeepEqual(d, again) {
			t.Fatalf("a second time: %+v", again)
		}
	})
}
