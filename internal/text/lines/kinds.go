package lines

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/words"
)

// Kind says what a block is.
type Kind byte

// The kinds of blocks.
const (
	Paragraph Kind = iota
	Heading
	Item      // of a list
	Row       // of a table
	Code      // inside a fence
	Front     // front matter: the source's own statement of its title, authors, date
	Comment   // of the markup, which no reader of the page sees
	Furniture // of a page: navigation, banners, forms. Each line is a block
	blank
	rule // the line below the header of a Markdown table, a thematic break, a fence
)

const (
	// maxHeadingChars is the length of the longest line that counts as a heading without a mark (chosen).
	maxHeadingChars = 90
	// maxWrapChars is the length of the longest line in a wrapped paragraph. Chosen: people and programs wrap at 40 to 120.
	maxWrapChars = 160
)

// kindOf tells what a line outside code, comments and front matter is.
func kindOf(line string) Kind {
	s := strings.TrimSpace(line)
	switch {
	case s == "":
		return blank
	case headingLevel(s) > 0:
		return Heading
	case strings.Trim(s, "|:- \t") == "" && strings.Contains(s, "--"), len(s) > 2 &&
		(strings.Trim(s, "*_ ") == "" || strings.Contains(`=~^"+`, s[:1]) && strings.Trim(s, s[:1]) == ""):
		return rule
	case s[0] == '|' || strings.Contains(s, " | "):
		return Row
	case words.OpensItem(s):
		return Item
	}
	return Paragraph
}

// headingLevel returns the level of a Markdown heading, 1 to 6, or 0.
func headingLevel(s string) int {
	n := 0
	for n < len(s) && s[n] == '#' {
		n++
	}
	if n == 0 || n > 6 || n == len(s) || s[n] != ' ' && s[n] != '\t' {
		return 0
	}
	return n
}

// plainHeading reports whether a line that stands alone reads as a heading: short, and without the end of a sentence.
func plainHeading(s string) bool {
	s = strings.Trim(strings.TrimSpace(s), "*")
	last, _ := utf8.DecodeLastRuneInString(s)
	return s != "" && !strings.HasPrefix(s, "..") && utf8.RuneCountInString(s) <= maxHeadingChars &&
		(unicode.IsLetter(last) || unicode.IsDigit(last) || last == '?' || last == ')')
}

// fence returns the mark of a line that opens or closes code, or "".
func fence(line string) string {
	s := strings.TrimLeft(line, " ")
	if len(line)-len(s) < 4 && (strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~")) {
		return s[:3]
	}
	return ""
}
