package channels_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/google/go-cmp/cmp"
)

// TestConfigured checks keys, contacts, best-effort channels that are enabled, and configured addresses.
func TestConfigured(t *testing.T) {
	tests := []struct {
		name, channel string
		cfg           channels.Config
		want          channels.Status
		says          string
	}{
		{"a key is needed", "openalex", channels.Config{}, channels.StatusAuthRequired, "it needs a key: set CITELOOP_OPENALEX_KEY (free: https://openalex.org/settings/api)"},
		{"a key is there", "openalex", channels.Config{Keys: map[string]string{"openalex": "k"}}, channels.StatusEmpty, ""},
		{"a mirror needs no key", "openalex", channels.Config{URLs: map[string]string{"openalex": "http://mirror.example"}}, channels.StatusEmpty, ""},
		{"best effort is off", "semantic-scholar", channels.Config{}, channels.StatusUnavailable, "best effort, off by default: name semantic-scholar in CITELOOP_CHANNELS to switch it on"},
		{"best effort by name", "semantic-scholar", channels.Config{Enable: []string{"semantic-scholar"}}, channels.StatusEmpty, ""},
		{"best effort by address", "semantic-scholar", channels.Config{URLs: map[string]string{"semantic-scholar": "http://mirror.example"}}, channels.StatusEmpty, ""},
		{"best effort by rate", "semantic-scholar", channels.Config{Rates: map[string]float64{"semantic-scholar": 1}}, channels.StatusEmpty, ""},
		{"not best effort with a key", "semantic-scholar", channels.Config{Keys: map[string]string{"semantic-scholar": "k"}}, channels.StatusEmpty, ""},
		{"no contact", "unpaywall", channels.Config{}, channels.StatusUnavailable, "Unpaywall requires a contact: set CITELOOP_CONTACT to your email address"},
		{"a contact", "unpaywall", channels.Config{Contact: "me@example.org"}, channels.StatusEmpty, ""},
		{"no address", "searxng", channels.Config{}, channels.StatusUnavailable, "set CITELOOP_SEARXNG_URL"},
		{"code of GitHub without a key", "github", channels.Config{}, channels.StatusAuthRequired, "code search needs a key: set CITELOOP_GITHUB_KEY"},
		{"an optional key", "pubmed", channels.Config{}, channels.StatusEmpty, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := sourceNamed(t, tt.channel)
			tt.cfg.Client = &http.Client{Transport: roundTrip(func(*http.Request) *http.Response {
				if tt.channel == "pubmed" {
					return response(200, "application/json", []byte(`{"esearchresult":{"idlist":[]}}`))
				}
				return response(200, "application/json", []byte(s.empty))
			})}
			r := registry(t, newClock(), tt.cfg)
			text := map[string]string{"github": "openSluice in:file"}[tt.channel]
			out, _ := one(t, r, tt.channel, channels.Query{Text: text})
			if out.Status != tt.want || !strings.HasPrefix(out.Message, tt.says) || tt.says == "" && out.Message != "" {
				t.Errorf("%+v, want %s (%s)", out, tt.want, tt.says)
			}
			for _, info := range r.List() {
				if info.Name == tt.channel && info.Configured != (tt.want == channels.StatusEmpty || text != "") {
					t.Errorf("listed as configured: %v", info.Configured)
				}
			}
		})
	}
	if _, err := channels.New(channels.Config{Enable: []string{"altavista"}}, source.All(nil)); err == nil {
		t.Error("an unknown channel was enabled")
	}
}

