package channels_test

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/google/go-cmp/cmp"
)

// asked is a request that a service receives.
type asked struct {
	Method, Path string
	Params       url.Values
	Body         string
}

// noted returns a client that records each request and answers it with body.
func noted(kind, body string, requests *[]asked, headers *[]http.Header) *http.Client {
	return &http.Client{Transport: roundTrip(func(r *http.Request) *http.Response {
		var sent []byte
		if r.Body != nil {
			sent, _ = io.ReadAll(r.Body)
		}
		*requests = append(*requests, asked{r.Method, r.URL.Path, r.URL.Query(), string(sent)})
		*headers = append(*headers, r.Header.Clone())
		return response(200, kind, []byte(body))
	})}
}

func TestGeneralRequests(t *testing.T) {
	days := channels.Query{Text: "tidal mills", Limit: 7, Since: "2024-02", Until: "2024"}
	tests := []struct {
		name, channel string
		query         channels.Query
		want          asked
	}{
		{"searxng", "searxng", channels.Query{Text: "tidal mills", Language: "de"}, asked{"GET", "/search", url.Values{"q": {"tidal mills"}, "format": {"json"}, "language": {"de"}}, ""}},
		{"searxng, this month", "searxng", channels.Query{Text: "tides", Since: "2026-02-20"}, asked{"GET", "/search", url.Values{"q": {"tides"}, "format": {"json"}, "time_range": {"month"}}, ""}},
		{"searxng, years ago", "searxng", channels.Query{Text: "tides", Since: "2020"}, asked{"GET", "/search", url.Values{"q": {"tides"}, "format": {"json"}}, ""}},
		{"hackernews", "hackernews", days, asked{"GET", "/api/v1/search", url.Values{"query": {"tidal mills"}, "tags": {"story"}, "hitsPerPage": {"7"}, "numericFilters": {"created_at_i>=1706745600,created_at_i<1735689600"}}, ""}},
		{"stackexchange, one site", "stackexchange", channels.Query{Text: "How do tidal mills work? site:unix.stackexchange.com", Since: "2024"}, asked{"GET", "/2.3/search/advanced",
			url.Values{"q": {"tidal mills work"}, "site": {"unix"}, "pagesize": {"10"}, "order": {"desc"}, "sort": {"relevance"}, "fromdate": {"1704067200"}, "key": {"a-key"}}, ""}},
		{"github's repositories", "github", channels.Query{Text: "a library for tidal mills language:go", Limit: 3, Since: "2024"}, asked{"GET", "/search/repositories", url.Values{"q": {"library tidal mills language:go pushed:>=2024-01-01"}, "per_page": {"3"}}, ""}},
		{"github's issues", "github", channels.Query{Text: `mill crash "low tide" repo:tides/mill`, Since: "2024", Until: "2024-06"}, asked{"GET", "/search/issues", url.Values{"q": {`"low tide" mill crash repo:tides/mill created:2024-01-01..2024-06-30`}, "per_page": {"10"}}, ""}},
		{"github's code", "github", channels.Query{Text: "openSluice in:file language:go"}, asked{"GET", "/search/code", url.Values{"q": {"openSluice in:file language:go"}, "per_page": {"10"}}, ""}},
		{"feeds of Google News", "feeds", channels.Query{Text: "tidal mills", Since: "2024", Until: "2024-06", Language: "de"}, asked{"GET", "/rss/search", url.Values{"q": {"tidal mills after:2024-01-01 before:2024-06-30"}, "hl": {"de-DE"}, "gl": {"DE"}, "ceid": {"DE:de"}}, ""}},
		{"a feed by its address", "feeds", channels.Query{Text: "https://news.example.org/feed?a=b"}, asked{"GET", "/feed", url.Values{"a": {"b"}}, ""}},
		{"wayback", "wayback", channels.Query{Text: "tides.example.org", Since: "2020-02", Until: "2020"}, asked{"GET", "/cdx/search/cdx", url.Values{"url": {"tides.example.org"}, "limit": {"-10"}, "collapse": {"digest"}, "filter": {"!statuscode:[345].."}, "from": {"20200201"}, "to": {"20201231235959"}}, ""}},
		{"edgar", "edgar", channels.Query{Text: `What are the risks of "tidal mills"?`, Since: "2024"}, asked{"GET", "/LATEST/search-index", url.Values{"q": {`"tidal mills" risks`}, "dateRange": {"custom"}, "startdt": {"2024-01-01"}, "enddt": {"2026-03-04"}}, ""}},
		{"kiwix", "kiwix", channels.Query{Text: "tidal mills", Limit: 5}, asked{"GET", "/search", url.Values{"pattern": {"tidal mills"}, "format": {"xml"}, "pageLength": {"5"}}, ""}},
		{"courtlistener", "courtlistener", days, asked{"GET", "/api/rest/v4/search/", url.Values{"q": {"tidal mills"}, "type": {"o"}, "order_by": {"score desc"}, "filed_after": {"2024-02-01"}, "filed_before": {"2024-12-31"}}, ""}},
		{"courtlistener's dockets", "courtlistener", channels.Query{Text: "complaint about mills"}, asked{"GET", "/api/rest/v4/search/", url.Values{"q": {"complaint about mills"}, "type": {"r"}, "order_by": {"score desc"}}, ""}},
		{"federalregister", "federalregister", days, asked{"GET", "/api/v1/documents.json", url.Values{"conditions[term]": {"tidal mills"}, "per_page": {"7"}, "order": {"relevance"}, "conditions[publication_date][gte]": {"2024-02-01"}, "conditions[publication_date][lte]": {"2024-12-31"}}, ""}},
		{"gdelt", "gdelt", channels.Query{Text: "tidal mills", Since: "2024", Language: "fr"}, asked{"GET", "/api/v2/doc/doc", url.Values{"query": {"tidal mills sourcelang:french"}, "mode": {"artlist"}, "format": {"json"}, "maxrecords": {"10"}, "sort": {"hybridrel"}, "startdatetime": {"20240101000000"}, "enddatetime": {"20260304235959"}}, ""}},
		{"duckduckgo", "duckduckgo", channels.Query{Text: "tidal mills", Language: "fr"}, asked{"GET", "/html/", url.Values{"q": {"tidal mills"}, "kl": {"fr-fr"}}, ""}},
		{"lobsters", "lobsters", channels.Query{Text: "tidal mills"}, asked{"GET", "/hottest.json", url.Values{}, ""}},
		{"lobsters' tag", "lobsters", channels.Query{Text: "mills tag:Go"}, asked{"GET", "/t/go.json", url.Values{}, ""}},
		{"devto", "devto", channels.Query{Text: "How do tidal mills work"}, asked{"GET", "/api/articles/search", url.Values{"q": {"tidal mills work"}, "per_page": {"10"}}, ""}},
		{"brave", "brave", channels.Query{Text: "tidal mills", Since: "2024", Language: "pt-BR", Limit: 50}, asked{"GET", "/res/v1/web/search", url.Values{"q": {"tidal mills"}, "count": {"20"}, "freshness": {"2024-01-01to2026-03-04"}, "search_lang": {"pt-pt"}}, ""}},
		{"tavily", "tavily", channels.Query{Text: "tidal mills", Since: "2024"}, asked{"POST", "/search", url.Values{}, `{"max_results":10,"query":"tidal mills","start_date":"2024-01-01"}`}},
		{"exa", "exa", channels.Query{Text: "tidal mills", Until: "2024"}, asked{"POST", "/search", url.Values{}, `{"contents":{"text":{"maxCharacters":1200}},"endPublishedDate":"2024-12-31T23:59:59.999Z","numResults":10,"query":"tidal mills","type":"auto"}`}},
		{"serper", "serper", channels.Query{Text: "tidal mills", Since: "2024-02-03", Language: "de"}, asked{"POST", "/search", url.Values{}, `{"hl":"de","num":10,"q":"tidal mills","tbs":"cdr:1,cd_min:2/3/2024"}`}},
		{"marginalia", "marginalia", channels.Query{Text: "tidal mills"}, asked{"GET", "/search", url.Values{"query": {"tidal mills"}, "count": {"10"}}, ""}},
		{"jina", "jina", channels.Query{Text: "tidal mills", Language: "de"}, asked{"GET", "/", url.Values{"q": {"tidal mills"}, "num": {"10"}, "hl": {"de"}}, ""}},
		{"reddit", "reddit", channels.Query{Text: "tidal mills"}, asked{"GET", "/search", url.Values{"q": {"tidal mills"}, "limit": {"10"}, "sort": {"relevance"}, "type": {"link"}, "raw_json": {"1"}}, ""}},
		{"youtube", "youtube", days, asked{"GET", "/youtube/v3/search", url.Values{"part": {"snippet"}, "type": {"video"}, "q": {"tidal mills"}, "maxResults": {"7"}, "publishedAfter": {"2024-02-01T00:00:00Z"}, "publishedBefore": {"2024-12-31T23:59:59Z"}}, ""}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []asked
			var headers []http.Header
			s := webSource{name: "wayback", fixture: "wayback.txt", kind: "text/plain"}
			for _, other := range generalSources() {
				if other.name == tt.channel {
					s = other
				}
			}
			one(t, registry(t, newClock(), ready(channels.Config{Client: noted(s.kind, string(s.body(t)), &got, &headers)})), tt.channel, tt.query)
			if len(got) != 1 {
				t.Fatalf("%d requests, want 1", len(got))
			}
			if diff := cmp.Diff(tt.want, got[0]); diff != "" {
				t.Errorf("request (-want +got)\n%s", diff)
			}
			if agent := headers[0].Get("User-Agent"); !strings.Contains(agent, "me@example.org") {
				t.Errorf("User-Agent %q", agent)
			}
			if tt.channel != "stackexchange" && strings.Contains(got[0].Params.Encode()+got[0].Path, "a-key") {
				t.Error("a key in the address")
			}
		})
	}
}

