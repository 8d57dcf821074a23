package feed

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/limit"
	"github.com/citeloop/citeloop/internal/cputime"
)

const (
	rssFeed = `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Harbour ` +
		`news</title><link>https://harbour.example/</link><description>All about tides</description><language>en</language>
<item><title>Spring &amp; neap</title><link>https://harbour.example/1</link><pubDate>Mon, 04 Mar 2019 10:00:00 ` +
		`GMT</pubDate><description>&lt;p&gt;High &lt;b&gt;water&lt;/b&gt;.&lt;script&gt;x()&lt;/script&gt;&lt;/p&gt;</description></item>
<item><title>Ebb</title><link>javascript:alert(1)</link><description>Short.</description><content:encoded><![CDATA[<p>Short.</p><p>The ` +
		`whole story.</p>]]></content:encoded></item></channel></rss>`
	atomFeed = `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour ` +
		`news</title><updated>2019-03-05T00:00:00Z</updated><author><name>Ada Writer</name></author>
<entry><title>Spring</title><link href="https://harbour.example/1"/><published>2019-03-04T00:00:00Z</published><content ` +
		`type="html">&lt;p&gt;High water.&lt;/p&gt;</content></entry></feed>`
)

func TestFeeds(t *testing.T) {
	base, _ := url.Parse("https://harbour.example/feed")
	tests := []struct {
		name, body string
		want       document.Document
	}{
		{"RSS", rssFeed, document.Document{Head: document.Head{Title: "Harbour news", Language: "en",
			CanonicalURL: "https://harbour.example/"},
			Text: "# Harbour news\n\nAll about tides\n\n## Spring & neap\n\n2019-03-04 · https://harbour.example/1\n\nHigh " +
				"water.\n\n## Ebb\n\nShort.\n\nThe whole story."}},
		{"Atom", atomFeed, document.Document{Head: document.Head{Title: "Harbour news", Authors: []string{"Ada Writer"},
			ModifiedAt: "2019-03-05"},
			Text: "# Harbour news\n\n## Spring\n\n2019-03-04 · https://harbour.example/1\n\nHigh water."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Chars = utf8.RuneCountInString(tt.want.Text)
			got, err := written(t, tt.body, base)
			if err != nil {
				t.Fatal(err)
			}
			got.Blocks = nil
			if kind := Format([]byte(tt.body)); kind != "application/"+strings.ToLower(tt.name)+"+xml" {
				t.Errorf("Format = %q", kind)
			}
			if d := cmp.Diff(tt.want, got.Document); d != "" {
				t.Errorf("Extract (-want +got):\n%s", d)
			}
		})
	}
	if kind := Format([]byte(`<?xml version="1.0"?><svg></svg>`)); kind != "" {
		t.Errorf("a picture is %q", kind)
	}
	for name, tt := range map[string]struct {
		body string
		want error
	}{
		"no element":      {"<?xml version='1.0'?>", document.ErrUnsupported},
		"a feed too deep": {`<rss><channel>` + strings.Repeat("<a>", 500_000), limit.ErrTooLarge},
	} {
		start := cputime.Used()
		if _, err := written(t, tt.body, base); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
		if took := cputime.Used() - start; took > 30*time.Second { // a quadratic step would take minutes
			t.Errorf("%s took %s", name, took)
		}
	}
}

