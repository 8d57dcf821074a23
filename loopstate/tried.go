package loopstate

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/text/query"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Tried summarizes the searches for a gap. It distinguishes "nothing found" from "could not search".
type Tried struct {
	Queries  []string       `json:"queries"`  // the first maxTriedQueries, each once, in order
	Channels []string       `json:"channels"` // each once, in order
	Asked    int            `json:"asked"`    // number of queries to a channel
	Outcomes map[string]int `json:"outcomes"` // by status
}

// Looked reports whether any channel could search.
func (t Tried) Looked() bool {
	return slices.ContainsFunc(looked, func(status string) bool { return t.Outcomes[status] > 0 })
}

// String returns a line such as "searched 4 channels 7 times: 5 empty, 2 blocked".
func (t Tried) String() string {
	if t.Asked == 0 {
		return "not searched for yet"
	}
	statuses := make([]string, 0, len(t.Outcomes))
	for status := range t.Outcomes {
		statuses = append(statuses, status)
	}
	slices.SortFunc(statuses, func(a, b string) int {
		return cmp.Or(cmp.Compare(t.Outcomes[b], t.Outcomes[a]), cmp.Compare(a, b))
	})
	parts := make([]string, len(statuses))
	for i, status := range statuses {
		parts[i] = fmt.Sprintf("%d %s", t.Outcomes[status], status)
	}
	s := "searched " + plural(len(t.Channels), "1 channel", "%d channels") + " " + plural(t.Asked, "1 time", "%d times") + ": " + strings.Join(parts, ", ")
	if !t.Looked() {
		s += "; no channel could search, so sources may still exist"
	}
	return s
}

// maxTriedQueries bounds the queries of one gap; the search log has all.
const maxTriedQueries = 50

// Tried summarizes the search log by gap id. Gaps without a search are missing.
func (s *State) Tried() map[string]Tried {
	all := map[string]Tried{}
	for _, search := range s.Searches {
		if search.Gap == "" {
			continue
		}
		t, ok := all[search.Gap]
		if !ok {
			t.Outcomes = map[string]int{}
		}
		if search.Query != "" && len(t.Queries) < maxTriedQueries && !slices.Contains(t.Queries, search.Query) {
			t.Queries = append(t.Queries, search.Query)
		}
		for _, o := range search.Channels {
			if !slices.Contains(t.Channels, o.Channel) {
				t.Channels = append(t.Channels, o.Channel)
			}
			t.Asked++
			t.Outcomes[o.Status]++
		}
		all[search.Gap] = t
	}
	return all
}

// SourceTypesFor returns the source types that the gap of a search with this query needs.
func (s *State) SourceTypesFor(query string) []string {
	g, ok := s.GapByID(s.gapSearched(query))
	if !ok {
		return nil
	}
	return slices.Clone(g.SourceTypes)
}

// gapSearched returns the id of the gap that a search is for: the gap with this text or query, else the current target. It
// is "" if no material gap is open.
func (s *State) gapSearched(query string) string {
	if i, ok := s.index.gapQuery[foldText(query)]; ok && query != "" {
		return s.Gaps[i].ID
	}
	if g, ok := s.Target(); ok {
		return g.ID
	}
	return ""
}

// searchedThisRound reports whether the search log has this query in the open round. A host that then reports the same
// hits has not searched twice.
func (s *State) searchedThisRound(query string) bool {
	return s.index.searched[foldText(query)] == s.Round+1
}

// searchUnit identifies an independent search: an angle within a round, or a query without an angle.
func (s *State) searchUnit(angle, query string) string {
	angle = cmp.Or(angle, foldText(query))
	return fmt.Sprintf("%d %s", s.Round+1, angle)
}

// SeenBy reports whether a searcher of this angle has seen the hit: it was found in an earlier round, or in this one by the
// same angle. Searchers of one round do not see each other's hits. A searcher without an angle sees all hits.
func (s *State) SeenBy(e Evidence, angle string) bool {
	id, seen := s.SeenEvidence(e)
	if !seen || angle == "" {
		return seen
	}
	have := s.Evidence[s.index.evidenceID[id]]
	return have.Round <= s.Round || slices.Contains(have.FoundBy, s.searchUnit(angle, ""))
}

// localChannel is the channel of the user's own folders.
const localChannel = "local"

// LocalOnly reports whether only the user's own folders answered. The source types, dates and languages of such a corpus
// are given, and the host cannot change them.
func (s *State) LocalOnly() bool {
	answered := false
	for _, search := range s.Searches {
		for _, o := range search.Channels {
			if !slices.Contains(looked, o.Status) {
				continue
			}
			if o.Channel != localChannel {
				return false
			}
			answered = true
		}
	}
	return answered
}

