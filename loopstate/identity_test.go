package loopstate

import (
	"strings"
	"testing"
	"time"
)

// In the log of an archive, a page has the identity of a paper. It keeps what was recorded, marked, and does not answer for
// the paper.
func TestUnprovenIdentities(t *testing.T) {
	old := Source{ID: "S1", Key: "doi:10.1038/x", URL: "https://evil.example/a", FinalURL: "https://evil.example/a", DOI: "10.1038/x", SHA256: "aa"}
	fair := Source{ID: "S2", Key: "doi:10.1038/y", URL: "https://doi.org/10.1038/y", FinalURL: "https://www.nature.com/articles/y", DOI: "10.1038/y", SHA256: "bb"}
	e, err := NewEvent("loop", 2, time.Time{}, "op", Read{Sources: []Source{old, fair}})
	if err != nil {
		t.Fatal(err)
	}
	started, err := NewEvent("loop", 1, time.Time{}, "start", Started{Query: "q"})
	if err != nil {
		t.Fatal(err)
	}
	st, err := Apply(nil, started)
	if err == nil {
		st, err = Apply(st, e)
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := st.Sources[0]; got.Key != old.Key || got.DOI != old.DOI || len(got.Flags) != 1 || !strings.HasPrefix(got.Flags[0], FlagClaimed) {
		t.Errorf("the recorded source is %+v", got)
	}
	if src, ok := st.SourceByAddress("https://doi.org/10.1038/x", ""); ok {
		t.Errorf("the paper is answered by %s", src.ID)
	}
	if src, ok := st.SourceByAddress("https://evil.example/a", ""); !ok || src.ID != "S1" {
		t.Errorf("the page is answered by %q", src.ID)
	}
	if src, ok := st.SourceByAddress("https://doi.org/10.1038/y", ""); !ok || src.ID != "S2" || len(st.Sources[1].Flags) != 0 {
		t.Errorf("the other paper is answered by %q, flags %v", src.ID, st.Sources[1].Flags)
	}
	next, err := st.Read([]Source{{Key: "doi:10.1038/x", DOI: "10.1038/x", URL: "https://doi.org/10.1038/x", FinalURL: "https://www.nature.com/articles/x", SHA256: "cc"}}, nil)
	if err != nil || len(next.Sources) != 1 || next.Sources[0].ID != "S3" || len(next.Sources[0].Flags) != 1 {
		t.Errorf("the paper, read later: %+v, %v", next.Sources, err)
	}
}

func TestBy(t *testing.T) {
	for want, src := range map[string]Source{
		"World Health Organization (says evil.example)": {Publisher: "World Health Organization", FinalURL: "https://www.evil.example/a"},
		"A, B, C (says evil.example)":                   {Publisher: "P", Authors: []string{"A", "B", "C", "D"}, FinalURL: "https://evil.example/a"},
		"WHO (says the file)":                           {Publisher: "WHO", FinalURL: "file:///x.pdf"},
		"WHO (says the user's paste)":                   {Publisher: "WHO", FinalURL: "https://who.int/", Pasted: true},
		"":                                              {FinalURL: "https://evil.example/a"},
	} {
		if got := src.By(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
