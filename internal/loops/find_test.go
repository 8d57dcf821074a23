package loops_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/passage"
)

func findPassages(svc *loops.Service, ctx context.Context, loop, query string, ids []string, limit int) ([]loops.FoundPassage, error) {
	found, err := svc.Find(ctx, loops.FindInput{Loop: loop, Queries: []string{query}, SourceIDs: ids, Limit: limit})
	return found.Passages, err
}

// A query whose main words no text has gets no passages, and the words that are missing; each subject of a query is asked alone.
func TestFindNamesUnknownWords(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	h.web.put("https://example.org/bell", "The bell",
		"The great bell weighs 4,200 kilograms. "+strings.Repeat("It was cast in the yard of the founders by night. ", 8)+
			"\n\nThe clerks file the manifest of each boat. "+strings.Repeat("They have done so since the harbour was built. ", 8))
	loop := h.start("How heavy is the bell?")
	h.read(loop, "https://example.org/bell")
	for _, tt := range []struct {
		query    string
		passages int // at least
		unknown  []passage.Unknown
	}{
		{"weight of the bell", 1, nil},
		{"weight of the bell in tonnes", 1, []passage.Unknown{{Query: "weight of the bell in tonnes", Words: []string{"tonnes"}}}},
		{"quantum entanglement of boat neutrinos", 0,
			[]passage.Unknown{{Query: "quantum entanglement of boat neutrinos", Words: []string{"quantum", "entanglement", "neutrinos"},
				NoMatch: true}}},
		{"weight of the bell; quantum entanglement", 1,
			[]passage.Unknown{{Query: "quantum entanglement", Words: []string{"quantum", "entanglement"}, NoMatch: true}}},
	} {
		found, err := h.Find(t.Context(), loops.FindInput{Loop: loop, Queries: []string{tt.query}})
		if err != nil || len(found.Passages) < tt.passages || tt.passages == 0 && len(found.Passages) > 0 {
			t.Errorf("%q: %v, %+v", tt.query, err, found.Passages)
		}
		if diff := cmp.Diff(tt.unknown, found.Unknown); diff != "" {
			t.Errorf("%q (-want +got)\n%s", tt.query, diff)
		}
	}
}
