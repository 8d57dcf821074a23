package channels_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/google/go-cmp/cmp"
)

// ownFile is the file of docs/channels.md#a-channel-of-your-own, with more channels.
const ownFile = `{"channels": [
  {"name": "team-search", "description": "The team's own search.", "kind": "json",
   "address": "https://team.example.org/api/{language}/find?q={query}&n={limit}&from={since}&to={until}&token=${TEAM_TOKEN}&fixed=a%20b",
   "headers": {"Authorization": "Bearer ${TEAM_KEY}", "X-Team": "docs"},
   "paths": {"list": "hits.items", "title": "title", "url": "link", "snippet": "texts", "date": "day", "authors": "people.#.name",
"doi": "ids.doi", "language": "lang", "error": "fault.words"},
   "source_type": "practitioner", "good_for": ["what the team knows"], "for": ["private", "practice"], "rate": 5},
  {"name": "agency-feed", "description": "An agency's news.", "kind": "rss", "address": "https://team.example.org/feed.xml"},
  {"name": "xml-register", "description": "The same in XML.", "kind": "xml", "address": "https://team.example.org/register.xml",
   "paths": {"list": "mills.mill", "title": "name.text", "url": "https://register.example.org/mill/{id}", "snippet": "name.lang",
"authors": "owner"}},
  {"name": "register", "description": "A register of mills.", "kind": "json", "address": "https://team.example.org/register",
   "paths": {"title": "name", "url": "https://register.example.org/mill/{place.id}/{name}"}}
]}`

func ownOf(t *testing.T, env map[string]string) []channels.Channel {
	t.Helper()
	own, err := source.ReadFile("channels.json", []byte(ownFile), func(name string) (string, bool) {
		v, ok := env[name]
		return v, ok
	}, source.Names())
	if err != nil {
		t.Fatal(err)
	}
	return own
}

func TestCustomChannels(t *testing.T) {
	secrets := map[string]string{"TEAM_KEY": "s3cret", "TEAM_TOKEN": "t&k"}
	type evidence = channels.Evidence
	tests := []struct {
		name, channel string
		query         channels.Query
		kind, body    string
		status        channels.Status
		says          string
		path          string
		params        url.Values
		want          []channels.Result
	}{
		{"json, with all fields", "team-search", channels.Query{Text: "tidal mills & more", Limit: 3, Since: "2024-02", Until: "2024",
			Language: "pt-BR"}, "application/json",
			`{"hits":{"items":[
				{"title":"On <b>mills</b>","link":"/doc/1","texts":["They turn.","They rest."],"day":"2024-03-01",
"people":[{"name":"Ada Miller"},{"name":null},{"x":1}],"ids":{"doi":"10.5555/Tide.1"},"lang":"pt"},
				{"title":7,"link":"https://elsewhere.example.org/2","day":1709251200},
				{"title":"Milliseconds","link":"//cdn.example.org/3","day":1709251200000,"texts":{"no":"text"}},
				{"title":"A day as a number","link":"?id=4","day":20240229},
				{"link":"/doc/5"}, "odd", null]}}`,
			channels.StatusOK, "3 without a title or an address dropped", "/api/pt/find",
			url.Values{"q": {"tidal mills & more"}, "n": {"3"}, "from": {"2024-02-01"}, "to": {"2024-12-31"}, "token": {"t&k"},
				"fixed": {"a b"}},
			[]channels.Result{
				{Evidence: evidence{Title: "On mills", URL: "https://team.example.org/doc/1", Snippet: "They turn. … They rest.",
					Source:     "team-search",
					SourceType: "practitioner", PublishedAt: "2024-03-01", Authors: []string{"Ada Miller"}, DOI: "10.5555/tide.1",
					Language: "pt"}},
				{Evidence: evidence{Title: "7", URL: "https://elsewhere.example.org/2", Source: "team-search", SourceType: "practitioner",
					PublishedAt: "2024-03-01"}},
				{Evidence: evidence{Title: "Milliseconds", URL: "https://cdn.example.org/3", Source: "team-search",
					SourceType: "practitioner", PublishedAt: "2024-03-01"}},
			}},
		{"a parameter without a value is omitted", "team-search", channels.Query{Text: "tides", Language: "de"}, "application/json",
			`{"hits":{"items":[]}}`, channels.StatusEmpty, "", "/api/de/find",
			url.Values{"q": {"tides"}, "n": {"10"}, "token": {"t&k"}, "fixed": {"a b"}}, nil},
		{"a path needs its value", "team-search", channels.Query{Text: "tides"}, "application/json", `{}`, channels.StatusError,
			"its address https://team.example.org/api/{language}/find needs a value", "", nil, nil},
		{"an error inside a 200", "team-search", channels.Query{Text: "tides", Language: "de"}, "application/json",
			`{"fault":{"words":"the index <b>rests</b>"}}`, channels.StatusError, "the source says: the index rests", "/api/de/find", nil,
			nil},
		{"another answer", "team-search", channels.Query{Text: "tides", Language: "de"}, "application/json", `{"hits":{"items":{"a":1}}}`,
			channels.StatusMalformed, `no list of records at the configured path "hits.items"`, "/api/de/find", nil, nil},
		{"a feed, filtered by the query", "agency-feed", channels.Query{Text: "What of the mills?"}, "application/rss+xml",
			`<rss version="2.0"><channel><title>News</title><item><title>Mills ` +
				`turn</title><link>/n/1</link></item><item><title>Other</title><link>/n/2</link></item></channel></rss>`,
			channels.StatusOK, "1 of the 2 entries of its list contain a word", "/feed.xml", url.Values{},
			[]channels.Result{{Evidence: evidence{Title: "Mills turn", URL: "https://team.example.org/n/1", Source: "agency-feed"}}}},
		{"a list in XML", "xml-register", channels.Query{Text: "mill"}, "text/xml",
			`<mills><mill id="12"><name lang="en">Mill <b>a</b></name><owner>Ada</owner><owner>Bo</owner></mill></mills>`,
			channels.StatusOK, "", "/register.xml", url.Values{},
			[]channels.Result{{Evidence: evidence{Title: "Mill a", URL: "https://register.example.org/mill/12", Snippet: "en",
				Authors: []string{"Ada", "Bo"}, Source: "xml-register"}}}},
		{"a whole list, and addresses by template", "register", channels.Query{Text: "mill"}, "application/json",
			`[{"name":"Mill a/b","place":{"id":12}},{"name":"Mill without a place"}]`,
			channels.StatusOK, "1 without a title or an address dropped", "/register", url.Values{},
			[]channels.Result{{Evidence: evidence{Title: "Mill a/b", URL: "https://register.example.org/mill/12/Mill%20a%2Fb",
				Source: "register"}}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			at := &service{kind: tt.kind, replies: []reply{{body: tt.body}}}
			r := registry(t, newClock(), channels.Config{}, at, ownOf(t, secrets)...)
			out, found := one(t, r, tt.channel, tt.query)
			if out.Status != tt.status || !strings.Contains(out.Message, tt.says) {
				t.Errorf("%+v, want %s saying %q", out, tt.status, tt.says)
			}
			var got []channels.Result
			for _, f := range found {
				f.Score = 0
				got = append(got, channels.Result{Evidence: f.Evidence, IDs: f.IDs, Related: f.Related})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("results (-want +got)\n%s", diff)
			}
			if at.requests() == 0 {
				at.asked = []*http.Request{{URL: &url.URL{}}}
			}
			asked := at.asked[0]
			if asked.URL.Path != tt.path || len(at.asked) > 1 {
				t.Fatalf("%d requests, the first of %v, want one of %s", len(at.asked), asked.URL, tt.path)
			}
			if diff := cmp.Diff(tt.params, asked.URL.Query()); tt.params != nil && diff != "" {
				t.Errorf("parameters (-want +got)\n%s", diff)
			}
			if tt.channel == "team-search" && tt.path != "" && (asked.Header.Get("Authorization") != "Bearer s3cret" ||
				asked.Header.Get("X-Team") != "docs") {
				t.Errorf("headers %v", asked.Header)
			}
		})
	}
}

