package channels

import (
	"slices"
	"strings"
)

// pickedBy are the results of a list that hold any of the words; all of them where there are no words. It says how many
// they are of whose what.
func pickedBy(results []Result, words []string, whose, what string) ([]Result, error) {
	if len(words) == 0 {
		return results, nil
	}
	picked := holding(results, words)
	if len(picked) < len(results) {
		return picked, failure(StatusOK, "%d of %s %d %s hold a word of the query", len(picked), whose, len(results), what)
	}
	return picked, nil
}

// holding are the results that hold any of the words, those with most of them first.
func holding(results []Result, words []string) []Result {
	type counted struct {
		Result
		words int
	}
	var some []counted
	for _, e := range results {
		text, n := strings.ToLower(e.Title+" "+e.Snippet), 0
		for _, w := range words {
			if strings.Contains(text, strings.ToLower(w)) {
				n++
			}
		}
		if n > 0 {
			some = append(some, counted{e, n})
		}
	}
	slices.SortStableFunc(some, func(a, b counted) int { return b.words - a.words })
	picked := make([]Result, len(some))
	for i, s := range some {
		picked[i] = s.Result
	}
	return picked
}
