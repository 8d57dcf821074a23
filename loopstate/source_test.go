package loopstate

import (
	"strings"
	"testing"
	"time"
)

// In the log of an archive, a page has the identity of a paper. It keeps what was recorded, marked, and does not answer for
// the paper.
func TestUnprovenIdentities(t *testing.T) {
	old := Source{ID: "S1", Key: "doi:10.1038/x", URL: "https://evil.example/a", FinalURL: "https://evil.example/a", DOI: "10.1038/x",
		SHA256: "aa"}
	fair := Source{ID: "S2", Key: "doi:10.1038/y", URL: "https://doi.org/10.1038/y", FinalURL: "https://www.nature.com/articles/y",
		DOI: "10.1038/y", SHA256: "bb"}
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
	if got := st.Sources[0]; got.Key != old.Key || got.DOI != old.DOI || len(got.Flags) != 1 ||
		!strings.HasPrefix(got.Flags[0], FlagClaimed) {
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
	next, err := st.Read([]Source{{Key: "doi:10.1038/x", DOI: "10.1038/x", URL: "https://doi.org/10.1038/x",
		FinalURL: "https://www.nature.com/articles/x", SHA256: "cc"}}, nil)
	if err != nil || len(next.Sources) != 1 || next.Sources[0].ID != "S3" {
		t.Errorf("the paper, read later: %+v, %v", next.Sources, err)
	}
}

func TestBy(t *testing.T) {
	for want, src := range map[string]Source{
		"World Health Organization (says evil.example)": {Publisher: "World Health Organization", FinalURL: "https://www.evil.example/a"},
		"A, B, C (says evil.example)": {Publisher: "P", Authors: []string{"A", "B", "C", "D"},
			FinalURL: "https://evil.example/a"},
		"WHO (says the file)":         {Publisher: "WHO", FinalURL: "file:///x.pdf"},
		"WHO (says the user's paste)": {Publisher: "WHO", FinalURL: "https://who.int/", Pasted: true},
		"":                            {FinalURL: "https://evil.example/a"},
	} {
		if got := src.By(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestPages(t *testing.T) {
	tests := []struct {
		name        string
		pages       Pages
		start, end  int
		first, last int
	}{
		{"no pages", nil, 10, 20, 0, 0},
		{"one page", Pages{0}, 10, 20, 1, 1},
		{"the first page", Pages{0, 100, 200}, 0, 50, 1, 1},
		{"up to a page's end", Pages{0, 100, 200}, 90, 100, 1, 1},
		{"from a page's beginning", Pages{0, 100, 200}, 100, 110, 2, 2},
		{"over a page's end", Pages{0, 100, 200}, 90, 101, 1, 2},
		{"over three pages", Pages{0, 100, 200}, 99, 300, 1, 3},
		{"the last page", Pages{0, 100, 200}, 250, 260, 3, 3},
		{"after an empty page", Pages{0, 100, 100, 200}, 100, 120, 3, 3},
		{"an empty first page", Pages{0, 0, 90}, 0, 5, 2, 2},
		{"before the first page", Pages{3, 90}, 0, 5, 1, 1},
		{"nothing", Pages{0, 100}, 100, 100, 2, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if first, last := tt.pages.At(tt.start), tt.pages.At(max(tt.start, tt.end-1)); first != tt.first || last != tt.last {
				t.Errorf("from %d to %d: %d, %d, want %d, %d", tt.start, tt.end, first, last, tt.first, tt.last)
			}
		})
	}
}

func TestPublicationDate(t *testing.T) {
	for in, want := range map[string]string{
		"2024": "2024", "2024-03": "2024-03", "2024-03-09": "2024-03-09", "2024-13": "2024", "2024-02-40": "2024-02", "2024-3": "2024",
		"": "", "24": "", "around 1900": "", "-001": "", "0000-00-00": "",
	} {
		if got := PublicationDate(in); got != want {
			t.Errorf("PublicationDate(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestRecentSince(t *testing.T) {
	for asOf, want := range map[string]string{"2026-03-01": "2024-09-01", "2024-02-29": "2022-08-29", "": "", "2026": ""} {
		if got := RecentSince(asOf); got != want {
			t.Errorf("%s: %s, want %s", asOf, got, want)
		}
	}
}
