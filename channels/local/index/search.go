package index

import (
	"cmp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// Hit is a document that matches a query, with its best passage.
type Hit struct {
	Part  int // index of its part
	File  int // its number in the segment
	About About
	Passage
	Score float64 // comparable only within one answer
}

// Damage is an error of one part.
type Damage struct {
	Part int
	Err  error
}

// show reads the data of the best documents.
func show(parts []Part, asked *question, all []place, errs []error, limit int) (hits []Hit, damaged []Damage) {
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(b.score, a.score) })
	for n := limit; n < len(all); n++ { // equal ones are ordered by their paths
		if all[n].score < all[limit-1].score {
			all = all[:n]
		}
	}
	for i, err := range errs {
		if err != nil {
			damaged = append(damaged, Damage{i, err})
		}
	}
	for _, p := range all {
		if errs[p.part] != nil {
			continue
		}
		hit, err := parts[p.part].hit(p, asked)
		if err != nil {
			damaged = append(damaged, Damage{p.part, err})
			continue
		}
		hits = append(hits, hit)
	}
	slices.SortStableFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(parts[a.Part].Folder, parts[b.Part].Folder),
			strings.Compare(a.About.Path, b.About.Path), strings.Compare(a.About.Part, b.About.Part))
	})
	return hits[:min(len(hits), limit)], damaged
}

// best returns the matching documents, best first; errs are the errors of the parts. All documents with the last score
// are included, so that the choice among them does not depend on their segment.
func best(parts []Part, q Query, limit int) (all []place, asked *question, searches []*search, errs []error) {
	asked = analyse(parts, q)
	searches, errs = make([]*search, len(parts)), make([]error, len(parts))
	results := make([][]ranked, len(parts))
	each(len(parts), func(i int) { searches[i], errs[i] = newSearch(parts[i], asked) })
	asked.weigh(searches)
	each(len(parts), func(i int) {
		if errs[i] == nil {
			results[i], errs[i] = searches[i].run(limit)
		}
	})
	for i := range parts {
		if errs[i] != nil {
			continue
		}
		for _, r := range results[i] {
			all = append(all, place{i, r})
		}
	}
	slices.SortFunc(all, comparePlaces)
	for n := limit; len(all) > n; n++ {
		if n > limit*4 || all[n].score < all[limit-1].score {
			all = all[:n]
		}
	}
	return all, asked, searches, errs
}

type place struct {
	part int
	ranked
}

// comparePlaces orders places, best first.
func comparePlaces(a, b place) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.part, b.part), cmp.Compare(a.document, b.document))
}

// hit reads a document's data and passage. A passage that only repeats the title is replaced by the next one with words
// of the query.
func (p Part) hit(at place, asked *question) (Hit, error) {
	a, err := p.About(at.document)
	if err != nil {
		return Hit{}, err
	}
	nth := 0
	if at.passage >= 0 {
		nth = at.passage - a.first
	}
	h := Hit{Part: at.part, File: a.file, About: a, Score: at.score}
	if a.through == a.first {
		return h, nil
	}
	if h.Passage, err = p.passage(a, nth); err != nil {
		return Hit{}, err
	}
	for next := 0; next < min(a.through-a.first, 50) && onlyTitle(h.Text, a.Title); next++ {
		other, err := p.passage(a, next)
		if err != nil {
			return Hit{}, err
		}
		if !onlyTitle(other.Text, a.Title) && (at.passage < 0 || asked.touches(other.Text)) {
			h.Passage = other
		}
	}
	return h, nil
}

func onlyTitle(text, title string) bool {
	return strings.TrimSpace(strings.TrimLeft(text, "# ")) == strings.TrimSpace(title)
}

// each runs do for 0…n-1 on all processors.
func each(n int, do func(int)) {
	var all errgroup.Group
	all.SetLimit(runtime.GOMAXPROCS(0))
	for i := range n {
		all.Go(func() error { do(i); return nil })
	}
	_ = all.Wait()
}
