package channels

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/text/words"
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
// are not comparable and not used. Results of the same document (see [works]) are merged: within a list the first place
// counts, across lists every place. Ties are ordered by number of channels, then date (newest first), then key, so that
// the order is deterministic.
func Fuse(lists []List) []Ranked {
	lists = slices.Clone(lists)
	slices.SortStableFunc(lists, func(a, b List) int { return strings.Compare(a.Channel, b.Channel) })
	var all []Result
	for _, l := range lists {
		all = append(all, l.Results...)
	}
	w := sameWork(all)
	next := 0
	for _, l := range lists {
		placed := map[*group]bool{}
		for _, result := range l.Results {
			g := w.of[next]
			next++
			if g.Ranks == nil {
				g.merge(all)
			}
			g.Share = max(g.Share, cmp.Or(result.Share, 1))
			if g.Lines == "" && result.Snippet == g.Snippet {
				g.Lines, g.Section = result.Lines, result.Section
			}
			if placed[g] {
				continue // a repeat within the list: its first place counts
			}
			placed[g] = true
			rank := len(placed)
			g.Score += 1 / float64(fusionK+rank)
			g.Ranks[l.Channel] = min(rank, cmp.Or(g.Ranks[l.Channel], rank))
		}
	}
	for _, p := range w.related {
		if a, b := w.of[p[0]], w.of[p[1]]; a != b {
			a.Related, b.Related = append(a.Related, b.Key), append(b.Related, a.Key)
		}
	}
	var fused []Ranked
	for i, g := range w.of {
		if g.members[0] == i {
			fused = append(fused, g.ranked())
		}
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

// group is the results that are one document.
type group struct {
	Ranked
	members []int // results, in their order
	ids     map[string]bool
}

// merge makes one record of the members: the first one, with its gaps filled from the others.
func (g *group) merge(all []Result) {
	g.Evidence, g.Ranks = all[g.members[0]].Evidence, map[string]int{}
	named := map[string]bool{}
	for _, m := range g.members {
		g.Evidence.fill(all[m].Evidence)
		for _, id := range all[m].IDs {
			named[id] = true
		}
		for _, id := range all[m].Related {
			if !g.ids[id] {
				g.Related = append(g.Related, id)
			}
		}
	}
	// A group of a preprint and its published version, as identified by a source, uses the published DOI whichever record
	// is the first, so that it has the same key in every search.
	for _, id := range slices.Sorted(maps.Keys(g.ids)) {
		if doi, ok := strings.CutPrefix(id, "doi:"); ok && (g.DOI == "" || strings.HasPrefix(normal.ID("doi", g.DOI), "arxiv:") ||
			normal.PreprintDOI(g.DOI)) {
			g.DOI = doi
		}
	}
	g.Score, g.Key, g.IDs = 0, g.Evidence.Key(), slices.Sorted(maps.Keys(named))
}

// ranked returns the document with the channel that ranked it best as its source.
func (g *group) ranked() Ranked {
	channels := slices.Sorted(maps.Keys(g.Ranks))
	g.Source = slices.MinFunc(channels, func(a, b string) int { return g.Ranks[a] - g.Ranks[b] })
	slices.Sort(g.Related)
	g.Related = slices.Compact(g.Related)
	return g.Ranked
}

// fill fills the gaps of a record from another one of the same document.
func (e *Evidence) fill(other Evidence) {
	e.Snippet = cmp.Or(e.Snippet, other.Snippet)
	e.SourceType = cmp.Or(e.SourceType, other.SourceType)
	e.DOI = cmp.Or(e.DOI, other.DOI)
	e.Language = cmp.Or(e.Language, other.Language)
	e.Container = cmp.Or(e.Container, other.Container)
	e.Update = cmp.Or(e.Update, other.Update)
	if len(other.PublishedAt) > len(e.PublishedAt) && strings.HasPrefix(other.PublishedAt, e.PublishedAt) {
		e.PublishedAt = other.PublishedAt // the same date, known better
	}
	if len(e.Authors) == 0 {
		e.Authors = other.Authors
	}
}

// works groups results that are the same document.
type works struct {
	of      []*group // of each result
	related [][2]int // results of other versions of one work
}

// sameWork groups the results that are the same document. Two results are the same
//
//   - if they share a canonical key or a typed id (doi, arxiv, pmid, pmcid, openalex, s2; no ISBN, because the
//     chapters of a book share it), also transitively. But if the group would then have two different DOIs, arXiv
//     ids, PMIDs or PMCIDs, one of the records is wrong, and they are only related;
//   - or if title, first author's surname and year (± 1) agree without a contradiction: no two different ids of
//     one kind, and not a preprint on one side and another document with its own id on the other. Those are
//     related versions of one work. A title alone never merges results.
//
// A preprint and its published version are the same only if a source gives both ids to one record.
func sameWork(all []Result) *works {
	w := &works{}
	owner := map[string]int{} // id -> the first result that has it
	for i, r := range all {
		ids := joiningIDs(r)
		w.of = append(w.of, &group{members: []int{i}, ids: ids})
		for _, id := range slices.Sorted(maps.Keys(ids)) {
			if first, ok := owner[id]; ok {
				w.join(first, i)
			} else {
				owner[id] = i
			}
		}
	}
	w.joinByTitle(all)
	for i, r := range all {
		for _, id := range r.Related {
			if other, ok := owner[id]; ok {
				w.related = append(w.related, [2]int{i, other})
			}
		}
	}
	return w
}

// joiningIDs returns the ids of a result that identify it, without ISBNs.
func joiningIDs(r Result) map[string]bool {
	ids := map[string]bool{}
	for _, id := range append([]string{r.Key(), normal.ID("doi", r.DOI)}, r.IDs...) {
		if id != "" && !strings.HasPrefix(id, "isbn:") {
			ids[id] = true
		}
	}
	return ids
}

// join merges the groups of two results, or relates them if they contradict each other.
func (w *works) join(i, j int) {
	a, b := w.of[i], w.of[j]
	switch {
	case a == b:
		return
	case contradict(a.ids, b.ids):
		w.related = append(w.related, [2]int{i, j})
		return
	}
	a.members = slices.Sorted(slices.Values(append(a.members, b.members...)))
	maps.Copy(a.ids, b.ids)
	for _, m := range b.members {
		w.of[m] = a
	}
}

// contradict reports whether two sets of ids belong to different documents: both have ids of a kind that is unique for
// a document, but no common id of that kind.
func contradict(a, b map[string]bool) bool {
	for _, kind := range []string{"doi:", "arxiv:", "acl:", "pmid:", "pmcid:"} {
		ofA, ofB := ofKind(a, kind), ofKind(b, kind)
		if ofA != nil && ofB != nil && !slices.ContainsFunc(ofA, func(id string) bool { return b[id] }) {
			return true
		}
	}
	return false
}

func ofKind(ids map[string]bool, kind string) (all []string) {
	for id := range ids {
		if strings.HasPrefix(id, kind) {
			all = append(all, id)
		}
	}
	return all
}

// joinByTitle joins or relates results without a common id but with the same title, author and year.
func (w *works) joinByTitle(all []Result) {
	alike := map[string][]int{}
	for i, r := range all {
		if name := nameOf(r); name != "" {
			alike[name] = append(alike[name], i)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(alike)) {
		for x, i := range alike[name] {
			for _, j := range alike[name][x+1:] {
				apart := normal.Atoi(all[i].PublishedAt[:4]) - normal.Atoi(all[j].PublishedAt[:4])
				a, b := w.of[i].ids, w.of[j].ids
				switch {
				case apart < -1 || apart > 1 || w.of[i] == w.of[j]:
				case normal.IsPreprint(a) != normal.IsPreprint(b) && hasID(a) && hasID(b):
					w.related = append(w.related, [2]int{i, j})
				default:
					w.join(i, j)
				}
			}
		}
	}
}

// minTitle is the shortest folded title that joins results (chosen: an author may write several "Editorial"s in a
// year).
const minTitle = 16

// nameOf returns the folded title and first author's surname. It returns "" if one of them or the year is missing, or
// the title is too short to be distinctive.
func nameOf(r Result) string {
	title := folded(r.Title)
	if len(title) < minTitle || len(r.PublishedAt) < 4 || len(r.Authors) == 0 {
		return ""
	}
	surname := folded(surname(r.Authors[0]))
	if surname == "" {
		return ""
	}
	return title + "|" + surname
}

// surname reads "Ada Miller", "Miller, Ada" and PubMed's "Miller AB".
func surname(author string) string {
	if last, _, ok := strings.Cut(author, ","); ok {
		return last
	}
	parts := strings.Fields(author)
	for len(parts) > 1 && initials(parts[len(parts)-1]) {
		parts = parts[:len(parts)-1]
	}
	if len(parts) == 0 {
		return ""
	}
	return parts[len(parts)-1]
}

func initials(s string) bool {
	s = strings.ReplaceAll(s, ".", "")
	return len(s) > 0 && len(s) <= 3 && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsUpper(r) })
}

// folded keeps letters and digits, in lower case and without diacritics.
func folded(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return r
		}
		return -1
	}, words.Fold(s))
}

func hasID(ids map[string]bool) bool {
	for id := range ids {
		if !strings.HasPrefix(id, "url:") && !strings.HasPrefix(id, "raw:") && !strings.HasPrefix(id, "file:") {
			return true
		}
	}
	return false
}
