package channels

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// fusionK flattens the head of each list, so that a first place in one source does not beat a good place in
// three (Cormack, Clarke and Büttcher 2009, "Reciprocal rank fusion").
const fusionK = 60

// Ranked is one result of a search over several channels.
type Ranked struct {
	loopstate.Evidence                // Score is the fused score, Source the channel that ranked it best
	Key                string         // canonical key
	Ranks              map[string]int // channel -> rank in its list, from 1
}

// Fuse makes one list of several, best first. A result's score is the sum over the channels of 1/(60 + rank);
// the channels' own scores are not comparable and are not looked at. Results of one canonical key are one:
// within a list the first place counts, over the lists every place. Ties go by number of channels, then date
// (newest first), then key, so that the same lists always give the same order.
func Fuse(lists map[string][]loopstate.Evidence) []Ranked {
	byKey := map[string]*Ranked{}
	for _, channel := range slices.Sorted(maps.Keys(lists)) {
		rank := 0
		for _, e := range lists[channel] {
			key := e.Key()
			r := byKey[key]
			if r == nil {
				r = &Ranked{Evidence: e, Key: key, Ranks: map[string]int{}}
				byKey[key] = r
			} else {
				r.Evidence = merged(r.Evidence, e)
			}
			if r.Ranks[channel] == 0 {
				rank++
				r.Ranks[channel] = rank
			}
		}
	}
	fused := make([]Ranked, 0, len(byKey))
	for _, r := range byKey {
		best := 0
		r.Score = 0
		for _, channel := range slices.Sorted(maps.Keys(r.Ranks)) { // sums in one order, so that equal sums are equal
			rank := r.Ranks[channel]
			r.Score += 1 / float64(fusionK+rank)
			if best == 0 || rank < best {
				best, r.Source = rank, channel
			}
		}
		fused = append(fused, *r)
	}
	slices.SortFunc(fused, func(a, b Ranked) int {
		return cmp.Or(
			cmp.Compare(b.Score, a.Score),
			cmp.Compare(len(b.Ranks), len(a.Ranks)),
			strings.Compare(b.PublishedAt, a.PublishedAt),
			strings.Compare(a.Key, b.Key),
		)
	})
	return fused
}

// merged keeps the richer of two records of one document and fills its gaps from the other.
func merged(a, b loopstate.Evidence) loopstate.Evidence {
	if richness(b) > richness(a) {
		a, b = b, a
	}
	a.Snippet = cmp.Or(a.Snippet, b.Snippet)
	a.SourceType = cmp.Or(a.SourceType, b.SourceType)
	a.DOI = cmp.Or(a.DOI, b.DOI)
	a.Language = cmp.Or(a.Language, b.Language)
	if len(b.PublishedAt) > len(a.PublishedAt) && strings.HasPrefix(b.PublishedAt, a.PublishedAt) {
		a.PublishedAt = b.PublishedAt // the same date, known better
	}
	if len(a.Authors) == 0 {
		a.Authors = b.Authors
	}
	return a
}

// richness counts what a record says of its document; a snippet counts up to the weight of three fields.
func richness(e loopstate.Evidence) int {
	n := min(len(e.Snippet)/100, 3)
	for _, present := range []bool{e.SourceType != "", e.PublishedAt != "", len(e.Authors) > 0, e.DOI != "", e.Language != ""} {
		if present {
			n++
		}
	}
	return n
}