// A channel from the user's file is listed, has a rate and a configurable address, and names its missing settings.
func TestCustomChannelsAreChannels(t *testing.T) {
	own := ownOf(t, nil)
	at := &service{replies: []reply{{status: 404}}}
	cfg := channels.Config{URLs: map[string]string{"register": "http://mirror.example"}}
	r := registry(t, newClock(), cfg, at, source.All(nil, own...)...)
	infos := map[string]channels.Info{}
	for _, info := range r.List() {
		infos[info.Name] = info
	}
	if got := infos["team-search"]; got.Configured || got.Missing != "set TEAM_TOKEN, which \"address\" in its file refers to" ||
		got.RateLimit != "5 requests per second, 1 at once" || got.Honours != (channels.Filters{true, true}) {
		t.Errorf("%+v", got)
	}
	if got := infos["register"]; !got.Configured || got.RateLimit != "1 request per second, 1 at once" ||
		got.Trial() != "its user's own tests: it is configured in channels.json" {
		t.Errorf("%+v", got)
	}
	if out, _ := one(t, r, "register", channels.Query{}); out.Status != channels.StatusError ||
		at.asked[0].URL.String() != "http://mirror.example/register" {
		t.Errorf("%+v after %v", out, at.asked[0].URL)
	}
	if out, _ := one(t, r, "team-search", channels.Query{}); out.Status != channels.StatusUnavailable ||
		!strings.Contains(out.Message, "TEAM_TOKEN") {
		t.Errorf("%+v", out)
	}
	if _, err := channels.New(channels.Config{}, source.All(nil, append(own, own[0])...)); err == nil ||
		!strings.Contains(err.Error(), `duplicate channel name "team-search"`) {
		t.Errorf("one twice: %v", err)
	}
}

func FuzzReadCustom(f *testing.F) {
	f.Add([]byte(ownFile))
	f.Add([]byte(`{"channels":[{"name":"a","description":"b","kind":"rss","address":"https://x.example/a{query}?b={query}{limit}&c"}]}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		own, err := source.ReadFile("f", file, func(string) (string, bool) { return "a b&c", true }, nil)
		if err != nil {
			return
		}
		for _, o := range own { // each channel that is read can be searched
			at := roundTrip(func(r *http.Request) reply {
				if r.URL.Host != o.Hosts[0] {
					t.Errorf("%q leads to %v", o.URL, r.URL)
				}
				return reply{hang: true}
			})
			if out, _ := one(t, registry(t, newClock(), channels.Config{}, at, o), o.Name, channels.Query{Text: "a/b ?&#{query}", Limit: 3,
				Since: "2024", Until: "2025", Language: "en"}); out.Status == channels.StatusError || out.Count > 0 {
				t.Errorf("%+v", out)
			}
		}
	})
}