// TestGeneralOutcomes checks the outcomes for the errors of each source.
func TestGeneralOutcomes(t *testing.T) {
	found := func(name string) string {
		for _, s := range generalSources() {
			if s.name == name {
				return string(s.body(t))
			}
		}
		return ""
	}
	backoff := strings.Replace(found("stackexchange"), `"has_more"`, `"backoff": 30, "has_more"`, 1)
	tests := []struct {
		name, channel string
		reply         reply
		status        channels.Status
		retry         time.Duration
		says          string
	}{
		{"searxng: no results, and engines that did not answer", "searxng", reply{body: []byte(`{"results":[],"unresponsive_engines":[["one","timeout"],["two","CAPTCHA"]]}`)}, channels.StatusDegraded, 0, "2 engines did not answer: one (timeout), two (CAPTCHA)"},
		{"searxng: results, and an engine that did not answer", "searxng", reply{body: []byte(strings.Replace(found("searxng"), `"unresponsive_engines": []`, `"unresponsive_engines": [["one", "timeout"]]`, 1))}, channels.StatusDegraded, 0, "1 engines did not answer: one (timeout)"},
		{"searxng: JSON is off", "searxng", reply{status: 403, header: map[string]string{"Content-Type": "text/html"}, body: []byte("<html>Forbidden</html>")}, channels.StatusBlocked, 0, "add json to search.formats"},
		{"stackexchange: throttled", "stackexchange", reply{status: 400, body: []byte(`{"error_id":502,"error_name":"throttle_violation","error_message":"too many requests from this IP, more requests available in 74 seconds"}`)}, channels.StatusRateLimited, 74 * time.Second, "throttle_violation"},
		{"stackexchange: results, and a wait", "stackexchange", reply{body: []byte(backoff)}, channels.StatusOK, 30 * time.Second, "asks for a pause of 30 s"},
		{"github: the secondary limit", "github", reply{status: 403, body: []byte(`{"message":"You have exceeded a secondary rate limit."}`)}, channels.StatusRateLimited, 0, "secondary rate limit"},
		{"github: incomplete results", "github", reply{body: []byte(strings.Replace(found("github"), `"incomplete_results": false`, `"incomplete_results": true`, 1))}, channels.StatusDegraded, 0, "the results are incomplete"},
		{"github: a wrong query", "github", reply{status: 422, body: []byte(`{"message":"Validation Failed"}`)}, channels.StatusError, 0, "Validation Failed"},
		{"edgar: no such file", "edgar", reply{status: 404, header: map[string]string{"Content-Type": "application/xml"}, body: []byte(`<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>The key does not exist.</Message></Error>`)}, channels.StatusError, 0, "The key does not exist."},
		{"gdelt: too fast", "gdelt", reply{header: map[string]string{"Retry-After": "600"}, body: []byte("Please limit requests to one every 5 seconds.")}, channels.StatusRateLimited, 10 * time.Minute, "the source says: Please limit requests"},
		{"duckduckgo: 202", "duckduckgo", reply{status: 202, body: []byte(page)}, channels.StatusBlocked, 0, "answered 202"},
		{"duckduckgo: a challenge with 200", "duckduckgo", reply{body: []byte(`<html><body><div class="anomaly-modal__mask"></div></body></html>`)}, channels.StatusBlocked, 0, "bot check"},
		{"tavily: a used-up plan", "tavily", reply{status: 432, body: []byte(`{"detail":{"error":"This request exceeds your plan's set usage limit."}}`)}, channels.StatusRateLimited, 0, "exceeds your plan"},
		{"serper: a wrong key", "serper", reply{status: 403, body: []byte(`{"message":"Unauthorized.","statusCode":403}`)}, channels.StatusAuthRequired, 0, "Unauthorized"},
		{"jina: nothing found", "jina", reply{status: 422, body: []byte(`{"code":422,"name":"AssertionFailureError","message":"No search results available for query x"}`)}, channels.StatusEmpty, 0, ""},
		{"youtube: a day's quota used up", "youtube", reply{status: 403, body: []byte(`{"error":{"code":403,"message":"The request cannot be completed.","errors":[{"reason":"quotaExceeded"}]}}`)}, channels.StatusRateLimited, 0, "cannot be completed"},
		{"brave: a wrong key", "brave", reply{status: 422, body: []byte(`{"type":"ErrorResponse","error":{"code":"SUBSCRIPTION_TOKEN_INVALID","detail":"The provided subscription token is invalid."}}`)}, channels.StatusAuthRequired, 0, "token is invalid"},
		{"marginalia: the shared key is used up", "marginalia", reply{status: 503, header: map[string]string{"Retry-After": "600"}, body: []byte(`{"message":"Rate limit exceeded"}`)}, channels.StatusRateLimited, 10 * time.Minute, "Rate limit"},
		{"a feed of another kind", "feeds", reply{header: map[string]string{"Content-Type": "application/feed+json"}, body: []byte(`{"version":"https://jsonfeed.org/version/1.1","title":"Tides","items":[{"id":"1","url":"https://tides.example.org/1","title":"High","content_text":"x","date_published":"2025-03-04T05:06:07Z"}]}`)}, channels.StatusOK, 0, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := newFaultServer(t, "application/json", tt.reply)
			r := registry(t, newClock(), channels.Config{URLs: map[string]string{tt.channel: server.URL}})
			out, _ := one(t, r, tt.channel, channels.Query{})
			if out.Status != tt.status || out.RetryAfter != tt.retry || !strings.Contains(out.Message, tt.says) {
				t.Errorf("%+v, want %s with %s saying %q", out, tt.status, tt.retry, tt.says)
			}
		})
	}
}

