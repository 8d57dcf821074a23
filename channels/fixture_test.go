package channels_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/citeloop/citeloop/channels"
	"github.com/google/go-cmp/cmp"
)

func TestFixtures(t *testing.T) {
	want := map[string][]channels.Evidence{
		"wikipedia": {
			{Title: "Tidal mill", URL: "https://en.wikipedia.org/wiki/Tidal_mill", Snippet: "A tidal mill is a water mill driven by the rise & fall of the sea", Source: "wikipedia", PublishedAt: "2024-05-17", Language: "en"},
			{Title: `Rance & Sons: "Who?"`, URL: "https://en.wikipedia.org/wiki/Rance_&_Sons:_%22Who%3F%22", Source: "wikipedia", PublishedAt: "2023-01-02", Language: "en"},
			{Title: "Mühle/Gezeiten", URL: "https://en.wikipedia.org/wiki/M%C3%BChle/Gezeiten", Source: "wikipedia", Language: "en"},
		},
		"crossref": {
			{Title: "Energy from tides: H2O moves & wheels turn: a survey", URL: "https://doi.org/10.5555/tide.2021.07", Snippet: "We measured three mills. All turned.", Source: "crossref", SourceType: "peer", PublishedAt: "2021-07-03", Authors: []string{"Ada Miller", "The Tide Group"}, DOI: "10.5555/tide.2021.07", Language: "en"},
			{Title: "A preprint on sluices", URL: "https://doi.org/10.5555/tide.posted.1", Snippet: "posted content", Source: "crossref", SourceType: "primary", PublishedAt: "2019", DOI: "10.5555/tide.posted.1"},
			{Title: "One title, not a list", URL: "https://doi.org/10.5555/%28sici%291%3C2:a%3E3.0.co;2-%23", Snippet: "book chapter; Example Press", Source: "crossref", PublishedAt: "2004", DOI: "10.5555/(sici)1<2:a>3.0.co;2-"},
		},
		"arxiv": {
			{Title: "Learning the Tides: when $a < b$ and Vec<T> agree", URL: "https://arxiv.org/abs/2601.01234", Snippet: "We learn tides. They are regular.", Source: "arxiv", SourceType: "primary", PublishedAt: "2026-01-05", Authors: []string{"Ana Marée", "Bo Flut"}, DOI: "10.48550/arxiv.2601.01234"},
			{Title: "Tides on other worlds", URL: "https://arxiv.org/abs/astro-ph/0601001", Snippet: "Old identifiers have a slash.", Source: "arxiv", SourceType: "primary", PublishedAt: "2006-01-01", Authors: []string{"C. Ebb"}, DOI: "10.48550/arxiv.astro-ph/0601001"},
		},
	}
	want["semantic-scholar"] = []channels.Evidence{
		{Title: "Tidal mills & their wheels", URL: "https://doi.org/10.5555/tide.2022.1", Snippet: "We measured three mills. All of them turned.", Source: "semantic-scholar", SourceType: "peer", PublishedAt: "2022-03-04", Authors: []string{"Ada Miller", "B. Flut"}, DOI: "10.5555/tide.2022.1"},
		{Title: "Learning the tides", URL: "https://arxiv.org/abs/2601.01234", Snippet: "arXiv.org", Source: "semantic-scholar", SourceType: "primary", PublishedAt: "2026"},
		{Title: "Sluices of the north", URL: "https://www.semanticscholar.org/paper/0003", Snippet: "Book", Source: "semantic-scholar"},
	}
	for _, s := range webSources() {
		t.Run(s.name, func(t *testing.T) {
			server := s.serve(t, reply{body: s.body(t)})
			r := registry(t, newClock(), channels.Config{URLs: map[string]string{s.name: server.URL}})
			out, found := one(t, r, s.name, channels.Query{})
			var got []channels.Evidence
			var whole []channels.Result
			for _, f := range found {
				f.Score = 0
				got = append(got, f.Evidence)
				whole = append(whole, channels.Result{Evidence: f.Evidence, IDs: f.IDs, Related: f.Related})
			}
			if s.want != nil {
				if diff := cmp.Diff(s.want, whole); diff != "" {
					t.Errorf("results (-want +got)\n%s", diff)
				}
			} else if diff := cmp.Diff(want[s.name], got); diff != "" {
				t.Errorf("evidence (-want +got)\n%s", diff)
			}
			if out.Status != channels.StatusOK || out.Message != "1 without a title or an address dropped" {
				t.Errorf("outcome %+v", out)
			}
		})
	}
}

