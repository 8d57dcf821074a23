package local

import (
	"cmp"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/text/passage"
)

// Of the same choice as those of question.go.
const (
	maxCandidates = 120
	maxPhrased    = 300     // candidates for a phrase, whose words FTS5 finds in any order
	linkShare     = 1.0 / 6 // words of the links to a document, of those of a document
	beginning     = 3       // passages
	wholeExponent = 8       // of the share of the query's words in a passage

	// statedScore is above all that a word can add to a score of weight 1: a document that states what is asked comes first.
	statedScore = 60

	feedbackDocuments = 3
	feedbackCompared  = 20 // documents that are compared again
	feedbackLooked    = 60 // words whose frequency is looked up
	feedbackWords     = 10
	feedbackWeight    = 4
	leastFeedback     = 3 // bytes of such a word
)

// rank returns the documents that match a query, best first.
func (s *search) rank(q query, limit int) []*candidate {
	asked := s.analyse(q)
	if len(asked.weights)+len(q.filters)+len(q.without) == 0 {
		return nil
	}
	most := max(limit, maxCandidates)
	if slices.ContainsFunc(q.phrases, isPhrase) {
		most = max(most, maxPhrased)
	}
	all := slices.DeleteFunc(s.candidates(asked, most), func(d *candidate) bool { return !asked.accepts(d) })
	if len(asked.weights) > 0 {
		for _, d := range all {
			d.rate(asked)
		}
		if foldFormats(all); len(all) > feedbackDocuments { // fewer would be compared with themselves
			s.addFeedback(asked, all)
			foldFormats(all)
		}
	}
	return bounded(all, limit)
}

// part is how often the words of a query, and those related to them, are in a part of a document.
type part struct {
	times  []int // by weight of the question
	length int   // terms
}

func (p *part) add(other part) {
	p.length += other.length
	for i, n := range other.times {
		p.times[i] += n
	}
}

// count counts the words of a query in terms, between spaces.
func (asked *question) count(line string) part {
	p := part{times: make([]int, len(asked.weights))}
	for term := range strings.FieldsSeq(line) {
		p.length++
		for _, i := range asked.counts[term] {
			p.times[i]++
		}
	}
	return p
}

// gain is the BM25 of a part among parts of an average length. A related word counts if it counts more than the word itself.
func (asked *question) gain(p part, average float64) (gain float64) {
	norm := passage.Norm(float64(p.length), average)
	of := func(i int) float64 { return passage.Gain(asked.weights[i], float64(p.times[i]), norm) }
	for i := 0; i < len(asked.weights); i += 2 {
		gain += max(of(i), of(i+1))
	}
	return gain
}

// share is the part of the weight of all words that a part has.
func (asked *question) share(p part) (share float64) {
	for i := 0; i < len(asked.weights); i += 2 {
		if p.times[i] > 0 {
			share += asked.weights[i] / asked.total
		}
	}
	return share
}

// candidate is a document that a query may mean.
type candidate struct {
	row
	digest      string
	title, head string // terms
	linked      string // terms of the links to it
	passages    []rated
	best        int // the best passage; -1 = none has a word of the query
	score       float64
}

// rated is a passage of a candidate.
type rated struct {
	start, end int    // in the text, in code points
	terms      string // each after a space
	score      float64
}

// read reads the digest.
func (d *candidate) read() {
	lines := strings.Split(d.digest, "\n")
	d.title, d.head, d.best = lines[0], lines[1], -1
	for _, line := range lines[2:] {
		start, rest, _ := strings.Cut(line, " ")
		end, _, _ := strings.Cut(rest, " ")
		p := rated{terms: rest[len(end):]}
		p.start, _ = strconv.Atoi(start)
		p.end, _ = strconv.Atoi(end)
		d.passages = append(d.passages, p)
	}
}

