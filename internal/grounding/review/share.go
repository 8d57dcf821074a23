package review

import "strconv"

// Sharing tells which passages a reader got with an earlier item, so that a reader gets each passage once.
type Sharing map[Passage]Given

// Given is the id of a passage, and the item with which the reader got it; without an item the passage has only a number.
type Given struct{ ID, Item string }

// Number gives a passage its id before any reader gets it, so that the id is the same in all answers of a batch.
func (s Sharing) Number(p Passage) {
	if _, ok := s[p.place()]; !ok {
		s[p.place()] = Given{ID: "P" + strconv.Itoa(len(s)+1)}
	}
}

// Give returns the id of a passage among all that were given, and its text; for a passage that an earlier item has,
// repeated is true and text names that item.
func (s Sharing) Give(item string, p Passage) (id, text string, repeated bool) {
	s.Number(p)
	g := s[p.place()]
	if g.Item != "" {
		return g.ID, "as in " + g.Item, true
	}
	s[p.place()] = Given{g.ID, item}
	return g.ID, p.Text, false
}