func TestReplayFeeds(t *testing.T) {
	s := webSource{name: "feeds", folder: "rss_atom", count: items}
	for name, rec := range recordings(t, s) {
		t.Run(name, func(t *testing.T) {
			status, count := rec.expected(s)
			r := registry(t, newClock(), ready(channels.Config{Client: rec.replay()}))
			out, found := one(t, r, "feeds", channels.Query{Text: "https://feed.example.org/rss", Limit: channels.MaxLimit})
			if out.Status != status || out.Count != count {
				t.Errorf("%s with %d results (%s), want %s with %d", out.Status, out.Count, out.Message, status, count)
			}
			for _, e := range found {
				if e.Title == "" || e.URL == "" || e.PublishedAt == "" {
					t.Errorf("result %+v", e)
				}
			}
		})
	}
}

// Words next to the address of a feed select entries, and so does the query for a configured feed.
func TestFeedEntriesAreSelected(t *testing.T) {
	const feed = `<rss version="2.0"><channel><title>t</title>
<item><title>Sluices</title><link>/1</link></item><item><title>Mills and tides</title><link>/2</link></item><item><title>Tides</title><link>https://other.example.org/3</link></item></channel></rss>`
	for _, tt := range []struct{ name, base, text string }{
		{"words beside the address", "", "https://tides.example.org/feed.xml the mills and tides"},
		{"a configured feed", "https://tides.example.org/feed.xml", "mills and tides"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []asked
			var headers []http.Header
			cfg := channels.Config{Client: noted("application/rss+xml", feed, &got, &headers)}
			if tt.base != "" {
				cfg.URLs = map[string]string{"feeds": tt.base}
			}
			out, found := one(t, registry(t, newClock(), cfg), "feeds", channels.Query{Text: tt.text})
			var addresses []string
			for _, f := range found {
				addresses = append(addresses, f.URL)
			}
			if diff := cmp.Diff([]string{"https://tides.example.org/2", "https://other.example.org/3"}, addresses); diff != "" {
				t.Errorf("addresses (-want +got)\n%s", diff)
			}
			if out.Message != "2 of the feed's 3 entries contain a word of the query" {
				t.Errorf("%+v", out)
			}
		})
	}
}

