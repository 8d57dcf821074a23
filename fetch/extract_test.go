package fetch

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func base(t testing.TB, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestExtractMetadata(t *testing.T) {
	text := strings.TrimSpace(longText)
	body := "<body><main><p>" + longText + "</p></main>"
	doc := func(d Document) Document {
		d.ContentType, d.Text, d.Chars = "text/html", text, len(text)
		d.Markdown, d.Runs = text, []Run{{Chars: len(text)}} // a paragraph is the same in both
		return d
	}
	tests := []struct {
		name, url, head string
		want            Document
	}{
		{"a journal", "https://journal.example/a1", `<meta name=citation_title content="On tides"><meta name=citation_author content="Ada Byron"><meta name=citation_author content="B. Babbage">
			<meta name=citation_journal_title content="J. Tides"><meta name=citation_publication_date content="2021/3/9"><meta name=citation_doi content="https://doi.org/10.1234/AbC.5">
			<meta name=citation_reference content="citation_doi=10.9999/other"><title>On tides | J. Tides</title><link rel=canonical href="/a1?x=1">`,
			Document{Title: "On tides", Authors: []string{"Ada Byron", "B. Babbage"}, Publisher: "J. Tides", PublishedAt: "2021-03-09", DOI: "10.1234/abc.5", CanonicalURL: "https://journal.example/a1?x=1", SourceType: "peer",
				References: []Reference{{URL: "https://doi.org/10.9999/other", DOI: "10.9999/other"}}}},
		{"news", "https://www.paper.example/n", `<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebPage","name":"Page"},{"@type":["NewsArticle"],"headline":"Harbour closed","author":[{"@type":"Person","name":"C. Day"},"D. Night"],
			"datePublished":"2024-02-29T23:30:00+02:00","publisher":{"@type":"Organization","name":"The Paper"},"inLanguage":"en-GB"}]}</script><title>Harbour closed - The Paper</title>`,
			Document{Title: "Harbour closed", Authors: []string{"C. Day", "D. Night"}, Publisher: "The Paper", PublishedAt: "2024-02-29", Language: "en-GB", SourceType: "press"}},
		{"Open Graph", "https://blog.example/x", `<meta property="og:title" content="A  post"><meta property="og:site_name" content="Blog"><meta property="og:type" content=article><meta property="article:published_time" content="2020-05-06T07:08:09Z">
			<meta property="article:author" content="https://facebook.example/me"><meta name=author content="By E. Evans"><meta property="og:locale" content="fr_FR">`,
			Document{Title: "A post", Authors: []string{"E. Evans"}, Publisher: "Blog", PublishedAt: "2020-05-06", Language: "fr-FR", SourceType: "practitioner"}},
		{"Dublin Core", "https://lib.example/x", `<meta name="DC.title" content="Old maps"><meta name="DC.creator" content="F. F."><meta name="DC.date" content="1899"><meta name="DC.identifier" content="doi:10.5555/maps">`,
			Document{Title: "Old maps", Authors: []string{"F. F."}, PublishedAt: "1899", DOI: "10.5555/maps", SourceType: "peer"}},
		{"a preprint", "https://arxiv.org/abs/2101.00001", `<title>[2101.00001] X</title><meta name=citation_title content=X><meta name=citation_doi content="10.48550/arXiv.2101.00001">`,
			Document{Title: "X", DOI: "10.48550/arxiv.2101.00001", ArXiv: "2101.00001", SourceType: "primary"}},
		{"a university", "https://www.uni.ac.uk/x", `<title>T</title>`, Document{Title: "T", SourceType: "primary"}},
		{"a canonical address elsewhere", "https://a.example.org/x", `<title>T</title><link rel=canonical href="https://famous.example.com/y">`, Document{Title: "T"}},
		{"a canonical address on the same site", "https://m.paper.co.uk/x", `<title>T</title><link rel=canonical href="https://www.paper.co.uk/y">`, Document{Title: "T", CanonicalURL: "https://www.paper.co.uk/y"}},
		{"broken linked data", "https://x.example/", `<title>T</title><script type="application/ld+json">{"@type":"NewsArticle",</script>`, Document{Title: "T"}},
		{"what is not believed", "https://x.example/", `<title>T</title><meta name=date content="next week"><meta name=author content="@handle"><meta name=citation_doi content="none">`, Document{Title: "T"}},
		{"hidden characters in a title", "https://x.example/", "<title>Ti\u200btle\u202e</title>", Document{Title: "Title"}},
		{"no title", "https://x.example/", "", Document{Title: titleText(text)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Extract("text/html; charset=utf-8", []byte("<!doctype html><head>"+tt.head+body), base(t, tt.url))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(doc(tt.want), got); d != "" {
				t.Errorf("Extract (-want +got):\n%s", d)
			}
		})
	}
}

// Pages of a documentation tree have their title in a comment, before anything else.
func TestExtractTitleInFrontComment(t *testing.T) {
	tests := []struct{ name, front, want string }{
		{"Go's documents", "<!--{\n\t\"Title\": \"The tide tables\",\n\t\"Path\": \"/ref\"\n}-->\n", "The tide tables"},
		{"behind a licence", "<!-- Licence: none -->\n<!--{\"Title\": \"The tide tables\"}-->\n", "The tide tables"},
		{"broken", "<!--{\"Title\": \"The tide tables\"\n-->", "Printed yearly"},
		{"a page with a head of its own", "<!--{\"Title\": \"Other\"}--><title>The tide tables</title>", "The tide tables"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := Extract("text/html", []byte(tt.front+"<h1>Printed yearly</h1><p>"+longText+"</p>"), nil)
			if err != nil {
				t.Fatal(err)
			}
			if d.Title != tt.want {
				t.Errorf("title %q, want %q", d.Title, tt.want)
			}
		})
	}
}

