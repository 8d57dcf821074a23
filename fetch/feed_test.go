package fetch

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	rssFeed = `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Harbour news</title><link>https://harbour.example/</link><description>All about tides</description><language>en</language>
<item><title>Spring &amp; neap</title><link>https://harbour.example/1</link><pubDate>Mon, 04 Mar 2019 10:00:00 GMT</pubDate><description>&lt;p&gt;High &lt;b&gt;water&lt;/b&gt;.&lt;script&gt;x()&lt;/script&gt;&lt;/p&gt;</description></item>
<item><title>Ebb</title><link>javascript:alert(1)</link><description>Short.</description><content:encoded><![CDATA[<p>Short.</p><p>The whole story.</p>]]></content:encoded></item></channel></rss>`
	atomFeed = `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour news</title><updated>2019-03-05T00:00:00Z</updated><author><name>Ada Writer</name></author>
<entry><title>Spring</title><link href="https://harbour.example/1"/><published>2019-03-04T00:00:00Z</published><content type="html">&lt;p&gt;High water.&lt;/p&gt;</content></entry></feed>`
	jsonFeed = `{"version":"https://jsonfeed.org/version/1.1","title":"Harbour news","items":[{"id":"1","title":"Spring","url":"https://harbour.example/1","date_published":"2019-03-04T00:00:00Z","content_text":"High water."}]}`
)

func TestFeeds(t *testing.T) {
	base, _ := url.Parse("https://harbour.example/feed")
	tests := []struct {
		name, contentType, body string
		want                    Document
	}{
		{"RSS", "text/xml", rssFeed, Document{Title: "Harbour news", Language: "en", CanonicalURL: "https://harbour.example/", ContentType: typeRSS,
			Text: "# Harbour news\n\nAll about tides\n\n## Spring & neap\n\n2019-03-04 · https://harbour.example/1\n\nHigh water.\n\n## Ebb\n\nShort.\n\nThe whole story."}},
		{"Atom", "application/atom+xml", atomFeed, Document{Title: "Harbour news", Authors: []string{"Ada Writer"}, PublishedAt: "2019-03-05", ContentType: typeAtom,
			Text: "# Harbour news\n\n## Spring\n\n2019-03-04 · https://harbour.example/1\n\nHigh water."}},
		{"JSON", "application/json", jsonFeed, Document{Title: "Harbour news", PublishedAt: "2019-03-04", ContentType: typeJSONFeed,
			Text: "# Harbour news\n\n## Spring\n\n2019-03-04 · https://harbour.example/1\n\nHigh water."}},
	}
	r := reader(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Chars = codePoints(tt.want.Text)
			got, err := r.Extract(t.Context(), tt.contentType, []byte(tt.body), base)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("Extract (-want +got):\n%s", d)
			}
		})
	}
	for name, body := range map[string]string{
		"no feed":         `<?xml version="1.0"?><svg></svg>`,
		"broken JSON":     `{"version":"https://jsonfeed.org/version/1.1",`,
		"a feed too deep": `<rss><channel>` + strings.Repeat("<a>", 500_000),
	} {
		start := time.Now()
		if _, err := r.Extract(t.Context(), "application/xml", []byte(body), base); !errors.Is(err, ErrUnsupported) && !errors.Is(err, errTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(start); took > hostileBound {
			t.Errorf("%s took %s", name, took)
		}
	}
}

func FuzzFeed(f *testing.F) {
	f.Add(rssFeed)
	f.Add(atomFeed)
	f.Add(jsonFeed)
	f.Fuzz(func(t *testing.T, body string) {
		kind := feedFormat([]byte(body))
		if kind == "" {
			return
		}
		if x, err := extractFeed(t.Context(), kind, []byte(body), nil); err == nil && x.Chars != codePoints(x.Text) {
			t.Errorf("%d characters, counted %d", x.Chars, codePoints(x.Text))
		}
	})
}
