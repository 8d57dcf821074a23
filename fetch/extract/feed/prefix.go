package feed

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html/charset"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/limit"
	"github.com/citeloop/citeloop/fetch/extract/xmltree"
)

// The library for feeds parses the whole body and cannot be interrupted: 20 MB of empty entries took 95 s and 3.3 GB. So
// it gets a prefix whose tokens were counted before.
const (
	// maxFeedItems bounds the entries. Archives of podcasts reach some 2,000.
	maxFeedItems = 2_000
	// maxFeedElements bounds the elements of a feed in XML. Archives of podcasts have up to 20 in an entry.
	maxFeedElements = 100_000
	// maxFeedDepth bounds their nesting: the library recurses.
	maxFeedDepth = 500
	// maxAuthorBytes bounds what a JSON feed says of the authors of itself, and of one entry.
	maxAuthorBytes = 10_000
)

// boundXML returns the part of an XML feed within the limits, completed with end tags, and whether it is only a part. The
// error is ctx's, or wraps [limit.ErrTooLarge].
func boundXML(ctx context.Context, body []byte) (bounded []byte, cut bool, err error) {
	body = inUTF8(body)
	d := xmltree.Decoder(body)
	d.Strict = false
	var open []string
	entries, elements := 0, 0
	for tokens := 0; ; tokens++ {
		if tokens%1_000 == 0 && ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		at := d.InputOffset()
		token, err := d.RawToken()
		if err != nil { // the end, or damage where the library stops as well
			return body, false, nil
		}
		switch e := token.(type) {
		case xml.StartElement:
			if elements++; isEntry(e.Name.Local) {
				entries++
			}
			if entries > maxFeedItems || elements > maxFeedElements {
				return closed(body[:at], open), true, nil
			}
			if open = append(open, rawName(e.Name)); len(open) > maxFeedDepth {
				return nil, false, fmt.Errorf("%w: elements nested more than %d deep", limit.ErrTooLarge, maxFeedDepth)
			}
		case xml.EndElement:
			if n := len(open) - 1; n >= 0 && open[n] == rawName(e.Name) {
				open = open[:n]
			}
		}
	}
}

func isEntry(local string) bool {
	return strings.EqualFold(local, "item") || strings.EqualFold(local, "entry")
}

func rawName(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}

// closed returns a copy of prefix with end tags for the open elements.
func closed(prefix []byte, open []string) []byte {
	out := bytes.Clone(prefix)
	for i := len(open) - 1; i >= 0; i-- {
		out = append(out, "</"+open[i]+">"...)
	}
	return out
}

// inUTF8 returns body in UTF-8, without its XML declaration if that names another encoding. A body that cannot be decoded
// is returned unchanged.
func inUTF8(body []byte) []byte {
	end := bytes.Index(body[:min(len(body), 1_024)], []byte("?>"))
	if end < 0 {
		return body
	}
	d := xml.NewDecoder(bytes.NewReader(body[:end+2]))
	var label string
	d.CharsetReader = func(name string, r io.Reader) (io.Reader, error) {
		label = name
		return r, nil
	}
	if _, err := d.RawToken(); err != nil || label == "" {
		return body
	}
	r, err := charset.NewReaderLabel(label, bytes.NewReader(body[end+2:]))
	if err != nil {
		return body
	}
	// Some encodings grow by three bytes for one.
	decoded, err := io.ReadAll(io.LimitReader(r, int64(3*len(body))))
	if err != nil {
		return body
	}
	return decoded
}

// jsonContents is what is read of a JSON feed. The library would also keep lists of any length in each entry.
type jsonContents struct {
	Version     string          `json:"version"`
	Title       string          `json:"title"`
	HomePageURL string          `json:"home_page_url,omitempty"`
	Description string          `json:"description,omitempty"`
	Language    string          `json:"language,omitempty"`
	Author      json.RawMessage `json:"author,omitempty"`
	Authors     json.RawMessage `json:"authors,omitempty"`
	Items       []jsonItem      `json:"items"`
}

type jsonItem struct {
	URL           string          `json:"url,omitempty"`
	ExternalURL   string          `json:"external_url,omitempty"`
	Title         string          `json:"title,omitempty"`
	ContentHTML   string          `json:"content_html,omitempty"`
	ContentText   string          `json:"content_text,omitempty"`
	Summary       string          `json:"summary,omitempty"`
	DatePublished string          `json:"date_published,omitempty"`
	DateModified  string          `json:"date_modified,omitempty"`
	Author        json.RawMessage `json:"author,omitempty"`
	Authors       json.RawMessage `json:"authors,omitempty"`
}

// boundJSON returns the part of a JSON feed within the limits, and whether it is only a part. The error is ctx's, or wraps
// [document.ErrUnsupported].
func boundJSON(ctx context.Context, body []byte) (bounded []byte, cut bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	var feed jsonContents
	if err := json.Unmarshal(body, &feed); err != nil { // also bounds nesting
		return nil, false, fmt.Errorf("%w: the feed could not be parsed", document.ErrUnsupported)
	}
	cut = len(feed.Items) > maxFeedItems
	feed.Items = feed.Items[:min(len(feed.Items), maxFeedItems)]
	people := []*json.RawMessage{&feed.Author, &feed.Authors}
	for i := range feed.Items {
		people = append(people, &feed.Items[i].Author, &feed.Items[i].Authors)
	}
	for _, named := range people {
		if len(*named) > maxAuthorBytes {
			*named, cut = nil, true
		}
	}
	bounded, err = json.Marshal(feed)
	return bounded, cut, err
}
