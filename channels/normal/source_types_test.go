package normal

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/docid"
)

func TestMedlineType(t *testing.T) {
	for types, want := range map[string]string{
		"Journal Article": "peer", "journal article; research support, non-u.s. gov't": "peer", "research-article": "peer",
		"Journal Article;Letter": "", "Editorial": "", "News": "press", "Journal Article;Practice Guideline": "primary",
		"Preprint": "primary", "Retracted Publication;Journal Article": "", "Video-Audio Media": "", "": "",
	} {
		if got := MedlineType(strings.Split(types, ";")); got != want {
			t.Errorf("%q: %q, want %q", types, got, want)
		}
	}
}

func TestTypeOfSite(t *testing.T) {
	for address, want := range map[string]string{
		"https://www.nist.gov/x": "primary", "https://ec.europa.eu/x": "primary", "https://www.service.gov.uk/": "primary",
		"https://arxiv.org/abs/1":   "primary",
		"https://www.reuters.com/a": "press", "https://news.bbc.co.uk/a": "press", "https://old.reddit.com/r/x": "practitioner",
		"https://math.stackexchange.com/q": "practitioner",
		"https://gov.example.org/":         "", "https://notreuters.com/": "", "https://example.org/reuters.com": "", "::": "",
	} {
		if got := TypeOfSite(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

// Every translation leads to a kind with a rule, and every rule to a source type.
func TestTranslations(t *testing.T) {
	rules := TypeTables["crossref"]
	for _, table := range []map[string]string{TypeTables["datacite"], TypeTables["datacite text"], TypeTables["dblp"],
		TypeTables["openalex"]} {
		for word, kind := range table {
			if rules[kind] == "" {
				t.Errorf("%s is %s, which has no rule", word, kind)
			}
		}
	}
	for kind, sourceType := range rules {
		if sourceType == "" || !docid.ValidSourceType(sourceType) {
			t.Errorf("%s: %q", kind, sourceType)
		}
	}
}

func TestIsPreprint(t *testing.T) {
	for ids, want := range map[string]bool{
		"arxiv:2101.00001": true, "doi:10.1101/2020.01.02.000001": true, "doi:10.1101/gr.276000.121": false, "doi:10.5555/x": false,
		"arxiv:2101.00001 doi:10.5555/x": false, "pmid:1": false, "doi:10.2139/ssrn.1 pmid:1": true, "": false,
	} {
		set := map[string]bool{}
		for id := range strings.FieldsSeq(ids) {
			set[id] = true
		}
		if got := IsPreprint(set); got != want {
			t.Errorf("%q: %v, want %v", ids, got, want)
		}
	}
}
