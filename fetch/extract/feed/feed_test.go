package feed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/limit"
	"github.com/citeloop/citeloop/fetch/extract/markdown/markdowntest"
	"github.com/citeloop/citeloop/internal/cputime"
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
		name, body string
		want       document.Document
	}{
		{"RSS", rssFeed, document.Document{Head: document.Head{Title: "Harbour news", Language: "en", CanonicalURL: "https://harbour.example/", ContentType: document.TypeRSS}, Text: "Harbour news\n\nAll about tides\n\nSpring & neap\n\n2019-03-04 · https://harbour.example/1\n\nHigh water.\n\nEbb\n\nShort.\n\nThe whole story.", Markdown: "# Harbour news\n\nAll about tides\n\n## [Spring & neap](https://harbour.example/1)\n\n2019-03-04 · https://harbour.example/1\n\nHigh **water**.\n\n## Ebb\n\nShort.\n\nThe whole story."}},
		{"Atom", atomFeed, document.Document{Head: document.Head{Title: "Harbour news", Authors: []string{"Ada Writer"}, ModifiedAt: "2019-03-05", ContentType: document.TypeAtom}, Text: "Harbour news\n\nSpring\n\n2019-03-04 · https://harbour.example/1\n\nHigh water.", Markdown: "# Harbour news\n\n## [Spring](https://harbour.example/1)\n\n2019-03-04 · https://harbour.example/1\n\nHigh water."}},
		{"JSON", jsonFeed, document.Document{Head: document.Head{Title: "Harbour news", PublishedAt: "2019-03-04", ContentType: document.TypeJSONFeed}, Text: "Harbour news\n\nSpring\n\n2019-03-04 · https://harbour.example/1\n\nHigh water.", Markdown: "# Harbour news\n\n## [Spring](https://harbour.example/1)\n\n2019-03-04 · https://harbour.example/1\n\nHigh water."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Chars = utf8.RuneCountInString(tt.want.Text)
			kind := Format([]byte(tt.body))
			got, err := Extract(t.Context(), kind, []byte(tt.body), base)
			if err != nil {
				t.Fatal(err)
			}
			markdowntest.CheckRuns(t, &got.Document)
			got.Runs = nil
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
		"broken JSON":     {`{"version":"https://jsonfeed.org/version/1.1",`, document.ErrUnsupported},
		"a feed too deep": {`<rss><channel>` + strings.Repeat("<a>", 500_000), limit.ErrTooLarge},
	} {
		start := cputime.Used()
		if _, err := Extract(t.Context(), Format([]byte(tt.body)), []byte(tt.body), base); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
		if took := cputime.Used() - start; took > 30*time.Second { // a quadratic step would take minutes
			t.Errorf("%s took %s", name, took)
		}
	}
}

func FuzzFeed(f *testing.F) {
	f.Add(rssFeed)
	f.Add(atomFeed)
	f.Add(jsonFeed)
	f.Fuzz(func(t *testing.T, body string) {
		kind := Format([]byte(body))
		if kind == "" {
			return
		}
		x, err := Extract(t.Context(), kind, []byte(body), nil)
		if err == nil && x.Chars != utf8.RuneCountInString(x.Text) {
			t.Errorf("%d characters, counted %d", x.Chars, utf8.RuneCountInString(x.Text))
		}
		markdowntest.CheckPieces(t, &x.Document)
	})
}

// A large feed is read in part: the library gets no more than the limits allow.
func TestLargeFeedsAreReadInPart(t *testing.T) {
	long := strings.Repeat("a, ", 2_000)
	entries := func(head, entry, tail string, n int) string { return head + strings.Repeat(entry, n) + tail }
	for _, tt := range []struct {
		name, body string
		whole      bool
		want       int // entries
	}{
		{"RSS within the bounds", entries(`<rss version="2.0"><channel><title>Tides</title>`, `<item><title>Ebb</title></item>`, `</channel></rss>`, maxFeedItems), true, maxFeedItems},
		{"RSS above", entries(`<rss version="2.0"><channel><title>Tides</title>`, `<item><title>Ebb</title></item>`, `</channel></rss>`, maxFeedItems+1), false, maxFeedItems},
		{"RSS of empty entries", entries(`<rss version="2.0"><channel><title>Tides</title>`, `<item/>`, `</channel></rss>`, 500_000), false, maxFeedItems},
		{"RSS of many elements", entries(`<rss version="2.0"><channel><title>Tides</title><item><title>Ebb</title>`, `<x:y a="b"/>`, `</item></channel></rss>`, 2*maxFeedElements), false, 1},
		{"Atom above", entries(`<feed xmlns="http://www.w3.org/2005/Atom"><title>Tides</title>`, `<entry><title>Ebb</title></entry>`, `</feed>`, maxFeedItems+1), false, maxFeedItems},
		{"Atom in another encoding", entries("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><feed xmlns=\"http://www.w3.org/2005/Atom\"><title>Mar\xe9es</title>", "<entry><title>\xc9bb</title></entry>", `</feed>`, maxFeedItems+1), false, maxFeedItems},
		{"JSON within the bounds", entries(`{"version":"https://jsonfeed.org/version/1.1","title":"Tides","items":[{}`, `,{"title":"Ebb","content_text":"`+long+`"}`, `]}`, 5), true, 6},
		{"JSON above, with its title at the end", entries(`{"version":"https://jsonfeed.org/version/1.1","items":[{}`, `,{"title":"Ebb"}`, `],"title":"Tides"}`, maxFeedItems), false, maxFeedItems},
		{"JSON with an entry of many authors", `{"version":"https://jsonfeed.org/version/1.1","title":"Tides","items":[{"title":"Ebb","authors":[{}` + strings.Repeat(`,{}`, maxAuthorBytes) + `]}]}`, false, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x, err := Extract(t.Context(), Format([]byte(tt.body)), []byte(tt.body), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(x.Markdown, "\n## "); got != tt.want {
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

// The deadline also applies while the feed is counted.
func TestFeedEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, body := range []string{rssFeed, atomFeed, jsonFeed} {
		if _, err := Extract(ctx, Format([]byte(body)), []byte(body), nil); !errors.Is(err, context.Canceled) {
			t.Errorf("%.20s: %v", body, err)
		}
	}
}

func FuzzBoundXML(f *testing.F) {
	for _, seed := range []string{rssFeed, atomFeed, "<rss><item>", "<?xml version='1.0' encoding='latin1'?><feed><entry>\xe9</entry>", "<a></b><c/>"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		bounded, cut, err := boundXML(t.Context(), body)
		if err != nil {
			return
		}
		if !cut && !bytes.Contains(body, []byte("?>")) && !bytes.Equal(bounded, body) {
			t.Errorf("%q became %q", body, bounded)
		}
	})
}

func FuzzBoundJSON(f *testing.F) {
	for _, seed := range []string{jsonFeed, `{"items":[{"a":"\\\""}],"x":[]}`, `[]`, `{"items":{}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if bounded, _, err := boundJSON(t.Context(), body); err == nil && !json.Valid(bounded) {
			t.Errorf("%q of %q", bounded, body)
		}
	})
}
