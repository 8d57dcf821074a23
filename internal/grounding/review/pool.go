package review

import (
	"cmp"
	"slices"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/passages"
)

const (
	// maxPassages is the maximum number of passages beside a claim.
	maxPassages = 3
	// mergeGap is the number of code points between two windows up to which they become one: about a sentence, which
	// costs less than the second passage of an item.
	mergeGap = 100
	// maxMergedChars bounds a passage that several items share. Chosen: with a claim and two more windows, an item
	// stays below 2,500 characters.
	maxMergedChars = 1_200
	// maxItemChars bounds the passages of an item to which passages of other items are added.
	maxItemChars = 1_800
	// pooledSentences is how many of the sentences that fit a claim best are looked for in passages of other items.
	pooledSentences = 10
)

// pool has the passages of a batch. Items share them, so that a reader gets each of them once.
type pool struct {
	texts Texts
	shown []Passage
	users []int // the number of items that show a passage
}

// newPool merges the windows of items that overlap or nearly touch, and gives the items the merged ones.
func newPool(texts Texts, items []Item) *pool {
	p := &pool{texts: texts}
	var windows []Passage
	for _, it := range items {
		windows = append(windows, it.Passages...)
	}
	slices.SortStableFunc(windows, func(a, b Passage) int {
		return cmp.Or(cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	for _, w := range windows {
		if n := len(p.shown); n > 0 && touches(p.shown[n-1], w) && max(p.shown[n-1].End, w.End)-p.shown[n-1].Start <= maxMergedChars {
			p.shown[n-1] = texts.join(p.shown[n-1], w)
		} else {
			p.shown = append(p.shown, texts.between(w.SourceID, w.Start, w.End))
		}
	}
	p.users = make([]int, len(p.shown))
	for i, it := range items {
		var at []int
		for _, w := range it.Passages {
			if j := p.find(w.SourceID, w.Start, w.End); !slices.Contains(at, j) {
				at = append(at, j)
			}
		}
		at = p.fill(it.Claim, sourcesOf(it.Passages), at, maxPassages)
		items[i].Passages = p.use(at)
	}
	return p
}

// touches reports whether two windows of a source overlap or nearly touch.
func touches(a, b Passage) bool {
	return a.SourceID == b.SourceID && b.Start <= a.End+mergeGap && a.Start <= b.End+mergeGap
}

func sourcesOf(in []Passage) (out []string) {
	for _, p := range in {
		if !slices.Contains(out, p.SourceID) {
			out = append(out, p.SourceID)
		}
	}
	return out
}

// find returns the index of the passage with a stretch of a source, or -1.
func (p *pool) find(sourceID string, start, end int) int {
	return slices.IndexFunc(p.shown, func(s Passage) bool { return s.SourceID == sourceID && s.Start <= start && end <= s.End })
}

func (p *pool) has(e grounding.Evidence) int { return p.find(e.SourceID, e.Start, e.End) }

// fill adds the passages of sources that fit a claim best to those at some indexes, up to n of them.
func (p *pool) fill(claim string, sourceIDs []string, at []int, n int) []int {
	texts := make([]*passages.Text, len(sourceIDs))
	for i, id := range sourceIDs {
		texts[i] = p.texts.of(id)
	}
	chars := 0
	for _, i := range at {
		chars += p.shown[i].End - p.shown[i].Start
	}
	for _, c := range passages.Rank(claim, texts, pooledSentences) {
		s := texts[c.Text].Sentences[c.Sentence]
		i := p.find(sourceIDs[c.Text], s.Start, s.End)
		if len(at) >= n || i < 0 || slices.Contains(at, i) || len(at) > 0 && chars+p.shown[i].End-p.shown[i].Start > maxItemChars {
			continue
		}
		at = append(at, i)
		chars += p.shown[i].End - p.shown[i].Start
	}
	return at
}

// with returns the passages for a sentence whose deciding words are in one passage: that one and others, n in all, best
// first.
func (p *pool) with(claim string, b base, decisive, n int) []Passage {
	at := p.fill(claim, b.sourceIDs, nil, n)
	if !slices.Contains(at, decisive) {
		at = append([]int{decisive}, at[:min(len(at), n-1)]...)
	}
	out := make([]Passage, len(at))
	for i, j := range at {
		out[i] = p.shown[j]
	}
	return out
}

// use counts a user for each passage and returns the passages.
func (p *pool) use(at []int) []Passage {
	out := make([]Passage, len(at))
	for i, j := range at {
		p.users[j]++
		out[i] = p.shown[j]
	}
	return out
}

// add counts an item as a user of its passages, and adds those that are new.
func (p *pool) add(it Item) {
	for _, w := range it.Passages {
		i := slices.IndexFunc(p.shown, func(s Passage) bool { return same(s, w) })
		if i < 0 {
			i = len(p.shown)
			p.shown, p.users = append(p.shown, w), append(p.users, 0)
		}
		p.users[i]++
	}
}

// alone is 1 if no two items show one of the passages, else 0.
func (p *pool) alone(shown []Passage) int {
	for i, s := range p.shown {
		if p.users[i] > 1 && slices.ContainsFunc(shown, func(o Passage) bool { return same(s, o) }) {
			return 0
		}
	}
	return 1
}

func same(a, b Passage) bool { return a.place() == b.place() }

// place is the passage without its texts.
func (p Passage) place() Passage { return Passage{SourceID: p.SourceID, Start: p.Start, End: p.End} }

func (p *pool) clone() *pool {
	return &pool{p.texts, slices.Clone(p.shown), slices.Clone(p.users)}
}

// label puts the site and the title of a source above its first passage of each item whose claim says who says it. All
// items that share the passage have the same heading.
func (t Texts) label(items []Item) {
	headings := map[Passage]string{}
	for _, it := range items {
		for _, p := range t.labelled(it.Claim, slices.Clone(it.Passages)) {
			if at := p.place(); len(p.Heading) > len(headings[at]) {
				headings[at] = p.Heading
			}
		}
	}
	for _, it := range items {
		for i, p := range it.Passages {
			it.Passages[i].Heading = headings[p.place()]
		}
	}
}

// arrange puts items in random order, those that share passages side by side.
func arrange(r *random, items []Item) []Item {
	group := make([]int, len(items))
	for i := range group {
		group[i] = i
	}
	var root func(int) int
	root = func(i int) int {
		if group[i] != i {
			group[i] = root(group[i])
		}
		return group[i]
	}
	first := map[Passage]int{}
	for i, it := range items {
		for _, p := range it.Passages {
			if j, ok := first[p.place()]; ok {
				group[root(i)] = root(j)
			} else {
				first[p.place()] = i
			}
		}
	}
	groups := map[int][]Item{}
	var order []int
	for i, it := range items {
		g := root(i)
		if groups[g] == nil {
			order = append(order, g)
		}
		groups[g] = append(groups[g], it)
	}
	shuffle(r, order)
	out := make([]Item, 0, len(items))
	for _, g := range order {
		shuffle(r, groups[g])
		out = append(out, groups[g]...)
	}
	return out
}
