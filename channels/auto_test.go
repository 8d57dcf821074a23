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
		{"with keys, more channels", "retrieval augmented generation hallucinations", nil, all.List(), []Kind{KindComputing}, []string{"arxiv", "dblp", "semantic-scholar"}, nil},
		{"a DOI", "where to read 10.5555/x", nil, all.List(), []Kind{KindOpenCopy, KindScholarly}, []string{"unpaywall", "crossref"}, nil},
		{"a person", "Ada Miller of Invented Bay", nil, bare.List(), []Kind{KindEntity, KindBackground}, []string{"wikidata", "wikipedia"}, nil},
		{"data", "open data on tides benchmark", nil, bare.List(), []Kind{KindData}, []string{"datacite", "zenodo", "huggingface"}, nil},
		{"nothing special", "tidal mills", nil, bare.List(), []Kind{KindBackground, KindScholarly}, []string{"wikipedia", "crossref"}, nil},
		{"the gap needs refereed sources", "tidal mills", []string{"peer"}, bare.List(), []Kind{KindScholarly}, []string{"crossref"}, nil},
		{"another script", "潮汐磨坊", nil, bare.List(), []Kind{KindBackground, KindScholarly}, []string{"wikipedia"}, nil},
		{"German medicine", "Welche Nebenwirkungen hat die Impfung bei Patienten mit Diabetes?", nil, bare.List(), []Kind{KindBiomedical}, []string{"europepmc", "pubmed"}, []string{"dblp"}},
		{"German law", "Urteil des Bundesgerichts zur Haftung von Plattformen", nil, bare.List(), []Kind{KindLaw}, nil, nil},
		{"French research, with an article before the word", "l'étude sur les effets de la marée", nil, bare.List(), []Kind{KindScholarly}, []string{"crossref"}, nil},
		{"French news without accents", "actualites: election au Senegal", nil, bare.List(), []Kind{KindNews}, []string{"feeds"}, nil},
		{"Spanish machine learning", "aprendizaje automático para molinos de marea", nil, bare.List(), []Kind{KindComputing}, []string{"arxiv", "dblp"}, nil},
		{"Portuguese background", "o que é um moinho de maré", nil, bare.List(), []Kind{KindBackground}, []string{"wikipedia"}, nil},
		{"an Italian founder", "chi ha fondato il mulino", nil, bare.List(), []Kind{KindEntity}, []string{"wikidata"}, nil},
		{"Russian data", "открытые данные о приливных мельницах", nil, bare.List(), []Kind{KindData}, []string{"datacite", "zenodo"}, nil},
		{"Russian research, inflected", "исследованиями приливов", nil, bare.List(), []Kind{KindScholarly}, []string{"crossref"}, nil},
		{"Chinese medicine", "糖尿病患者接种疫苗的副作用", nil, bare.List(), []Kind{KindBiomedical}, []string{"europepmc", "pubmed"}, nil},
		{"Japanese law", "水車に関する判例", nil, bare.List(), []Kind{KindLaw}, nil, nil},
		{"Japanese background", "潮汐水車とは", nil, bare.List(), []Kind{KindBackground}, []string{"wikipedia"}, nil},
		{"no channels", "tides", nil, nil, []Kind{KindBackground, KindScholarly}, nil, nil},
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
				t.Errorf("another choice on the second call (-first +second)\n%s", diff)
			}
		})
	}
}

func TestAutoSkipsUnavailableChannels(t *testing.T) {
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

func TestAutoNamesTheLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"Welche Nebenwirkungen hat die Impfung?":    `it says "impfung", "nebenwirkungen", in German`,
		"effets indésirables du vaccin":             `it says "vaccin", "effets indésirables", in French`,
		"terapia":                                   `it says "terapia", in Italian or Portuguese or Spanish`,
		"terapia con farmaci":                       `it says "terapia", "farmaci", in Italian`,
		"latest study on Nebenwirkungen":            `it says "study", "latest", "nebenwirkungen", in German`,
		"приливные мельницы":                        "no sign of a special kind in Cyrillic script",
		"طواحين المد":                               "no sign of a special kind in Arabic script",
		"潮汐磨坊":                                      "no sign of a special kind in Chinese script",
		"みずぐるま":                                     "no sign of a special kind in Japanese script",
		"조석 물레방아":                                   "no sign of a special kind in Korean script",
		"tidal mills of Brittany and their sluices": "no sign of a special kind)",
	} {
		if got := Auto(text, nil, nil).Reason; !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
