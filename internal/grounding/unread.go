package grounding

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// Facts that an answer lacks are mostly in sections of pages that its writer knows only by a few passages. Their headings tell
// a writer more than any sentence chosen for it.

// UnreadPart is the sections of a source on which a draft rests of which nothing was shown to its writer.
type UnreadPart struct {
	SourceID string
	Share    float64   // of the source's text that was not shown
	Sections []Heading // in the order of the text
	More     int       // further sections
}

// Heading is the heading of a section, and where it begins in code points.
type Heading struct {
	Text  string
	Start int
}

// Limits of unreadParts, all chosen.
const (
	maxUnreadParts    = 5
	maxUnreadSections = 5
	maxReadableChars  = 60_000 // a longer text is a work of reference: no answer needs most of it
	leastSectionChars = 400    // a shorter section is not worth a call
	leastUnread       = 0.3    // of a source's text
	maxHeadingChars   = 90
)

// unreadParts returns the sources on which most of a draft rests and of which its writer has not seen a good part, each with the
// unseen sections that have most words of the topics.
func (c *Checker) unreadParts(topics []string, a Answer) []UnreadPart {
	uses := map[string]int{}
	for _, u := range a.Used {
		uses[u.SourceID]++
	}
	wanted := c.wantedTerms(topics)
	var out []UnreadPart
	for _, d := range c.docs {
		if uses[d.ID] == 0 {
			continue
		}
		chars := utf8.RuneCountInString(d.Text)
		part := UnreadPart{SourceID: d.ID, Share: 1 - float64(a.Shown(Evidence{SourceID: d.ID, End: chars}))/float64(max(1, chars))}
		if part.Share < leastUnread || chars > maxReadableChars {
			continue
		}
		type ranked struct {
			Heading
			score float64
		}
		var sections []ranked
		for _, s := range d.sections() {
			if s.heading == "" || s.end-s.start < leastSectionChars || a.Shown(Evidence{SourceID: d.ID, Start: s.start, End: s.end}) > 0 {
				continue
			}
			score := 0.0
			for id := range c.termsOf(s.text) {
				score += wanted[id]
			}
			sections = append(sections, ranked{Heading{s.heading, s.start}, score})
		}
		if len(sections) == 0 {
			continue
		}
		slices.SortStableFunc(sections, func(a, b ranked) int { return cmp.Compare(b.score, a.score) })
		part.More = max(0, len(sections)-maxUnreadSections)
		for _, s := range sections[:len(sections)-part.More] {
			part.Sections = append(part.Sections, s.Heading)
		}
		slices.SortFunc(part.Sections, func(a, b Heading) int { return cmp.Compare(a.Start, b.Start) })
		out = append(out, part)
	}
	slices.SortStableFunc(out, func(a, b UnreadPart) int { return cmp.Compare(uses[b.SourceID], uses[a.SourceID]) })
	return out[:min(len(out), maxUnreadParts)]
}

// wantedTerms are the terms of topics by their rarity.
func (c *Checker) wantedTerms(topics []string) map[int32]float64 {
	out := map[int32]float64{}
	holders := c.holders()
	for _, topic := range topics {
		words, _, _ := aboutOf(topic)
		words, _ = withoutForms(words)
		for _, term := range passages.Terms(strings.Join(words, " ")) {
			if id, ok := c.vocabulary.ids[term]; ok {
				out[id] = rarityOf(len(holders[id]), len(c.docs))
			}
		}
	}
	return out
}

// section is a part of a text from a heading to the next one. Offsets count code points.
type section struct {
	heading, text string
	start, end    int
}

// sections cuts a text at its headings.
func (d *document) sections() []section {
	var out []section
	at := 0
	for paragraph := range strings.SplitSeq(d.Text, "\n\n") {
		end := at + utf8.RuneCountInString(paragraph)
		if heading := isHeading(paragraph); heading || len(out) == 0 {
			out = append(out, section{start: at})
			if heading {
				out[len(out)-1].heading = strings.TrimLeft(paragraph, "# ")
			}
		}
		last := &out[len(out)-1]
		last.text, last.end = last.text+"\n\n"+paragraph, end
		at = end + len("\n\n")
	}
	return out
}

// isHeading reports whether a paragraph is a heading: one short line of at least two words, which does not end like a
// sentence and is no code.
func isHeading(line string) bool {
	if utf8.RuneCountInString(line) > maxHeadingChars || strings.ContainsAny(line, "\n|<>{}=$\\;/") {
		return false
	}
	title := strings.TrimLeft(line, "#0123456789. ")
	first, _ := utf8.DecodeRuneInString(title)
	last, _ := utf8.DecodeLastRuneInString(line)
	return (unicode.IsUpper(first) || unicode.Is(unicode.Lo, first)) && !strings.ContainsRune(".!?:,)。！？：，）", last) && (strings.Contains(title, " ") || cjkLetter(first))
}
