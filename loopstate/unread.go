package loopstate

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

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
	s.rank(hits, stemsOf(topic))
	slices.SortStableFunc(hits, func(a, b rankedHit) int {
		return cmp.Or(cmp.Compare(b.relevance, a.relevance), cmp.Compare(s.Evidence[b.position].Score, s.Evidence[a.position].Score),
			cmp.Compare(s.Evidence[b.position].Round, s.Evidence[a.position].Round))
	})
	return hits
}

const (
	// titleWeight is the weight of a word in the title, against 1 in the snippet.
	titleWeight = 2
	// maxRankedChars is how many characters of a snippet are compared.
	maxRankedChars = 600
)

// rank sets the relevance of hits: the sum over the topic's words of their rarity among the hits.
func (s *State) rank(hits []rankedHit, topic []string) {
	weights := make([][]float64, len(hits))
	count := make([]float64, len(topic))
	for i, h := range hits {
		weights[i] = make([]float64, len(topic))
		e := s.Evidence[h.position]
		weigh := func(text string, weight float64) {
			eachStem(text, func(word, stem string) {
				if t := slices.Index(topic, stem); t >= 0 && weights[i][t] == 0 && !isFunction(word) {
					weights[i][t] = weight
					count[t]++
				}
			})
		}
		weigh(e.Title, titleWeight)
		weigh(firstRunes(e.Snippet, maxRankedChars), 1)
	}
	for i := range hits {
		for t, weight := range weights[i] {
			if weight > 0 {
				hits[i].relevance += weight * math.Log(1+float64(len(hits))/count[t])
			}
		}
	}
}

// stemChars is the length of a stem: "reported" and "reports" have the same one.
const stemChars = 5

// eachStem calls add with each word, function words included, and its stem. Chinese and Japanese words become pairs of
// characters. It runs over all unread hits in every update, so it allocates little.
func eachStem(text string, add func(word, stem string)) {
	for word := range eachWord(text) {
		w := strings.ToLower(word)
		if first, _ := utf8.DecodeRuneInString(w); joins(first) || utf8.RuneCountInString(w) <= 2 {
			add(word, firstRunes(w, stemChars))
			continue
		}
		before := 0
		for i, r := range w {
			if i > 0 {
				add(word, w[before:i+utf8.RuneLen(r)])
				before = i
			}
		}
	}
}

// stemsOf returns the stems of a text's content words, each once.
func stemsOf(text string) []string {
	var out []string
	eachStem(text, func(word, stem string) {
		if !isFunction(word) && !slices.Contains(out, stem) {
			out = append(out, stem)
		}
	})
	return out
}

func stemSet(text string) map[string]bool {
	set := map[string]bool{}
	eachStem(text, func(word, stem string) {
		if !isFunction(word) {
			set[stem] = true
		}
	})
	return set
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}
