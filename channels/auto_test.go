package channels

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAuto(t *testing.T) {
	keyed := ready(Config{})
	all, err := New(keyed)
	if err != nil {
		t.Fatal(err)
	}
	bare, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, query string
		wanted      []string
		list        []Info
		kinds       []Kind
		first       []string // among the channels chosen
		without     []string
	}{
		{"medicine", "vaccine side effects in patients with diabetes", nil, bare.List(), []Kind{KindBiomedical}, []string{"europepmc", "pubmed"}, []string{"dblp"}},
		{"computer science", "retrieval augmented generation hallucination survey", nil, bare.List(), []Kind{KindComputing, KindScholarly}, []string{"arxiv", "dblp"}, []string{"pubmed"}},
		{"with keys there are more", "retrieval augmented generation hallucinations", nil, all.List(), []Kind{KindComputing}, []string{"arxiv", "dblp", "semantic-scholar"}, nil},
		{"a DOI", "where to read 10.5555/x", nil, all.List(), []Kind{KindOpenCopy, KindScholarly}, []string{"unpaywall", "crossref"}, nil},
		{"a person", "Ada Miller of Invented Bay", nil, bare.List(), []Kind{KindEntity, KindBackground}, []string{"wikidata", "wikipedia"}, nil},
		{"data", "open data on tides benchmark", nil, bare.List(), []Kind{KindData}, []string{"datacite", "zenodo", "huggingface"}, nil},
		{"nothing special", "tidal mills", nil, bare.List(), []Kind{KindBackground, KindScholarly}, []string{"wikipedia", "crossref"}, nil},
		{"the gap wants refereed sources", "tidal mills", []string{"peer"}, bare.List(), []Kind{KindScholarly}, []string{"crossref"}, nil},
		{"another script", "潮汐磨坊", nil, bare.List(), []Kind{KindBackground, KindScholarly}, []string{"wikipedia"}, nil},
		{"no channel at all", "tides", nil, nil, []Kind{KindBackground, KindScholarly}, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Auto(tt.query, tt.wanted, tt.list)
			if diff := cmp.Diff(tt.kinds, got.Kinds); diff != "" {
				t.Errorf("kinds (-want +got)\n%s", diff)
			}
			for _, name := range tt.first {
				if !slices.Contains(got.Channels, name) {
					t.Errorf("%v lacks %s", got.Channels, name)
				}
			}
			for _, name := range tt.without {
				if slices.Contains(got.Channels, name) {
					t.Errorf("%v has %s", got.Channels, name)
				}
			}
			if len(got.Channels) > maxAuto || got.Reason == "" || !strings.Contains(got.Reason, string(got.Kinds[0])) {
				t.Errorf("%d channels, %q", len(got.Channels), got.Reason)
			}
			if diff := cmp.Diff(got, Auto(tt.query, tt.wanted, tt.list)); diff != "" {
				t.Errorf("another time another choice (-first +second)\n%s", diff)
			}
		})
	}
}

func TestAutoGoesByWhatCanBeAsked(t *testing.T) {
	info := func(name string, health string, configured bool, kinds ...Kind) Info {
		return Info{Description: Description{Name: name, Configured: configured, For: kinds}, Health: health}
	}
	list := []Info{
		info("folders", "ok", true, KindPrivate),
		info("down", circuitHealth+"05:06:07 UTC", true, KindNews),
		info("keyless", "not configured: it needs a key", false, KindNews),
		info("paper", "ok", true, KindNews),
		info("web", "untried", true, KindWeb),
	}
	got := Auto("latest news on tides", nil, list)
	if diff := cmp.Diff([]string{"folders", "web", "paper"}, got.Channels); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if want := `looks news (it says "news", "latest"); asked: folders, web, paper`; got.Reason != want {
		t.Errorf("%q, want %q", got.Reason, want)
	}
}

// Signs are matched against a query in lower case, as whole words.
func TestSignsCanMatch(t *testing.T) {
	for _, s := range signs {
		for sign := range strings.SplitSeq(s.words, "|") {
			if kinds, _ := kindsOf("x " + sign + " y"); !slices.Contains(kinds, s.kind) {
				t.Errorf("%q is no sign of %s: %v", sign, s.kind, kinds)
			}
		}
	}
}
