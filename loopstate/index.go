package loopstate

import (
	"maps"
	"slices"
	"sort"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/text/query"
)

// index finds parts of the state in constant time. It is derived from the state, not stored, and updated by Apply.
type index struct {
	evidence     map[string]int // canonical key, with and without the DOI -> position
	evidenceID   map[string]int
	unread       []int          // positions of evidence that is neither read nor bad, ascending
	sources      map[string]int // key that a source proves: its own, and those of its addresses -> position
	recorded     map[string]int // canonical key as recorded -> position of the first source with it
	sourceID     map[string]int
	publications [][]string        // of each source
	hashes       map[string]string // sha256 of a text -> the first source that has it
	atCheck      map[string]bool   // keys of sources that only a check has read: their hits are still to be read
	visited      map[string]bool
	bad          map[string]bool
	question     map[string]bool
	looked       map[string]bool // folded queries that some channel could search for
	searched     map[string]int  // folded query -> the last round that searched for it
	gaps         map[string]int  // folded text -> position
	gapQuery     map[string]int  // folded text, query or question, dated or not -> position
	debts        map[string]int  // key of the debt -> position
	gapID        map[string]int
	claims       map[string]int // claimKey -> position
	claimID      map[string]int
}

func (s *State) reindex() {
	s.index = index{
		evidence: make(map[string]int, 2*len(s.Evidence)), evidenceID: make(map[string]int, len(s.Evidence)),
		sources: make(map[string]int, 2*len(s.Sources)), recorded: make(map[string]int, len(s.Sources)), sourceID: make(map[string]int, len(s.Sources)), hashes: make(map[string]string, len(s.Sources)), atCheck: map[string]bool{},
		visited: make(map[string]bool, len(s.Visited)), bad: make(map[string]bool, len(s.Bad)), question: make(map[string]bool, len(s.Questions)), searched: make(map[string]int, len(s.Searches)), looked: make(map[string]bool, len(s.Searches)),
		claims: make(map[string]int, len(s.Claims)), claimID: make(map[string]int, len(s.Claims)),
	}
	for i, src := range s.Sources {
		s.index.addSource(src, i)
	}
	for _, u := range s.Visited {
		s.index.visited[docid.CanonicalKey(u, "")] = true
	}
	for _, b := range s.Bad {
		if !b.AtCheck {
			s.index.bad[docid.CanonicalKey(b.URL, "")] = true
		}
	}
	for i, e := range s.Evidence {
		s.index.addEvidence(e, i)
	}
	for _, q := range s.Questions {
		s.index.question[foldText(q)] = true
	}
	for _, search := range s.Searches {
		s.index.searched[foldText(search.Query)] = search.Round
		if search.Looked() {
			s.index.looked[foldText(search.Query)] = true
		}
	}
	s.reindexGaps()
	for i, c := range s.Claims {
		s.index.addClaim(c, i)
	}
	if s.Ops == nil {
		s.Ops = map[string]int64{}
	}
}

func (s *State) reindexGaps() {
	ix := &s.index
	ix.gaps, ix.gapQuery, ix.debts, ix.gapID = make(map[string]int, len(s.Gaps)), make(map[string]int, 2*len(s.Gaps)), map[string]int{}, make(map[string]int, len(s.Gaps))
	for i, g := range s.Gaps {
		ix.addGap(s, g, i)
	}
}

func (ix *index) addSource(src Source, position int) {
	for _, key := range src.keys() {
		if _, ok := ix.sources[key]; !ok {
			ix.sources[key] = position
		}
	}
	if _, ok := ix.recorded[src.Key]; !ok {
		ix.recorded[src.Key] = position
	}
	ix.noteRead(src)
	ix.sourceID[src.ID] = position
	ix.publications = append(ix.publications, src.Publication())
	if _, ok := ix.hashes[src.SHA256]; !ok {
		ix.hashes[src.SHA256] = src.ID
	}
}

