package feed

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/address"
	"github.com/citeloop/citeloop/extract/document"
	"github.com/citeloop/citeloop/extract/html"
	"github.com/citeloop/citeloop/extract/plain"
	"github.com/citeloop/citeloop/extract/xmlread"
	"github.com/mmcdole/gofeed"
)

// maxFeedItems bounds the entries that are written. Archives of podcasts reach some 2,000.
const maxFeedItems = 2_000

// Format is the type of a body that is a feed, or "".
func Format(body []byte) string {
	head := bytes.TrimLeft(bytes.TrimPrefix(body[:min(len(body), 4_096)], []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case bytes.HasPrefix(head, []byte("{")):
		if bytes.Contains(head, []byte("jsonfeed.org/version/")) {
			return document.TypeJSONFeed
		}
	case bytes.HasPrefix(head, []byte("<")):
		d := xmlread.Decoder(head)
		d.Strict = false
		for {
			token, err := d.RawToken()
			if err != nil {
				return ""
			}
			if e, ok := token.(xml.StartElement); ok {
				switch strings.ToLower(e.Name.Local) {
				case "rss":
					return document.TypeRSS
				case "rdf":
					if bytes.Contains(head, []byte("purl.org/rss/")) {
						return document.TypeRSS
					}
				case "feed":
					return document.TypeAtom
				}
				return ""
			}
		}
	}
	return ""
}

// Extract writes a feed as a text: its entries as headings with their dates, links and what they say.
func Extract(ctx context.Context, kind string, body []byte, base *url.URL) (document.Extraction, error) {
	if kind != document.TypeJSONFeed {
		// The parser follows nesting by recursion; a document that nests without end is refused before.
		if err := xmlread.Walk(body, func(xml.StartElement) {}, func(xml.EndElement) {}, func(string) {}); err != nil {
			return document.Extraction{}, err
		}
	} else if !json.Valid(body) { // which bounds nesting
		return document.Extraction{}, fmt.Errorf("%w: the feed is no valid JSON", document.ErrUnsupported)
	}
	feed, err := gofeed.NewParser().Parse(bytes.NewReader(body))
	if err != nil || feed == nil {
		return document.Extraction{}, fmt.Errorf("%w: the feed could not be parsed", document.ErrUnsupported)
	}
	var x document.Extraction
	x.Title = document.Title(feed.Title)
	x.Language = document.Language(feed.Language)
	for _, p := range feed.Authors {
		if p != nil {
			x.Authors = document.AddAuthor(x.Authors, p.Name)
		}
	}
	x.PublishedAt = document.Date(document.First(feed.Updated, feed.Published))
	x.CanonicalURL = document.CanonicalURL(feed.Link, base)
	var blocks []string
	if x.Title != "" {
		blocks = append(blocks, "# "+x.Title)
	}
	if s := feedText(feed.Description); s != "" {
		blocks = append(blocks, s)
	}
	for i, item := range feed.Items {
		if err := ctx.Err(); err != nil {
			return document.Extraction{}, err
		}
		if i == maxFeedItems {
			x.Partial = fmt.Sprintf("only the first %d of %d entries were read", maxFeedItems, len(feed.Items))
			break
		}
		if item != nil {
			blocks = append(blocks, entryBlocks(item)...)
		}
	}
	x.Text = strings.Join(blocks, "\n\n")
	x.ContentType, x.Chars = kind, utf8.RuneCountInString(x.Text)
	return x, nil
}

func entryBlocks(item *gofeed.Item) []string {
	blocks := []string{"## " + document.First(document.Title(item.Title), "Untitled")}
	var about []string
	if d := document.Date(document.First(item.Published, item.Updated)); d != "" {
		about = append(about, d)
	}
	for _, p := range item.Authors {
		if p != nil && document.Title(p.Name) != "" && len(about) < 8 {
			about = append(about, document.Title(p.Name))
		}
	}
	if u, err := url.Parse(strings.TrimSpace(item.Link)); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		about = append(about, address.Redact(u.String()))
	}
	if len(about) > 0 {
		blocks = append(blocks, strings.Join(about, " · "))
	}
	summary, content := feedText(item.Description), feedText(item.Content)
	if summary != "" && !strings.HasPrefix(content, strings.TrimRight(summary, ".… ")) {
		blocks = append(blocks, summary)
	}
	if content != "" {
		blocks = append(blocks, content)
	}
	return blocks
}

// feedText is the text of a piece of HTML, or of a plain text, as feeds hold both without saying which.
func feedText(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return ""
	}
	if !strings.ContainsAny(s, "<&") {
		return strings.TrimSpace(plain.Tidy(s))
	}
	return strings.TrimSpace(document.Clean(html.Text(s)))
}
