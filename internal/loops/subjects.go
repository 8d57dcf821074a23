package loops

import (
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
