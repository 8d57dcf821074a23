package loops

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/prompts"
	"github.com/citeloop/citeloop/loopstate"
)

// Adjacent passages are merged, those that do not fit are dropped, and no text is shown twice.
func TestPicker(t *testing.T) {
	texts := map[string]string{"S1": strings.Repeat("0123456789", 100), "S2": strings.Repeat("水", 1000)}
	at := func(id string, start, end int, claims ...string) prompts.Passage {
		return prompts.Passage{SourceID: id, Start: start, End: end, Claims: claims}
	}
	for _, tt := range []struct {
		name   string
		budget int
		add    []prompts.Passage
		want   []prompts.Passage
	}{
		{"apart", 1000, []prompts.Passage{at("S1", 200, 300), at("S1", 0, 100)}, []prompts.Passage{at("S1", 0, 100), at("S1", 200, 300)}},
		{"overlapping", 1000, []prompts.Passage{at("S1", 0, 100, "C2"), at("S1", 50, 150, "C1")}, []prompts.Passage{at("S1", 0, 150, "C1", "C2")}},
		{"touching", 1000, []prompts.Passage{at("S1", 0, 100), at("S1", 100, 150)}, []prompts.Passage{at("S1", 0, 150)}},
		{"inside", 1000, []prompts.Passage{at("S1", 0, 100, "C10"), at("S1", 20, 30, "C9")}, []prompts.Passage{at("S1", 0, 100, "C9", "C10")}},
		{"a bridge between two", 1000, []prompts.Passage{at("S1", 0, 100), at("S1", 200, 300), at("S1", 90, 210)}, []prompts.Passage{at("S1", 0, 300)}},
		{"two sources", 1000, []prompts.Passage{at("S2", 0, 100), at("S1", 0, 100)}, []prompts.Passage{at("S1", 0, 100), at("S2", 0, 100)}},
		{"too long for the budget", 100, []prompts.Passage{at("S2", 0, 100), at("S1", 0, 100)}, []prompts.Passage{at("S1", 0, 100)}},
		{"just fits", 100 + originalHeader, []prompts.Passage{at("S2", 0, 100), at("S2", 50, 101)}, []prompts.Passage{at("S2", 0, 100)}},
		{"beyond the text", 1000, []prompts.Passage{at("S1", 990, 1001), at("S1", -1, 5), at("S1", 5, 5), at("S3", 0, 1)}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &picker{texts: map[string][]rune{}, left: tt.budget, sources: map[string]loopstate.Source{"S1": {ID: "S1"}, "S2": {ID: "S2"}},
				load: func(src loopstate.Source) (string, error) { return texts[src.ID], nil }}
			for _, n := range tt.add {
				p.add(n)
			}
			got := p.passages()
			for i := range got {
				if want := string([]rune(texts[got[i].SourceID])[got[i].Start:got[i].End]); got[i].Text != want {
					t.Errorf("text %q, want %q", got[i].Text, want)
				}
				if got[i].Lines != "1" { // the texts of this test have one line
					t.Errorf("lines %q", got[i].Lines)
				}
				got[i].Text, got[i].Lines = "", ""
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("picked (-want +got):\n%s", diff)
			}
		})
	}
}
