package channels

import "strings"

// aboutAlone asks a search that wants every word once more, after it had nothing for a question as people write it: for
// what the question is about, where that is less.
func aboutAlone(text string, search func(text string) ([]Result, error)) ([]Result, error) {
	words := keywords(text)
	if len(words) < 2 || len(strings.Fields(text)) <= len(words) {
		return nil, nil
	}
	about := strings.Join(words, " ")
	found, err := search(about)
	if err == nil && len(found) > 0 {
		err = failure(StatusOK, "nothing for the whole query; asked for %q", clip(about, maxWords))
	}
	return found, err
}

// allWords is a query for a search that wants every word: quoted phrases as they are, and of the rest what the
// question is about.
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
