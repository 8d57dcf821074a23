package review

import "strconv"

// Sharing tells which passages a reader got with an earlier item, so that a reader gets each passage once.
type Sharing map[Passage]given

type given struct{ id, item string }

// Give returns the id of a passage among all that were given, and its text; for a passage that an earlier item has,
// repeated is true and text names that item.
func (s Sharing) Give(item string, p Passage) (id, text string, repeated bool) {
	if g, ok := s[p.place()]; ok {
		return g.id, "as in " + g.item, true
	}
	g := given{"P" + strconv.Itoa(len(s)+1), item}
	s[p.place()] = g
	return g.id, p.Text, false
}
