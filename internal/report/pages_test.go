package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

func TestCitedPages(t *testing.T) {
	on := func(id string, spans ...int) (s Sentence) {
		s.Status = loopstate.Grounded
		for i := 0; i+1 < len(spans); i += 2 {
			s.Receipts = append(s.Receipts, Receipt{SourceID: id, Page: spans[i], LastPage: spans[i+1]})
		}
		return s
	}
	tests := []struct {
		name      string
		sentences []Sentence
		want      map[string]string
	}{
		{"none", nil, map[string]string{}},
		{"one", []Sentence{on("S1", 7, 7)}, map[string]string{"S1": "7"}},
		{"the same twice", []Sentence{on("S1", 7, 7), on("S1", 7, 7)}, map[string]string{"S1": "7"}},
		{"beside each other", []Sentence{on("S1", 8, 8, 7, 7), on("S1", 9, 9)}, map[string]string{"S1": "7-9"}},
		{"one in the other", []Sentence{on("S1", 2, 9, 3, 4), on("S1", 11, 11)}, map[string]string{"S1": "2-9, 11"}},
		{"no last page", []Sentence{on("S1", 5, 0)}, map[string]string{"S1": "5"}},
		{"two sources", []Sentence{on("S2", 1, 1), on("S1", 3, 3)}, map[string]string{"S1": "3", "S2": "1"}},
		{"no pages", []Sentence{on("S1", 0, 0)}, map[string]string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := map[string]string{}
			for id, spans := range citedPages(Document{Sentences: tt.sentences}) {
				got[id] = pageNumbers(spans, "-")
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