// noteRead removes the hits of a source from the unread ones, unless only a check has read it.
func (ix *index) noteRead(src Source) {
	for _, key := range append(src.keys(), src.Key) {
		if src.AtCheck {
			ix.atCheck[key] = true
			continue
		}
		delete(ix.atCheck, key)
		ix.markRead(key)
	}
}

// evidenceKeys returns all keys of a hit: with its DOI, of its address alone, its typed ids, and the key of the hit that it
// repeats.
func evidenceKeys(e Evidence) []string {
	keys := []string{e.Key()}
	if e.DOI != "" {
		keys = append(keys, docid.CanonicalKey(e.URL, ""))
	}
	if e.SameAs != "" {
		keys = append(keys, e.SameAs)
	}
	return append(keys, e.IDs...)
}

func (ix *index) addEvidence(e Evidence, position int) {
	ix.evidenceID[e.ID] = position
	read := false
	for _, key := range evidenceKeys(e) {
		if _, ok := ix.evidence[key]; !ok {
			ix.evidence[key] = position
		}
		_, isSource := ix.sources[key]
		_, recorded := ix.recorded[key]
		read = read || (isSource || recorded) && !ix.atCheck[key] || ix.visited[key] || ix.bad[key]
	}
	if !read {
		ix.unread = append(ix.unread, position)
	}
}

// markRead removes the hit with this key from the unread hits.
func (ix *index) markRead(key string) {
	position, ok := ix.evidence[key]
	if !ok {
		return
	}
	if i := sort.SearchInts(ix.unread, position); i < len(ix.unread) && ix.unread[i] == position {
		ix.unread = slices.Delete(ix.unread, i, i+1)
	}
}

func (ix *index) addGap(s *State, g Gap, position int) {
	ix.gaps[foldText(g.Gap)] = position
	ix.gapID[g.ID] = position
	if g.Debt != "" {
		ix.debts[g.Debt] = position
	}
	for _, words := range append([]string{g.Gap, g.Query, s.queryFor(g)}, g.Questions...) {
		if g.Debt != "" && foldText(words) == foldText(s.Query) { // a search for the question is not for the debt
			continue
		}
		for _, asked := range []string{words, query.Dated(words, s.AsOf)} {
			if _, ok := ix.gapQuery[foldText(asked)]; !ok {
				ix.gapQuery[foldText(asked)] = position
			}
		}
	}
}

func (ix *index) addClaim(c Claim, position int) {
	if c.Retracted == 0 {
		ix.claims[claimKey(c.Claim, c.SourceIDs)] = position
	}
	ix.claimID[c.ID] = position
}

// at returns the item at the position of a key.
func at[T any](items []T, positions map[string]int, key string) (item T, ok bool) {
	i, ok := positions[key]
	if ok {
		item = items[i]
	}
	return item, ok
}

// SourceByID returns the source with an id.
func (s *State) SourceByID(id string) (Source, bool) { return at(s.Sources, s.index.sourceID, id) }

// SourceKeys maps the canonical keys of the sources' addresses to their positions in Sources. The map is a copy.
func (s *State) SourceKeys() map[string]int { return maps.Clone(s.index.sources) }

// SourceByAddress returns the source with the canonical key of an address or a DOI.
func (s *State) SourceByAddress(rawURL, doi string) (Source, bool) {
	return s.SourceByKey(docid.CanonicalKey(rawURL, doi))
}

// SourceByKey returns the source with this canonical key.
func (s *State) SourceByKey(key string) (Source, bool) { return at(s.Sources, s.index.sources, key) }

// SeenEvidence returns the evidence id under which the loop already has a hit.
func (s *State) SeenEvidence(e Evidence) (id string, seen bool) {
	for _, key := range evidenceKeys(e) {
		if i, ok := s.index.evidence[key]; ok {
			return s.Evidence[i].ID, true
		}
	}
	return "", false
}

// IsBad reports whether an address was recorded as one without a source.
func (s *State) IsBad(rawURL string) bool { return s.index.bad[docid.CanonicalKey(rawURL, "")] }

// GapByID returns the gap with an id.
func (s *State) GapByID(id string) (Gap, bool) { return at(s.Gaps, s.index.gapID, id) }