// missingTypes returns the source types that no hit and no source has.
func (s *State) missingTypes() []string {
	found := map[string]bool{}
	for _, e := range s.Evidence {
		found[e.SourceType] = true
	}
	for _, src := range s.Sources {
		found[src.SourceType] = true
	}
	return slices.DeleteFunc(docid.SourceTypes(), func(t string) bool { return found[t] })
}

// swept returns from the search log which angles and languages were searched, and whether a search asked for or found
// sources of the last 18 months.
func (s *State) swept() (angles, languages map[string]bool, recent bool) {
	angles, languages = map[string]bool{}, map[string]bool{}
	since := RecentSince(s.AsOf)
	for _, search := range s.Searches {
		if !search.Looked() { // blocked searches do not count
			continue
		}
		angles[search.Angle] = true
		language := words.Script(search.Query)
		language = cmp.Or(language, "en") // a shared alphabet: differs from a language with its own script
		languages[language] = true
		if tag, _, _ := strings.Cut(strings.ToLower(search.Language), "-"); tag != "" {
			languages[tag] = true
		}
		recent = recent || search.Angle == "byTimeWindow" || (search.Since != "" && onOrAfter(search.Since, since))
	}
	for _, e := range s.Evidence {
		recent = recent || onOrAfter(e.PublishedAt, since)
	}
	for _, src := range s.Sources {
		recent = recent || onOrAfter(src.PublishedAt, since)
	}
	return angles, languages, recent
}

// minSightings is the minimum number of hits found twice. Without overlap, the estimate only measures how much was
// searched.
const minSightings = 1

// Unseen returns the estimate. ok is false without enough data: fewer than two independent searches, or no hit that two of
// them found.
func (s *State) Unseen() (u Unseen, ok bool) {
	if !s.independentSearches() {
		return u, false
	}
	if !slices.ContainsFunc(s.Evidence, func(e Evidence) bool { return e.Found > 1 }) {
		return u, false
	}
	topic := query.TopicOf(s.subject())
	again := 0
	for _, e := range s.Evidence {
		if !topic.Has(e.Title, e.Snippet) {
			continue
		}
		u.Found++
		switch {
		case e.Found <= 1:
			u.Once++
		case e.Found == 2:
			u.Twice++
		}
		if e.Found > 1 {
			again++
		}
	}
	if again < minSightings {
		return u, false
	}
	f1, f2 := float64(u.Once), float64(u.Twice)
	f0 := f1 * (f1 - 1) / (2 * (f2 + 1))
	low, high := chaoInterval(f0, f1, f2)
	u.Unseen, u.Low, u.High = int(math.Round(f0)), int(math.Round(low)), int(math.Round(high))
	return u, true
}

// independentSearches reports whether two channels or two angles were searched.
func (s *State) independentSearches() bool {
	channels, angles := map[string]bool{}, map[string]bool{}
	for _, search := range s.Searches {
		for _, o := range search.Channels {
			if o.Channel != "" && slices.Contains(looked, o.Status) {
				channels[o.Channel] = true
				angles[search.Angle] = search.Angle != ""
			}
		}
	}
	delete(angles, "")
	return len(channels) > 1 || len(angles) > 1
}

// maxUnreadLooked bounds how many unread hits are ranked, newest first.
const maxUnreadLooked = 200

// UnreadEvidence returns up to n hits whose address was neither read nor bad, by relevance to the target gap, or to the
// question if no gap is open.
func (s *State) UnreadEvidence(n int) []Evidence {
	ranked := s.rankedUnread()
	out := make([]Evidence, 0, min(n, len(ranked)))
	for _, r := range ranked[:min(n, len(ranked))] {
		out = append(out, s.Evidence[r.position])
	}
	return out
}

// rankedHit is an unread hit with its relevance; 0 means that it shares no word with the topic.
type rankedHit struct {
	position  int
	relevance float64
}

// rankedUnread returns the newest unread hits, most relevant first, then best ranked by its channel, then newest.
func (s *State) rankedUnread() []rankedHit {
	unread := s.index.unread[max(0, len(s.index.unread)-maxUnreadLooked):]
	hits := make([]rankedHit, len(unread))
	for i, position := range unread {
		hits[i] = rankedHit{position: position}
	}
	topic := s.subject()
	if g, ok := s.Target(); ok {
		topic = g.Query + " " + g.Gap
	}
	relevance := query.TopicOf(topic).Rank(len(hits), func(i int) (title, snippet string) {
		e := s.Evidence[hits[i].position]
		return e.Title, e.Snippet
	})
	for i := range hits {
		hits[i].relevance = relevance[i]
	}
	slices.SortStableFunc(hits, func(a, b rankedHit) int {
		return cmp.Or(cmp.Compare(b.relevance, a.relevance), cmp.Compare(s.Evidence[b.position].Score, s.Evidence[a.position].Score),
			cmp.Compare(s.Evidence[b.position].Round, s.Evidence[a.position].Round))
	})
	return hits
}
