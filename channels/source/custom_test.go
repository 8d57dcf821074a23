package source

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/tidwall/gjson"
)

func TestCustomFileMistakes(t *testing.T) {
	with := func(change string) string {
		key, value, _ := strings.Cut(change, "=")
		whole := map[string]string{"name": `"a"`, "description": `"b"`, "kind": `"json"`, "address": `"https://x.example/?q={query}"`,
			"paths": `{"title":"t","url":"u"}`}
		whole[key] = value
		var parts []string
		for k, v := range whole {
			if v != "" {
				parts = append(parts, `"`+k+`":`+v)
			}
		}
		return `{"channels":[{` + strings.Join(parts, ",") + `}]}`
	}
	tests := []struct{ name, file, want string }{
		{"valid", with(`rate=0.5`), ""},
		{"no JSON", `channels: []`, `f.json: not JSON of the form {"channels": [{…}, …]}`},
		{"another object", `{"channel":[]}`, `unknown field "channel"`},
		{"nothing", `{}`, `f.json: "channels" is empty; describe one, or leave the file out`},
		{"no object", `{"channels":[1]}`, `f.json: channels[0]: name: missing`},
		{"no name", with(`name=`), `f.json: channels[0]: name: missing; use one such as team-search`},
		{"an odd name", with(`name="My Search"`), `f.json: channels[0]: name: invalid name "My Search"; use lower-case letters`},
		{"a duplicate name", with(`name="arxiv"`), `f.json: channels[0]: name: "arxiv" is taken; choose another`},
		{"an unknown key", with(`titel="x"`), `f.json: a: json: unknown field "titel"`},
		{"a wrong type", with(`rate="fast"`), `f.json: a: json: cannot unmarshal string into Go struct field described.Rate`},
		{"an invalid rate", with(`rate=0`), `f.json: a: rate: invalid rate 0; use a number of requests per second above 0`},
		{"an unknown kind", with(`kind="csv"`), `f.json: a: kind: unknown kind "csv"; use json, xml, or rss for RSS, Atom and JSON Feed`},
		{"no address", with(`address=`), `f.json: a: address: missing; use one such as https://`},
		{"another scheme", with(`address="ftp://x.example/{query}"`), `f.json: a: address: not an http or https address`},
		{"an unknown placeholder", with(`address="https://x.example/{q}"`),
			`f.json: a: address: unknown placeholder {q}; use {query}, {limit}`},
		{"a placeholder as host", with(`address="https://{query}.example/"`),
			`f.json: a: address: the host must not contain a placeholder`},
		{"a user in the address", with(`address="https://me:pw@x.example/"`),
			`f.json: a: address: the host must not contain a placeholder or a user; put secrets into headers`},
		{"a secret as host", with(`address="https://${HOST}/"`),
			`f.json: a: address: secret in the host or path; put it into a parameter or a header`},
		{"a secret in the file", with(`headers={"X-Api-Key":"abc"}`),
			`f.json: a: headers.X-Api-Key: secret in the file; put it into an environment variable and write ${NAME}`},
		{"an invalid variable", with(`headers={"X-Api-Key":"${a b}"}`), `f.json: a: headers.X-Api-Key: invalid variable "${a b}"`},
		{"a header of the client", with(`headers={"user-agent":"x"}`), `f.json: a: headers.user-agent: a channel must not set this header`},
		{"a header of two lines", with(`headers={"X-A":"a\nb"}`), `f.json: a: headers.X-A: invalid character`},
		{"no title", with(`paths={"url":"u"}`), `f.json: a: paths.title: missing; give the path of the title in a record`},
		{"no url", with(`paths={"title":"u"}`), `f.json: a: paths.url: missing`},
		{"an unknown path", with(`paths={"title":"u","url":"u","abstract":"x"}`),
			`f.json: a: paths.abstract: unknown key; use authors, container, date`},
		{"paths of a feed", `{"channels":[{"name":"a","description":"b","kind":"rss","address":"https://x.example","paths":{}}]}`,
			`f.json: a: paths: only for json and xml`},
		{"an unknown source type", with(`source_type="gossip"`),
			`f.json: a: source_type: unknown source type "gossip"; use one of peer, primary, press, practitioner`},
		{"an unknown kind of question", with(`for=["gossip"]`),
			`f.json: a: for: unknown kind of question "gossip"; use private, background`},
		{"beside a valid one", strings.Replace(with(`kind="csv"`), "]}", `,{"name":"b","description":"b","kind":"rss",`+
			`"address":"https://x.example"}]}`, 1), `f.json: a: kind: unknown kind`},
		{"too large", strings.Repeat(" ", maxCustomFile+1), `f.json: larger than 1024 kB`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			own, err := ReadFile("f.json", []byte(tt.file), func(string) (string, bool) { return "v", true }, []string{"arxiv"})
			got := ""
			if err != nil {
				got = err.Error()
			} else if got = own[0].Missing; len(own) > 1 && own[1].Missing != "" {
				t.Errorf("the next channel is lost: %s", own[1].Missing)
			}
			if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzCustomPaths(f *testing.F) {
	at, err := url.Parse("https://x.example/api")
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"hits":[{"t":"a","u":"/b","n":[{"x":"y"}],"d":1709251200}]}`), "hits", "t", "n.#.x")
	f.Add([]byte(`[{"t":["a",1]}]`), "", "t", "@this")
	f.Add([]byte(`{"a":{"b":[[]]}}`), "a.b|0", "..#", "@reverse|#(t==1)#")
	f.Add([]byte(strings.Repeat("[", 20_000)), "#.a", "t", "")
	f.Fuzz(func(t *testing.T, body []byte, list, title, authors string) {
		r, err := Entry{Address: at.String(), Paths: map[string]any{"list": list, "title": title, "url": "u", "snippet": authors,
			"authors": authors, "date": "d", "error": "e"}}.Compile()
		if err != nil {
			return
		}
		r.explain(400, body)
		found, err := r.parse(body, at, gjson.Result{})
		if _, ok := errors.AsType[*channels.Failure](err); err != nil && (!ok || len(found) > 0) {
			t.Errorf("%d results with an error of type %T", len(found), err)
		}
		for _, e := range found {
			if e.PublishedAt != normal.Date(e.PublishedAt) {
				t.Errorf("date %q", e.PublishedAt)
			}
		}
	})
}
