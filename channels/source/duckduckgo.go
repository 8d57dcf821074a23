package source

import (
	"bytes"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/sanitize"
	"golang.org/x/net/html"
)

// searchDuckDuckGo reads DuckDuckGo's page for browsers without scripts. There is no API: the page changes and programs
// are blocked, so it is off unless the user enables it.
func searchDuckDuckGo(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	params := url.Values{"q": {q.Text}}
	if q.Since != "" { // it takes ranges of days and drops undated pages
		until := c.Config.Now().UTC().Format("2006-01-02")
		if q.Until != "" {
			until = normal.LastDay(q.Until)
		}
		params.Set("df", normal.FirstDay(q.Since)+".."+until)
	}
	if q.Language != "" {
		if edition := newsEdition(q.Language); edition != nil {
			params.Set("kl", strings.ToLower(edition["gl"])+"-"+normal.PrimaryLanguage(q.Language))
		}
	}
	return channels.Ask(ctx, c, channels.Request{Params: params, Want: channels.WantPage}, parseDuckDuckGo)
}

func parseDuckDuckGo(body []byte) ([]channels.Result, error) {
	page, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return nil, &channels.Failure{Status: channels.StatusMalformed, Message: "the answer is not the documented page", Cause: err}
	}
	var found []channels.Result
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
		return nil, channels.Fail(channels.StatusBlocked, "the source says: %s", normal.Clip(sanitize.Line(challenge), channels.MaxWords))
	case channels.LooksLikeBlock(body):
		return nil, channels.Fail(channels.StatusBlocked, "answered with a bot check instead of results")
	case empty:
		return nil, nil
	case list:
		return nil, channels.Fail(channels.StatusMalformed, "the answer is not the documented page: a list without results")
	case !channels.IsHTML("", body):
		return nil, channels.Fail(channels.StatusMalformed, "answered with something other than a page of results")
	}
	return nil, channels.Fail(channels.StatusMalformed, "answered with a web page instead of a page of results")
}

func duckDuckGoResult(n *html.Node) channels.Result {
	var e channels.Result
	for d := range n.Descendants() {
		switch {
		case hasClass(d, "result__a") && e.Title == "":
			e.Title, e.URL = innerText(d), targetOf(attribute(d, "href"))
		case hasClass(d, "result__snippet") && e.Snippet == "":
			e.Snippet = innerText(d)
		}
	}
	e.Evidence = channels.Evidence{Title: e.Title, URL: e.URL, Snippet: e.Snippet, SourceType: normal.TypeOfSite(e.URL)}
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
