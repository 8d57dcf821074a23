package loopstate

import (
	"fmt"
	"slices"
)

// Read is the step that records what was read: it assigns ids to new sources. It omits a source whose key the loop already
// has; the caller finds that one with [State.SourceByAddress]. asked are sources that the host asked for again.
func (s *State) Read(sources []Source, bad []BadURL, asked ...Source) (Read, error) {
	var p Read
	for _, src := range asked {
		if src.AtCheck {
			p.Shown = append(p.Shown, ShownText{src.ID})
		}
	}
	if c := s.running(); c.err != nil {
		return p, c.err
	}
	firstWith := map[string]string{} // sha256 -> id of the first new source with it
	ids := map[string]string{}       // canonical key -> id of the new source
	for _, src := range sources {
		if !src.AtCheck {
			p.Visited = append(p.Visited, src.URL)
		}
		if _, ok := s.index.sources[src.Key]; ok || ids[src.Key] != "" {
			continue
		}
		src.ID = fmt.Sprintf("S%d", len(s.Sources)+len(p.Sources)+1)
		src.Round = s.Round + 1
		ids[src.Key] = src.ID
		if src.SourceType == "" {
			src.SourceType = s.typeFound(src)
		}
		if id, ok := s.index.hashes[src.SHA256]; ok {
			src.DuplicateOf = s.originOf(id)
		} else if id, ok := firstWith[src.SHA256]; ok {
			src.DuplicateOf = originIn(p.Sources, id)
		} else if same, ok := at(s.Sources, s.index.recorded, src.SameAs); ok {
			src.DuplicateOf = same.Origin()
		} else if id, ok := ids[src.SameAs]; ok {
			src.DuplicateOf = originIn(p.Sources, id)
		} else {
			firstWith[src.SHA256] = src.ID
		}
		if src.Authors == nil {
			src.Authors = []string{}
		}
		src.Flags = append(slices.Clip(src.Flags), sameIdentifier(src, s.Sources, p.Sources)...)
		p.Sources = append(p.Sources, src)
	}
	for _, b := range bad {
		if !b.AtCheck {
			p.Visited = append(p.Visited, b.URL)
		}
		if !s.IsBad(b.URL) {
			p.Bad = append(p.Bad, b)
		}
	}
	for _, src := range p.Sources {
		p.TextBytes += int64(src.TextBytes)
		if c := src.Capture; c != nil && c.Kept && c.SHA256 != src.SHA256 {
			p.TextBytes += int64(c.Bytes)
		}
	}
	return p, nil
}

// typeFound returns the source type of the hit with this source's address, for a page that does not state its own.
func (s *State) typeFound(src Source) string {
	for _, key := range src.keys() {
		if i, ok := s.index.evidence[key]; ok && s.Evidence[i].SourceType != "" {
			return s.Evidence[i].SourceType
		}
	}
	return ""
}

func (s *State) originOf(id string) string {
	src, _ := s.SourceByID(id)
	return src.Origin()
}

func originIn(sources []Source, id string) string {
	if src, ok := first(sources, func(src Source) bool { return src.ID == id }); ok {
		return src.Origin()
	}
	return id
}
