package report

import (
	"fmt"
	"unicode/utf8"
)

// How much of a foreign text the formats for reading show (chosen). A title of 10,000 characters is no title, and a
// passage is a few sentences; what is cut says so, and the JSON has it whole.
const (
	titleChars   = 300  // of a title, in every format but JSON
	pointedChars = 120  // of a sentence that pointing at a mark shows
	saidChars    = 1200 // of a sentence beside its receipts; the text has it whole
	passageChars = 8000 // of a passage
)

// head cuts a passage to passageChars and says what was left out; "" when nothing was.
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
