package wording

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the valid name that a mistyped one probably means, or "": it begins or ends alike, or differs in a few letters, of which
// the first is usually right.
func Nearest(word string, names []string) string {
	word = strings.ToLower(word)
	best, most := "", max(2, len(word)/3)
	for _, name := range names {
		d := levenshtein.ComputeDistance(word, name)
		if len(word) >= 3 && (strings.HasPrefix(name, word) || strings.HasPrefix(word, name) || strings.HasSuffix(name, "_"+word)) {
			d = 1
		}
		if d <= most && (d <= 1 || word != "" && word[0] == name[0]) {
			best, most = name, d-1
		}
	}
	return best
}
