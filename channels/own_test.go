package channels_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
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

// withOwn opens the catalog with the channels of ownFile.
func withOwn(t *testing.T, cfg channels.Config, at http.RoundTripper, env map[string]string) *channels.Registry {
	t.Helper()
	own, err := source.ReadFile("channels.json", []byte(ownFile), func(name string) (string, bool) { return env[name], true },
		source.Names())
	if err != nil {
		t.Fatal(err)
	}
	return registry(t, newClock(), cfg, at, source.All(nil, own...)...)
}

func TestOwnChannels(t *testing.T) {
	const fullPath = "/api/pt/find?fixed=a+b&from=2024-02-01&n=3&q=tidal+mills+%26+more&to=2024-12-31&token=t%26k"
	whole := channels.Query{Text: "tidal mills & more", Limit: 3, Since: "2024-02", Until: "2024", Language: "pt-BR"}
	german := channels.Query{Text: "tides", Language: "de"}
	for _, tt := range []struct {
		name, channel string
		query         channels.Query
		kind, body    string
		want          string // the outcome and the results
		asked         string
	}{
		{"json, with all fields", "team-search", whole, "application/json",
			`{"hits":{"items":[
				{"title":"On <b>mills</b>","link":"/doc/1","texts":["They turn.","They rest."],"day":"2024-03-01",
"people":[{"name":"Ada Miller"},{"name":null},{"x":1}],"ids":{"doi":"10.5555/Tide.1"},"lang":"pt"},
				{"title":7,"link":"https://elsewhere.example.org/2","day":1709251200},
				{"title":"Milliseconds","link":"//cdn.example.org/3","day":1709251200000,"texts":{"no":"text"}},
				{"title":"A day as a number","link":"?id=4","day":20240229},
				{"link":"/doc/5"}, "odd", null]}}`,
			`ok 3 3 without a title or an address dropped
  - On mills
  url https://team.example.org/doc/1
  snippet They turn. … They rest.
  type practitioner
  date 2024-03-01
  by Ada Miller
  doi 10.5555/tide.1
  language pt
  - 7
  url https://elsewhere.example.org/2
  type practitioner
  date 2024-03-01
  - Milliseconds
  url https://cdn.example.org/3
  type practitioner
  date 2024-03-01
`, fullPath},
		{"a parameter without a value is omitted", "team-search", german, "application/json", `{"hits":{"items":[]}}`, "empty 0 \n",
			"/api/de/find?fixed=a+b&n=10&q=tides&token=t%26k"},
		{"an error inside a 200", "team-search", german, "application/json", `{"fault":{"words":"the index <b>rests</b>"}}`,
			"error 0 the source says: the index rests\n", ""},
		{"another answer", "team-search", german, "application/json", `{"hits":{"items":{"a":1}}}`,
			"malformed 0 the answer has no list of records at the configured path\n", ""},
		{"a feed, filtered by the query", "agency-feed", channels.Query{Text: "What of the mills?"}, "application/rss+xml",
			`<rss version="2.0"><channel><title>News</title><item><title>Mills ` +
				`turn</title><link>/n/1</link></item><item><title>Other</title><link>/n/2</link></item></channel></rss>`,
			"ok 1 1 of the 2 entries of its list contain a word of the query\n  - Mills turn\n  url https://team.example.org/n/1\n",
			"/feed.xml"},
		{"a list in XML", "xml-register", channels.Query{Text: "mill"}, "text/xml",
			`<mills><mill id="12"><name lang="en">Mill <b>a</b></name><owner>Ada</owner><owner>Bo</owner></mill></mills>`,
			"ok 1 \n  - Mill a\n  url https://register.example.org/mill/12\n  snippet en\n  by Ada; Bo\n", ""},
		{"a whole list, and addresses by template", "register", channels.Query{Text: "mill"}, "application/json",
			`[{"name":"Mill a/b","place":{"id":12}},{"name":"Mill without a place"}]`,
			"ok 1 1 without a title or an address dropped\n  - Mill a/b\n  url https://register.example.org/mill/12/Mill%20a%2Fb\n", ""},
	} {
		at := &service{kind: tt.kind, replies: []reply{{body: tt.body}}}
		r := withOwn(t, channels.Config{}, at, map[string]string{"TEAM_KEY": "s3cret", "TEAM_TOKEN": "t&k"})
		out, found := one(t, r, tt.channel, tt.query)
		if diff := cmp.Diff(tt.want, shown(out, found)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, diff)
		}
		if asked := at.asked[0]; !strings.HasSuffix(asked.URL.String(), tt.asked) || tt.channel == "team-search" &&
			(asked.Header.Get("Authorization") != "Bearer s3cret" || asked.Header.Get("X-Team") != "docs") {
			t.Errorf("%s: asked for %s with %v", tt.name, asked.URL, asked.Header)
		}
	}
}

