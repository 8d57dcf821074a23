package draft

import (
	"slices"
	"strconv"
	"strings"
)

// entryIndex finds the entry of the reference list that a citation names.
type entryIndex struct {
	references []Reference
	labels     map[string][]int // indexes; of entries with one label, those with a source only, if any has one
	works      map[string][]int // by family name and year of the first author
	numbered   bool             // some entries have a number or another label
}

func indexEntries(references []Reference) entryIndex {
	ix := entryIndex{references: references, labels: map[string][]int{}, works: map[string][]int{}}
	for i, e := range references {
		label := foldLabel(e.Number)
		ix.numbered = ix.numbered || e.Number != ""
		if e.author != nil {
			key := e.author.key()
			ix.works[key] = append(ix.works[key], i)
		}
		switch have := ix.labels[label]; {
		case label == "" || e.more:
		case len(have) == 0 || references[have[0]].sourced() == e.sourced():
			ix.labels[label] = append(have, i)
		case e.sourced():
			ix.labels[label] = []int{i}
		}
	}
	return ix
}

func (w work) key() string { return w.family + " " + w.year }

// work returns the index plus 1 of the entry of a work, 0 for none. Of several of one first author and year, it is the one with most
// of the other names.
func (ix *entryIndex) work(w work) int {
	best, most := 0, -1
	for _, i := range ix.works[w.key()] {
		n := 0
		for _, name := range w.others {
			if slices.Contains(ix.references[i].author.others, name) {
				n++
			}
		}
		if n > most {
			best, most = i+1, n
		}
	}
	return best
}

func (e Reference) sourced() bool { return e.URL != "" || e.ID != "" }

func foldLabel(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// find returns the index plus 1 of the entry that a citation in this line names, 0 for none. Of several with its label, it is
// the next one after the citation.
func (ix *entryIndex) find(kind, target string, line int) int {
	list := ix.labels[foldLabel(target)]
	switch {
	case kind == MarkerLink, kind == MarkerURL, kind == MarkerDOI:
		return 0
	case len(list) > 0:
	case kind == MarkerNumber: // [3] in a text whose list says S3
		list = ix.labels["s"+target]
	case kind == MarkerID:
		list = ix.labels[strings.TrimPrefix(target, "S")]
	}
	if len(list) == 0 {
		if n, _ := strconv.Atoi(target); kind == MarkerNumber && !ix.numbered && n >= 1 && n <= len(ix.references) {
			return n // a list without numbers is counted
		}
		return 0
	}
	at, _ := slices.BinarySearchFunc(list, line, func(i, line int) int { return ix.references[i].Line - line })
	return list[min(at, len(list)-1)] + 1
}
