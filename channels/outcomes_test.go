package channels_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/channels"
)

// TestOutcomes checks the outcomes for the errors of each source.
func TestOutcomes(t *testing.T) {
	found := func(name string) string { return answers()[name+" full"] }
	plain := map[string]string{"Content-Type": "text/plain;charset=UTF-8"}
	backoff := strings.Replace(found("stackexchange"), `"has_more"`, `"backoff": 30, "has_more"`, 1)
	tests := []struct {
		name, channel string
		reply         reply
		status        channels.Status
		retry         time.Duration
		says          string
		text          string // "" = tidal mills
	}{
		{"searxng: no results, and engines that did not answer", "searxng",
			reply{body: `{"results":[],"unresponsive_engines":[["one","timeout"],["two","CAPTCHA"]]}`}, channels.StatusDegraded, 0,
			"engines did not answer: one, two", ""},
		{"searxng: JSON is off", "searxng", reply{status: 403, header: map[string]string{"Content-Type": "text/html"},
			body: "<html>Forbidden</html>"}, channels.StatusBlocked, 0, "add json to search.formats", ""},
		{"stackexchange: throttled", "stackexchange",
			reply{status: 400, body: `{"error_id":502,"error_name":"throttle_violation","error_message":"too many requests ` +
				`from this IP, more requests available in 74 seconds"}`}, channels.StatusRateLimited,
			74 * time.Second, "throttle_violation",
			""},
		{"stackexchange: results, and a wait", "stackexchange", reply{body: backoff}, channels.StatusOK, 30 * time.Second,
			"asks for a pause of 30 s", ""},
		{"github: the secondary limit", "github", reply{status: 403,
			body: `{"message":"You have exceeded a secondary rate limit."}`}, channels.StatusRateLimited, 0, "secondary rate limit",
			""},
		{"github: incomplete results", "github", reply{body: strings.Replace(found("github"), `"incomplete_results": false`,
			`"incomplete_results": true`, 1)}, channels.StatusDegraded, 0, "the results are incomplete", ""},
		{"edgar: no such file", "edgar", reply{status: 404, header: map[string]string{"Content-Type": "application/xml"},
			body: `<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>The key does not exist.</Message></Error>`},
			channels.StatusError, 0, "The key does not exist.", ""},
		{"gdelt: too fast", "gdelt", reply{header: map[string]string{"Retry-After": "600"},
			body: "Please limit requests to one every 5 seconds."}, channels.StatusRateLimited, 10 * time.Minute,
			"the source says: Please limit requests", ""},
		{"tavily: a used-up plan", "tavily", reply{status: 432,
			body: `{"detail":{"error":"This request exceeds your plan's set usage limit."}}`}, channels.StatusRateLimited, 0,
			"exceeds your plan", ""},
		{"jina: nothing found", "jina", reply{status: 422,
			body: `{"code":422,"name":"AssertionFailureError","message":"No search results available for query x"}`},
			channels.StatusEmpty, 0, "", ""},
		{"youtube: a day's quota used up", "youtube",
			reply{status: 403, body: `{"error":{"code":403,"message":"The request cannot be ` +
				`completed.","errors":[{"reason":"quotaExceeded"}]}}`}, channels.StatusRateLimited, 0, "cannot be completed", ""},
		{"brave: a wrong key", "brave", reply{status: 422,
			body: `{"type":"ErrorResponse","error":{"code":"SUBSCRIPTION_TOKEN_INVALID","detail":"The provided subscription ` +
				`token is invalid."}}`}, channels.StatusAuthRequired, 0, "token is invalid", ""},
		{"marginalia: the shared key is used up", "marginalia", reply{status: 503, header: map[string]string{"Retry-After": "600"},
			body: `{"message":"Rate limit exceeded"}`}, channels.StatusRateLimited, 10 * time.Minute, "Rate limit", ""},
		{"semantic-scholar: a bad key", "semantic-scholar", reply{status: 403, body: `{"message":"Forbidden"}`},
			channels.StatusAuthRequired, 0, "its key is not accepted", ""},
		{"a feed of another kind", "feeds", reply{header: map[string]string{"Content-Type": "application/feed+json"},
			body: `{"version":"https://jsonfeed.org/version/1.1","title":"Tides","items":[{"id":"1",
"url":"https://tides.example.org/1","title":"High","content_text":"x","date_published":"2025-03-04T05:06:07Z"}]}`},
			channels.StatusOK, 0, "", ""},
		{"feeds: words next to the address select entries", "feeds", reply{body: `<rss version="2.0"><channel><title>t</title>
<item><title>Sluices</title><link>/1</link></item><item><title>Mills and tides</title><link>/2</link></item></channel></rss>`},
			channels.StatusOK, 0, "1 of the 2 entries", "https://tides.example.org/feed.xml the tides"},
		{"crossref: a record", "crossref", reply{body: `{"status":"ok","message-type":"work","message":{"DOI":"10.5555/x","title":["T"]}}`},
			channels.StatusOK, 0, "", "10.5555/x"},
		{"crossref: no record in it", "crossref", reply{body: `{"status":"ok"}`}, channels.StatusMalformed, 0, "", "10.5555/x"},
		{"crossref: no such record", "crossref", reply{status: 404, header: plain, body: "Resource not found."}, channels.StatusEmpty, 0,
			"answered 404", "10.5555/x"},
		{"crossref: nor as a page", "crossref", reply{status: 404, header: plain, body: page}, channels.StatusEmpty, 0, "answered 404",
			"10.5555/x"},
		{"crossref: a challenge", "crossref", reply{status: 404, header: map[string]string{"Content-Type": "text/html"}, body: challenge},
			channels.StatusBlocked, 0, "", "10.5555/x"},
		{"wayback: an empty body", "wayback", reply{header: plain}, channels.StatusEmpty, 0, "", "tides.example.org"},
		{"wayback: an address among words", "wayback", reply{header: plain, body: found("wayback")}, channels.StatusOK, 0, "",
			"what did https://tides.example.org/mill say"},
		{"wayback: no address", "wayback", reply{header: plain}, channels.StatusError, 0, "give it one", "tidal mills of old"},
		{"wayback: a blocked site", "wayback", reply{status: 403, header: plain,
			body: "org.archive.util.io.RuntimeIOException: org.archive.wayback.exception.AdministrativeAccessControlException: " +
				"Blocked Site Error\n"}, channels.StatusBlocked, 0, "answered 403 Forbidden: Blocked Site Error", "tides.example.org"},
		{"wayback: something else", "wayback", reply{header: plain, body: "Please come back later"}, channels.StatusMalformed, 0,
			"no list of captures", "tides.example.org"},
		{"wikidata: an entity that does not exist", "wikidata",
			reply{body: `{"entities":{"Q999999999":{"id":"Q999999999","missing":""}},"success":1}`}, channels.StatusEmpty, 0, "",
			"Q999999999"},
		{"wikipedia: a temporary error with 200", "wikipedia", reply{header: map[string]string{"Retry-After": "600"},
			body: `{"error":{"code":"maxlag","info":"Waiting for db: 7 seconds lagged"}}`}, channels.StatusRateLimited, 10 * time.Minute,
			"Waiting for db", ""},
		{"github: no allowance", "github", reply{status: 403, header: map[string]string{"X-RateLimit-Remaining": "0",
			"X-RateLimit-Reset": "600"}}, channels.StatusRateLimited, 10 * time.Minute, "answered 403", ""},
		{"pubmed: no ids", "pubmed", reply{body: `{"esearchresult":{"count":"0","idlist":[],"errorlist":{"phrasesnotfound":["x"]}}}`},
			channels.StatusEmpty, 0, "", ""},
		{"pubmed: an error", "pubmed", reply{body: `{"esearchresult":{"ERROR":"Invalid db name specified: x"}}`}, channels.StatusError, 0,
			"Invalid db name", ""},
		{"pubmed: a rate limit with 200", "pubmed", reply{body: `{"error":"API rate limit exceeded","count":"11"}`},
			channels.StatusRateLimited, 0, "limit exceeded", ""},
		{"pubmed: a bad key", "pubmed", reply{status: 400, body: `{"error":"API key invalid","api-key":"x"}`},
			channels.StatusAuthRequired, 0, "key invalid", ""},
		{"pubmed: another document", "pubmed", reply{body: `<eInfoResult/>`}, channels.StatusMalformed, 0, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			at := &service{kind: "application/json", replies: []reply{tt.reply}}
			r := registry(t, newClock(), channels.Config{URLs: map[string]string{tt.channel: "https://replay.example"}}, at)
			out, _ := one(t, r, tt.channel, channels.Query{Text: tt.text})
			if out.Status != tt.status || out.RetryAfter != tt.retry || !strings.Contains(out.Message, tt.says) {
				t.Errorf("%+v, want %s with %s saying %q", out, tt.status, tt.retry, tt.says)
			}
		})
	}
}