// A channel of the user's own is listed, has a rate and a configurable address, and names its missing settings.
func TestOwnChannelsAreChannels(t *testing.T) {
	at := &service{replies: []reply{{status: 404}}}
	r := withOwn(t, channels.Config{URLs: map[string]string{"register": "http://mirror.example"}}, at, nil)
	infos := map[string]channels.Info{}
	for _, info := range r.List() {
		infos[info.Name] = info
	}
	if got := infos["team-search"]; got.Configured || !strings.HasPrefix(got.Missing, "set TEAM_") ||
		got.RateLimit != "5 requests per second, 1 at once" || got.Honours != (channels.Filters{Dates: true, Language: true}) {
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
}

// A mistake in a channel leaves it unconfigured, and says what is wrong; others are errors of the file.
func TestOwnMistakes(t *testing.T) {
	const valid = `{"channels":[{"name":"a","description":"d","kind":"json","address":"https://x.example/?q={query}",` +
		`"paths":{"title":"t","url":"u"}},{"name":"b","description":"d","kind":"rss","address":"https://x.example"}]}`
	for _, tt := range []struct{ name, from, to, want string }{
		{"valid", "", "", ""},
		{"no JSON", "{", "channels: ", `f.json: not JSON of the form {"channels": [{…}, …]}`},
		{"another object", "channels", "channel", `f.json: not JSON of the form`},
		{"nothing", valid, `{}`, `f.json: not JSON of the form`},
		{"no name", `"name":"a",`, "", `f.json: channels[0]: invalid name ""; use lower-case letters`},
		{"an odd name", `"a"`, `"My Search"`, `f.json: channels[0]: invalid name "My Search"`},
		{"a name that is taken", `"a"`, `"arxiv"`, `f.json: channels[0]: name "arxiv" is taken; choose another`},
		{"an unknown key", `"kind"`, `"titel":"x","kind"`, `f.json: a: unknown field "titel"`},
		{"an unknown path", `"title":`, `"abstract":"x","title":`, `f.json: a: unknown field "abstract"`},
		{"a wrong type", `"kind"`, `"rate":"fast","kind"`, "f.json: a: cannot unmarshal string"},
		{"an invalid rate", `"kind"`, `"rate":-1,"kind"`, "f.json: a: rate: invalid rate -1; use a number"},
		{"an unknown kind", `"json"`, `"csv"`, `f.json: a: kind: unknown kind "csv"; use json, xml, or rss`},
		{"no description", `"d"`, `""`, "f.json: a: description: missing"},
		{"no address", `"address":"https://x.example/?q={query}",`, "", "f.json: a: address: not an http or https address"},
		{"another scheme", "https:", "ftp:", "f.json: a: address: not an http or https address"},
		{"a placeholder as host", "x.example", "{query}.example", "f.json: a: address: not an http or https address without a placeholder"},
		{"a user in the address", "x.example", "me:pw@x.example", "f.json: a: address: not an http or https address without a placeholder"},
		{"a secret as host", "x.example", "${HOST}", "f.json: a: address: not an http or https address"},
		{"an unknown placeholder", "{query}", "{q}", "unknown placeholder {q}; use {query}, {limit}"},
		{"an unknown filter", `"t"`, `"t | loud"`, `unknown filter "loud"; use one of all-words`},
		{"no title", `"title":"t",`, "", "f.json: a: paths.title: missing"},
		{"no address of records", `,"url":"u"`, "", "f.json: a: paths.url: missing"},
		{"an unknown source type", `"kind"`, `"source_type":"gossip","kind"`, `source_type: unknown source type "gossip"; use one of peer`},
		{"an unknown kind of question", `"kind"`, `"for":["gossip"],"kind"`, `for: unknown kind of question "gossip"; use private`},
		{"an unknown kind of id", `"u"`, `"u","ids":{"oclc":"o"}`, "paths: unknown kind of id; use doi, arxiv"},
	} {
		own, err := source.ReadFile("f.json", []byte(strings.Replace(valid, tt.from, tt.to, 1)),
			func(string) (string, bool) { return "", false }, source.Names())
		says := ""
		if err != nil {
			says = err.Error()
		} else if says = own[0].Missing; own[1].Missing != "" {
			t.Errorf("%s: the next channel is lost: %s", tt.name, own[1].Missing)
		}
		if (says == "") != (tt.want == "") || !strings.Contains(says, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, says, tt.want)
		}
	}
}

func FuzzReadOwn(f *testing.F) {
	f.Add([]byte(ownFile), []byte(`{"hits":{"items":[{"title":"a","link":"/b","day":1709251200}]}}`))
	f.Add([]byte(`{"channels":[{"name":"a","description":"b","kind":"rss","address":"https://x.example/a{query}?b={query}{limit}&c"}]}`),
		[]byte("<rss/>"))
	f.Fuzz(func(t *testing.T, file, body []byte) {
		own, err := source.ReadFile("f", file, func(string) (string, bool) { return "a b&c", true }, nil)
		if err != nil {
			return
		}
		for _, o := range own {
			at := roundTrip(func(r *http.Request) reply {
				if u, err := url.Parse(o.URL); err != nil || r.URL.Host != u.Host {
					t.Errorf("%q leads to %v", o.URL, r.URL)
				}
				return reply{body: string(body)}
			})
			out, found := one(t, registry(t, newClock(), channels.Config{}, at, o), o.Name,
				channels.Query{Text: "a/b ?&#{query}", Limit: 3, Since: "2024", Until: "2025", Language: "en"})
			if strings.Contains(out.Message, "bug in citeloop") {
				t.Errorf("%+v", out)
			}
			checkResults(t, o.Name, found)
		}
	})
}
