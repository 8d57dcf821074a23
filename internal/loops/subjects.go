package loops

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/loopstate"
)

// Subjects cuts a query at semicolons, line breaks and question marks into the subjects that it asks for.
func Subjects(query string) []string {
	var out []string
	for s := range strings.FieldsFuncSeq(query, func(r rune) bool { return strings.ContainsRune(";；\n?？", r) }) {
		if s = strings.TrimSpace(s); len(words.Terms(s)) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// among accepts these sources; nil accepts all.
func among(sourceIDs []string) func(string) bool {
	if len(sourceIDs) == 0 {
		return nil
	}
	return func(id string) bool { return slices.Contains(sourceIDs, id) }
}

// partsOf lists what the answer to a loop's question has to cover: the parts of the question, rubrics, dimensions, and the
// sub-questions of the first round.
func partsOf(st *loopstate.State) []string {
	parts := append(Subjects(st.Query), st.Rubrics...)
	for _, d := range st.Dimensions {
		parts = append(parts, d.Dimension)
	}
	for _, g := range st.Gaps {
		if g.OpenedRound == 1 && g.Material && g.Status != loopstate.GapUnanswerable && !st.IsEntityGap(g) {
			parts = append(parts, g.Gap)
		}
	}
	return parts
}

// subjectsOf returns the subjects of queries, each once.
func subjectsOf(queries []string) (out []string) {
	for _, query := range queries {
		subjects := Subjects(query)
		if len(subjects) < 2 {
			subjects = []string{query}
		}
		for _, subject := range subjects {
			if !slices.Contains(out, subject) {
				out = append(out, subject)
			}
		}
	}
	return out
}
