package grounding

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// readFor lays a claim over one text, as Check does.
func compareWith(claim, text string) *comparison {
	c := NewChecker([]Source{{ID: "S1", Text: text}})
	return c.compare(readClaim(claim, new(passages.Analyzer)), c.docs)
}

// long makes a text more than an excerpt, which may leave out what it is about.
func long(text string) string {
	return text + strings.Repeat(" The tide turned twice a day.", shortSentences)
}

func TestAbsentName(t *testing.T) {
	tests := []struct {
		name, claim, text, want string
	}{
		{"one word, nowhere", "The pier was drawn by Oltramare in spring.", "The pier was drawn in spring.", "Oltramare"},
		{"a family name alone is a trace", "The pier was drawn by Anna Oltramare.", "Oltramare drew the pier.", ""},
		{"another form", "The pier is the longest on the Norwegian coast.", "No pier in Norway is longer.", ""},
		{"a word that begins alike by chance", "The pier was drawn by Milkenburg in spring.", "The milk was cold at the pier.", "Milkenburg"},
		{"a word inside another is no trace", "The pier was drawn by Berneth.", "The pier burned in Hibernetha.", "Berneth"},
		{"possessive", "The pier was Keller's gift to the town.", "Keller gave the pier.", ""},
		{"initials with points", "The pier was drawn by B.J. Oltramare.", "The pier was drawn by B. J. Oltramare.", ""},
		{"initials of a body", "The pier is owned by the Ellisford Harbour Trust.", "The pier is owned by the EHT, a charity.", ""},
		{"initials inside another word", "The pier is owned by the Ellisford Oyster Guild.", "The pier is on the WEOGE road.", "Ellisford Oyster Guild"},
		{"an abbreviation spelt out", "The pier was tested by the EHT.", "The Ellisford Harbour Trust tested the pier.", ""},
		{"plural of an abbreviation", "The pier has two ATMs.", "Each ATM on the pier charges a fee.", ""},
		{"another word for the country", "Tourists from the Netherlands use the pier.", "Dutch tourists use the pier.", ""},
		{"common words of many names are no trace", "The pier was paid by Gravelund University.", "The university opened near the pier.", "Gravelund University"},
		{"common words alone name nothing", "The pier is near the Old Town.", "The pier is near the centre.", ""},
		{"joined by of", "He is a Knight of the Gravelund Order by rank.", "A knight of Gravelund by rank.", ""},
		{"a title in quotation marks", "She wrote \"Lights Out in the Nightingale Lane\" there.", "Nightingale Lane, her novel, was written there.", ""},
		{"a title that is nowhere", "She wrote \"Marzipan Empires of Gravelund\" there.", "She wrote her novel there.", "Empires of Gravelund"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, _ := compareWith(tt.claim, long(tt.text)).absentName()
			if got != tt.want {
				t.Errorf("absent is %q, want %q", got, tt.want)
			}
		})
	}
}

func TestAliases(t *testing.T) {
	for _, tt := range []struct {
		word string
		want int // others in its group, itself too
	}{{"dutch", 3}, {"u.s", 8}, {"gravelund", 0}, {"", 0}, {"united states", 8}} {
		if got := len(aliasesOf(tt.word)); got != tt.want {
			t.Errorf("aliasesOf(%q) has %d words, want %d", tt.word, got, tt.want)
		}
	}
}
