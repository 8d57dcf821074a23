package loopstate

import (
	"maps"
	"slices"
	"sort"
	"time"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/text/query"
)

// State is the fold of a loop's events. Only [Apply] changes it. Lists are in the order of the log.
type State struct {
	Loop, Owner string
	Seq         int64 // the number of the last event
	StartedAt   time.Time
	UpdatedAt   time.Time
	Stored      int64 // see [Head.Stored]

	Query      string // the question; empty until the first query, if the host gave none
	Rubrics    []string
	Dimensions []Dimension
	Entity     *Entity
	Complexity string
	Budget     Budget
	AsOf       string  // YYYY-MM-DD
	Complete   float64 // the coverage at which the question counts as answered

	Round           int // number of closed rounds; the open one is Round+1
	Rounds          []Round
	Open            OpenRound
	SignOffs        int // consecutive
	Usage           Usage
	ConfirmedRounds int
	Escalated       bool   // five rounds instead of three
	Abort           string // why the user aborted
	Import          *Import

	Gaps           []Gap
	Evidence       []Evidence
	Sources        []Source
	Claims         []Claim
	Contradictions []Contradiction
	Draft          *Draft   // the loop's text
	Questions      []string // every query, once each
	Searches       []Search
	LookedFor      int // number of different queries that some channel could search for
	Visited        []string
	Bad            []BadURL

	Candidates []ReviewCandidate
	Reviews    []Review
	Readings   map[string]Reading // by review key

	Failures      []string
	FailuresRound int // the round they were reported in
	Coverage      *Coverage
	Synthesis     string // hash of the last one
	SynthesisLen  int
	Verification  *Verification // the last one
	LastGaps      string        // ids of the material gaps at the end of the last round
	SameGaps      int           // consecutive rounds that did not change them

	Ops map[string]int64 // operation id -> the event it appended

	index index
}

// index finds parts of the state in constant time. It is derived from the state and updated by Apply.
type index struct {
	evidence     map[string]int // canonical key, with and without the DOI -> position
	evidenceID   map[string]int
	unread       []int          // positions of evidence that is neither read nor bad, ascending
	hits         []query.Hit    // of each evidence
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
	gapID        map[string]int
	claims       map[string]int // claimKey -> position
	claimID      map[string]int
}

// newState returns the state of a loop before its first event.
func newState(loop string) *State {
	return &State{Loop: loop, Ops: map[string]int64{}, index: index{
		evidence: map[string]int{}, evidenceID: map[string]int{},
		sources: map[string]int{}, recorded: map[string]int{}, sourceID: map[string]int{}, hashes: map[string]string{},
		atCheck: map[string]bool{},
		visited: map[string]bool{}, bad: map[string]bool{}, question: map[string]bool{}, looked: map[string]bool{},
		searched: map[string]int{},
		gaps:     map[string]int{}, gapQuery: map[string]int{}, gapID: map[string]int{}, claims: map[string]int{},
		claimID: map[string]int{},
	}}
}

func (s *State) reindexGaps() {
	ix := &s.index
	ix.gaps, ix.gapQuery, ix.gapID = map[string]int{}, map[string]int{}, map[string]int{}
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

func (ix *index) addEvidence(e Evidence, position int) {
	ix.evidenceID[e.ID] = position
	ix.hits = append(ix.hits, query.HitOf(e.Title, e.Snippet))
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
	for _, words := range append([]string{g.Gap, g.Query, s.queryFor(g)}, g.Questions...) {
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

// SourceOf returns the source of a hit, by its address, its DOI or another id.
func (s *State) SourceOf(e Evidence) (Source, bool) {
	src, ok := s.SourceByAddress(e.URL, e.DOI)
	for i := 0; !ok && i < len(e.IDs); i++ {
		src, ok = s.SourceByKey(e.IDs[i])
	}
	return src, ok
}

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

// CurrentClaims returns the claims that the host has not retracted.
func (s *State) CurrentClaims() []Claim {
	return keep(s.Claims, func(c Claim) bool { return c.Retracted == 0 })
}

// subject returns the subject of the loop in words for a query.
func (s *State) subject() string {
	if s.Query == "" && s.Entity != nil {
		return s.Entity.Name
	}
	return s.Query
}

// running returns the checks of a step, with an error if the loop was aborted.
func (s *State) running() (c checks) {
	if s.Abort != "" {
		c.fail(&Error{Code: CodeAborted, Subject: "loop", Value: s.Abort})
	}
	return c
}
