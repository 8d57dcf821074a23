package loopstate

import "iter"

// What a loop keeps is counted in bytes as they are before a store packs them: the data of its events, and each text
// and each body that they name, once a loop. A text that several loops read counts in each of them, so that what a
// loop counts does not depend on the others, and all of it is free again when the loop is deleted. Snapshots do not
// count: a store may drop them at any time.

// storedBy is what an event adds to what its loop keeps, in bytes. p is its payload.
func storedBy(e Event, p any) int64 {
	stored := int64(len(e.Data))
	switch p := p.(type) {
	case *Read:
		stored += max(p.TextBytes, 0)
	case *Closed:
		stored += max(p.SynthesisBytes, 0)
	}
	return stored
}

// Stored counts what a log keeps, as [Apply] does, without folding it; seq is its last event. A store counts with it
// what was written before heads said so. It takes what cannot be read as a payload for what it is, bytes.
func Stored(events iter.Seq2[Event, error]) (bytes, seq int64, err error) {
	for e, err := range events {
		if err != nil {
			return bytes, seq, err
		}
		p, err := Decode(e)
		if err != nil {
			p = nil
		}
		bytes, seq = bytes+storedBy(e, p), e.Seq
	}
	return bytes, seq, nil
}

// newTexts is how many bytes of texts and bodies sources bring that the loop does not keep yet.
func (s *State) newTexts(sources []Source) int64 {
	counted := map[string]bool{}
	var bytes int64
	add := func(hash string, n int) {
		if !counted[hash] && !s.keeps(hash) {
			bytes += int64(n)
		}
		counted[hash] = true
	}
	for _, src := range sources {
		add(src.SHA256, src.TextBytes)
		if src.Capture != nil && src.Capture.Kept {
			add(src.Capture.SHA256, src.Capture.Bytes)
		}
	}
	return bytes
}

// keeps reports whether a text or a body is one that the loop has.
func (s *State) keeps(hash string) bool {
	if _, ok := s.index.hashes[hash]; ok {
		return true
	}
	for i := range s.Sources {
		if c := s.Sources[i].Capture; c != nil && c.Kept && c.SHA256 == hash {
			return true
		}
	}
	return false
}

// textsBefore is what the texts of a log from before their bytes were counted take at least: a byte a character.
func textsBefore(sources []Source) int64 {
	var bytes int64
	for _, src := range sources {
		bytes += int64(src.Chars)
		if src.Capture != nil && src.Capture.Kept {
			bytes += int64(src.Capture.Bytes)
		}
	}
	return bytes
}