// An application requests a token once and uses it until it expires.
func TestRedditToken(t *testing.T) {
	body := string(webSource{fixture: "reddit.json"}.body(t))
	var tokens, searches int
	client := &http.Client{Transport: roundTrip(func(r *http.Request) *http.Response {
		if strings.HasSuffix(r.URL.Path, "/access_token") {
			tokens++
			sent, _ := io.ReadAll(r.Body)
			id, secret, _ := r.BasicAuth()
			if r.Method != http.MethodPost || string(sent) != "grant_type=client_credentials" || id != "id" || secret != "secret" {
				t.Errorf("%s with %q as %s:%s", r.Method, sent, id, secret)
			}
			return response(200, "application/json", []byte(`{"access_token":"t","token_type":"bearer","expires_in":3600}`))
		}
		searches++
		if got := r.Header.Get("Authorization"); got != "Bearer t" || r.Method != http.MethodGet {
			t.Errorf("%s with Authorization %q", r.Method, got)
		}
		return response(200, "application/json", []byte(body))
	})}
	clock := newClock()
	r := registry(t, clock, channels.Config{Client: client, Keys: map[string]string{"reddit": "id:secret"}})
	for range 3 {
		if out, _ := one(t, r, "reddit", channels.Query{}); out.Status != channels.StatusOK {
			t.Errorf("%+v", out)
		}
	}
	clock.pass(time.Hour)
	one(t, r, "reddit", channels.Query{})
	if tokens != 2 || searches != 4 {
		t.Errorf("%d tokens for %d searches", tokens, searches)
	}
}

