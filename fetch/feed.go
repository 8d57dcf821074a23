package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"strings"

	"github.com/mmcdole/gofeed"
)

// maxFeedItems bounds the entries that are written. Archives of podcasts reach some 2,000.
const maxFeedItems = 2_000

// feedFormat is the type of a body that is a feed, or "".
func feedFormat(body []byte) string {
	head := bytes.TrimLeft(bytes.TrimPrefix(body[:min(len(body), 4_096)], []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case bytes.HasPrefix(head, []byte("{")):
		if bytes.Contains(head, []byte("jsonfeed.org/version/")) {
			return typeJSONFeed
		}
	case bytes.HasPrefix(head, []byte("<")):
		d := xmlTokens(head)
		d.Strict = false
		for {
			token, err := d.RawToken()
			if err != nil {
				return ""
			}
			if e, ok := token.(xml.StartElement); ok {
				switch strings.ToLower(e.Name.Local) {
				case "rss":
					return typeRSS
				case "rdf":
					if bytes.Contains(head, []byte("purl.org/rss/")) {
						return typeRSS
					}
				case "feed":
					return typeAtom
				}
				return ""
			}
		}
	}
	return ""
}

// extractFeed writes a feed as a text: its entries as headings with their dates, links and what they say.
func extractFeed(ctx context.Context, kind string, body []byte, base *url.URL) (extraction, error) {
	if kind != typeJSONFeed {
		// The parser follows nesting by recursion; a document that nests without end is refused before.
		if err := xmlWalk(body, func(xml.StartElement) {}, func(xml.EndElement) {}, func(string) {}); err != nil {
			return extraction{}, err
		}
	} else if !json.Valid(body) { // which bounds nesting
		return extraction{}, fmt.Errorf("%w: the feed is no valid JSON", ErrUnsupported)
	}
	feed, err := gofeed.NewParser().Parse(bytes.NewReader(body))
	if err != nil || feed == nil {
		return extraction{}, fmt.Errorf("%w: the feed could not be parsed", ErrUnsupported)
	}
	var x extraction
	x.Title = titleText(feed.Title)
	x.Language = languageTag(feed.Language)
	for _, p := range feed.Authors {
		if p != nil {
			x.Authors = addAuthor(x.Authors, p.Name)
		}
	}
	x.PublishedAt = normalDate(firstOfText(feed.Updated, feed.Published))
	x.CanonicalURL = canonicalLink(feed.Link, base)
	var blocks []string
	if x.Title != "" {
		blocks = append(blocks, "# "+x.Title)
	}
	if s := feedText(feed.Description); s != "" {
		blocks = append(blocks, s)
	}
	for i, item := range feed.Items {
		if err := ctx.Err(); err != nil {
			return extraction{}, err
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
	x.ContentType, x.Chars = kind, codePoints(x.Text)
	return x, nil
}

func entryBlocks(item *gofeed.Item) []string {
	blocks := []string{"## " + firstOfText(titleText(item.Title), "Untitled")}
	var about []string
	if d := normalDate(firstOfText(item.Published, item.Updated)); d != "" {
		about = append(about, d)
	}
	for _, p := range item.Authors {
		if p != nil && titleText(p.Name) != "" && len(about) < 8 {
			about = append(about, titleText(p.Name))
		}
	}
	if u, err := url.Parse(strings.TrimSpace(item.Link)); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		about = append(about, redact(u.String()))
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
		return strings.TrimSpace(tidyLines(s))
	}
	doc := parseTree(s)
	prune(doc)
	return strings.TrimSpace(cleanText(blockText(doc)))
}
