package source

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/andybalholm/cascadia"
	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
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
		e := channels.Result{Evidence: channels.Evidence{Title: innerText(cascadia.Query(hit, hitTitle)),
			Snippet: innerText(cascadia.Query(hit, hitText))}}
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

// addressInText matches an address as people write it: with a scheme, or a domain name without punctuation at its end.
var addressInText = lazyregexp.New(`(?i)^(?:https?://\S+|` +
	`[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)*\.[a-z]{2,24}(?::\d+)?(?:[/?]\S*)?)$`)

// searchWayback finds captures of an address in the Wayback Machine
// (https://github.com/internetarchive/wayback/tree/master/wayback-cdx-server).
func searchWayback(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	fields := strings.Fields(q.Text)
	i := slices.IndexFunc(fields, addressInText.MatchString)
	if i < 0 {
		return nil, channels.Fail(channels.StatusError, "it searches by address only: give it one, such as example.org/page")
	}
	params := url.Values{
		"url":      {fields[i]},
		"limit":    {strconv.Itoa(-q.Limit)}, // the newest
		"collapse": {"digest"},               // one of successive captures with the same content
		"filter":   {"!statuscode:[345].."},
	}
	if q.Since != "" {
		params.Set("from", strings.ReplaceAll(normal.FirstDay(q.Since), "-", ""))
	}
	if q.Until != "" {
		params.Set("to", strings.ReplaceAll(normal.LastDay(q.Until), "-", "")+"235959")
	}
	// The index answers in lines of text; without captures, the answer is empty.
	return channels.Ask(ctx, c, channels.Request{Params: params, Path: []string{"cdx", "search", "cdx"}, Want: channels.WantText,
		Explain: explainWayback}, parseWayback)
}

// parseWayback reads the lines of the index, newest first. A resume key after an empty line is not a capture.
func parseWayback(body []byte) ([]channels.Result, error) {
	lines, _, _ := strings.Cut(strings.TrimSpace(string(body)), "\n\n")
	if lines == "" {
		return nil, nil
	}
	var found []channels.Result
	for line := range strings.Lines(lines) {
		row := strings.Fields(line)
		switch {
		case len(row) > 2 && captureTime.MatchString(row[1]):
			found = append(found, capture(row))
		case len(found) == 0:
			return nil, channels.NoList(channels.ExplainMessage(http.StatusOK, body).Words, "captures")
		default:
			found = append(found, channels.Result{})
		}
	}
	slices.Reverse(found)
	return found, nil
}

var captureTime = lazyregexp.New(`^\d{14}$`)

// capture returns the result for a line: a key, the time as YYYYMMDDhhmmss in UTC, the address, the type and the status.
func capture(row []string) channels.Result {
	at, original := row[1], row[2]
	when := fmt.Sprintf("%s-%s-%s %s:%s", at[:4], at[4:6], at[6:8], at[8:10], at[10:12])
	e := channels.Result{Evidence: channels.Evidence{
		Title: original + " as archived on " + when, URL: "https://web.archive.org/web/" + at + "/" + original,
		PublishedAt: when, SourceType: normal.TypeOfSite(original),
	}}
	if len(row) > 4 {
		e.Snippet = normal.Join(row[3], "status "+row[4])
	}
	return e
}

// explainWayback reads a line such as "org.archive.…Exception: Blocked Site Error".
func explainWayback(_ int, body []byte) channels.Explained {
	line, _, _ := strings.Cut(string(body[:min(len(body), 1_000)]), "\n")
	if i := strings.LastIndex(line, ": "); i >= 0 {
		line = line[i+2:]
	}
	return channels.Explained{Words: line}
}
