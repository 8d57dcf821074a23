package channels

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/channels/normal"
)

// fusionK flattens the head of each list, so that a first place in one source does not beat good places in three (Cormack,
// Clarke and Büttcher 2009, "Reciprocal rank fusion").
const fusionK = 60

// List is the results of one channel, best first.
type List struct {
	Channel string
	Results []Result
}

// Ranked is one result of a search over several channels.
type Ranked struct {
	Evidence                // Score is the fused score, Source the channel that ranked it best
	Key      string         // canonical key
	IDs      []string       // typed ids that the sources gave it: "pmid:1", "openalex:W1"; sorted
	Related  []string       // keys of other versions of the work, in this answer or not; sorted
	Ranks    map[string]int // channel -> its best rank in that channel's lists, from 1
	Lines    string         // see [Result.Lines]
	Section  string
	Share    float64 // the best [Result.Share]; 1 if a source that gives no scores has it
}

// Fuse merges lists, best first. A result's score is the sum of 1/(60 + rank) over the lists; the channels' own scores
// are not comparable and not used. Results of the same document (see sameWork) are merged: within a list the first place
// counts, across lists every place. Ties are ordered by number of channels, then date (newest first), then key, so that
// the order is deterministic.
func Fuse(lists []List) []Ranked {
	lists = slices.Clone(lists)
	slices.SortStableFunc(lists, func(a, b List) int { return strings.Compare(a.Channel, b.Channel) })
	var all []Result
	for _, l := range lists {
		all = append(all, l.Results...)
	}
	works := sameWork(all)
	fused := make([]Ranked, len(works.groups))
	for i, g := range works.groups {
		fused[i] = g.merged(all)
		fused[i].Ranks = map[string]int{}
	}
	next := 0
	for _, l := range lists {
		rank, placed := 0, map[int]bool{}
		for _, result := range l.Results {
			g := works.of[next]
			next++
			fused[g].Share = max(fused[g].Share, cmp.Or(result.Share, 1))
			if fused[g].Lines == "" && result.Snippet == fused[g].Snippet {
				fused[g].Lines, fused[g].Section = result.Lines, result.Section
			}
			if placed[g] {
				continue // a repeat within the list: its first place counts
			}
			rank++
			placed[g] = true
			fused[g].Score += 1 / float64(fusionK+rank)
			if best := fused[g].Ranks[l.Channel]; best == 0 || rank < best {
				fused[g].Ranks[l.Channel] = rank
			}
		}
	}
	for i := range fused {
		best := 0
		for _, channel := range slices.Sorted(maps.Keys(fused[i].Ranks)) {
			if rank := fused[i].Ranks[channel]; best == 0 || rank < best {
				best, fused[i].Source = rank, channel
			}
		}
		for g := range works.groups[i].related {
			fused[i].Related = append(fused[i].Related, fused[g].Key)
		}
		slices.Sort(fused[i].Related)
		fused[i].Related = slices.Compact(fused[i].Related)
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

// merged returns the group as one result: the most complete record, with its gaps filled from the others.
func (g *group) merged(all []Result) Ranked {
	r := Ranked{Evidence: all[g.members[0]].Evidence}
	for _, m := range g.members[1:] {
		r.Evidence = merged(r.Evidence, all[m].Evidence)
	}
	// A group of a preprint and its published version, as identified by a source, uses the published DOI whichever record
	// is more complete, so that it has the same key in every search.
	for _, id := range slices.Sorted(maps.Keys(g.ids)) {
		if doi, ok := strings.CutPrefix(id, "doi:"); ok && (r.DOI == "" || strings.HasPrefix(normal.ID("doi", r.DOI), "arxiv:") ||
			normal.PreprintDOI(r.DOI)) {
			r.DOI = doi
		}
	}
	r.Score = 0
	r.Key = r.Evidence.Key()
	named := map[string]bool{}
	for _, m := range g.members {
		for _, id := range all[m].IDs {
			named[id] = true
		}
		for _, id := range all[m].Related {
			if !g.ids[id] {
				r.Related = append(r.Related, id)
			}
		}
	}
	r.IDs = slices.Sorted(maps.Keys(named))
	return r
}

// merged keeps the more complete of two records of one document and fills its gaps from the other.
func merged(a, b Evidence) Evidence {
	if richness(b) > richness(a) {
		a, b = b, a
	}
	a.Snippet = cmp.Or(a.Snippet, b.Snippet)
	a.SourceType = cmp.Or(a.SourceType, b.SourceType)
	a.DOI = cmp.Or(a.DOI, b.DOI)
	a.Language = cmp.Or(a.Language, b.Language)
	a.Container = cmp.Or(a.Container, b.Container)
	a.Update = cmp.Or(a.Update, b.Update)
	if len(b.PublishedAt) > len(a.PublishedAt) && strings.HasPrefix(b.PublishedAt, a.PublishedAt) {
		a.PublishedAt = b.PublishedAt // the same date, known better
	}
	if len(a.Authors) == 0 {
		a.Authors = b.Authors
	}
	return a
}

// richness counts the fields of a record; a snippet counts as up to three fields.
func richness(e Evidence) int {
	n := min(len(e.Snippet)/100, 3)
	for _, present := range []bool{e.SourceType != "", e.PublishedAt != "", len(e.Authors) > 0, e.DOI != "", e.Language != ""} {
		if present {
			n++
		}
	}
	return n
}
