package review

import (
	"os"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/grounding"
)

const ferryText = `The passenger ferry across the estuary resumes on 3 June after a break of five months. Inspectors found cracks in the gangway of the pontoon at Marrick Quay in January.

The boats carried 48,200 people in the last quarter, 12 % more than a year earlier. Buses need 50 minutes from quay to quay.`

func ferry() Texts {
	text := ferryText + strings.Repeat("\n\nThe council met again and heard the builders speak about steel and about its prices.", 30)
	sources := []grounding.Source{{ID: "S1", Title: "Ferry to return", Publisher: "Tolven Courier", Text: text}}
	return NewTexts(grounding.NewChecker(sources), func(string) string { return text })
}

// A claim in another language gets the places that have its numbers and names, and the beginning.
func TestPassagesOfAnotherLanguage(t *testing.T) {
	for name, row := range map[string]struct{ claim, want string }{
		"a number":        {"在上一季度，48,200人乘坐了这条线路。", "48,200 people"},
		"a name":          {"检查人员在Marrick发现了问题。", "Marrick Quay"},
		"nothing shared":  {"この船の便は初夏に再び始まる。", "passenger ferry"},
		"same, no shared": {"Zyx qwv blorp.", "passenger ferry"},
	} {
		got := ferry().passages(row.claim, []string{"S1"})
		found, chars := false, 0
		for _, p := range got {
			found = found || strings.Contains(p.Text, row.want)
			chars += len([]rune(p.Text))
		}
		if !found || len(got) > 3 || chars > 2500 {
			t.Errorf("%s: %d passages with %d characters, %q among them: %v", name, len(got), chars, row.want, found)
		}
	}
}

// Who publishes the text is shown where the claim says who says it.
func TestPassagesNameTheSource(t *testing.T) {
	for claim, want := range map[string]bool{
		"According to the article, the ferry resumes on 3 June.": true,
		"The Tolven Courier is where the ferry was announced.":   true,
		"The ferry resumes on 3 June.":                           false,
	} {
		if got := strings.Contains(ferry().passages(claim, []string{"S1"})[0].Heading, "Tolven Courier: Ferry to return"); got != want {
			t.Errorf("%q: site and title shown %v, want %v", claim, got, want)
		}
	}
}

// Planted errors and controls of an earlier batch are not made again while others can be.
func TestPrepareAvoidsEarlierItems(t *testing.T) {
	file, err := os.ReadFile("testdata/bridge.txt")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(file), "\n", " ")
	checker := grounding.NewChecker([]grounding.Source{{ID: "S1", Text: text}})
	texts := NewTexts(checker, func(string) string { return text })
	candidates := []Candidate{{Key: "k", Claim: "Heavy traffic more than doubles in the warm season.", SourceIDs: []string{"S1"}}}
	var before []string
	for _, seed := range seeds[:3] {
		items, err := Prepare(seed, candidates, texts, before)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, claim := range before {
			seen[claim] = true
		}
		for _, it := range items {
			if it.Key != "" {
				continue
			}
			if seen[it.Claim] {
				t.Errorf("repeated: %s", it.Claim)
			}
			before = append(before, it.Claim)
		}
	}
	if len(before) != 3*2*minPlanted {
		t.Errorf("%d items were made, want %d", len(before), 3*2*minPlanted)
	}
}
