package loopstate

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/text/query"
)

// State is the fold of a loop's events. Only [Apply] changes it. Lists are in the order of the log.
type State struct {
	Started   // its Gaps are among those below
	Loop      string
	Seq       int64 // the number of the last event
	Bytes     int   // of the events that changed it
	StartedAt time.Time
	UpdatedAt time.Time

	Round           int // number of closed rounds; the open one is Round+1
	Rounds          []Round
	Open            Round // the open one, as far as it has come
	SignOffs        int   // consecutive
	Usage           Usage
	ConfirmedRounds int
	Escalated       bool      // five rounds instead of three
	Abort           string    // why the user aborted
	Import          *Imported // the last one

	Gaps           []Gap
	Evidence       []Evidence
	Sources        []Source
	Claims         []Claim
	Contradictions []Contradiction
	Draft          *Draft   // the loop's text
	Questions      []string // every query, once each
	Searches       []Search
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
	Verification  *Verified // the last one
	VerifiedRound int       // its round
	LastGaps      string    // ids of the material gaps at the end of the last round
	SameGaps      int       // consecutive rounds that did not change them

	Ops map[string]int64 // operation id -> the event it appended

	index index
}

// index finds parts of the state in constant time. It is derived from the state and updated by Apply.
type index struct {
	evidence map[string]int // canonical key, with and without the DOI -> position
	unread   []int          // positions of evidence that is neither read nor bad, ascending
	hits     []query.Hit    // of each evidence
	read     []wording      // of the first evidence, for [State.FindRepeats]
	sources  map[string]int // key that a source proves: its own, and those of its addresses -> position
	visited  map[string]bool
	bad      map[string]bool
	queries  map[string]int  // folded query -> the round of its last search
	looked   map[string]bool // folded queries that some channel could search for
	gaps     map[string]int  // folded text -> position
	gapQuery map[string]int  // folded text, query or question, dated or not -> position
	claims   map[string]int  // claimKey -> position
}

// newState returns the state of a loop before its first event.
func newState(loop string) *State {
	return &State{Loop: loop, Ops: map[string]int64{}, Readings: map[string]Reading{}, index: index{
		evidence: map[string]int{}, sources: map[string]int{}, visited: map[string]bool{}, bad: map[string]bool{},
		queries: map[string]int{}, looked: map[string]bool{}, gaps: map[string]int{}, gapQuery: map[string]int{}, claims: map[string]int{}}}
}

// indexGap finds a gap by its text, and by all queries that may be sent for it.
func (s *State) indexGap(g Gap, position int) {
	s.index.gaps[foldText(g.Gap)] = position
	for _, words := range append([]string{g.Gap, g.Query, s.queryFor(g)}, g.Questions...) {
		for _, sent := range []string{words, query.Dated(words, s.AsOf)} {
			keepFirst(s.index.gapQuery, foldText(sent), position)
		}
	}
}

func (s *State) indexEvidence(e Evidence, position int) {
	ix := &s.index
	ix.hits = append(ix.hits, query.HitOf(e.Title, e.Snippet))
	read := false
	for _, key := range evidenceKeys(e) {
		keepFirst(ix.evidence, key, position)
		_, isSource := ix.sources[key]
		read = read || isSource || ix.visited[key] || ix.bad[key]
	}
	if !read {
		ix.unread = append(ix.unread, position)
	}
}

// markRead removes the hit with this key from the unread hits.
func (ix *index) markRead(key string) {
	if position, ok := ix.evidence[key]; ok {
		if i, unread := slices.BinarySearch(ix.unread, position); unread {
			ix.unread = slices.Delete(ix.unread, i, i+1)
		}
	}
}

// keepFirst sets an entry, unless there is one.
func keepFirst[V any](m map[string]V, key string, value V) {
	if _, ok := m[key]; !ok {
		m[key] = value
	}
}

// at returns the item at the position of the first key that has one.
func at[T any](items []T, positions map[string]int, keys ...string) (item T, ok bool) {
	for _, key := range keys {
		if i, ok := positions[key]; ok {
			return items[i], true
		}
	}
	return item, false
}

// numbered returns the position of an id such as S12 in a list of n items, which are numbered in the order of the log.
func numbered(letter, id string, n int) (position int, ok bool) {
	number, err := strconv.Atoi(strings.TrimPrefix(id, letter))
	return number - 1, err == nil && 0 < number && number <= n && id == letter+strconv.Itoa(number)
}

// SourceByID returns the source with an id.
func (s *State) SourceByID(id string) (src Source, ok bool) {
	i, ok := numbered("S", id, len(s.Sources))
	if ok {
		src = s.Sources[i]
	}
	return src, ok
}

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
	return at(s.Sources, s.index.sources, evidenceKeys(e)...)
}

// Seen returns the evidence that the loop already has for a hit.
func (s *State) Seen(e Evidence) (Evidence, bool) {
	return at(s.Evidence, s.index.evidence, evidenceKeys(e)...)
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
