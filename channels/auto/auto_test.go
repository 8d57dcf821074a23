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

// The words of a query, in any of the languages, choose its kinds and the channels. A minus is before channels that are not chosen.
func TestAuto(t *testing.T) {
	r, err := channels.New(channels.Config{Contact: "me@example.org"}, source.All(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ query, wanted, kinds, channels string }{
		{"vaccine side effects in patients with diabetes", "", "biomedical", "europepmc pubmed -dblp"},
		{"retrieval augmented generation hallucination survey", "", "computing scholarly", "arxiv dblp -pubmed"},
		{"where to read 10.5555/x", "", "open-copy scholarly", "unpaywall crossref"},
		{"Ada Miller of Invented Bay", "", "entity background", "wikidata wikipedia"},
		{"open data on tides benchmark", "", "data", "datacite zenodo huggingface"},
		{"tidal mills", "", "background scholarly", "wikipedia crossref"},
		{"tidal mills", "peer", "scholarly", "crossref"},
		{"潮汐磨坊", "", "background scholarly", "wikipedia"},
		{"Welche Nebenwirkungen hat die Impfung bei Patienten mit Diabetes?", "", "biomedical", "europepmc pubmed -dblp"},
		{"Urteil des Bundesgerichts zur Haftung von Plattformen", "", "law", ""},
		{"l'étude sur les effets de la marée", "", "scholarly", "crossref"},
		{"actualites: election au Senegal", "", "news", "feeds"},
		{"aprendizaje automático para molinos de marea", "", "computing", "arxiv dblp"},
		{"o que é um moinho de maré", "", "background", "wikipedia"},
		{"chi ha fondato il mulino", "", "entity", "wikidata"},
		{"открытые данные о приливных мельницах", "", "data", "datacite zenodo"},
		{"исследованиями приливов", "", "scholarly", "crossref"},
		{"糖尿病患者接种疫苗的副作用", "", "biomedical", "europepmc pubmed"},
		{"水車に関する判例", "", "law", ""},
		{"潮汐水車とは", "", "background", "wikipedia"},
	} {
		got := Choose(tt.query, strings.Fields(tt.wanted), r.List())
		if kinds := channels.JoinKinds(got.Kinds, " "); kinds != tt.kinds || !strings.Contains(got.Reason, string(got.Kinds[0])) {
			t.Errorf("%s: %s (%s), want %s", tt.query, kinds, got.Reason, tt.kinds)
		}
		for name := range strings.FieldsSeq(tt.channels) {
			bare := strings.TrimPrefix(name, "-")
			if slices.Contains(got.Channels, bare) != (bare == name) || len(got.Channels) > maxAuto {
				t.Errorf("%s: %v, want %s", tt.query, got.Channels, tt.channels)
			}
		}
	}
	if got := Choose("tides", nil, nil); len(got.Channels) > 0 || got.Reason == "" {
		t.Errorf("without channels: %+v", got)
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
