package passages

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed data/related.txt
var relatedFile string

// related returns the stems of words that texts use where a question has a word, by the stem of that word. Related words
// are not equal, so that they are no evidence for a claim. Only English is listed.
var related = sync.OnceValue(func() map[string][]string {
	out := make(map[string][]string)
	for line := range strings.Lines(relatedFile) {
		line, _, _ = strings.Cut(line, "#")
		if word, others, ok := strings.Cut(line, ":"); ok {
			for _, stem := range Terms(word) {
				out[stem] = append(out[stem], Terms(others)...)
			}
		}
	}
	return out
})
