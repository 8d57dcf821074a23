package loops

import (
	"context"
	"slices"

	"github.com/citeloop/citeloop/internal/duplicate"
	"github.com/citeloop/citeloop/loopstate"
)

// maxShingled bounds the texts whose shingles are in memory, up to 64 kB each.
const maxShingled = 400

// nearSources sets SameAs of the sources whose text repeats that of another one, of the loop or of the same call: five copies of a press
// release are one origin. texts are the texts of the new sources.
func (s *Service) nearSources(ctx context.Context, st *loopstate.State, sources []loopstate.Source, texts []string) error {
	for i := range sources {
		sources[i].SameAs = ""
		if _, known := st.SourceByKey(sources[i].Key); known {
			continue
		}
		shingles := s.shingles(sources[i], texts[i])
		for _, other := range slices.Concat(st.Sources, sources[:i]) {
			theirs, ok := s.shingled.Get(other.SHA256)
			if !ok {
				text, err := s.text(ctx, other)
				if err != nil {
					return err
				}
				theirs = s.shingles(other, text)
			}
			if duplicate.Alike(theirs, shingles, loopstate.NearCopy) {
				sources[i].SameAs = other.Key
				break
			}
		}
	}
	return nil
}

func (s *Service) shingles(src loopstate.Source, text string) []uint64 {
	kept, ok := s.shingled.Get(src.SHA256)
	if !ok {
		kept = duplicate.Shingles(src.Furniture.Mask(text))
		s.shingled.Add(src.SHA256, kept)
	}
	return kept
}