// Stack Exchange sends the remaining daily quota in the body.
func TestStackExchangeQuota(t *testing.T) {
	body := webSource{fixture: "stackexchange.json"}.body(t)
	server := newFaultServer(t, "application/json", reply{body: body})
	r := registry(t, newClock(), channels.Config{URLs: map[string]string{"stackexchange": server.URL}})
	one(t, r, "stackexchange", channels.Query{})
	for _, info := range r.List() {
		if info.Name == "stackexchange" && info.Remaining != "280 requests" {
			t.Errorf("remaining %q", info.Remaining)
		}
	}
}

// Channels that are not configured name the missing setting.
func TestGeneralChannelsNotConfigured(t *testing.T) {
	r := registry(t, newClock(), channels.Config{})
	for name, says := range map[string]string{
		"searxng": "CITELOOP_SEARXNG_URL", "kiwix": "CITELOOP_KIWIX_URL", "edgar": "CITELOOP_CONTACT", "gdelt": "CITELOOP_CHANNELS",
		"duckduckgo": "CITELOOP_CHANNELS", "lobsters": "CITELOOP_CHANNELS", "devto": "CITELOOP_CHANNELS", "brave": "CITELOOP_BRAVE_KEY", "reddit": "CITELOOP_REDDIT_KEY",
	} {
		out, _ := one(t, r, name, channels.Query{})
		if !strings.Contains(out.Message, says) || out.Status != channels.StatusUnavailable && out.Status != channels.StatusAuthRequired {
			t.Errorf("%s: %+v, want %q", name, out, says)
		}
	}
	if out, _ := one(t, r, "github", channels.Query{Text: "openSluice in:file"}); out.Status != channels.StatusAuthRequired {
		t.Errorf("code without a key: %+v", out)
	}
}

// An address from a query is requested through the client for pages, without the permissions of configured services.
func TestFeedOfTheQueryHasNoPermissions(t *testing.T) {
	refuse := roundTripper(func(*http.Request) (*http.Response, error) { return nil, errors.New("not allowed for pages") })
	serve := roundTripper(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"application/rss+xml"}}, Request: r,
			Body: io.NopCloser(strings.NewReader(`<rss version="2.0"><channel><title>t</title><item><title>x</title><link>https://a.example/x</link></item></channel></rss>`))}, nil
	})
	cfg := channels.Config{Client: &http.Client{Transport: serve}, Pages: &http.Client{Transport: refuse}}
	if out, found := one(t, registry(t, newClock(), cfg), "feeds", channels.Query{Text: "http://127.0.0.1:8888/feed"}); len(found) != 0 || out.Status != channels.StatusUnavailable {
		t.Errorf("an address of the query: %+v", out)
	}
	if out, _ := one(t, registry(t, newClock(), cfg), "feeds", channels.Query{Text: "tides"}); out.Status != channels.StatusOK {
		t.Errorf("the configured service: %+v", out)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