func TestRequests(t *testing.T) {
	tests := []struct {
		name, channel string
		query         channels.Query
		want          url.Values
	}{
		{"wikipedia", "wikipedia", channels.Query{Text: "  tidal\n mills ", Limit: 7}, url.Values{
			"action": {"query"}, "list": {"search"}, "format": {"json"}, "utf8": {"1"},
			"srsearch": {"tidal mills"}, "srlimit": {"7"}, "srprop": {"snippet|timestamp"}}},
		{"wikipedia cannot filter dates, so it gets a larger limit", "wikipedia", channels.Query{Text: "tides", Limit: 7, Since: "2020"}, url.Values{
			"action": {"query"}, "list": {"search"}, "format": {"json"}, "utf8": {"1"},
			"srsearch": {"tides"}, "srlimit": {"21"}, "srprop": {"snippet|timestamp"}}},
		{"crossref", "crossref", channels.Query{Text: "tidal mills"}, url.Values{
			"query": {"tidal mills"}, "rows": {"10"}, "mailto": {"me@example.org"}}},
		{"crossref with dates", "crossref", channels.Query{Text: "tides", Limit: 99, Since: "2020-02", Until: "2021"}, url.Values{
			"query": {"tides"}, "rows": {"50"}, "mailto": {"me@example.org"}, "filter": {"from-pub-date:2020-02,until-pub-date:2021"}}},
		{"semantic-scholar", "semantic-scholar", channels.Query{Text: "tidal mills", Limit: 3, Since: "2020", Until: "2021-06"}, url.Values{
			"query": {"tidal mills"}, "limit": {"3"}, "publicationDateOrYear": {"2020:2021-06"}, "fields": {"title,url,abstract,externalIds,publicationTypes,publicationDate,year,venue,authors"}}},
		{"arxiv", "arxiv", channels.Query{Text: `How do "tidal mills" of the sea-side work?`, Limit: 3}, url.Values{
			"search_query": {`all:"tidal mills" AND all:sea-side AND all:work`}, "start": {"0"}, "max_results": {"3"},
			"sortBy": {"relevance"}, "sortOrder": {"descending"}}},
		{"arxiv with dates", "arxiv", channels.Query{Text: "tides", Since: "2024-02", Until: "2024-02"}, url.Values{
			"search_query": {"(all:tides) AND submittedDate:[202402010000 TO 202402292359]"}, "start": {"0"}, "max_results": {"10"},
			"sortBy": {"relevance"}, "sortOrder": {"descending"}}},
		{"arxiv in its own syntax", "arxiv", channels.Query{Text: "au:ebb AND ti:(tide OR flood)"}, url.Values{
			"search_query": {"au:ebb AND ti:(tide OR flood)"}, "start": {"0"}, "max_results": {"10"},
			"sortBy": {"relevance"}, "sortOrder": {"descending"}}},
		{"arxiv by id", "arxiv", channels.Query{Text: "arXiv:2601.01234v2"}, url.Values{"id_list": {"2601.01234v2"}, "max_results": {"1"}}},
		{"arxiv with question words only", "arxiv", channels.Query{Text: "The Who"}, url.Values{
			"search_query": {"all:The AND all:Who"}, "start": {"0"}, "max_results": {"10"},
			"sortBy": {"relevance"}, "sortOrder": {"descending"}}},
	}
	sources := map[string]webSource{}
	for _, s := range webSources() {
		sources[s.name] = s
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := sources[tt.channel]
			server := s.serve(t, reply{body: s.body(t)})
			r := registry(t, newClock(), channels.Config{
				UserAgent: "citeloop/1.0 (+https://example.org)", Contact: "me@example.org",
				URLs: map[string]string{s.name: server.URL + "/path?token=t"},
			})
			one(t, r, s.name, tt.query)
			asked := server.requests()
			if len(asked) != 1 {
				t.Fatalf("%d requests, want 1", len(asked))
			}
			tt.want.Set("token", "t")
			if diff := cmp.Diff(tt.want, asked[0].URL.Query()); diff != "" {
				t.Errorf("parameters (-want +got)\n%s", diff)
			}
			if got, want := asked[0].Header.Get("User-Agent"), "citeloop/1.0 (+https://example.org) (mailto:me@example.org)"; got != want {
				t.Errorf("User-Agent %q, want %q", got, want)
			}
			if asked[0].URL.Path != "/path" || asked[0].Header.Get("Accept") == "" {
				t.Errorf("asked %s with Accept %q", asked[0].URL.Path, asked[0].Header.Get("Accept"))
			}
		})
	}
}

