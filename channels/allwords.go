package channels

import "strings"

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
