package grounding

import (
	"sync"

	"github.com/citeloop/citeloop/internal/grounding/wordlist"
)

// aliasesOf returns the other words of a folded name's group.
func aliasesOf(low string) []string { return aliasGroups()[low] }

var aliasGroups = sync.OnceValue(func() map[string][]string {
	groups := make(map[string][]string)
	for _, line := range wordlist.Lines("aliases") {
		for _, word := range line.Words {
			if groups[word] == nil {
				groups[word] = line.Words
			}
		}
	}
	return groups
})
