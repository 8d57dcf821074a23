package channels

import "strings"

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

// allWords makes a query for a search that requires every word: quoted phrases unchanged, and the keywords of the rest.
func allWords(text string) string {
	var terms []string
	for _, m := range phrases.FindAllStringSubmatch(text, -1) {
		terms = append(terms, m[0])
	}
	terms = append(terms, keywords(phrases.ReplaceAllString(text, " "))...)
	if len(terms) == 0 {
		return text
	}
	return strings.Join(terms, " ")
}
