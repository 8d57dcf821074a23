package source

import (
	"bytes"
	"context"
	"net/url"
	"strings"

	"github.com/andybalholm/cascadia"
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

var (
	hits      = cascadia.MustCompile(".result:not(.result--ad):not(.result--no-result)")
	hitTitle  = cascadia.MustCompile(".result__a")
	hitText   = cascadia.MustCompile(".result__snippet")
	hitList   = cascadia.MustCompile("#links")
	noHits    = cascadia.MustCompile(".no-results")
	challenge = cascadia.MustCompile(".anomaly-modal__title")
)

func parseDuckDuckGo(body []byte) ([]channels.Result, error) {
	page, err := html.Parse(bytes.NewReader(body))
	if err != nil {
		return nil, &channels.Failure{Status: channels.StatusMalformed, Message: "the answer is not the documented page", Cause: err}
	}
	var found []channels.Result
	for _, hit := range cascadia.QueryAll(page, hits) {
		e := channels.Result{Evidence: channels.Evidence{Title: innerText(cascadia.Query(hit, hitTitle)), Snippet: innerText(cascadia.Query(hit, hitText))}}
		if link := cascadia.Query(hit, hitTitle); link != nil {
			for _, a := range link.Attr {
				if a.Key == "href" {
					e.URL = targetOf(a.Val)
				}
			}
		}
		e.SourceType = normal.TypeOfSite(e.URL)
		found = append(found, e)
	}
	said := innerText(cascadia.Query(page, challenge))
	switch {
	case len(found) > 0:
		return found, nil
	case said != "":
		return nil, channels.Fail(channels.StatusBlocked, "the source says: %s", normal.Clip(said, channels.MaxWords))
	case channels.LooksLikeBlock(body):
		return nil, channels.Fail(channels.StatusBlocked, "answered with a bot check instead of results")
	case cascadia.Query(page, noHits) != nil:
		return nil, nil
	case cascadia.Query(page, hitList) != nil:
		return nil, channels.Fail(channels.StatusMalformed, "the answer is not the documented page: a list without results")
	case !channels.IsHTML("", body):
		return nil, channels.Fail(channels.StatusMalformed, "answered with something other than a page of results")
	}
	return nil, channels.Fail(channels.StatusMalformed, "answered with a web page instead of a page of results")
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

func innerText(n *html.Node) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return sanitize.Line(b.String())
}
