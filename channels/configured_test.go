package channels_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/channels"
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
		{"a key is needed", "openalex", channels.Config{}, channels.StatusAuthRequired,
			"it needs a key: set CITELOOP_OPENALEX_KEY (free: https://openalex.org/settings/api)"},
		{"a key is there", "openalex", channels.Config{Keys: map[string]string{"openalex": "k"}}, channels.StatusEmpty, ""},
		{"a mirror needs no key", "openalex", channels.Config{URLs: map[string]string{"openalex": "http://mirror.example"}},
			channels.StatusEmpty, ""},
		{"best effort is off", "semantic-scholar", channels.Config{}, channels.StatusUnavailable,
			"best effort, off by default: name semantic-scholar in CITELOOP_CHANNELS to switch it on"},
		{"best effort by address", "semantic-scholar",
			channels.Config{URLs: map[string]string{"semantic-scholar": "http://mirror.example"}}, channels.StatusEmpty, ""},
		{"not best effort with a key", "semantic-scholar", channels.Config{Keys: map[string]string{"semantic-scholar": "k"}},
			channels.StatusEmpty, ""},
		{"no contact", "unpaywall", channels.Config{}, channels.StatusUnavailable,
			"Unpaywall requires a contact: set CITELOOP_CONTACT to your email address"},
		{"no address", "searxng", channels.Config{}, channels.StatusUnavailable, "set CITELOOP_SEARXNG_URL"},
		{"an optional key", "pubmed", channels.Config{}, channels.StatusEmpty, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := registry(t, newClock(), tt.cfg, sourceNamed(tt.channel).serve(reply{body: sourceNamed(tt.channel).empty}))
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
}

// A channel that finds nothing is asked for the other wording; one that fails is not.
func TestOtherWording(t *testing.T) {
	says := map[string]func() ([]channels.Result, error){
		"tides": func() ([]channels.Result, error) { return []channels.Result{testHit("1")}, nil },
		"none":  func() ([]channels.Result, error) { return nil, nil },
		"fails": func() ([]channels.Result, error) { return nil, channels.Fail(channels.StatusRateLimited, "not now") },
	}
	for _, tt := range []struct {
		text, other string
		asked       []string
		want        channels.Outcome
	}{
		{"tides", "none", []string{"tides"}, channels.Outcome{Status: channels.StatusOK, Count: 1}},
		{"none", "tides", []string{"none", "tides"}, channels.Outcome{Status: channels.StatusOK, Count: 1,
			Message: `no results for the whole query; searched for "tides"`}},
		{"none", " none", []string{"none"}, channels.Outcome{Status: channels.StatusEmpty}},
		{"none", "fails", []string{"none", "fails"}, channels.Outcome{Status: channels.StatusRateLimited, Message: "not now"}},
		{"fails", "tides", []string{"fails"}, channels.Outcome{Status: channels.StatusRateLimited, Message: "not now"}},
	} {
		var asked []string
		f := fake{channels.Description{Configured: true}, func(_ context.Context, q channels.Query) ([]channels.Result, error) {
			asked = append(asked, q.Text)
			return says[q.Text]()
		}}
		r := fakes(t, channels.Config{Now: func() time.Time { return time.Time{} }}, map[string]fake{"arxiv": f})
		out, found := one(t, r, "arxiv", channels.Query{Text: tt.text, Else: tt.other})
		tt.want.Name = "arxiv"
		if diff := cmp.Diff(tt.want, out); diff != "" || len(found) != out.Count {
			t.Errorf("%s, %s (-want +got)\n%s", tt.text, tt.other, diff)
		}
		if diff := cmp.Diff(tt.asked, asked); diff != "" {
			t.Errorf("asked (-want +got)\n%s", diff)
		}
	}
}
