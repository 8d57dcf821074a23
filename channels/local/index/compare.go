package index

import (
	"math"
)

// comparison is what is known of a candidate besides its score by its best passage.
type comparison struct {
	document  float64 // BM25 of the whole document, also for the words that the best passages share
	related   float64 // the same for the words of the query and related words
	beginning float64 // BM25 of its first passages, which say what it is about
	second    float64 // BM25 of its second best passage, with related words: one passage may have the words by chance
	whole     float64 // BM25 of a passage that has nearly all words of the query
	title     float64 // BM25 of its title, if that has most words of the query
	links     float64 // BM25 of the texts of the links to it
}

func (c comparison) score() float64 {
	return weights.document*c.document + weights.related*c.related + weights.beginning*c.beginning + weights.second*c.second +
		weights.whole*c.whole + weights.title*c.title + weights.links*c.links
}

const (
	beginning     = 3 // passages
	wholeExponent = 8 // of the share of the query's words in a passage
	titleExponent = 2 // of their share in a title
)

// comparer compares candidates of one part.
type comparer struct {
	Part
	asked      *question
	average    float64 // words of a document
	candidates []candidate
}

type candidate struct {
	comparison
	place      *place
	from, end  uint32  // its passages
	norm       float64 // of its length
	normBegins float64 // of its beginning
	passages   []passageScore

	times, atBegin int     // of the current word, in the document and in its beginning
	best           float64 // score of the document for the current word or a related one
	inTitle        float64 // weight of the words in the title
}

// passageScore is what a passage has of the query.
type passageScore struct {
	exact, related float64 // BM25
	covered        float64 // weight of the words
	word           float64 // score for the current word or a related one
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
		c.endWord(w)
	}
	for i := range c.candidates {
		c.candidates[i].finish(total)
	}
	return c.addTitles(words, total)
}

func (c *comparer) open(places []*place) {
	c.candidates = make([]candidate, len(places))
	for i, at := range places {
		from, end := c.firstOf[at.document], c.firstOf[at.document+1]
		terms, first := 0, 0
		for passage := from; passage < end; passage++ {
			n := int(c.length(passage))
			terms += n
			if passage < from+beginning {
				first += n
			}
		}
		c.candidates[i] = candidate{place: at, from: from, end: end, passages: make([]passageScore, end-from),
			norm:       bm25K1 * (1 - bm25B + bm25B*float64(terms)/c.average),
			normBegins: bm25K1 * (1 - bm25B + bm25B*float64(first)/(beginning*c.asked.average))}
	}
}

// addWord counts a word and the words related to it.
func (c *comparer) addWord(w wanted) error {
	for _, name := range w.terms {
		err := c.eachPosting(name, func(d *candidate, passage uint32, times float64) {
			d.times += int(times)
			if passage < d.from+beginning {
				d.atBegin += int(times)
			}
			if w.rarity > 0 {
				at, k := &d.passages[passage-d.from], c.asked.norm(c.length(passage))
				at.exact += gain(w.rarity, times, k)
				at.covered += w.weight
				at.word = max(at.word, gain(w.weight, times, k))
			}
		})
		if err != nil {
			return err
		}
	}
	if w.rarity > 0 {
		for i := range c.candidates {
			d := &c.candidates[i]
			if d.times > 0 {
				d.best = gain(w.weight, float64(d.times), d.norm)
			}
		}
	}
	for _, v := range w.related {
		last, sum := (*candidate)(nil), 0.0
		end := func() {
			if last != nil {
				last.best = max(last.best, gain(v.Match, sum, last.norm))
			}
		}
		err := c.eachPosting(v.Term, func(d *candidate, passage uint32, times float64) {
			if d != last {
				end()
				last, sum = d, 0
			}
			sum += times
			at := &d.passages[passage-d.from]
			at.word = max(at.word, gain(v.Match, times, c.asked.norm(c.length(passage))))
		})
		if err != nil {
			return err
		}
		end()
	}
	return nil
}

// eachPosting yields the passages of the candidates that have a term, and how often.
func (c *comparer) eachPosting(term string, yield func(d *candidate, passage uint32, times float64)) error {
	list, _, err := c.list(fieldText, term)
	if err != nil || list == nil {
		return err
	}
	for i := range c.candidates {
		d := &c.candidates[i]
		for ok := list.seek(d.from); ok && list.id < d.end; ok = list.next() {
			yield(d, list.id, float64(list.times))
		}
	}
	if list.broken {
		return ErrDamaged
	}
	return nil
}

// endWord adds the scores of a word.
func (c *comparer) endWord(w wanted) {
	for i := range c.candidates {
		d := &c.candidates[i]
		if d.times > 0 {
			d.document += gain(w.weight+w.common, float64(d.times), d.norm)
		}
		if d.atBegin > 0 {
			d.beginning += gain(w.weight, float64(d.atBegin), d.normBegins)
		}
		d.comparison.related += d.best
		d.times, d.atBegin, d.best = 0, 0, 0
		if w.rarity == 0 {
			continue
		}
		for n := range d.passages {
			d.passages[n].related += d.passages[n].word
			d.passages[n].word = 0
		}
	}
}

// finish compares the passages of a document; total is the weight of all words of the query.
func (d *candidate) finish(total float64) {
	first, second := 0.0, 0.0
	for _, p := range d.passages {
		if p.related > first {
			first, second = p.related, first
		} else {
			second = max(second, p.related)
		}
		d.whole = max(d.whole, p.exact*math.Pow(min(1, p.covered/total), wholeExponent))
	}
	if d.second = second; len(d.passages) == 1 {
		d.second = first
	}
}

// addTitles adds the scores of the titles.
func (c *comparer) addTitles(words []wanted, total float64) error {
	for i, w := range words {
		if w.rarity == 0 {
			continue
		}
		for _, name := range w.terms {
			list, _, err := c.list(fieldTitle, name)
			if err != nil {
				return err
			}
			if list == nil {
				continue
			}
			for n := range c.candidates {
				d := &c.candidates[n]
				document := d.place.document
				if list.seek(uint32(document)) && list.id == uint32(document) {
					k := bm25K1 * (1 - bm25B + bm25B*float64(c.inTitle[document])/c.asked.averageTitle)
					d.title += gain(c.asked.titleIDF[i]*w.weight/w.rarity, float64(list.times), k)
					d.inTitle += w.weight
				}
			}
			if list.broken {
				return ErrDamaged
			}
		}
	}
	for n := range c.candidates {
		d := &c.candidates[n]
		d.title *= math.Pow(min(1, d.inTitle/total), titleExponent)
	}
	return nil
}
