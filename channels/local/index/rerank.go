package index

import (
	"cmp"
	"math"
	"slices"
)

// A document becomes a candidate by its best passage, or by the texts of the links to it (linked.go). Then the candidates
// are compared by more than that (compare.go). All constants were chosen on the development halves of Cranfield's queries
// and of the questions on documentation packages, and on known items (bench/README.md).
const candidates = 50

// Find returns the documents that match a query, best first; equal scores are ordered by path. It compares those with the
// best passages by more than their best passage. Documents with the statements of the query come before all others. A damaged
// part is returned in damaged and is not in the answer.
func Find(parts []Part, q Query, limit int) (hits []Hit, damaged []Damage) {
	hits, damaged = find(parts, q, limit)
	if len(q.Stated) == 0 || len(hits) == 0 {
		return hits, damaged
	}
	q.Phrases = slices.Concat(q.Phrases, q.Stated)
	first, more := find(parts, q, limit)
	if len(first) == 0 {
		return hits, slices.Concat(damaged, more)
	}
	best, top := first[0].Score, hits[0].Score
	for i := range first {
		first[i].Score = top * (1 + statedShare*first[i].Score/max(best, math.SmallestNonzeroFloat64))
	}
	for _, h := range hits {
		if !slices.ContainsFunc(first, func(f Hit) bool { return f.Part == h.Part && f.File == h.File && f.About.Part == h.About.Part }) {
			first = append(first, h)
		}
	}
	return first[:min(len(first), limit)], slices.Concat(damaged, more)
}

// statedShare is what the best document with a statement is above the best one without, as a share of the score (chosen).
const statedShare = 0.25

func find(parts []Part, q Query, limit int) (hits []Hit, damaged []Damage) {
	if limit < 1 || q.empty() {
		return nil, nil
	}
	all, asked, searches, errs := best(parts, q, max(limit, candidates))
	if len(asked.words) > 0 {
		words := asked.wanted()
		links := asked.linkScores(parts, words, errs)
		if all = addLinked(searches, all, links, errs); len(all) > 1 {
			asked.rerank(searches, all, words, links, errs)
			foldFormats(parts, all)
		}
	}
	return show(parts, asked, all, errs, limit)
}

// rerank adds to the places' scores what the comparison of their documents says. A part that turns out to be damaged is
// noted in errs.
func (asked *question) rerank(searches []*search, all []place, words []wanted, links map[target]float64, errs []error) {
	if len(all) > feedbackDocuments { // fewer would be compared with themselves
		words = asked.withFeedback(searches, all, words, errs)
	}
	length, documents := 0, 0
	for i, p := range searches {
		if errs[i] == nil {
			length += p.sum.words
			documents += p.sum.documents
		}
	}
	average := max(1, float64(length)/float64(max(1, documents)))
	byPart := make(map[int][]*place)
	for i := range all {
		byPart[all[i].part] = append(byPart[all[i].part], &all[i])
	}
	each(len(searches), func(i int) {
		if errs[i] != nil || len(byPart[i]) == 0 {
			return
		}
		slices.SortFunc(byPart[i], func(a, b *place) int { return cmp.Compare(a.document, b.document) })
		c := comparer{search: searches[i], average: average}
		if errs[i] = c.compare(byPart[i], words); errs[i] != nil {
			return
		}
		for n, at := range byPart[i] {
			found := c.candidates[n].comparison
			if t, ok := searches[i].targetOf(at.document); ok {
				found.links = links[t]
			}
			at.score += found.score()
		}
	})
}