func TestExtractLeavesOutTheFrame(t *testing.T) {
	para := "<p>" + longText + "</p>"
	listing := strings.Repeat("<li><a href=/x>Tide table of a harbour, with all its corrections</a></li>", 30)
	tests := []struct {
		name, page    string
		holds, leaves []string
	}{
		{"an article", "<nav><a href=/>Home</a></nav><article><h2>Second</h2>" + strings.Repeat(para, 4) + "</article><footer>Imprint</footer>", []string{"Second", "tide tables"}, []string{"Home", "Imprint"}},
		{"a listing", "<nav>Home</nav><main><h1>All tables</h1><p>Intro.</p><ul>" + listing + "</ul></main><footer>Imprint</footer>", []string{"All tables", "Intro.", "- Tide table of a harbour"}, []string{"Home", "Imprint"}},
		{"hidden instructions", "<article>" + para + `<p hidden>obey me</p><p style="display: none">obey me</p><div aria-hidden=true>obey me</div><p style="color:red; VISIBILITY : hidden !important">obey me</p><!-- obey me -->` + para + "</article>", []string{"tide tables"}, []string{"obey"}},
		{"an article that a script shows", "<body style='visibility:hidden'><article style='display:none'>" + para + para + "</article>", []string{"tide tables"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d, err := Extract("text/html", []byte("<title>T</title>"+tt.page), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range tt.holds {
				if !strings.Contains(d.Text, s) {
					t.Errorf("%q is missing in %q", s, d.Text)
				}
			}
			for _, s := range tt.leaves {
				if strings.Contains(d.Text, s) {
					t.Errorf("%q was not left out of %q", s, d.Text)
				}
			}
		})
	}
}

func TestExtractMarkdown(t *testing.T) {
	tests := []struct {
		name, in string
		want     Document
	}{
		{"heading", "\n# Notes #\n\ntext\n", Document{Title: "Notes", Text: "# Notes #\n\ntext"}},
		{"underlined heading", "Notes\n=====\ntext", Document{Title: "Notes", Text: "Notes\n=====\ntext"}},
		{"a comment in code is no heading", "```sh\n# no\n```\n\n## Yes", Document{Title: "Yes", Text: "```sh\n# no\n```\n\n## Yes"}},
		{"seven hashes", "####### no\n\ntext", Document{Text: "####### no\n\ntext"}},
		{"front matter", "---\ntitle: \"On tides\"\nauthors:\n  - Ada\n  - Bob\ndate: 2021-03-04 10:00\nlang: en\ndoi: 10.1234/X\nother: {a: b}\n---\n\n# Heading\ntext",
			Document{Title: "On tides", Authors: []string{"Ada", "Bob"}, PublishedAt: "2021-03-04", Language: "en", DOI: "10.1234/x", SourceType: "peer", Text: "# Heading\ntext"}},
		{"front matter, list on one line", "---\nauthor: [Ada, 'Bob']\n---\ntext", Document{Authors: []string{"Ada", "Bob"}, Text: "text"}},
		{"rules are no front matter", "---\n\nnothing here\n\n---\ntext", Document{Text: "---\n\nnothing here\n\n---\ntext"}},
		{"front matter without an end", "---\ntitle: x\n\ntext", Document{Text: "---\ntitle: x\n\ntext"}},
		{"carriage returns, hidden characters", "# A\r\n\r\nb\u200b\u202ec  \r\n", Document{Title: "A", Text: "# A\n\nbc"}},
		{"code keeps its spaces", "    x  =  1\n\ty", Document{Text: "    x  =  1\n\ty"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Extract("text/markdown", []byte(tt.in), nil)
			if err != nil {
				t.Fatal(err)
			}
			tt.want.ContentType, tt.want.Chars = "text/markdown", utf8.RuneCountInString(tt.want.Text)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("Extract (-want +got):\n%s", d)
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
			got, err := Extract("text/plain", []byte(tt.in), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got.Title != tt.title || got.Text != tt.text {
				t.Errorf("title %q, text %q; want %q, %q", got.Title, got.Text, tt.title, tt.text)
			}
		})
	}
}

func TestDocumentType(t *testing.T) {
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
		{"PDF", "application/pdf", "%PDF-1.4", "", ""},
		{"PDF that says HTML", "text/html", "%PDF-1.4", "", ""},
		{"binary that says plain", "text/plain", "\x00\x01\x02", "", ""},
		{"JSON", "application/json", "{}", "", ""},
		{"a feed", "application/rss+xml", "<rss>", "", ""},
		{"an archive", "application/zip", "PK\x03\x04", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := documentType(tt.contentType, []byte(tt.body), base(t, tt.url))
			if got != tt.want || (err == nil) != (tt.want != "") || err != nil && !errors.Is(err, ErrUnsupported) {
				t.Errorf("documentType = %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

func TestDecodeText(t *testing.T) {
	tests := []struct{ name, contentType, kind, body, want string }{
		{"UTF-8", "text/html; charset=utf-8", typeHTML, "é", "é"},
		{"UTF-8 without a word", "text/html", typeHTML, "é", "é"},
		{"UTF-8 behind 1,024 bytes", "text/html", typeHTML, strings.Repeat("x", 2000) + "é", strings.Repeat("x", 2000) + "é"},
		{"byte order mark", "text/plain", typePlain, "\xef\xbb\xbfé", "é"},
		{"Latin-1 declared", "text/html; charset=iso-8859-1", typeHTML, "caf\xe9", "café"},
		{"Latin-1 declared for UTF-8", "text/html; charset=iso-8859-1", typeHTML, "café", "café"},
		{"nothing declared, not UTF-8", "text/plain", typePlain, "caf\xe9 \x93x\x94", "café “x”"},
		{"meta", "text/html", typeHTML, "<meta charset=shift_jis>\x93\xfa\x96\x7b", "<meta charset=shift_jis>日本"},
		{"meta in a plain text", "text/plain", typePlain, "<meta charset=shift_jis>é", "<meta charset=shift_jis>é"},
		{"header before meta", "text/html; charset=gbk", typeHTML, "<meta charset=utf-8>\xd6\xd0", "<meta charset=utf-8>中"},
		{"Windows-1251", "text/html; charset=windows-1251", typeHTML, "\xcf\xf0\xe8", "При"},
		{"UTF-16 by mark", "text/plain", typePlain, "\xff\xfea\x00\xe9\x00", "aé"},
		{"UTF-16 declared", "text/plain; charset=utf-16be", typePlain, "\x00a\x00b", "ab"},
		{"ISO-2022-JP is ASCII octets", "text/html; charset=iso-2022-jp", typeHTML, "\x1b$BF|K\\\x1b(B", "日本"},
		{"EUC-KR", "text/html; charset=euc-kr", typeHTML, "\xc7\xd1", "한"},
		{"Big5", "text/html; charset=big5", typeHTML, "\xa4\xa4", "中"},
		{"an unknown name", "text/html; charset=klingon", typeHTML, "é", "é"},
		{"cut in a character", "text/html; charset=utf-8", typeHTML, "a\xc3", "a\uFFFD"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := decodeText([]byte(tt.body), tt.contentType, tt.kind); got != tt.want {
				t.Errorf("decodeText = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestCleanText(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing to do", "plain\n\ttext é 日本", "plain\n\ttext é 日本"},
		{"zero width", "a\u200bb\u2060c\ufeffd", "abcd"},
		{"soft hyphen", "hy\u00adphen", "hyphen"},
		{"bidirectional", "\u202eevil\u202c \u2066x\u2069", "evil x"},
		{"tags", "a\U000E0041\U000E0042b", "ab"},
		{"controls", "a\x00b\x1b[31mc\x7fd\u0085e", "ab[31mcde"},
		{"joiner between Latin letters", "a\u200db\u200cc", "abc"},
		{"joiner in Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"joiner in emoji", "👩\u200d💻", "👩\u200d💻"},
		{"joiner at the end", "می\u200c", "می"},
		{"Arabic number sign", "\u0600123", "\u0600123"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := cleanText(tt.in); got != tt.want {
				t.Errorf("cleanText(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestNormalDate(t *testing.T) {
	for in, want := range map[string]string{
		"2021": "2021", "2021-3": "2021-03", "2021-03-04": "2021-03-04", "2021/3/4": "2021-03-04", "2021.03.04": "2021-03-04",
		"2021-03-04T05:06:07+09:00": "2021-03-04", "2021-03-04 05:06": "2021-03-04", "20210304": "2021-03-04", "20210304T050607Z": "2021-03-04",
		"March 4, 2021": "2021-03-04", "Mar. 4th 2021": "2021-03-04", "4 March 2021": "2021-03-04", "Thu, 04 Mar 2021 05:06:07 GMT": "2021-03-04",
		"Sept 2021": "2021-09", "2021-13-01": "2021", "2021-02-30": "2021-02", "3/4/2021": "", "yesterday": "", "": "", "0000-00-00": "", "99999999": "",
	} {
		if got := normalDate(in); got != want {
			t.Errorf("normalDate(%q) = %q, want %q", in, got, want)
		}
	}
}

// Whatever is extracted is clean text of the length that it says, and the same each time.
func FuzzExtract(f *testing.F) {
	for _, kind := range []string{"text/html", "text/html; charset=shift_jis", "text/markdown", "text/plain", "", "text/plain; charset=utf-16"} {
		f.Add(kind, []byte(article))
		f.Add(kind, []byte("---\ntitle: x\n---\n# A\n\n- b\n\n| a | b |"))
		f.Add(kind, []byte("<table><tr><td><p>x<table><td>y<b><i></p><script>{}</script><ul><li>z\u200b\xff<svg><title>s</title><math>"))
		f.Add(kind, []byte(`<script type="application/ld+json">{"@graph":[{"@type":"Article","author":[["x"]],"identifier":{"value":"10.1/x"}}]}</script><time datetime=2021>`))
		f.Add(kind, []byte("\xff\xfea\x00<\x00p\x00>\x00"))
	}
	at := base(f, "https://host.example/dir/page.html")
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		d, err := Extract(kind, body, at)
		if err != nil {
			if !errors.Is(err, ErrUnsupported) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		if !utf8.ValidString(d.Text) || d.Chars != utf8.RuneCountInString(d.Text) {
			t.Fatalf("text %q, %d characters", d.Text, d.Chars)
		}
		for i, r := range d.Text {
			if isInvisible(r) && r != 0x200c && r != 0x200d || r == '\r' {
				t.Fatalf("%U at %d in %q", r, i, d.Text)
			}
		}
		if strings.ContainsFunc(d.Title, unicode.IsControl) || !utf8.ValidString(d.Title) {
			t.Fatalf("title %q", d.Title)
		}
		if again, _ := Extract(kind, body, at); !cmp.Equal(d, again) {
			t.Fatalf("a second time: %s", cmp.Diff(d, again))
		}
	})
}

// The flat builder sees only hostile pages; it must take any.
func FuzzFlatTree(f *testing.F) {
	f.Add(article)
	f.Add("<div><p><table><tr></div><li></li></ul><title>x<svg><script>")
	f.Fuzz(func(t *testing.T, src string) {
		root, _ := flatTree(t.Context(), src)
		for n := range root.Descendants() {
			depth := 0
			for p := n.Parent; p != nil; p = p.Parent {
				depth++
			}
			if depth > maxDepth+4 {
				t.Fatalf("depth %d", depth)
			}
		}
		blockText(root)
	})
}

func FuzzDecodeText(f *testing.F) {
	f.Add("text/html; charset=gb18030", "text/html", []byte("\x81\x30\x81\x30"))
	f.Add("text/plain; charset=utf-16", "text/plain", []byte("\xfe\xff\x00a\xd8\x00"))
	f.Add("", "text/html", []byte("<meta charset=iso-2022-jp>\x1b$B"))
	f.Fuzz(func(t *testing.T, contentType, kind string, body []byte) {
		if s := decodeText(body, contentType, kind); !utf8.ValidString(s) {
			t.Fatalf("%q", s)
		}
	})
}
