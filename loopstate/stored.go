package loopstate

// The size of a loop is counted in bytes before compression: the data of its events, and each text and each body that
// they name, once per loop. A text that several loops read counts in each of them, so that the size of a loop does not
// depend on others, and deleting the loop frees all of it. Snapshots do not count: a store may drop them at any time.

// storedBy returns how many bytes an event with payload p adds to its loop.
func storedBy(e Event, p any) int64 {
	stored := int64(len(e.Data))
	switch p := p.(type) {
	case *Read:
		stored += max(p.TextBytes, 0)
	case *Closed:
		stored += max(p.SynthesisBytes, 0)
	case *Verified:
		stored += max(p.DraftBytes, 0)
	}
	return stored
}

// newTexts returns the size in bytes of the sources' texts and bodies that the loop does not have yet.
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

// keeps reports whether the loop has a text or a body with this hash.
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
