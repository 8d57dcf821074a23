package channels

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/channels/normal"
	"golang.org/x/text/unicode/norm"
)

// works groups results that are the same document.
type works struct {
	groups []*group
	of     []int // result -> its group
}

type group struct {
	members []int // results, in their order
	ids     map[string]bool
	related map[int]bool // groups that are other versions of the same work
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
func sameWork(all []Result) works {
	u := &union{parent: make([]int, len(all)), groups: make([]*group, len(all))}
	owner := map[string]int{} // id -> the first result that has it
	for i, r := range all {
		u.parent[i] = i
		u.groups[i] = &group{members: []int{i}, ids: joiningIDs(r), related: map[int]bool{}}
	}
	for i := range all {
		for _, id := range slices.Sorted(maps.Keys(u.groups[i].ids)) {
			if first, ok := owner[id]; ok {
				u.join(first, i)
			} else {
				owner[id] = i
			}
		}
	}
	u.joinByTitle(all)
	for i, r := range all {
		for _, id := range r.Related {
			if other, ok := owner[id]; ok {
				u.relate(i, other)
			}
		}
	}
	return u.works(len(all))
}

// joiningIDs returns the ids of a result that identify it, without ISBNs.
func joiningIDs(r Result) map[string]bool {
	ids := map[string]bool{r.Key(): true}
	if id := normal.ID("doi", r.DOI); id != "" {
		ids[id] = true
	}
	for _, id := range r.IDs {
		if !strings.HasPrefix(id, "isbn:") {
			ids[id] = true
		}
	}
	return ids
}

// union is a union-find over results. A group is stored at its root.
type union struct {
	parent []int
	groups []*group
	pairs  [][2]int // results of related groups
}

func (u *union) root(i int) int {
	for u.parent[i] != i {
		u.parent[i] = u.parent[u.parent[i]]
		i = u.parent[i]
	}
	return i
}

func (u *union) relate(i, j int) { u.pairs = append(u.pairs, [2]int{i, j}) }

func (u *union) join(i, j int) {
	a, b := u.root(i), u.root(j)
	switch {
	case a == b:
		return
	case contradict(u.groups[a].ids, u.groups[b].ids):
		u.relate(i, j)
		return
	case b < a:
		a, b = b, a
	}
	u.parent[b] = a
	u.groups[a].members = append(u.groups[a].members, u.groups[b].members...)
	for id := range u.groups[b].ids {
		u.groups[a].ids[id] = true
	}
	u.groups[b] = nil
}

// contradict reports whether two sets of ids belong to different documents: both have ids of a kind that is unique for
// a document, but no common id of that kind.
func contradict(a, b map[string]bool) bool {
	for _, kind := range []string{"doi:", "arxiv:", "acl:", "pmid:", "pmcid:"} {
		inA, inB, shared := false, false, false
		for id := range a {
			if strings.HasPrefix(id, kind) {
				inA = true
				shared = shared || b[id]
			}
		}
		for id := range b {
			inB = inB || strings.HasPrefix(id, kind)
		}
		if inA && inB && !shared {
			return true
		}
	}
	return false
}

// joinByTitle joins or relates results without a common id but with the same title, author and year.
func (u *union) joinByTitle(all []Result) {
	alike := map[string][]int{}
	for i, r := range all {
		if name := nameOf(r); name != "" {
			alike[name] = append(alike[name], i)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(alike)) {
		same := alike[name]
		for x, i := range same {
			for _, j := range same[x+1:] {
				if d := normal.Atoi(all[i].PublishedAt[:4]) - normal.Atoi(all[j].PublishedAt[:4]); d < -1 || d > 1 ||
					u.root(i) == u.root(j) {
					continue
				}
				a, b := u.groups[u.root(i)].ids, u.groups[u.root(j)].ids
				if normal.IsPreprint(a) != normal.IsPreprint(b) && hasID(a) && hasID(b) {
					u.relate(i, j)
				} else {
					u.join(i, j)
				}
			}
		}
	}
}

func (u *union) works(n int) works {
	w := works{of: make([]int, n)}
	place := map[int]int{}
	for i := range n {
		root := u.root(i)
		at, ok := place[root]
		if !ok {
			at = len(w.groups)
			place[root] = at
			w.groups = append(w.groups, u.groups[root])
		}
		w.of[i] = at
	}
	for _, g := range w.groups {
		slices.Sort(g.members)
	}
	for _, p := range u.pairs {
		if a, b := w.of[p[0]], w.of[p[1]]; a != b {
			w.groups[a].related[b], w.groups[b].related[a] = true, true
		}
	}
	return w
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
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

func hasID(ids map[string]bool) bool {
	for id := range ids {
		if !strings.HasPrefix(id, "url:") && !strings.HasPrefix(id, "raw:") && !strings.HasPrefix(id, "file:") {
			return true
		}
	}
	return false
}
