package passage

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func places(hits []Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, fmt.Sprintf("%s@%d", h.Doc, h.Passage.Start))
	}
	return out
}

func TestIndexSearch(t *testing.T) {
	ix := NewIndex()
	ix.Add("b", Split("The ferry crosses the lake twice a day.\n\nThe lake freezes in January.", 60))
	ix.Add("a", Split("Bread is baked at dawn.\n\nThe lake freezes in January.", 60))
	ix.Add("zh", Split("渡轮每天两次穿过湖面。\n\n面包在黎明烘烤。", 60))
	tests := []struct {
		name, query string
		limit       int
		want        []string
	}{
		{"rare words first", "the lake ferry", 2, []string{"b@0", "a@25"}},
		{"ties by document", "freezing in January", 2, []string{"a@25", "b@41"}},
		{"Chinese", "渡轮穿过", 5, []string{"zh@0"}},
		{"nothing", "volcano", 5, nil},
		{"no limit, no answer", "lake", 0, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, places(ix.Search(tt.query, tt.limit, nil))); diff != "" {
				t.Errorf("Search(%q) (-want +got):\n%s", tt.query, diff)
			}
		})
	}
}

func TestIndexReplaces(t *testing.T) {
	ix, fresh := NewIndex(), NewIndex()
	fresh.Add("a", Split("The ferry freezes. The lake is deep.", 80))
	ix.Add("a", Split("Bread is baked at dawn.\n\nThe lake freezes in January.", 60))
	ix.Add("a", Split("The ferry freezes. The lake is deep.", 80))
	for _, q := range []string{"lake", "freezing ferry", "bread"} {
		if diff := cmp.Diff(fresh.Search(q, 20, nil), ix.Search(q, 20, nil)); diff != "" {
			t.Errorf("Search(%q) differs from a fresh index (-fresh +changed):\n%s", q, diff)
		}
	}
}

// Within one page, a passage is found by the heading of its section, also after other pages were removed.
func TestSearchReadsHeadings(t *testing.T) {
	manual := []Passage{
		{Text: "ALTER TABLE\n\nChanges the definition of a table."},
		{Text: "This form takes one part away from its parent.", Section: "DETACH PARTITION"},
		{Text: "With a lower lock, other sessions go on.", Section: "ATTACH PARTITION"},
		{Text: "With a lower lock, other sessions go on.", Section: "DETACH PARTITION"},
		{Text: "OWNER\n\nWith a lower lock, other sessions go on."},
	}
	ix := NewIndex()
	ix.Add("manual", manual)
	for _, tt := range []struct {
		query string
		want  Passage
	}{{"detach: lower lock of other sessions", manual[3]}, {"owner: lower lock of other sessions", manual[4]}} {
		if hits := ix.Search(tt.query, 1, nil); len(hits) != 1 || hits[0].Passage != tt.want {
			t.Errorf("%s: %v", tt.query, hits)
		}
	}
	if hits := ix.Search("bread", 1, nil); len(hits) != 0 {
		t.Errorf("%v", hits)
	}
}

// A hit says how much of a query it has; Absent names the words that no passage has.
func TestShareAndAbsent(t *testing.T) {
	ix := NewIndex()
	ix.Add("harbour", []Passage{{0, 45, "The maximum length of a boat is ninety metres.", "Rules"}})
	ix.Add("town", []Passage{{0, 37, "The clerks of the town file the lists.", ""}})
	none := func(doc string) bool { return doc == "town" }
	for _, tt := range []struct {
		query       string
		keep        func(string) bool
		least, most float64
		absent      []string
	}{
		{"the length of a boat", nil, 1, 1, nil},
		{"how big is a boat", nil, 0.5, 0.5, []string{"big"}},
		{"boat and submarine", nil, 0.3, 0.5, []string{"submarine"}},
		{"the boats of clerking", none, 0.4, 0.6, []string{"boats"}},
		{"boat lists", none, 0.4, 0.6, []string{"boat"}},
		{"quantum chromodynamics", nil, 0, 0, []string{"quantum", "chromodynamics"}},
	} {
		share := 0.0
		for _, h := range ix.Search(tt.query, 1, tt.keep) {
			share = h.Share
			if want := map[string]string{"harbour": "Rules"}[h.Doc]; h.Passage.Section != want {
				t.Errorf("%q: section %q of %s", tt.query, h.Passage.Section, h.Doc)
			}
		}
		if share < tt.least || share > tt.most {
			t.Errorf("%q: the best passage has %.2f of it, want %.2f to %.2f", tt.query, share, tt.least, tt.most)
		}
		if got := ix.Absent(tt.query, tt.keep); !slices.Equal(got, tt.absent) {
			t.Errorf("%q: no passage has %q, want %q", tt.query, got, tt.absent)
		}
	}
}
