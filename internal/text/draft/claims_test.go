package draft

import (
	"slices"
	"strings"
	"testing"
)

// What the last citation closes is checked; what follows it under the mark [inference] is the author's own.
func TestSplitAtTheLastCitation(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, draft, text string // of the claim
		split             bool
	}{
		{"in a sentence", "The pump costs 40 crowns [S1], so it is the cheaper one [inference].", "The pump costs 40 crowns", true},
		{"behind the stop", "The pump costs 40 crowns [S1], so it is the cheaper one. [inference]", "The pump costs 40 crowns", true},
		{"in a line of its own", "The pump costs 40 crowns [S1], so it is the cheaper one.\n\n[inference]", "The pump costs 40 crowns",
			true},
		{"two citations", "It costs 40 crowns [S1] and lasts a year [S2]; buy two [inference].", "It costs 40 crowns and lasts a year",
			true},
		{"nothing behind the citation", "The pump costs 40 crowns [S1] [inference].", "The pump costs 40 crowns.", false},
		{"the citation behind the mark", "So it is the cheaper one [inference], at 40 crowns [S1].",
			"So it is the cheaper one, at 40 crowns.", false},
		{"nothing before the citation", "[S1] So it is the cheaper one of the two [inference].", "So it is the cheaper one of the two.",
			false},
		{"a row", "| small | 40 crowns [S1], the cheaper one [inference] |", "small; 40 crowns, the cheaper one", false},
		{"Chinese", "水泵的价格是四十克朗[S1]，所以更便宜[inference]。", "水泵的价格是四十克朗", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Parse(tt.draft)
			s := d.Sentences[0]
			if len(d.Sentences) == 2 != tt.split || tt.split && d.Sentences[1].Own != OwnInference {
				t.Fatalf("%+v", d.Sentences)
			}
			if s.Text != tt.text || s.Split != tt.split || !s.IsClaim || s.Split != strings.HasSuffix(string([]rune(tt.draft)[:s.End]),
				"]") {
				t.Errorf("%+v", s)
			}
		})
	}
}

// A heading of the list makes what is below it the author's own, up to the next heading of its level.
func TestOwnSections(t *testing.T) {
	t.Parallel()
	const text = "\n\nThe pump is the better choice."
	for draft, want := range map[string][]string{
		"## Open questions" + text + "\n\n### Prices" + text + " It costs 40 crowns [S1].\n\n## Facts" + text: {"open", "open", "", ""},
		"## Limits of this report" + text + "\n\n## Limitations" + text:                                       {"absence", ""},
		"## 9. What I could not find" + text:                                                                  {"absence"},
		"## Was die Quellen nicht sagen" + text:                                                               {"absence"},
		"## Documents that you should not trust" + text:                                                       {""},
		"## What the pump does not do" + text:                                                                 {""},
	} {
		var got []string
		for _, s := range Parse(draft).Sentences {
			if got = append(got, s.Own); s.IsClaim != (s.Own == "") {
				t.Errorf("%q: claim %v, own %q", draft, s.IsClaim, s.Own)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q", draft, got)
		}
	}
}

func TestSentenceEndsBehindAMark(t *testing.T) {
	t.Parallel()
	draft := "So it is the cheaper one [inference]. [inference] marks what I conclude myself from the prices."
	for _, s := range Parse(draft).Sentences {
		if end := string([]rune(draft)[:s.End]); strings.Count(end, "[") != strings.Count(end, "]") {
			t.Errorf("%q ends within a mark: %q", s.Text, end)
		}
	}
}