// A large feed is read in part.
func TestLargeFeedsAreReadInPart(t *testing.T) {
	entries := func(head, entry, tail string, n int) string { return head + strings.Repeat(entry, n) + tail }
	for _, tt := range []struct {
		name, body string
		whole      bool
		want       int // entries
	}{
		{"RSS within the bounds", entries(`<rss version="2.0"><channel><title>Tides</title>`, `<item><title>Ebb</title></item>`,
			`</channel></rss>`, maxItems), true, maxItems},
		{"RSS above", entries(`<rss version="2.0"><channel><title>Tides</title>`, `<item><title>Ebb</title></item>`, `</channel></rss>`,
			maxItems+1), false, maxItems},
		{"RSS of empty entries", entries(`<rss version="2.0"><channel><title>Tides</title>`, `<item/>`, `</channel></rss>`, 500_000), false,
			maxItems},
		{"RSS of many elements", entries(`<rss version="2.0"><channel><title>Tides</title><item><title>Ebb</title>`, `<x:y a="b"/>`,
			`</item></channel></rss>`, 300_000), false, 1},
		{"Atom above", entries(`<feed xmlns="http://www.w3.org/2005/Atom"><title>Tides</title>`, `<entry><title>Ebb</title></entry>`,
			`</feed>`, maxItems+1), false, maxItems},
		{"Atom in another encoding", entries("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><feed "+
			"xmlns=\"http://www.w3.org/2005/Atom\"><title>Mar\xe9es</title>", "<entry><title>\xc9bb</title></entry>", `</feed>`,
			maxItems+1), false, maxItems},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x, err := written(t, tt.body, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(x.Text, "\n## "); got != tt.want {
				t.Errorf("%d entries, want %d", got, tt.want)
			}
			if whole := x.Partial == ""; whole != tt.whole {
				t.Errorf("Partial = %q", x.Partial)
			}
			if x.Title != "Tides" && x.Title != "Marées" {
				t.Errorf("title %q", x.Title)
			}
		})
	}
}

// Words are read as their element says, however often a program escaped them.
func TestFeedMarkup(t *testing.T) {
	rss := func(item string) string {
		return `<rss version="2.0" xmlns:content="c" xmlns:dc="d"><channel><title>T</title><item>` + item + `</item></channel></rss>`
	}
	atom := func(entry string) string {
		return `<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry>` + entry + `</entry></feed>`
	}
	for _, tt := range []struct{ name, body, want, not string }{
		{"CDATA", rss(`<description><![CDATA[<p>Ebb &amp; flood</p>]]></description>`), "Ebb & flood", "<p>"},
		{"escaped CDATA", rss(`<description>&lt;![CDATA[Ebb]]&gt;</description>`), "Ebb", "]]"},
		{"escaped CDATA with tags", rss(`<content:encoded>&lt;![CDATA[&lt;p&gt;Ebb&lt;/p&gt;]]&gt;</content:encoded>`), "Ebb", "CDATA"},
		{"CDATA in CDATA", rss(`<description><![CDATA[<![CDATA[Ebb]]]]><![CDATA[>]]></description>`), "Ebb", "]]"},
		{"a title in CDATA", rss(`<title>&lt;![CDATA[Ebb]]&gt;</title>`), "Ebb", "]]"},
		{"an entity of HTML", rss(`<title>Mar&eacute;e</title>`), "Marée", ""},
		{"the author of a mail", rss(`<title>E</title><author>ada@tides.example (Ada Writer)</author>`), "Ada Writer", "ada@"},
		{"the words of a video", rss(`<title>E</title><group xmlns="media"><description>Ebb</description></group>`), "Ebb", ""},
		{"the title of a podcast", rss(`<title xmlns="http://www.itunes.com/dtds/podcast-1.0.dtd">Ep</title><title>Ebb</title>`),
			"Ebb", "Ep"},
		{"code", rss(`<content:encoded><![CDATA[<pre>&lt;div&gt;</pre>]]></content:encoded>`), "<div>", ""},
		{"xhtml", atom(`<title type="xhtml"><div>Less <em>than</em> &lt; more</div></title>`), "Less than < more", "<em>"},
		{"literal text", atom(`<title type="text">Literal &lt;b&gt; stays</title>`), "Literal <b> stays", ""},
		{"text by default", atom(`<title>E</title><summary>a &lt; b</summary>`), "a < b", ""},
		{"html without tags", atom(`<title type="html">Tide &amp;amp; time</title>`), "Tide & time", "&amp;"},
		{"html", atom(`<title type="html">Less &lt;em&gt;than&lt;/em&gt;</title>`), "Less than", "<em>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x, err := written(t, tt.body, nil)
			if err != nil || !strings.Contains(x.Text, tt.want) || tt.not != "" && strings.Contains(x.Text, tt.not) {
				t.Errorf("%v, text %q, want %q", err, x.Text, tt.want)
			}
		})
	}
}

func written(t *testing.T, body string, base *url.URL) (document.Extraction, error) {
	x, err := Read(t.Context(), []byte(body), base)
	x.Write()
	return x, err
}
