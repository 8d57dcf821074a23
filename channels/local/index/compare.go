package index

import (
	"math"

	"github.com/citeloop/citeloop/internal/text/passage"
)

// comparison is what is known of a candidate besides its score by its best passage.
type comparison struct {
	document  float64 // BM25 of the whole document
	beginning float64 // BM25 of its first passages, which say what it is about
	second    float64 // BM25 of its second best passage: one passage may have the words by chance
	whole     float64 // BM25 of a passage that has nearly all words of the query
	title     float64 // BM25 of its title, if that has most words of the query
	links     float64 // BM25 of the texts of the links to it
}

// score weighs the parts against the score by the best passage and the title.
func (c comparison) score() float64 {
	return 3*c.document + 4*c.beginning + 5*c.second + 4*c.whole + 16*c.title + 4*c.links
}

const (
	beginning     = 3 // passages
	wholeExponent = 8 // of the share of the query's words in a passage
	titleExponent = 2 // of their share in a title
)

// comparer compares candidates of one part.
type comparer struct {
	*search
	average    float64 // words of a document
	candidates []candidate
}

type candidate struct {
	comparison
	document      int
	from, end     uint32  // its passages
	norm, atStart float64 // norms of its length, and of that of its beginning
	passages      []passageScore
	titled        float64 // weight of the words in the title
	byName, named float64 // title and titled for the names of file and folder
}

// passageScore is what a passage has of the query.
type passageScore struct {
	score   float64 // BM25
	covered float64 // weight of the words
}

// compare fills the candidates; the places are in the order of their documents.
func (c *comparer) compare(places []*place, words []wanted) error {
	c.open(places)
	total := 0.0
	for _, w := range words {
		total += w.weight
		if err := c.addWord(w); err != nil {
			return err
		}
	}
	for i := range c.candidates {
		c.candidates[i].finish(total)
	}
	return nil
}

func (c *comparer) open(places []*place) {
	c.candidates = make([]candidate, len(places))
	for i, at := range places {
		from, end := c.firstOf[at.document], c.firstOf[at.document+1]
		terms, first := 0, 0
		for id := from; id < end; id++ {
			n := int(c.length(id))
			terms += n
			if id < from+beginning {
				first += n
			}
		}
		c.candidates[i] = candidate{document: at.document, from: from, end: end, passages: make([]passageScore, end-from),
			norm: passage.Norm(float64(terms), c.average), atStart: passage.Norm(float64(first), beginning*c.asked.average)}
	}
}

// addWord adds what a word says of each candidate.
func (c *comparer) addWord(w wanted) error {
	times, atStart := make([]uint32, len(c.candidates)), make([]uint32, len(c.candidates)) // in the document, in its beginning
	for _, name := range w.terms {
		text, err := c.list(fieldText, name)
		if err != nil {
			return err
		}
		for i := range c.candidates {
			d := &c.candidates[i]
			for _, p := range text.between(d.from, d.end) {
				times[i] += p.times
				if p.id < d.from+beginning {
					atStart[i] += p.times
				}
				at := &d.passages[p.id-d.from]
				at.score += passage.Gain(w.weight, float64(p.times), c.asked.norm(c.length(p.id)))
				at.covered += w.weight
			}
		}
		if err := c.compareTitles(fieldTitle, name, w.inTitle, w.weight); err != nil {
			return err
		}
		if err := c.compareTitles(fieldName, name, w.inName, w.weight); err != nil {
			return err
		}
	}
	for i := range c.candidates {
		d := &c.candidates[i]
		d.comparison.document += passage.Gain(w.weight+w.common, float64(times[i]), d.norm)
		d.beginning += passage.Gain(w.weight, float64(atStart[i]), d.atStart)
	}
	return nil
}

// compareTitles adds what a word says in the titles, or in the names of files and folders.
func (c *comparer) compareTitles(field byte, name string, rarity, weight float64) error {
	titles, err := c.list(field, name)
	if err != nil {
		return err
	}
	for i := range c.candidates {
		d := &c.candidates[i]
		for _, p := range titles.between(uint32(d.document), uint32(d.document)+1) {
			score, covered := &d.title, &d.titled
			if field == fieldName {
				score, covered = &d.byName, &d.named
			}
			*score += passage.Gain(rarity, float64(p.times), passage.Norm(float64(c.inTitle[d.document]), c.asked.averageTitle))
			*covered += weight
		}
	}
	return nil
}

// finish compares the passages of a document; total is the weight of all words of the query.
func (d *candidate) finish(total float64) {
	best := 0.0
	for _, p := range d.passages {
		best, d.second = max(best, p.score), max(d.second, min(best, p.score))
		d.whole = max(d.whole, p.score*math.Pow(min(1, p.covered/total), wholeExponent))
	}
	if len(d.passages) == 1 {
		d.second = best
	}
	if d.titled+d.named >= leastNamed*total {
		d.title, d.titled = d.title+d.byName, d.titled+d.named
	}
	d.title *= math.Pow(min(1, d.titled/total), titleExponent)
}
