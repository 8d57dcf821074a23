package extract

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

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

func TestExtractMetadata(t *testing.T) {
	text := strings.TrimSpace(longText)
	body := "<body><main><p>" + longText + "</p></main>"
	doc := func(d document.Document) document.Document {
		d.ContentType, d.Text, d.Chars = "text/html", text, len(text)
		return d
	}
	tests := []struct {
		name, url, head string
		want            document.Document
	}{
		{"a journal", "https://journal.example/a1", `<meta name=citation_title content="On tides"><meta name=citation_author ` +
			`content="Ada Byron"><meta name=citation_author content="B. Babbage">
			<meta name=citation_journal_title content="J. Tides"><meta name=citation_publication_date content="2021/3/9"><meta ` +
			`name=citation_doi content="https://doi.org/10.1234/AbC.5">
			<meta name=citation_reference content="citation_doi=10.9999/other"><title>On tides | J. Tides</title><link rel=canonical ` +
			`href="/a1?x=1">`,
			document.Document{Head: document.Head{Title: "On tides", Authors: []string{"Ada Byron", "B. Babbage"}, Publisher: "J. Tides",
				Container: document.Journal, PublishedAt: "2021-03-09", DOI: "10.1234/abc.5",
				CanonicalURL: "https://journal.example/a1?x=1"},
				References: []document.Reference{{URL: "https://doi.org/10.9999/other", DOI: "10.9999/other"}}}},
		{"news", "https://www.paper.example/n", `<script type="application/ld+json">{"@context":"https://schema.org",` +
			`"@graph":[{"@type":"WebPage","name":"Page"},{"@type":["NewsArticle"],"headline":"Harbour closed",` +
			`"author":[{"@type":"Person","name":"C. Day"},"D. Night"],
			"datePublished":"2024-02-29T23:30:00+02:00","publisher":{"@type":"Organization","name":"The Paper"},` +
			`"inLanguage":"en-GB"}]}</script><title>Harbour closed - The Paper</title>`,
			document.Document{Head: document.Head{Title: "Harbour closed", Authors: []string{"C. Day", "D. Night"}, Publisher: "The Paper",
				PublishedAt: "2024-02-29", Language: "en-GB", SourceType: "press"}}},
		{"Open Graph", "https://blog.example/x", `<meta property="og:title" content="A  post"><meta property="og:site_name" ` +
			`content="Blog"><meta property="og:type" content=article><meta property="article:published_time" content="2020-05-06T07:08:09Z">
			<meta property="article:author" content="https://facebook.example/me"><meta name=author content="By E. Evans"><meta ` +
			`property="og:locale" content="fr_FR">`,
			document.Document{Head: document.Head{Title: "A post", Authors: []string{"E. Evans"}, Publisher: "Blog",
				PublishedAt: "2020-05-06", Language: "fr-FR", SourceType: "practitioner"}}},
		{"Dublin Core", "https://lib.example/x", `<meta name="DC.title" content="Old maps"><meta name="DC.creator" content="F. ` +
			`F."><meta name="DC.date" content="1899"><meta name="DC.identifier" content="doi:10.5555/maps">`,
			document.Document{Head: document.Head{Title: "Old maps", Authors: []string{"F. F."}, PublishedAt: "1899",
				DOI: "10.5555/maps"}}},
		{"a preprint", "https://arxiv.org/abs/2101.00001",
			`<title>[2101.00001] X</title><meta name=citation_title content=X><meta name=citation_doi content="10.48550/arXiv.2101.00001">`,
			document.Document{Head: document.Head{Title: "X", DOI: "10.48550/arxiv.2101.00001", ArXiv: "2101.00001",
				SourceType: "primary"}}},
		{"a university", "https://www.uni.ac.uk/x", `<title>T</title>`,
			document.Document{Head: document.Head{Title: "T", SourceType: "primary"}}},
		{"a canonical address elsewhere", "https://a.example.org/x",
			`<title>T</title><link rel=canonical href="https://famous.example.com/y">`, document.Document{Head: document.Head{Title: "T"}}},
		{"a canonical address on the same site", "https://m.paper.co.uk/x",
			`<title>T</title><link rel=canonical href="https://www.paper.co.uk/y">`,
			document.Document{Head: document.Head{Title: "T", CanonicalURL: "https://www.paper.co.uk/y"}}},
		{"broken linked data", "https://x.example/", `<title>T</title><script type="application/ld+json">{"@type":"NewsArticle",</script>`,
			document.Document{Head: document.Head{Title: "T"}}},
		{"what is not believed", "https://x.example/",
			`<title>T</title><meta name=date content="next week"><meta name=author content="@handle"><meta name=citation_doi ` +
				`content="none">`, document.Document{Head: document.Head{Title: "T"}}},
		{"hidden characters in a title", "https://x.example/", "<title>Ti\u200btle\u202e</title>",
			document.Document{Head: document.Head{Title: "Title"}, Invisible: 1}},
		{"no title", "https://x.example/", "", document.Document{Head: document.Head{Title: document.Title(text)}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := textOf(t.Context(), "text/html; charset=utf-8", []byte("<!doctype html><head>"+tt.head+body), base(t, tt.url))
			if err != nil {
				t.Fatal(err)
			}

			if d := cmp.Diff(doc(tt.want), got); d != "" {
				t.Errorf("Text (-want +got):\n%s", d)
			}
		})
	}
}

