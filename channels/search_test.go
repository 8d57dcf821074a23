package channels_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/citeloop/citeloop/internal/resilience"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// fake is a channel with scripted results.
type fake struct {
	desc   channels.Description
	search func(context.Context, channels.Query) ([]channels.Result, error)
}

// fakes replaces channels of the catalog by name; the others find nothing.
func fakes(t *testing.T, cfg channels.Config, scripted map[string]fake) *channels.Registry {
	t.Helper()
	var list []channels.Channel
	for _, name := range source.Names() {
		f, ok := scripted[name]
		if !ok {
			f.search = func(context.Context, channels.Query) ([]channels.Result, error) { return nil, nil }
		}
		f.desc.Name = name
		list = append(list, channels.Channel{Description: f.desc, Search: func(ctx context.Context, _ *channels.Client,
			q channels.Query) ([]channels.Result, error) {
			return f.search(ctx, q)
		}})
	}
	r, err := channels.New(cfg, list)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func after(d time.Duration, found ...channels.Result) fake {
	return fake{channels.Description{}, func(ctx context.Context, _ channels.Query) ([]channels.Result, error) {
		if err := resilience.Sleep(ctx, d); err != nil {
			return nil, channels.Fail(channels.StatusUnavailable, "no answer before the deadline")
		}
		return found, nil
	}}
}

// A search takes as long as its slowest channel, at most to its deadline, and tells each outcome as it comes.
func TestSearchTakesAsLongAsTheSlowest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := fakes(t, channels.Config{}, map[string]fake{"local": after(time.Second, testHit("1")), "wikipedia": after(time.Hour),
			"dblp": after(2*time.Second, testHit("2"))})
		var heard []string
		tell := func(o channels.Outcome) { heard = append(heard, o.Name) }
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		for _, tt := range []struct {
			names []string
			took  time.Duration
			want  []channels.Outcome
			heard []string
		}{
			{[]string{"dblp", "local", "dblp", "crossref"}, 2 * time.Second, []channels.Outcome{
				{Name: "dblp", Status: channels.StatusOK, Count: 1}, {Name: "local", Status: channels.StatusOK, Count: 1},
				{Name: "crossref", Status: channels.StatusEmpty}}, []string{"crossref", "local", "dblp"}},
			{[]string{"wikipedia", "local"}, 3 * time.Second, []channels.Outcome{
				{Name: "wikipedia", Status: channels.StatusUnavailable, Message: "no answer before the deadline"},
				{Name: "local", Status: channels.StatusOK, Count: 1}}, []string{"local", "wikipedia"}},
		} {
			heard = nil
			start := time.Now()
			answer, err := r.Search(ctx, tt.names, channels.Query{Text: "tides"}, tell)
			if took := time.Since(start); err != nil || took > tt.took {
				t.Errorf("took %s, want %s (%v)", took, tt.took, err)
			}
			if diff := cmp.Diff(tt.want, answer.Outcomes, cmpopts.IgnoreFields(channels.Outcome{}, "Took")); diff != "" {
				t.Errorf("outcomes (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(tt.heard, heard); diff != "" {
				t.Errorf("heard (-want +got)\n%s", diff)
			}
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if _, err := r.Search(t.Context(), []string{"local"}, channels.Query{Text: "tides"}, nil); !errors.Is(err, channels.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	})
}

func TestChannelFailuresAreIsolated(t *testing.T) {
	returns := func(found []channels.Result, err error) fake {
		return fake{channels.Description{}, func(context.Context, channels.Query) ([]channels.Result, error) { return found, err }}
	}
	some := []channels.Result{testHit("1")}
	tests := []struct {
		name string
		fake fake
		want channels.Outcome
	}{
		{"panics", fake{channels.Description{}, func(context.Context, channels.Query) ([]channels.Result, error) { panic("at the disco") }},
			channels.Outcome{Status: channels.StatusError,
				Message: "the channel failed on what the source answered; this is a bug in citeloop"}},
		{"plain error", returns(some, errors.New("secret detail")),
			channels.Outcome{Status: channels.StatusError, Message: "the channel failed"}},
		{"wrapped failure", returns(nil, errors.Join(channels.Fail(channels.StatusBlocked, "no"))),
			channels.Outcome{Status: channels.StatusBlocked, Message: "no"}},
		{"degraded", returns(some, channels.Fail(channels.StatusDegraded, "half of it")), channels.Outcome{Status: channels.StatusDegraded,
			Count: 1, Message: "half of it"}},
		{"a remark without results", returns(nil, channels.Fail(channels.StatusOK, "by the way")),
			channels.Outcome{Status: channels.StatusEmpty, Message: "by the way"}},
		{"nothing usable", returns([]channels.Result{{Evidence: channels.Evidence{Title: "no address"}},
			{Evidence: channels.Evidence{URL: "https://example.org"}}}, nil), channels.Outcome{Status: channels.StatusMalformed,
			Message: "2 without a title or an address dropped"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := fakes(t, channels.Config{}, map[string]fake{"wikipedia": tt.fake, "arxiv": after(0, testHit("2"))})
			answer, err := r.Search(t.Context(), []string{"wikipedia", "arxiv"}, channels.Query{Text: "tides"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			tt.want.Name = "wikipedia"
			want := []channels.Outcome{tt.want, {Name: "arxiv", Status: channels.StatusOK, Count: 1}}
			if diff := cmp.Diff(want, answer.Outcomes, cmpopts.IgnoreFields(channels.Outcome{}, "Took")); diff != "" {
				t.Errorf("outcomes (-want +got)\n%s", diff)
			}
			if len(answer.Evidence) != tt.want.Count+1 {
				t.Errorf("%d results, want %d", len(answer.Evidence), tt.want.Count+1)
			}
		})
	}
}

func TestInvalidSearches(t *testing.T) {
	all := strings.Join(source.Names(), ", ")
	r := fakes(t, channels.Config{}, nil)
	tests := []struct {
		name  string
		names []string
		query channels.Query
		want  string
	}{
		{"no channel", nil, channels.Query{Text: "x"}, "channels: empty; name at least one of " + all},
		{"unknown channels", []string{"bing", "google", "bing"}, channels.Query{Text: "x"},
			`unknown channels "bing", "google"; valid channels: ` + all},
		{"empty query", []string{"arxiv"}, channels.Query{Text: " \n\u200b\u00ad"}, ""},
		{"long query", []string{"arxiv"}, channels.Query{Text: strings.Repeat("é", 1001)},
			"query: too long: 1001 characters; use a few words, at most 1000 characters"},
		{"since is a word", []string{"arxiv"}, channels.Query{Text: "x", Since: "yesterday"},
			`since: "yesterday" is not a date; use YYYY, YYYY-MM or YYYY-MM-DD`},
		{"a day that does not exist", []string{"arxiv"}, channels.Query{Text: "x", Until: "2023-02-29"},
			`until: "2023-02-29" is not a date; use YYYY, YYYY-MM or YYYY-MM-DD`},
		{"until before since", []string{"arxiv"}, channels.Query{Text: "x", Since: "2021-05", Until: "2021-04-30"},
			"until: 2021-04-30 is before since, 2021-05"},
		{"language with a host in it", []string{"wikipedia"}, channels.Query{Text: "x", Language: "evil.example/#"},
			`language: "evil.example/#" is not a language tag; use one such as en, de or pt-BR`},
		{"a list of two channels", []string{"local", "arxiv"}, channels.Query{Text: "*", List: true},
			"list: not possible with local, arxiv; use the channel local alone, or leave list out"},
		{"a list with dates", []string{"local"}, channels.Query{Text: "*", List: true, Since: "2020"},
			"since: not applied to a list; put a filter into query, such as created:2024 or language:en"},
	}
	for _, tt := range tests {
		_, err := r.Search(t.Context(), tt.names, tt.query, nil)
		_, unknown := errors.AsType[*channels.UnknownChannelError](err)
		_, query := errors.AsType[*channels.QueryError](err)
		if !unknown && !query || tt.want != "" && err.Error() != tt.want {
			t.Errorf("%s: %v of type %T, want %q", tt.name, err, err, tt.want)
		}
	}
}

func TestUnsupportedFiltersAreApplied(t *testing.T) {
	found := []channels.Result{
		{Evidence: channels.Evidence{Title: "old", URL: "https://example.org/1", PublishedAt: "2019-12-31", Language: "en"}},
		{Evidence: channels.Evidence{Title: "in part", URL: "https://example.org/2", PublishedAt: "2020", Language: "de"}},
		{Evidence: channels.Evidence{Title: "undated", URL: "https://example.org/3"}},
		{Evidence: channels.Evidence{Title: "new", URL: "https://example.org/4", PublishedAt: "2021-01-01", Language: "en-GB"}},
	}
	tests := []struct {
		name    string
		query   channels.Query
		honours channels.Filters
		titles  []string
		message string
	}{
		{"no filter", channels.Query{}, channels.Filters{}, []string{"old", "in part", "undated", "new"}, ""},
		{"since", channels.Query{Since: "2020-06"}, channels.Filters{}, []string{"in part", "undated", "new"},
			"dates applied afterwards: 1 outside dropped, 1 without a date kept"},
		{"a source with a wrong filter", channels.Query{Since: "2020"}, channels.Filters{Dates: true},
			[]string{"in part", "undated", "new"}, "dates applied afterwards: 1 outside dropped, 1 without a date kept"},
		{"a source with a correct filter", channels.Query{Since: "2019"}, channels.Filters{Dates: true},
			[]string{"old", "in part", "undated", "new"}, ""},
		{"language", channels.Query{Language: "en-US"}, channels.Filters{}, []string{"old", "undated", "new"},
			"language applied afterwards: 1 of another language dropped, 1 without a language kept"},
		{"language of the source", channels.Query{Language: "en-US"}, channels.Filters{Language: true},
			[]string{"old", "in part", "undated", "new"}, ""},
		{"limit", channels.Query{Limit: 2, Since: "2020"}, channels.Filters{}, []string{"in part", "undated"},
			"dates applied afterwards: 1 outside dropped, 1 without a date kept"},
	}
	for _, tt := range tests {
		f := after(0, found...)
		f.desc.Honours = tt.honours
		out, got := one(t, fakes(t, channels.Config{}, map[string]fake{"arxiv": f}), "arxiv", tt.query)
		var titles []string
		for _, e := range got {
			titles = append(titles, e.Title)
		}
		if diff := cmp.Diff(tt.titles, titles); diff != "" || out.Message != tt.message {
			t.Errorf("%s: message %q, want %q; kept (-want +got)\n%s", tt.name, out.Message, tt.message, diff)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	tests := []struct {
		name string
		cfg  channels.Config
		want string
	}{
		{"an address without a scheme", channels.Config{URLs: map[string]string{"arxiv": "localhost:80"}},
			`invalid CITELOOP_ARXIV_URL="localhost:80": use an http or https address`},
		{"a file", channels.Config{URLs: map[string]string{"arxiv": "file:///etc/passwd"}},
			`invalid CITELOOP_ARXIV_URL="file:///etc/passwd": use an http or https address`},
		{"an unknown channel", channels.Config{Keys: map[string]string{"bing": "k"}}, `unknown channel "bing"; valid channels: ` +
			strings.Join(source.Names(), ", ")},
		{"a line break in the contact", channels.Config{Contact: "me@example.org\r\nX: y"},
			"invalid user agent or contact: each must be one line"},
	}
	for _, tt := range tests {
		if _, err := channels.New(tt.cfg, source.All(nil)); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
	if _, err := channels.New(channels.Config{URLs: map[string]string{"wikipedia": "https://{lang}.mirror.example/w/api.php"}},
		source.All(nil)); err != nil {
		t.Errorf("a base with {lang}: %v", err)
	}
}

// Editions of Wikipedia are many hosts with one rate: the fifth search has waited for four before it.
func TestEditionsShareOneRate(t *testing.T) {
	s, clock := sourceNamed("wikipedia"), newClock()
	r := registry(t, clock, channels.Config{}, s.serve(reply{body: s.full}))
	begun := clock.Now()
	for _, language := range []string{"de", "fr", "es", "it", "pt"} {
		one(t, r, s.name, channels.Query{Language: language})
	}
	if waited := clock.Now().Sub(begun); waited < 1332*time.Millisecond {
		t.Errorf("five searches took %s, want four thirds of a second", waited)
	}
}
