package views

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/text/words"
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

// MaxPassages bounds the passages for a query.
const MaxPassages = 50

// Among accepts these sources; nil accepts all.
func Among(sourceIDs []string) func(string) bool {
	if len(sourceIDs) == 0 {
		return nil
	}
	return func(id string) bool { return slices.Contains(sourceIDs, id) }
}
