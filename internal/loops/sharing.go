package loops

import (
	"fmt"
	"strconv"

	"github.com/citeloop/citeloop/internal/verify/reader"
)

// Sharing tells which passages a reader got with an earlier item, so that a reader gets each passage once.
type Sharing map[string]Given

// Given is the id of a passage, and the item with which the reader got it; without an item the passage has only a number.
type Given struct{ ID, Item string }

// Number gives a passage its id before any reader gets it, so that the id is the same in all answers of a batch.
func (s Sharing) Number(p reader.Passage) {
	if _, ok := s[placeOf(p)]; !ok {
		s[placeOf(p)] = Given{ID: "P" + strconv.Itoa(len(s)+1)}
	}
}

// Give returns the id of a passage among all that were given, and its text; for a passage that an earlier item has,
// repeated is true and text names that item.
func (s Sharing) Give(item string, p reader.Passage) (id, text string, repeated bool) {
	s.Number(p)
	g := s[placeOf(p)]
	if g.Item != "" {
		return g.ID, "as in " + g.Item, true
	}
	s[placeOf(p)] = Given{g.ID, item}
	return g.ID, p.Text, false
}

// placeOf says where a passage is.
func placeOf(p reader.Passage) string { return fmt.Sprintf("%s:%d-%d", p.SourceID, p.Start, p.End) }
