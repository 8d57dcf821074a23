package passages

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// admonitions are headings of remarks, which do not begin a section.
var admonitions = []string{"note", "tip", "warning", "caution", "important", "hinweis", "tipp", "warnung", "achtung", "wichtig"}

// maxIntroduction is the length of the longest introduction of a list that a section repeats (chosen).
const maxIntroduction = 240

// sectioned returns the paragraphs of a text with what is above them.
func sectioned(text string) []Selected {
	return WithSections(JoinLeads(text, Split(text, paragraphChars)))
}

// WithSections returns the passages of a text with what is above them: the heading, if the passage does not have it, and the
// introduction of the list, if the passage begins with a later item. " > " separates the two. all are passages of one text,
// in order.
func WithSections(all []Passage) []Selected {
	out := make([]Selected, len(all))
	heading, introduction := "", ""
	for i, p := range all {
		out[i] = Selected{Passage: p, Section: heading}
		if title := headingOf(p.Text); title != "" {
			heading, introduction, out[i].Section = title, "", ""
		}
		item := opensItem(p.Text)
		if item && introduction != "" {
			out[i].Section = strings.TrimPrefix(out[i].Section+" > "+introduction, " > ")
		}
		if next := introductionIn(p.Text); next != "" || !item {
			introduction = next
		}
	}
	return out
}

// headingOf returns the heading of a section that a passage begins with. A word and a number above another heading are the
// end of an example ("MaxShips 5"), or say less than it ("Chapter 5").
func headingOf(text string) string {
	line, rest, above := strings.Cut(text, "\n\n")
	title := headingLine(line, above)
	if words := strings.Fields(title); len(words) == 2 && strings.Trim(words[1], "0123456789") == "" {
		line, _, above = strings.Cut(rest, "\n\n")
		return cmp.Or(headingLine(line, above), title)
	}
	return title
}

// headingLine returns the heading that a line is, if a text follows it, or "".
func headingLine(line string, above bool) string {
	title := strings.TrimSpace(strings.TrimLeft(line, "#"))
	if !above || title == "" || title[0] == '(' || utf8.RuneCountInString(line) > maxLeadLine || !leadLine(line) || strings.HasSuffix(line, ":") {
		return ""
	}
	if slices.Contains(admonitions, strings.ToLower(title)) || title[0] == '$' || strings.ContainsAny(title, "={};") { // a line of code
		return ""
	}
	return title
}

// introductionIn returns the introduction of the list that a passage ends in or leads to.
func introductionIn(text string) string {
	if !strings.ContainsAny(text, ":：") {
		return ""
	}
	spans := sentenceSpans(text)
	for i := len(spans) - 1; i >= 0; i-- {
		s := spans[i].passage(text).Text
		if strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：") {
			if last := i+1 == len(spans); (last || opensItem(spans[i+1].passage(text).Text)) && utf8.RuneCountInString(s) <= maxIntroduction {
				return s
			}
			return ""
		}
		if spans[i].opensParagraph && !opensItem(s) {
			return "" // a paragraph after the list
		}
	}
	return ""
}
