package source

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
)

// Matching returns the results that contain any of the words, or all results if there are no words. The error is a
// remark that counts them.
func Matching(results []channels.Result, words []string) ([]channels.Result, error) {
	if len(words) == 0 {
		return results, nil
	}
	picked := Containing(results, words)
	if len(picked) < len(results) {
		return picked, channels.Fail(channels.StatusOK, "%d of the %d entries of its list contain a word of the query", len(picked), len(results))
	}
	return picked, nil
}

// Containing returns the results that contain any of the words, those with the most words first.
func Containing(results []channels.Result, words []string) []channels.Result {
	type counted struct {
		channels.Result
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
	picked := make([]channels.Result, len(some))
	for i, s := range some {
		picked[i] = s.Result
	}
	return picked
}

// RetryWithKeywords repeats a search that found nothing, with the keywords of the query only, if they are fewer words.
// Services that require every word find more then.
func RetryWithKeywords(text string, search func(text string) ([]channels.Result, error)) ([]channels.Result, error) {
	words := normal.Keywords(text)
	if len(words) < 2 || len(strings.Fields(text)) <= len(words) {
		return nil, nil
	}
	about := strings.Join(words, " ")
	found, err := search(about)
	if err == nil && len(found) > 0 {
		err = channels.Fail(channels.StatusOK, "no results for the whole query; searched for %q", normal.Clip(about, channels.MaxWords))
	}
	return found, err
}