func TestWidening(t *testing.T) {
	tests := []struct {
		name, channel, text, second, message string
	}{
		{"wikipedia searches for the keywords", "wikipedia", "What do tidal mills do?", "tidal mills", `no results for the whole query; searched for "tidal mills"; 1 without a title or an address dropped`},
		{"arxiv searches for any of the words", "arxiv", "tidal mills history", "all:tidal OR all:mills OR all:history", "no paper has all the words; searched for any of them; 1 without a title or an address dropped"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, s := range webSources() {
				if s.name != tt.channel {
					continue
				}
				server := s.serve(t, reply{body: []byte(s.empty)}, reply{body: s.body(t)})
				out, _ := one(t, registry(t, newClock(), channels.Config{URLs: map[string]string{s.name: server.URL}}), s.name, channels.Query{Text: tt.text})
				asked := server.requests()
				if len(asked) != 2 {
					t.Fatalf("%d requests, want 2", len(asked))
				}
				q := asked[1].URL.Query()
				if got := q.Get("srsearch") + q.Get("search_query"); got != tt.second {
					t.Errorf("asked again for %q, want %q", got, tt.second)
				}
				if out.Status != channels.StatusOK || out.Message != tt.message {
					t.Errorf("outcome %+v, want message %q", out, tt.message)
				}
			}
		})
	}
}

func TestWikipediaEditions(t *testing.T) {
	tests := []struct{ language, host string }{
		{"", "en.wikipedia.org"},
		{"de", "de.wikipedia.org"},
		{"pt-BR", "pt.wikipedia.org"},
		{"zh_Hant_TW", "zh.wikipedia.org"},
		{"nb", "no.wikipedia.org"},
		{"yue", "zh-yue.wikipedia.org"},
		{"be-tarask", "be-tarask.wikipedia.org"},
		{"simple", "simple.wikipedia.org"},
	}
	for _, tt := range tests {
		t.Run(tt.language, func(t *testing.T) {
			var host string
			client := &http.Client{Transport: roundTrip(func(r *http.Request) *http.Response {
				host = r.URL.Host
				return response(200, "application/json", webSources()[0].body(t))
			})}
			_, found := one(t, registry(t, newClock(), channels.Config{Client: client}), "wikipedia", channels.Query{Language: tt.language})
			if host != tt.host {
				t.Errorf("asked %s, want %s", host, tt.host)
			}
			if want := "https://" + tt.host + "/wiki/Tidal_mill"; found[0].URL != want {
				t.Errorf("address %s, want %s", found[0].URL, want)
			}
		})
	}
}