func TestVariants(t *testing.T) {
	says := map[string]func() ([]channels.Result, error){
		"tides": func() ([]channels.Result, error) { return []channels.Result{testHit("1"), testHit("2")}, nil },
		"ebb":   func() ([]channels.Result, error) { return []channels.Result{testHit("2"), testHit("3")}, nil },
		"none":  func() ([]channels.Result, error) { return nil, nil },
		"fails": func() ([]channels.Result, error) { return nil, channels.Fail(channels.StatusRateLimited, "not now") },
	}
	tests := []struct {
		name  string
		query channels.Query
		asked []string
		want  channels.Outcome
		keys  []string
	}{
		{"one wording", channels.Query{Text: "tides"}, []string{"tides"}, channels.Outcome{Status: channels.StatusOK, Count: 2}, []string{"url:example.org/1", "url:example.org/2"}},
		{"two wordings, fused", channels.Query{Text: "tides", Variants: []string{"ebb", " tides", "ebb", ""}}, []string{"tides", "ebb"}, channels.Outcome{Status: channels.StatusOK, Count: 3}, []string{"url:example.org/2", "url:example.org/1", "url:example.org/3"}},
		{"only the second finds results", channels.Query{Text: "none", Variants: []string{"ebb"}}, []string{"none", "ebb"}, channels.Outcome{Status: channels.StatusOK, Count: 2}, []string{"url:example.org/2", "url:example.org/3"}},
		{"neither finds", channels.Query{Text: "none", Variants: []string{"none "}}, []string{"none"}, channels.Outcome{Status: channels.StatusEmpty}, nil},
		{"a failure ends the search", channels.Query{Text: "tides", Variants: []string{"fails", "ebb"}}, []string{"tides", "fails"}, channels.Outcome{Status: channels.StatusDegraded, Count: 2, Message: `for "fails": rate_limited; not now`}, []string{"url:example.org/1", "url:example.org/2"}},
		{"no results, then a failure", channels.Query{Text: "none", Variants: []string{"fails"}}, []string{"none", "fails"}, channels.Outcome{Status: channels.StatusRateLimited, Message: `for "fails": rate_limited; not now`}, nil},
		{"the first wording fails", channels.Query{Text: "fails", Variants: []string{"ebb"}}, []string{"fails"}, channels.Outcome{Status: channels.StatusRateLimited, Message: "not now"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var asked []string
			f := fake{channels.Description{Configured: true}, func(_ context.Context, q channels.Query) ([]channels.Result, error) {
				asked = append(asked, q.Text)
				return says[q.Text]()
			}}
			r := fakes(t, channels.Config{Now: func() time.Time { return time.Time{} }}, map[string]fake{"arxiv": f})
			out, found := one(t, r, "arxiv", tt.query)
			tt.want.Name = "arxiv"
			if diff := cmp.Diff(tt.want, out); diff != "" {
				t.Errorf("outcome (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(tt.asked, asked); diff != "" {
				t.Errorf("asked (-want +got)\n%s", diff)
			}
			var keys []string
			for _, e := range found {
				keys = append(keys, e.Key)
			}
			if diff := cmp.Diff(tt.keys, keys); diff != "" {
				t.Errorf("found (-want +got)\n%s", diff)
			}
			if err := r.Close(); err != nil { // would block if a wording were not counted
				t.Error(err)
			}
		})
	}
}

func TestAllowance(t *testing.T) {
	now := newClock().Now()
	tests := []struct {
		name   string
		header map[string]string
		want   string
	}{
		{"no headers: our own rate", nil, "0 requests for 1s, by our own rate"},
		{"GitHub", map[string]string{"X-RateLimit-Remaining": "9", "X-RateLimit-Reset": "1772600807"}, "9 requests for 40s"},
		{"Zenodo", map[string]string{"X-RateLimit-Remaining": "59", "X-RateLimit-Reset": "30"}, "59 requests for 30s"},
		{"Hugging Face", map[string]string{"RateLimit": `"api";r=999;t=295`, "RateLimit-Policy": `"fixed window";"api";q=1000;w=300`}, "999 requests for 4m55s"},
		{"the IETF draft's three headers", map[string]string{"RateLimit-Remaining": "3", "RateLimit-Reset": "7"}, "3 requests for 7s"},
		{"CORE, a date", map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2026-03-04T05:07:07+0000"}, "0 requests for 1m0s"},
		{"several windows", map[string]string{"X-RateLimit-Remaining": "1, 1999", "X-RateLimit-Reset": "1, 2000000"}, "1 requests"},
		{"no end", map[string]string{"X-Rate-Limit-Remaining": "5"}, "5 requests"},
		{"invalid numbers", map[string]string{"X-RateLimit-Remaining": "-1", "RateLimit-Remaining": "many"}, "0 requests for 1s, by our own rate"},
	}
	s := sourceNamed(t, "crossref")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			clock := newClock()
			if !clock.Now().Equal(now) {
				t.Fatal("the clock moved")
			}
			server := s.serve(t, reply{header: tt.header, body: s.body(t)})
			r := registry(t, clock, channels.Config{URLs: map[string]string{s.name: server.URL}})
			one(t, r, s.name, channels.Query{})
			for _, info := range r.List() {
				if info.Name == s.name && info.Remaining != tt.want {
					t.Errorf("%q, want %q", info.Remaining, tt.want)
				}
			}
		})
	}
}
