package loopstate

import "slices"

// origins maps sources to their independent origins: near copies of a text are one, and so are two pages of one site or one
// publisher. An article with an identifier (a DOI, an arXiv id, a PubMed id) is an origin of its own: the repository that hosts it
// did not write it. It is the only rule for that, and follows the threshold of near copies under which the sources were recorded.
type origins struct {
	byID   map[string]string // the id of the first source of the same origin
	byName map[string]string // of a site or publisher
	n      int
}

func newOrigins() origins { return origins{byID: map[string]string{}, byName: map[string]string{}} }

func (o *origins) add(src Source) {
	names := src.Publication()
	origin, known := o.byID[src.DuplicateOf]
	for i := 0; !known && i < len(names); i++ {
		origin, known = o.byName[names[i]]
	}
	if !known {
		origin = src.ID
		o.n++
	}
	o.byID[src.ID] = origin
	for _, name := range names {
		keepFirst(o.byName, name, origin)
	}
}

// Origins counts the independent origins among the sources.
func (s *State) Origins() int { return s.index.origins.n }

// OriginOf returns a function from the id of a source to its origin, the same for sources that are one.
func (s *State) OriginOf() func(id string) string {
	byID := OriginsOf(s.Sources)
	return func(id string) string { return byID[id] }
}

// OriginsOf maps sources to their origins.
func OriginsOf(sources []Source) map[string]string {
	all := newOrigins()
	for _, src := range sources {
		all.add(src)
	}
	return all.byID
}

// OneSourceClaims returns the claims that rest on one weak source: one origin that is press, practitioner or of unknown
// type. It leaves out claims that no cited text supports.
func (s *State) OneSourceClaims() []Claim {
	origins := s.index.origins.byID
	return keep(s.CurrentClaims(), func(c Claim) bool {
		if len(c.SourceIDs) == 0 || c.Check != nil && c.Check.Status == Unsupported {
			return false
		}
		src, ok := s.SourceByID(c.SourceIDs[0])
		return ok && src.SourceType != "peer" && src.SourceType != "primary" &&
			!slices.ContainsFunc(c.SourceIDs, func(id string) bool { return origins[id] != origins[src.ID] })
	})
}
