package auto

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/source"
	"github.com/google/go-cmp/cmp"
)

func TestAuto(t *testing.T) {
	keyed := channels.Config{Contact: "me@example.org", Enable: source.Names(), Keys: map[string]string{},
		URLs: map[string]string{"searxng": "http://127.0.0.1:8080", "kiwix": "http://127.0.0.1:8080"}}
	for _, name := range source.Names() {
		keyed.Keys[name] = "a-key"
	}
	all, err := channels.New(keyed, source.All(nil))
	if err != nil {
		t.Fatal(err)
	}
	bare, err := channels.New(channels.Config{}, source.All(nil))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, query string
		wanted      []string
		list        []channels.Info
		kinds       []channels.Kind
		first       []string // among the channels chosen
		without     []string
	}{
		{"medicine", "vaccine side effects in patients with diabetes", nil, bare.List(), []channels.Kind{channels.KindBiomedical},
			[]string{"europepmc", "pubmed"}, []string{"dblp"}},
		{"computer science", "retrieval augmented generation hallucination survey", nil, bare.List(),
			[]channels.Kind{channels.KindComputing, channels.KindScholarly}, []string{"arxiv", "dblp"}, []string{"pubmed"}},
		{"with keys, more channels", "retrieval augmented generation hallucinations", nil, all.List(),
			[]channels.Kind{channels.KindComputing}, []string{"arxiv", "dblp", "semantic-scholar"}, nil},
		{"a DOI", "where to read 10.5555/x", nil, all.List(), []channels.Kind{channels.KindOpenCopy, channels.KindScholarly},
			[]string{"unpaywall", "crossref"}, nil},
		{"a person", "Ada Miller of Invented Bay", nil, bare.List(), []channels.Kind{channels.KindEntity, channels.KindBackground},
			[]string{"wikidata", "wikipedia"}, nil},
		{"data", "open data on tides benchmark", nil, bare.List(), []channels.Kind{channels.KindData},
			[]string{"datacite", "zenodo", "huggingface"}, nil},
		{"nothing special", "tidal mills", nil, bare.List(), []channels.Kind{channels.KindBackground, channels.KindScholarly},
			[]string{"wikipedia", "crossref"}, nil},
		{"the gap needs refereed sources", "tidal mills", []string{"peer"}, bare.List(), []channels.Kind{channels.KindScholarly},
			[]string{"crossref"}, nil},
		{"another script", "潮汐磨坊", nil, bare.List(), []channels.Kind{channels.KindBackground, channels.KindScholarly},
			[]string{"wikipedia"}, nil},
		{"German medicine", "Welche Nebenwirkungen hat die Impfung bei Patienten mit Diabetes?", nil, bare.List(),
			[]channels.Kind{channels.KindBiomedical}, []string{"europepmc", "pubmed"}, []string{"dblp"}},
		{"German law", "Urteil des Bundesgerichts zur Haftung von Plattformen", nil, bare.List(), []channels.Kind{channels.KindLaw}, nil,
			nil},
		{"French research, with an article before the word", "l'étude sur les effets de la marée", nil, bare.List(),
			[]channels.Kind{channels.KindScholarly}, []string{"crossref"}, nil},
		{"French news without accents", "actualites: election au Senegal", nil, bare.List(), []channels.Kind{channels.KindNews},
			[]string{"feeds"}, nil},
		{"Spanish machine learning", "aprendizaje automático para molinos de marea", nil, bare.List(),
			[]channels.Kind{channels.KindComputing}, []string{"arxiv", "dblp"}, nil},
		{"Portuguese background", "o que é um moinho de maré", nil, bare.List(), []channels.Kind{channels.KindBackground},
			[]string{"wikipedia"}, nil},
		{"an Italian founder", "chi ha fondato il mulino", nil, bare.List(), []channels.Kind{channels.KindEntity}, []string{"wikidata"},
			nil},
		{"Russian data", "открытые данные о приливных мельницах", nil, bare.List(),
			[]channels.Kind{channels.KindData},
			[]string{"datacite", "zenodo"}, nil},
		{"Russian research, inflected", "исследованиями приливов", nil, bare.List(),
			[]channels.Kind{channels.KindScholarly},
			[]string{"crossref"}, nil},
		{"Chinese medicine", "糖尿病患者接种疫苗的副作用", nil, bare.List(), []channels.Kind{channels.KindBiomedical},
			[]string{"europepmc", "pubmed"},
			nil},
		{"Japanese law", "水車に関する判例", nil, bare.List(), []channels.Kind{channels.KindLaw}, nil, nil},
		{"Japanese background", "潮汐水車とは", nil, bare.List(), []channels.Kind{channels.KindBackground}, []string{"wikipedia"},
			nil},
		{"no channels", "tides", nil, nil, []channels.Kind{channels.KindBackground, channels.KindScholarly}, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Choose(tt.query, tt.wanted, tt.list)
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
			if diff := cmp.Diff(got, Choose(tt.query, tt.wanted, tt.list)); diff != "" {
				t.Errorf("another choice on the second call (-first +second)\n%s", diff)
			}
		})
	}
}

