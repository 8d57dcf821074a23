package loops

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/citeloop/citeloop/internal/duplicate"
	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	// maxPreparedBytes bounds the prepared texts in memory, and maxIndexBytes the search indexes of loops.
	maxPreparedBytes = 24 << 20
	maxIndexBytes    = 24 << 20
	// bytesPerChar is the memory of an index for each character of its texts, and bytesPerIndex that of an index without
	// any. Measured as the heap after indexing 3 kB and 30 kB texts.
	bytesPerChar, bytesPerIndex = 16, 8 << 10
	// maxIndexedChars is the maximum size of a loop that is indexed as a whole, about 600 texts of 30 kB. Of larger loops,
	// only the wanted sources are.
	maxIndexedChars = 20_000_000
)

// prepared returns the sources by their ids, with the texts of the wanted ones.
func (s *Service) prepared(ctx context.Context, sources []loopstate.Source, wanted map[string]bool) (map[string]verify.Source, error) {
	out := make(map[string]verify.Source, len(sources))
	for _, src := range sources {
		p := verify.Source{Source: src}
		if wanted[src.ID] {
			var err error
			if p.Text, err = s.text(ctx, src); err != nil {
				return nil, err
			}
		}
		out[src.ID] = p
	}
	return out, nil
}

// text returns the stored text of a source, prepared once for all loops that have it.
func (s *Service) text(ctx context.Context, src loopstate.Source) (*verify.Text, error) {
	if text, ok := s.texts.Get(src.SHA256); ok {
		return text, nil
	}
	text, err := s.storedText(ctx, "text of source "+src.ID, src.SHA256)
	if err != nil {
		return nil, err
	}
	return s.texts.Keep(src.SHA256, verify.NewPage(text, src.Furniture), verify.BytesPerByte*len(text)), nil
}

// loopIndex is the search index of a loop's texts.
type loopIndex struct {
	mu    sync.Mutex        // protects texts; only one call adds sources
	texts map[string]string // id of an indexed source -> hash of its text
	chars int
	index *passage.Index
}

// index returns an index of the loop's texts, or of the wanted ones if all are too large.
func (s *Service) index(ctx context.Context, loop string, sources []loopstate.Source, wanted map[string]bool) (*passage.Index, error) {
	chars := 0
	for _, src := range sources {
		chars += src.Chars
	}
	if chars > maxIndexedChars {
		few := &loopIndex{texts: map[string]string{}, index: passage.NewIndex()}
		return few.index, few.add(ctx, s, sources, wanted)
	}
	ix, ok := s.indexes.Get(loop)
	if !ok {
		ix = s.indexes.Keep(loop, &loopIndex{texts: map[string]string{}, index: passage.NewIndex()}, bytesPerIndex)
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	err := ix.add(ctx, s, sources, nil)
	s.indexes.Keep(loop, ix, bytesPerIndex+bytesPerChar*ix.chars)
	return ix.index, err
}

// add indexes the sources that the index does not have. wanted nil means all.
func (ix *loopIndex) add(ctx context.Context, s *Service, sources []loopstate.Source, wanted map[string]bool) error {
	for _, src := range sources {
		if ix.texts[src.ID] == src.SHA256 || wanted != nil && !wanted[src.ID] {
			continue
		}
		text, err := s.text(ctx, src)
		if err != nil {
			return err
		}
		ix.index.Add(src.ID, passage.Split(src.Furniture.Mask(text.String()), findChars))
		ix.texts[src.ID], ix.chars = src.SHA256, ix.chars+src.Chars
	}
	return nil
}

// findChars is the size of the passages that a search answers with, in code points: a paragraph (chosen).
const findChars = 600

// storedText returns a stored text by its hash, or "" for no hash. name names it in errors.
func (s *Service) storedText(ctx context.Context, name, hash string) (string, error) {
	if hash == "" {
		return "", nil
	}
	h, err := loopstate.ParseHash(hash)
	var text []byte
	if err == nil {
		text, err = s.Store.Blob(ctx, h)
	}
	if err != nil {
		return "", fmt.Errorf("loops: %s: %w", name, err)
	}
	return string(text), nil
}

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
				theirs = s.shingles(other, text.String())
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
