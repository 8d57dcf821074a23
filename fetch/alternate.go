package fetch

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/document"
)

const (
	// Markdown first: some sites offer it to programs, and the others ignore it.
	acceptPages    = "text/markdown,text/html;q=0.9,application/xhtml+xml;q=0.9,application/pdf;q=0.8,text/plain;q=0.8,*/*;q=0.1"
	acceptMarkdown = "text/markdown,text/plain;q=0.9"

	ViaMarkdown = "markdown" // the Markdown alternate of the page

	maxAlternateHead  = 256 << 10 // bytes of a page that are searched for its head
	minAlternateShare = 0.5       // of the page's text; a shorter alternate is a summary
)

// alternate reads the Markdown alternate of a page if it is on the same host, by one more request under the same rules.
// The metadata stays that of the page, which has more.
func (r *Reader) alternate(ctx context.Context, page Page, resp *http.Response, body []byte) Page {
	if page.Status != StatusRead || page.ContentType != document.TypeHTML {
		return page
	}
	at := markdownLink(resp.Header.Values("Link"), body, resp.Request.URL)
	if at == nil || r.robots.allows(ctx, at) != nil {
		return page
	}
	got, text, err := r.get(ctx, at, acceptMarkdown, &permission{})
	if err != nil || got.StatusCode != http.StatusOK {
		return page
	}
	switch kind := extract.MediaType(got.Header.Get("Content-Type")); kind {
	case document.TypeMarkdown, "text/x-markdown", document.TypePlain:
	default:
		return page
	}
	x, err := extract.Text(ctx, document.TypeMarkdown+"; charset=utf-8", text, at)
	if err != nil || x.Chars < MinChars || float64(x.Chars) < minAlternateShare*float64(page.Chars) {
		return page
	}
	if status, _ := classify(x); status != StatusRead {
		return page
	}
	own := page.Document
	page.Document = withKnown(x.Document, own)
	page.CanonicalURL = own.CanonicalURL
	page.Via = ViaMarkdown
	page.Capture = r.captured(got, text, acceptMarkdown)
	page.Capture.URL = at.String()
	return page
}

// markdownLink returns the address of a page's Markdown on the same host, from its Link header or its head.
func markdownLink(headers []string, body []byte, base *url.URL) *url.URL {
	for _, header := range headers[:min(len(headers), 20)] {
		for link := range strings.SplitSeq(header, ",") {
			target, params, ok := strings.Cut(strings.TrimSpace(link), ">")
			params = strings.ToLower(strings.ReplaceAll(params, " ", ""))
			if ok && strings.Contains(params, "alternate") && strings.Contains(params, "type=\""+document.TypeMarkdown) {
				if u := onSameHost(strings.TrimPrefix(target, "<"), base); u != nil {
					return u
				}
			}
		}
	}
	z := html.NewTokenizer(bytes.NewReader(body[:min(len(body), maxAlternateHead)]))
	z.SetMaxBuf(maxAlternateHead)
	for {
		switch z.Next() {
		case html.ErrorToken:
			return nil
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			switch atom.Lookup(name) {
			case atom.Body:
				return nil
			case atom.Link:
				if !more {
					continue
				}
				var rel, kind, href string
				for n := 0; more && n < 50; n++ {
					var key, value []byte
					key, value, more = z.TagAttr()
					switch string(key) {
					case "rel":
						rel = strings.ToLower(string(value))
					case "type":
						kind = extract.MediaType(string(value))
					case "href":
						href = string(value)
					}
				}
				if strings.Contains(" "+rel+" ", " alternate ") && kind == document.TypeMarkdown {
					return onSameHost(href, base)
				}
			}
		}
	}
}

// onSameHost resolves a link to another address on the host of base.
func onSameHost(href string, base *url.URL) *url.URL {
	ref, err := url.Parse(strings.TrimSpace(href))
	if err != nil || href == "" {
		return nil
	}
	u, err := address.Check(base.ResolveReference(ref))
	if err != nil || u.Scheme != base.Scheme || address.HostPort(u) != address.HostPort(base) {
		return nil
	}
	u.Fragment, u.RawFragment = "", ""
	if sameAddress(u, base) {
		return nil
	}
	return u
}