func TestAutoSkipsUnavailableChannels(t *testing.T) {
	info := func(name string, health string, configured bool, kinds ...channels.Kind) channels.Info {
		return channels.Info{Description: channels.Description{Name: name, Configured: configured, For: kinds},
			OpenUntil: map[string]time.Time{"circuit open": time.Unix(1, 0)}[health]}
	}
	list := []channels.Info{
		info("folders", "ok", true, channels.KindPrivate),
		info("down", "circuit open", true, channels.KindNews),
		info("keyless", "not configured: it needs a key", false, channels.KindNews),
		info("paper", "ok", true, channels.KindNews),
		info("web", "untried", true, channels.KindWeb),
	}
	got := Choose("latest news on tides", nil, list)
	if diff := cmp.Diff([]string{"folders", "web", "paper"}, got.Channels); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if want := `looks news (it says "news", "latest"); asked: folders, web, paper`; got.Reason != want {
		t.Errorf("%q, want %q", got.Reason, want)
	}
}

// A question about the user's own documents goes to them alone, and to others only if there are none.
func TestOwnDocumentsFirst(t *testing.T) {
	info := func(name string, kinds ...channels.Kind) channels.Info {
		return channels.Info{Description: channels.Description{Name: name, Configured: true, For: kinds}}
	}
	list := []channels.Info{info("web", channels.KindWeb), info("encyclopedia", channels.KindBackground),
		info("folders", channels.KindPrivate)}
	for text, want := range map[string][]string{
		"what do our documents say about tides": {"folders"},
		"notes.md tidal range":                  {"folders"},
		"path:mills sluice":                     {"folders"},
		"tidal range":                           {"folders", "web", "encyclopedia"},
		"https://example.org/notes.md":          {"folders", "web", "encyclopedia"},
	} {
		if diff := cmp.Diff(want, Choose(text, nil, list).Channels); diff != "" {
			t.Errorf("%s (-want +got)\n%s", text, diff)
		}
	}
	if got := Choose("our documents", nil, list[:2]).Channels; len(got) != 2 {
		t.Errorf("without folders: %v", got)
	}
}

// Signs match the text that they are, and none of another language is a common English word.
func TestSignsCanMatch(t *testing.T) {
	for _, s := range signs() {
		for _, word := range s.words {
			text := "x " + strings.TrimSpace(word)
			if strings.HasPrefix(word, " ") && !strings.HasSuffix(word, " ") {
				text += "en" // any ending
			}
			if s.language == "Japanese, unspaced" {
				text = "水車の" + word // without kana it would be Chinese
			}
			if got, _ := kindsOf(text); !slices.Contains(got, s.kind) {
				t.Errorf("%s: %q is not a sign of %s: %v", s.language, word, s.kind, got)
			}
		}
	}
	english := "The tidal mills of the north turn with the sea, and their millers sell flour to the towns; a note on the sale of " +
		"grain, the rights of way, " +
		"the sense of a mill, its lease and its loss, the fair, in terms of labour, and why anyone would now mend one in a hurry or " +
		"leave it be"
	if got, why := kindsOf(english); len(got) > 1 {
		t.Errorf("English words are signs of other languages: %v, %s", got, why)
	}
}