// rate scores a document by BM25 of its best two passages, of one that has all words, the whole, the beginning, the links to it, and
// the title. A title counts by the share of the query that it has, so that a long query is not dominated by titles that share one word.
func (d *candidate) rate(asked *question) {
	whole, opening := asked.count(""), asked.count("")
	best, second, complete := 0.0, 0.0, 0.0 // complete: a passage that has nearly all words
	for i := range d.passages {
		p := &d.passages[i]
		counted := asked.count(p.terms)
		if p.score = asked.gain(counted, asked.averagePassage); p.score > best {
			d.best = i
		}
		if whole.add(counted); i < beginning {
			opening.add(counted)
		}
		complete = max(complete, p.score*math.Pow(asked.share(counted), wholeExponent))
		best, second = max(best, p.score), max(second, min(best, p.score))
	}
	if len(d.passages) == 1 {
		second = best
	}
	title := asked.count(d.title)
	d.score = 2*best + 5*second + 2*complete +
		5*asked.gain(whole, asked.averageDocument) +
		3*asked.gain(opening, beginning*asked.averagePassage) +
		4*asked.gain(asked.count(d.linked), linkShare*asked.averageDocument) +
		3*asked.gain(title, asked.averageTitle)*asked.share(title)
	if slices.ContainsFunc(asked.written, func(s string) bool { return strings.Contains(d.digest, s) }) ||
		slices.ContainsFunc(asked.inHead, func(s string) bool { return strings.Contains(d.head, s) }) {
		d.score += statedScore * asked.total
	}
}

// addFeedback adds to the best documents BM25 of the words that are frequent in the best passages and rare elsewhere: they say what
// the query is about.
func (s *search) addFeedback(asked *question, all []*candidate) {
	shares := map[string]float64{}
	for _, d := range all[:feedbackDocuments] {
		if d.best < 0 {
			continue
		}
		kept := slices.DeleteFunc(strings.Fields(d.passages[d.best].terms), func(term string) bool {
			return len(term) < leastFeedback || asked.function(term)
		})
		for _, term := range kept {
			shares[term] += d.score / float64(len(kept))
		}
	}
	byShare := func(a, b string) int { return cmp.Or(cmp.Compare(shares[b], shares[a]), strings.Compare(a, b)) }
	frequent := bounded(slices.SortedFunc(maps.Keys(shares), byShare), feedbackLooked)
	weights := map[string]float64{}
	for _, term := range frequent {
		passages, _ := s.having([]string{term})
		weights[term] = asked.weight(passages)
		shares[term] *= weights[term]
	}
	slices.SortFunc(frequent, byShare)
	var shared question
	for _, term := range bounded(frequent, feedbackWords) {
		shared.ask([]string{term}, weights[term]*shares[term]/shares[frequent[0]], nil, 0)
	}
	for _, d := range bounded(all, feedbackCompared) {
		whole := shared.count("")
		for _, p := range d.passages {
			whole.add(shared.count(p.terms))
		}
		d.score += feedbackWeight * shared.gain(whole, asked.averageDocument)
	}
}

// foldFormats sorts documents by score. Those that are a better one in another format, with the same path but for its ending, come last.
func foldFormats(all []*candidate) {
	byScore := func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), a.folder-b.folder, strings.Compare(a.path, b.path))
	}
	slices.SortFunc(all, byScore)
	seen := map[place]bool{}
	for _, d := range all {
		at, ext := place{d.folder, withoutExtension(d.path)}, strings.ToLower(path.Ext(strings.TrimSuffix(d.path, ".gz")))
		if seen[at] && (ext == "" || slices.Contains(formats, ext)) {
			d.score = min(d.score, all[len(all)-1].score/2)
		}
		seen[at] = true
	}
	slices.SortFunc(all, byScore)
}

// formats are the endings of documents: lamp.go beside lamp.md is no other format of it.
var formats = strings.Fields(".html .htm .xhtml .md .markdown .txt .text .rst .adoc .org .tex .pdf .epub .docx")
