package report

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/report/style"

	"github.com/google/go-cmp/cmp"
)

// Without a text, the summary has grounded claims only, those with several independent origins first.
func TestSummaryHasTheBestClaims(t *testing.T) {
	d := Document{}
	for range bestShown + 1 {
		d.Sentences = append(d.Sentences, Sentence{Status: "grounded", IndependentOrigins: 1}, Sentence{Status: "inferred"})
	}
	d.Sentences = append(d.Sentences, Sentence{Status: "unsupported"}, Sentence{Status: "grounded", IndependentOrigins: 3})
	if diff := cmp.Diff([]int{0, 2, 4, 6, 13}, factsOf(d).best()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	none := string(render(t, Markdown, Document{Sentences: []Sentence{{Text: "It rains.", Status: "unsupported"}}}))
	if !strings.Contains(none, "No recorded claim is supported by a source yet.") {
		t.Errorf("missing notice in a report without a grounded claim: %s", none)
	}
}

func TestGroups(t *testing.T) {
	d := Document{Sentences: []Sentence{
		{Status: "inferred"}, {Status: "grounded", Basis: "review", IndependentOrigins: 1}, {Status: ""}, {Status: "grounded", Basis: "review", IndependentOrigins: 2},
		{Status: style.Uncited}, {Status: "grounded", Basis: "review"}, {Status: "something new"}, {Status: "unsupported", IndependentOrigins: 5},
	}}
	want := map[string][]int{"Supported by several independent origins": {4}, "Supported by one origin": {2, 6}, "Not read yet": {1},
		"Not supported by the sources cited": {8}, "Without a citation": {5}, "Not checked": {3, 7}}
	got := map[string][]int{}
	for _, g := range factsOf(d).groups(func(int) any { return nil }) {
		for _, f := range g.Statements {
			got[g.Title] = append(got[g.Title], f.N)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
