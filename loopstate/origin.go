package loopstate

import (
	"cmp"
	"slices"
)

// Origin returns the id of the source whose text this one repeats, or its own id: near copies of a text are one independent origin.
func (src Source) Origin() string {
	return cmp.Or(src.DuplicateOf, src.ID)
}

// Origins counts the independent origins among the sources.
func (s *State) Origins() int {
	return len(keep(s.Sources, func(src Source) bool { return src.DuplicateOf == "" }))
}

// OneSourceClaims returns the claims that rest on one weak source: one origin that is press, practitioner or of unknown
// type. It leaves out claims that no cited text supports.
func (s *State) OneSourceClaims() []Claim {
	return keep(s.CurrentClaims(), func(c Claim) bool {
		if len(c.SourceIDs) == 0 || c.Check != nil && c.Check.Status == Unsupported {
			return false
		}
		src, ok := s.SourceByID(c.SourceIDs[0])
		return ok && src.SourceType != "peer" && src.SourceType != "primary" && !slices.ContainsFunc(c.SourceIDs, func(id string) bool {
			other, _ := s.SourceByID(id)
			return other.Origin() != src.Origin()
		})
	})
}
