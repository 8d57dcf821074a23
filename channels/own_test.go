package channels_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
)

// ownFiles are channels of a user's own, by name.
var ownFiles = map[string]string{
	"team-search": `
description = "The team's own search."
good_for = ["what the team knows"]
for = ["private", "practice"]
url = "https://team.example.org/api?fixed=a%20b"
needs_key = true
path = ["{language}", "find"]
params = { q = "{query}", n = "{limit}", from = "{since}", to = "{until}" }
headers = { Authorization = "Bearer {key}", X-Team = "docs" }
honours = { dates = true, language = true }
source_type = "practitioner"
rate = 5
[paths]
list = "hits.items"
title = "title"
url = "link"
snippet = "texts"
date = "day"
authors = "people.#.name"
doi = "ids.doi"
language = "lang"
error = "fault.words"
`,
	"agency-feed": `
description = "An agency's news."
kind = "rss"
url = "https://team.example.org/feed.xml"
`,
	"xml-register": `
description = "A register in XML."
kind = "xml"
url = "https://team.example.org/register.xml"
paths = { list = "mills.mill", title = "name.text", url = "https://register.example.org/mill/{id}", snippet = "name.lang", authors = "owner" }
`,
	"register": `
description = "A register of mills."
url = "https://team.example.org/register"
paths = { title = "name", url = "https://register.example.org/mill/{place.id}/{name}" }
`,
}

// withOwn opens the catalog with the channels of ownFiles.
func withOwn(t *testing.T, cfg channels.Config, at http.RoundTripper) *channels.Registry {
	t.Helper()
	all := source.All(nil)
	for name, file := range ownFiles {
		own, err := source.ReadFile("/etc/"+name+".toml", []byte(file), source.Names())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, own)
	}
	return registry(t, newClock(), cfg, at, all...)
}

func TestOwnChannels(t *testing.T) {
	const fullPath = "/api/pt/find?fixed=a+b&from=2024-02-01&n=3&q=tidal+mills+%26+more&to=2024-12-31"
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
			"/api/de/find?fixed=a+b&n=10&q=tides"},
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
		r := withOwn(t, channels.Config{Keys: map[string]string{"team-search": "s3cret"}}, at)
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
	r := withOwn(t, channels.Config{URLs: map[string]string{"register": "http://mirror.example"}}, at)
	infos := map[string]channels.Info{}
	for _, info := range r.List() {
		infos[info.Name] = info
	}
	if got := infos["team-search"]; got.Configured || !strings.HasPrefix(got.Missing, "it needs a key: set CITELOOP_TEAM_SEARCH_KEY") ||
		got.RateLimit != "5 requests per second, 1 at once" {
		t.Errorf("%+v", got)
	}
	if got := infos["register"]; !got.Configured || got.RateLimit != "1 request per second, 1 at once" ||
		got.Trial() != "its user's own tests: it is configured in /etc/register.toml" {
		t.Errorf("%+v", got)
	}
	if out, _ := one(t, r, "register", channels.Query{}); out.Status != channels.StatusError ||
		at.asked[0].URL.String() != "http://mirror.example/register" {
		t.Errorf("%+v after %v", out, at.asked[0].URL)
	}
}

// A mistake in a file leaves the channel unconfigured, and says what is wrong; a name that cannot be one is an error.
func TestOwnMistakes(t *testing.T) {
	const valid = "description = \"d\"\nurl = \"https://x.example\"\npaths = { title = \"t\", url = \"u\" }\n"
	for _, tt := range []struct{ name, file, from, to, want string }{
		{"valid", "a.toml", "", "", ""},
		{"the earlier form", "a.json", "", "", "a channel of your own is a TOML file (docs/channels.md"},
		{"an odd name", "My Search.toml", "", "", `invalid name "My Search"; use lower-case letters`},
		{"a name that is taken", "arxiv.toml", "", "", `the name "arxiv" is taken`},
		{"no TOML", "a.toml", "url =", "url", "a.toml: toml: "},
		{"an unknown key", "a.toml", "description", "titel", `a.toml: unknown field "titel"`},
		{"an unknown path", "a.toml", "title =", "abstract =", `a.toml: unknown field "abstract"`},
		{"a wrong type", "a.toml", "url =", "rate = \"fast\"\nurl =", "a.toml: cannot unmarshal string"},
		{"an invalid rate", "a.toml", "url =", "rate = -1\nurl =", "a.toml: invalid rate -1; use a number"},
		{"an unknown kind", "a.toml", "url =", "kind = \"csv\"\nurl =", `a.toml: unknown kind "csv"; use json, xml, or rss`},
		{"no description", "a.toml", `"d"`, `""`, "a.toml: description is missing"},
		{"another scheme", "a.toml", "https:", "ftp:", "a.toml: url is not an http or https address"},
		{"a placeholder in the address", "a.toml", "x.example", "x.example/?q={query}", "without placeholders; use one such as"},
		{"an unknown placeholder", "a.toml", "url =", "params = { q = \"{q}\" }\nurl =", "unknown placeholder {q}; use {query}, {limit}"},
		{"an unknown filter", "a.toml", `title = "t"`, `title = "t | loud"`, `unknown filter "loud"; use one of all-words`},
		{"no title", "a.toml", `title = "t", `, "", "a.toml: paths.title is missing"},
		{"no address of records", "a.toml", `, url = "u"`, "", "a.toml: paths.url is missing"},
		{"an unknown source type", "a.toml", "url =", "source_type = \"gossip\"\nurl =", `unknown source_type "gossip"; use one of peer`},
		{"an unknown kind of question", "a.toml", "url =", "for = [\"gossip\"]\nurl =", `unknown kind of question "gossip" in for; use private`},
		{"an unknown kind of id", "a.toml", `url = "u"`, `url = "u", ids = { oclc = "o" }`, "unknown kind of id; use doi, arxiv"},
	} {
		got, err := source.ReadFile(tt.file, []byte(strings.Replace(valid, tt.from, tt.to, 1)), source.Names())
		says := got.Missing
		if err != nil {
			says = err.Error()
		}
		if (says == "") != (tt.want == "") || !strings.Contains(says, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, says, tt.want)
		}
	}
}

func FuzzReadOwn(f *testing.F) {
	for _, file := range ownFiles {
		f.Add([]byte(file), []byte(`{"hits":{"items":[{"title":"a","link":"/b","day":1709251200}]}}`))
	}
	f.Fuzz(func(t *testing.T, file, body []byte) {
		own, err := source.ReadFile("own.toml", file, nil)
		if err != nil {
			t.Fatal(err)
		}
		at := roundTrip(func(r *http.Request) reply {
			if !strings.HasPrefix(own.URL, "http") || r.URL.Host == "" {
				t.Errorf("%q leads to %v", own.URL, r.URL)
			}
			return reply{body: string(body)}
		})
		out, found := one(t, registry(t, newClock(), channels.Config{Keys: map[string]string{"own": "k"}}, at, own), "own",
			channels.Query{Text: "a/b ?&#{query}", Limit: 3, Since: "2024", Until: "2025", Language: "en"})
		if strings.Contains(out.Message, "bug in citeloop") {
			t.Errorf("%+v", out)
		}
		checkResults(t, "own", found)
	})
}
