package report

import (
	"fmt"
	"unicode/utf8"
)

// Limits of untrusted texts in Markdown and HTML. Cuts are marked, and the JSON has the whole texts.
const (
	titleChars   = 300  // of a title, in every format but JSON
	pointedChars = 120  // of a sentence in a tooltip
	saidChars    = 1200 // of a sentence beside its receipts
	passageChars = 8000 // of a passage
)

// head returns at most passageChars of a passage, and a note about the rest, or "".
func head(passage string) (shown, left string) {
	n := utf8.RuneCountInString(passage)
	if n <= passageChars {
		return passage, ""
	}
	cut := 0
	for i := range passage {
		if cut == passageChars {
			return passage[:i], fmt.Sprintf("%d more characters of the passage are not shown.", n-passageChars)
		}
		cut++
	}
	return passage, ""
}
