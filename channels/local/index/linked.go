package index

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/text/passage"
)

// linkedCandidates are compared in addition to the best by passage.
const linkedCandidates = 50

// target is a file that links name, by the folder of its parts and the hash of its path.
type target struct {
	folder string
	hash   uint64
}

// linkScores returns, for each file that links with words of the query name, the score (BM25) of the texts of these links
// together. Manuals link with the words that their readers ask with, also where the page itself has others.
func (asked *question) linkScores(parts []Part, words []wanted, errs []error) map[target]float64 {
	tables := make([]*linkTable, len(parts))
	all := 0
	linked := map[target]bool{}
	for i, p := range parts {
		if errs[i] != nil {
			continue
		}
		tables[i] = p.liveLinks()
		all += tables[i].all
		for at, hash := range tables[i].targets {
			if tables[i].words[at] > 0 {
				linked[target{p.Folder, hash}] = true
			}
		}
	}
	if all == 0 {
		return nil
	}
	average := float64(all) / float64(len(linked))
	length := func(t target) float64 {
		n := 0
		for i, p := range parts {
			if tables[i] == nil || p.Folder != t.folder {
				continue
			}
			if at, ok := slices.BinarySearch(tables[i].targets, t.hash); ok {
				n += int(tables[i].words[at])
			}
		}
		return float64(n)
	}
	scores, norms := map[target]float64{}, map[target]float64{}
	for _, w := range words {
		times := map[target]int{}
		for i, p := range parts {
			if tables[i] != nil && errs[i] == nil {
				errs[i] = p.countLinks(tables[i], w.terms, times)
			}
		}
		for t, n := range times {
			if norms[t] == 0 {
				norms[t] = passage.Norm(length(t), average)
			}
			scores[t] += passage.Gain(w.weight, float64(n), norms[t])
		}
	}
	return scores
}

// liveLinks returns the links without those of deleted files.
func (p Part) liveLinks() *linkTable {
	if p.Deleted.Count() == 0 || p.links.count() == 0 {
		return &p.links
	}
	live := linkTable{links: p.links.links, targets: p.links.targets, words: make([]uint32, len(p.links.targets))}
	for i := range live.count() {
		if document, to, words := live.link(uint32(i)); !p.Deleted.Has(int(p.fileOf[document])) {
			live.words[to] += words
			live.all += int(words)
		}
	}
	return &live
}

// countLinks adds, for each target, how often a word is in the texts of its links.
func (p Part) countLinks(table *linkTable, terms []string, times map[target]int) error {
	deleted := p.Deleted.Count() > 0
	for _, name := range terms {
		list, err := p.list(fieldLink, name)
		if err != nil {
			return err
		}
		for _, link := range list.all() {
			document, to, _ := table.link(link.id)
			if !deleted || !p.Deleted.Has(int(p.fileOf[document])) {
				times[target{p.Folder, table.targets[to]}] += int(link.times)
			}
		}
	}
	return nil
}

// addLinked adds the documents with the best links to those with the best passages, if they match the query.
func addLinked(searches []*search, all []place, scores map[target]float64, errs []error) []place {
	best := make([]target, 0, len(scores))
	for t := range scores {
		best = append(best, t)
	}
	slices.SortFunc(best, func(a, b target) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), strings.Compare(a.folder, b.folder), cmp.Compare(a.hash, b.hash))
	})
	have := map[[2]int]bool{}
	for _, at := range all {
		have[[2]int{at.part, at.document}] = true
	}
	for _, t := range best[:min(len(best), linkedCandidates)] {
		for i, s := range searches {
			if errs[i] != nil || s.Folder != t.folder {
				continue
			}
			document := s.documentOfPath(t.hash)
			if document < 0 || have[[2]int{i, document}] || !s.matches(s.scores[document]) {
				continue
			}
			have[[2]int{i, document}] = true
			all = append(all, place{i, s.scores[document]})
		}
	}
	slices.SortFunc(all, comparePlaces)
	return all
}

// documentOfPath returns the only document of a file that is not deleted, or -1.
func (p Part) documentOfPath(hash uint64) int {
	file := p.fileOfPath(hash)
	if file < 0 || p.Deleted.Has(file) {
		return -1
	}
	first, ok := slices.BinarySearch(p.fileOf, uint32(file))
	if !ok || first+1 < len(p.fileOf) && p.fileOf[first+1] == uint32(file) {
		return -1
	}
	return first
}

// targetOf returns what links to a document name; false for a part of a mailbox.
func (p Part) targetOf(document int) (target, bool) {
	file := p.fileOf[document]
	if document > 0 && p.fileOf[document-1] == file || document+1 < len(p.fileOf) && p.fileOf[document+1] == file {
		return target{}, false
	}
	return target{p.Folder, pathHash(p.path(int(file)))}, true
}

// foldFormats lowers the scores of documents that are a better one in another format: the same path but for its ending.
// They come last, in their order.
func foldFormats(parts []Part, all []place) {
	type document struct{ folder, path string }
	slices.SortStableFunc(all, func(a, b place) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(parts[a.part].pathOf(a.document), parts[b.part].pathOf(b.document)))
	})
	seen := map[document]bool{}
	var again []*place
	least, most := 0.0, 0.0
	for i := range all {
		p := parts[all[i].part]
		if _, single := p.targetOf(all[i].document); single && isFormat(p.pathOf(all[i].document)) {
			d := document{p.Folder, withoutExtension(p.pathOf(all[i].document))}
			if seen[d] {
				again = append(again, &all[i])
				continue
			}
			seen[d] = true
		}
		least, most = all[i].score, max(most, all[i].score)
	}
	for _, at := range again {
		if most > 0 {
			at.score *= least / most
		}
	}
}

// isFormat reports a path whose ending is that of a format for documents: lamp.go beside lamp.md is no other format of it.
func isFormat(file string) bool {
	switch strings.ToLower(path.Ext(strings.TrimSuffix(file, ".gz"))) {
	case "", ".html", ".htm", ".xhtml", ".md", ".markdown", ".txt", ".text", ".rst", ".adoc", ".org", ".tex", ".pdf", ".epub", ".docx":
		return true
	}
	return false
}

func (p Part) pathOf(document int) string { return p.path(int(p.fileOf[document])) }
