package channels

import (
	"bytes"
	"context"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// searchDuckDuckGo reads DuckDuckGo's page for browsers without scripts. There is no API: the page changes and programs
// are blocked, so it is off unless the user enables it.
func searchDuckDuckGo(ctx context.Context, c *client, q Query) ([]Result, error) {
	params := url.Values{"q": {q.Text}}
	if q.Since != "" { // it takes ranges of days and drops undated pages
		until := c.cfg.Now().UTC().Format("2006-01-02")
		if q.Until != "" {
			until = lastDay(q.Until)
		}
		params.Set("df", firstDay(q.Since)+".."+until)
	}
	if q.Language != "" {
		if edition := newsEdition(q.Language); edition != nil {
			params.Set("kl", strings.ToLower(edition["gl"])+"-"+primaryLanguage(q.Language))
		}
	}
	return ask(ctx, c, request{params: params, want: wantPage}, parseDuckDuckGo)
}

func parseDuckDuckGo(body []byte) ([]Result, error) {
	page, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return nil, &Failure{Status: StatusMalformed, Message: "the answer is not the documented page", Cause: err}
	}
	var found []Result
	empty, list, challenge := false, false, ""
	for n := range page.Descendants() {
		switch {
		case attribute(n, "id") == "links":
			list = true
		case hasClass(n, "no-results"):
			empty = true
		case hasClass(n, "anomaly-modal__title"):
			challenge = innerText(n)
		case hasClass(n, "result") && !hasClass(n, "result--ad") && !hasClass(n, "result--no-result"):
			found = append(found, duckDuckGoResult(n))
		}
	}
	switch {
	case len(found) > 0:
		return found, nil
	case challenge != "":
		return nil, failure(StatusBlocked, "the source says: %s", clip(sanitize.Line(challenge), maxWords))
	case looksLikeBlock(body):
		return nil, failure(StatusBlocked, "answered with a bot check instead of results")
	case empty:
		return nil, nil
	case list:
		return nil, failure(StatusMalformed, "the answer is not the documented page: a list without results")
	case !isHTML("", body):
		return nil, failure(StatusMalformed, "answered with something other than a page of results")
	}
	return nil, failure(StatusMalformed, "answered with a web page instead of a page of results")
}

func duckDuckGoResult(n *html.Node) Result {
	var e Result
	for d := range n.Descendants() {
		switch {
		case hasClass(d, "result__a") && e.Title == "":
			e.Title, e.URL = innerText(d), targetOf(attribute(d, "href"))
		case hasClass(d, "result__snippet") && e.Snippet == "":
			e.Snippet = innerText(d)
		}
	}
	e.Evidence = Evidence{Title: e.Title, URL: e.URL, Snippet: e.Snippet, SourceType: typeOfSite(e.URL)}
	return e
}

// targetOf returns the page that a link leads to, directly or through DuckDuckGo's parameter "uddg"; "" for an
// advertisement.
func targetOf(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return ""
	}
	if target := u.Query().Get("uddg"); target != "" {
		if u, err = url.Parse(target); err != nil {
			return ""
		}
	}
	if strings.HasSuffix(u.Hostname(), "duckduckgo.com") || u.Host == "" {
		return ""
	}
	return u.String()
}

func attribute(n *html.Node, name string) string {
	if n.Type != html.ElementNode {
		return ""
	}
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasClass(n *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attribute(n, "class")), class)
}

func innerText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return sanitize.Line(b.String())
}
