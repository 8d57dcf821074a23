package channels

import (
	"slices"
	"strings"
)

// matching returns the results that contain any of the words, or all results if there are no words. The error is a
// remark that counts them; whose and what are words for the list, such as "the feed's" and "entries".
func matching(results []Result, words []string, whose, what string) ([]Result, error) {
	if len(words) == 0 {
		return results, nil
	}
	picked := containing(results, words)
	if len(picked) < len(results) {
		return picked, failure(StatusOK, "%d of %s %d %s contain a word of the query", len(picked), whose, len(results), what)
	}
	return picked, nil
}

// containing returns the results that contain any of the words, those with the most words first.
func containing(results []Result, words []string) []Result {
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

// retryWithKeywords repeats a search that found nothing, with the keywords of the query only, if they are fewer words.
// Services that require every word find more then.
func retryWithKeywords(text string, search func(text string) ([]Result, error)) ([]Result, error) {
	words := keywords(text)
	if len(words) < 2 || len(strings.Fields(text)) <= len(words) {
		return nil, nil
	}
	about := strings.Join(words, " ")
	found, err := search(about)
	if err == nil && len(found) > 0 {
		err = failure(StatusOK, "no results for the whole query; searched for %q", clip(about, maxWords))
	}
	return found, err
}
