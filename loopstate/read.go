package loopstate

import (
	"fmt"
	"slices"
)

// Read is the step that records what was read: it assigns ids to new sources. It omits a source whose key the loop already
// has; the caller finds that one with [State.SourceByAddress].
func (s *State) Read(sources []Source, bad []BadURL) (Read, error) {
	var p Read
	if c := s.running(); c.err != nil {
		return p, c.err
	}
	for _, src := range sources {
		p.Visited = append(p.Visited, src.URL)
		sameKey := func(other Source) bool { return other.Key == src.Key }
		if _, ok := s.SourceByKey(src.Key); ok || slices.ContainsFunc(p.Sources, sameKey) {
			continue
		}
		repeats := func(other Source) bool {
			return other.SHA256 == src.SHA256 || src.SameAs != "" && other.Key == src.SameAs
		}
		if same, ok := first(s.Sources, repeats); ok {
			src.DuplicateOf = same.Origin()
		} else if same, ok := first(p.Sources, repeats); ok {
			src.DuplicateOf = same.Origin()
		}
		if src.ID, src.Round = fmt.Sprintf("S%d", len(s.Sources)+len(p.Sources)+1), s.Round+1; src.SourceType == "" {
			src.SourceType = s.typeFound(src)
		}
		if src.Authors == nil {
			src.Authors = []string{}
		}
		p.Sources = append(p.Sources, src)
	}
	for _, b := range bad {
		p.Visited = append(p.Visited, b.URL)
		if !s.IsBad(b.URL) {
			p.Bad = append(p.Bad, b)
		}
	}
	return p, nil
}

// typeFound returns the source type of the hit with this source's address, for a page that does not state its own.
func (s *State) typeFound(src Source) string {
	for _, key := range src.keys() {
		if e, ok := at(s.Evidence, s.index.evidence, key); ok && e.SourceType != "" {
			return e.SourceType
		}
	}
	return ""
}
