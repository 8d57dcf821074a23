package local

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/text/words"
)

//go:embed related.txt
var relatedText string

// relatedLanguage is the language of the list.
const relatedLanguage = "en"

// relatedTerms are the terms with which texts answer where people ask with a term: "how big" asks for a maximum. They are related,
// not equal.
var relatedTerms = sync.OnceValue(func() map[string][]string {
	out, a := map[string][]string{}, words.NewAnalyzer(relatedLanguage)
	for word, others := range datafile.Pairs(relatedText) {
		for _, term := range terms(a, word) {
			out[term] = append(out[term], terms(a, strings.TrimSpace(others))...)
		}
	}
	return out
})