// An application requests a token for a search.
func TestRedditToken(t *testing.T) {
	at := roundTrip(func(r *http.Request) reply {
		if !strings.HasSuffix(r.URL.Path, "/access_token") {
			if got := r.Header.Get("Authorization"); got != "Bearer t" || r.Method != http.MethodGet {
				t.Errorf("%s with Authorization %q", r.Method, got)
			}
			return reply{body: answers()["reddit full"]}
		}
		sent, _ := io.ReadAll(r.Body)
		if id, secret, _ := r.BasicAuth(); id != "id" || secret != "secret" || string(sent) != "grant_type=client_credentials" ||
			r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" ||
			r.URL.Host != "www.reddit.com" {
			t.Errorf("%s %s with %q as %s:%s", r.Method, r.URL, sent, id, secret)
		}
		return reply{body: `{"access_token":"t","token_type":"bearer","expires_in":3600}`}
	})
	r := registry(t, newClock(), channels.Config{Keys: map[string]string{"reddit": "id:secret"}}, at)
	if out, _ := one(t, r, "reddit", channels.Query{}); out.Status != channels.StatusOK {
		t.Errorf("%+v", out)
	}
}

// An address from a query is requested through the client for pages, without the permissions of configured services.
func TestFeedOfTheQueryHasNoPermissions(t *testing.T) {
	refuse := &http.Client{Transport: roundTrip(func(*http.Request) reply { return reply{hang: true} })}
	r := registry(t, newClock(), channels.Config{Pages: refuse}, sourceNamed("feeds").serve(reply{body: answers()["feeds full"]}))
	for text, want := range map[string]channels.Status{"http://127.0.0.1:8888/feed": channels.StatusUnavailable,
		"tides": channels.StatusOK} {
		if out, _ := one(t, r, "feeds", channels.Query{Text: text}); out.Status != want {
			t.Errorf("%s: %+v", text, out)
		}
	}
}
