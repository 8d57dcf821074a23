package loopstate

// Origins counts the independent origins among the sources.
func (s *State) Origins() int {
	all := map[string]bool{}
	for _, origin := range s.originsByID() {
		all[origin] = true
	}
	return len(all)
}

// OriginOf returns a function from the id of a source to its origin, the same for sources that are one. It is the only rule
// for that, and follows the threshold of near copies under which the sources were recorded.
func (s *State) OriginOf() func(id string) string {
	byID := s.originsByID()
	return func(id string) string { return byID[id] }
}

// OriginsOf maps sources outside a loop to their origins, by the same rule.
func OriginsOf(sources []Source) map[string]string { return (&State{Sources: sources}).originsByID() }

// originsByID maps each source to its origin: the id of the first source of that origin.
func (s *State) originsByID() map[string]string {
	byID, byName := make(map[string]string, len(s.Sources)), map[string]string{}
	for i, src := range s.Sources {
		origin, copied := byID[src.DuplicateOf]
		names := s.index.publication(src, i)
		for i := 0; !copied && i < len(names); i++ {
			origin, copied = byName[names[i]]
		}
		if !copied {
			origin = src.ID
		}
		byID[src.ID] = origin
		for _, name := range names {
			if _, ok := byName[name]; !ok {
				byName[name] = origin
			}
		}
	}
	return byID
}

// publication returns the names of the source at a position: those of the index, if it has them.
func (ix *index) publication(src Source, position int) []string {
	if position < len(ix.publications) {
		return ix.publications[position]
	}
	return src.Publication()
}

// OneSourceClaims returns the claims that rest on one weak source: one origin that is press, practitioner or of unknown
// type. It leaves out claims that no cited text supports.
func (s *State) OneSourceClaims() (weak []Claim) {
	origins := s.originsByID()
	for _, c := range s.CurrentClaims() {
		if c.Check != nil && c.Check.Status == Unsupported {
			continue
		}
		if src, one := s.oneOrigin(c, origins); one && src.SourceType != "peer" && src.SourceType != "primary" {
			weak = append(weak, c)
		}
	}
	return weak
}

// oneOrigin returns the first source of a claim whose sources are all of one origin.
func (s *State) oneOrigin(c Claim, origins map[string]string) (Source, bool) {
	for _, id := range c.SourceIDs {
		if _, ok := s.SourceByID(id); !ok || origins[id] != origins[c.SourceIDs[0]] {
			return Source{}, false
		}
	}
	if len(c.SourceIDs) == 0 {
		return Source{}, false
	}
	return s.SourceByID(c.SourceIDs[0])
}
