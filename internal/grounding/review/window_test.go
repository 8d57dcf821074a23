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

// Each cited source has its best passage, up to three, before another source has a second one.
func TestPassagesOfEachSource(t *testing.T) {
	filler := strings.Repeat("\n\nThe council met again and heard the builders speak about steel and about its prices.", 12)
	stored := map[string]string{
		"S1": "A pause of the collector takes 2 ms on average." + filler,
		"S2": "The harness stops all workers before it collects the memory that they share." + filler +
			"\n\nWorkers wait each time until the harness has swept the memory of the other workers." + filler +
			"\n\nMemory that the workers share is swept by the harness at each stop of the workers." + filler +
			"\n\nThe harness tells the workers that their shared memory was collected.",
		"S3": "Prices of memory rose." + filler,
		"S4": "Die Arbeiter warten, bis der Speicher geräumt ist. Jede Pause des Sammlers dauert etwa 2 ms, wie die Messung zeigt." + filler,
		"S5": "Gulls nest on the roof of the shed.",
	}
	var sources []grounding.Source
	for id, text := range stored {
		sources = append(sources, grounding.Source{ID: id, Text: text})
	}
	texts := NewTexts(grounding.NewChecker(sources), func(id string) string { return stored[id] })
	const claim = "Workers lose 2 ms each time, because the harness stops all workers before it sweeps the memory that the workers share."
	for name, row := range map[string]struct {
		cited []string
		want  map[string]string // source -> what its passages contain
		n     int
	}{
		"two sources":              {[]string{"S1", "S2"}, map[string]string{"S1": "takes 2 ms", "S2": "stops all workers"}, 3},
		"the other order":          {[]string{"S2", "S1"}, map[string]string{"S1": "takes 2 ms", "S2": "stops all workers"}, 3},
		"three sources":            {[]string{"S1", "S2", "S3"}, map[string]string{"S1": "takes 2 ms", "S2": "stops all workers", "S3": "Prices of memory"}, 3},
		"another language":         {[]string{"S2", "S4"}, map[string]string{"S2": "stops all workers", "S4": "2 ms"}, 3},
		"a source that is far off": {[]string{"S2", "S5"}, map[string]string{"S2": "stops all workers", "S5": "Gulls"}, 3},
		"more sources than fit":    {[]string{"S5", "S3", "S2", "S1"}, map[string]string{"S1": "takes 2 ms", "S2": "stops all workers"}, 3},
		"one source":               {[]string{"S2"}, map[string]string{"S2": "stops all workers"}, 3},
	} {
		got := texts.passages(claim, row.cited)
		shown := map[string]string{}
		for _, p := range got {
			shown[p.SourceID] += p.Text
		}
		for id, words := range row.want {
			if !strings.Contains(shown[id], words) {
				t.Errorf("%s: the passages of %s lack %q: %+v", name, id, words, got)
			}
		}
		if len(got) != row.n {
			t.Errorf("%s: %d passages, want %d", name, len(got), row.n)
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
		items := []Item{{Claim: claim, Passages: ferry().passages(claim, []string{"S1"})}}
		ferry().label(items)
		if got := strings.Contains(items[0].Passages[0].Heading, "Tolven Courier: Ferry to return"); got != want {
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
	if want := 3 * (minPlanted + minControls); len(before) != want {
		t.Errorf("%d items were made, want %d", len(before), want)
	}
}