func TestExtractMarkdown(t *testing.T) {
	tests := []struct {
		name, in string
		want     document.Document
	}{
		{"heading", "\n# Notes #\n\ntext\n", document.Document{Head: document.Head{Title: "Notes"}, Text: "\n# Notes #\n\ntext"}},
		{"underlined heading", "Notes\n=====\ntext", document.Document{Head: document.Head{Title: "Notes"}, Text: "Notes\n=====\ntext"}},
		{"a comment in code is no heading", "```sh\n# no\n```\n\n## Yes", document.Document{Head: document.Head{Title: "Yes"},
			Text: "```sh\n# no\n```\n\n## Yes"}},
		{"seven hashes", "####### no\n\ntext", document.Document{Text: "####### no\n\ntext"}},
		{"front matter", "---\ntitle: \"On tides\"\nauthors:\n  - Ada\n  - Bob\ndate: 2021-03-04 10:00\nlang: en\ndoi: " +
			"10.1234/X\nother: {a: b}\n---\n\n# Heading\ntext",
			document.Document{Head: document.Head{Title: "On tides", Authors: []string{"Ada", "Bob"}, PublishedAt: "2021-03-04",
				Language: "en", DOI: "10.1234/x"},
				Text: "---\ntitle: \"On tides\"\nauthors:\n  - Ada\n  - Bob\ndate: 2021-03-04 10:00\nlang: en\ndoi: " +
					"10.1234/X\nother: {a: b}\n---\n\n# Heading\ntext"}},
		{"front matter, list on one line", "---\nauthor: [Ada, 'Bob']\n---\ntext",
			document.Document{Head: document.Head{Authors: []string{"Ada", "Bob"}}, Text: "---\nauthor: [Ada, 'Bob']\n---\ntext"}},
		{"rules are no front matter", "---\n\nnothing here\n\n---\ntext", document.Document{Text: "---\n\nnothing here\n\n---\ntext"}},
		{"front matter without an end", "---\ntitle: x\n\ntext", document.Document{Text: "---\ntitle: x\n\ntext"}},
		{"carriage returns, hidden characters", "# A\r\n\r\nb\u200b\u202ec  \r\n", document.Document{Head: document.Head{Title: "A"},
			Invisible: 1, Text: "# A\n\nbc"}},
		{"code keeps its spaces", "    x  =  1\n\ty", document.Document{Text: "    x  =  1\n\ty"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := textOf(t.Context(), "text/markdown", []byte(tt.in), nil)
			if err != nil {
				t.Fatal(err)
			}
			tt.want.ContentType, tt.want.Chars = "text/markdown", utf8.RuneCountInString(tt.want.Text)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("Text (-want +got):\n%s", d)
			}
		})
	}
}

func TestExtractPlain(t *testing.T) {
	tests := []struct {
		name, in, title, text string
	}{
		{"title", "On Tides\n\nOnce upon", "On Tides", "On Tides\n\nOnce upon"},
		{"underlined title", "On Tides\n--------\nOnce", "On Tides", "On Tides\n--------\nOnce"},
		{"a paragraph is no title", "Once upon\na time", "", "Once upon\na time"},
		{"one line", "Once", "", "Once"},
		{"page breaks", "a\fb", "", "a\nb"},
		{"broken UTF-8", "a\xffb", "", "aÿb"}, // which makes it Windows-1252
		{"angle brackets are text", "a <b> & c", "", "a <b> & c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := textOf(t.Context(), "text/plain", []byte(tt.in), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got.Title != tt.title || got.Text != tt.text {
				t.Errorf("title %q, text %q; want %q, %q", got.Title, got.Text, tt.title, tt.text)
			}
		})
	}
}

func TestFormat(t *testing.T) {
	tests := []struct{ name, contentType, body, url, want string }{
		{"declared HTML", "text/html; charset=utf-8", "x", "", "text/html"},
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
		{"PDF", "application/pdf", "%PDF-1.4", "", "application/pdf"},
		{"PDF that says HTML", "text/html", "%PDF-1.4", "", "application/pdf"},
		{"HTML that says PDF", "application/pdf", "<!DOCTYPE html><p>x", "", "text/html"},
		{"binary that says plain", "text/plain", "\x00\x01\x02", "", ""},
		{"JSON", "application/json", "{}", "", ""},
		{"a feed", "application/rss+xml", "<rss>", "", "application/rss+xml"},
		{"an archive", "application/zip", "PK\x03\x04", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := formatOf(tt.contentType, []byte(tt.body), base(t, tt.url))
			if got != tt.want || (err == nil) != (tt.want != "") || err != nil && !errors.Is(err, document.ErrUnsupported) {
				t.Errorf("formatOf = %q, %v; want %q", got, err, tt.want)
			}
		})
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
	}
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
		if again, _ := textOf(t.Context(), kind, body, at); !cmp.Equal(d, again) {
			t.Fatalf("a second time: %s", cmp.Diff(d, again))
		}
	})
}
