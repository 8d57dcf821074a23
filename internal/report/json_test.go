package report

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

// nulls returns the paths of null values.
func nulls(at string, v any) (out []string) {
	switch v := v.(type) {
	case nil:
		return []string{at}
	case map[string]any:
		for key, item := range v {
			out = append(out, nulls(at+"."+key, item)...)
		}
	case []any:
		for i, item := range v {
			out = append(out, nulls(fmt.Sprintf("%s[%d]", at, i), item)...)
		}
	}
	return out
}

// Lists in the JSON are never null, whatever the document lacks.
func TestJSONListsAreNeverNull(t *testing.T) {
	bare := Document{Sentences: make([]Sentence, 1), Sources: make([]Source, 1), Contradictions: make([]Contradiction, 1),
		Conflicts:    make([]Contradiction, 1),
		CoverageGaps: make([]string, 1), OpenQuestions: make([]OpenQuestion, 1), Rounds: make([]loopstate.Round, 1),
		Searches: make([]SearchCount, 1)}
	for name, d := range map[string]Document{"nothing": {}, "one bare item of each": bare, "empty": empty(t), "hostile": hostile(t)} {
		var got map[string]any
		if err := json.Unmarshal(render(t, JSON, d), &got); err != nil {
			t.Fatal(err)
		}
		if places := nulls("", got); len(places) > 0 {
			t.Errorf("%s: null at %q", name, places)
		}
		for _, list := range []string{"findings", "sources", "contradictions", "conflicts", "coverage_gaps", "open_questions", "open_gaps",
			"not_tried", "rounds", "searches"} {
			if _, ok := got[list].([]any); !ok {
				t.Errorf("%s: %s is not a list: %v", name, list, got[list])
			}
		}
	}
	if bare.Sentences[0].Flags != nil || bare.Contradictions[0].SourceIDs != nil {
		t.Error("writing the JSON changed the document")
	}
}
