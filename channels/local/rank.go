package local

import (
	"cmp"
	"maps"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/internal/text/words"
)

// The constants of the ranking were chosen on the development halves of Cranfield's queries and of the questions on documentation
// packages (bench/README.md).
const (
	maxCandidates = 120
	maxPhrased    = 300     // candidates for a phrase, whose words FTS5 finds in any order
	maxLanguages  = 16      // stems of a word
	maxLinks      = 2_000   // to one document
	linkShare     = 1.0 / 6 // words of the links to a document, of those of a document

	functionWeight = 0.5   // of a function word
	relatedWeight  = 0.6   // of a related word
	beginning      = 3     // passages
	wholeExponent  = 8     // of the share of the query's words in a passage
	maxLinked      = 60    // candidates that the links to them suggest
	maxLinkHits    = 1_000 // links among which those are looked for

	feedbackDocuments = 3
	feedbackCompared  = 20 // documents that are compared again
	feedbackLooked    = 60 // words whose frequency is looked up
	feedbackWords     = 10
	feedbackWeight    = 4
	leastFeedback     = 3 // bytes of such a word

	leastPart = 5  // letters of the first or last part of a compound
	maxLonger = 16 // words with one part
	maxPairs  = 400

	maxDateWords = 4 // of a date in words, at the beginning of a query
)

// question is a query in terms.
type question struct {
	query     query
	analyzers []*words.Analyzer // one for each language of the index
	languages []string
	words     []wanted
	slots     map[string][]slot // of the terms of words
	total     float64           // weight of words
	written   []string          // terms that follow each other in what is meant, see asWritten

	documents, passages                           int
	averagePassage, averageTitle, averageDocument float64 // terms
}

// wanted is a word that documents are compared by.
type wanted struct {
	terms         []string // its forms in all languages
	weight        float64  // BM25's, by the number of passages that have it
	related       []string
	relatedWeight float64 // at most that of the word
}

// slot is a word of a query that a term counts for, as itself or as a related one.
type slot struct {
	word    int
	related bool
}

// ask sets the words that documents are compared by.
func (asked *question) ask(all []wanted) {
	asked.words, asked.slots, asked.total = all, map[string][]slot{}, 0
	for i, w := range all {
		asked.total += w.weight
		for _, term := range w.terms {
			asked.slots[term] = append(asked.slots[term], slot{i, false})
		}
		for _, term := range w.related {
			asked.slots[term] = append(asked.slots[term], slot{i, true})
		}
	}
}

// rank returns the documents that match a query, best first.
func (s search) rank(q query, limit int) ([]*candidate, error) {
	asked, err := s.analyse(q)
	if err != nil || len(asked.words)+len(q.phrases)+len(q.fields)+len(q.without) == 0 {
		return nil, err
	}
	most := max(limit, maxCandidates)
	if strings.ContainsFunc(strings.Join(q.phrases, ""), isSpace) {
		most = max(most, maxPhrased)
	}
	all, err := s.candidates(asked, most)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(d *candidate) bool { return !asked.accepts(d) })
	for _, d := range all {
		d.rate(asked)
	}
	if len(asked.words) == 0 {
		return bounded(all, limit), nil
	}
	if all = foldFormats(all); len(all) > feedbackDocuments { // fewer would be compared with themselves
		err = s.addFeedback(asked, all)
		all = foldFormats(all)
	}
	return bounded(all, limit), err
}

func average(sum, n int) float64 { return max(1, float64(sum)/float64(max(1, n))) }

// analyse reads a query in the languages of the index, and weighs its words.
func (s search) analyse(q query) (*question, error) {
	asked := &question{query: q}
	length, titles := 0, 0
	err := s.each(s.ctx, func(scan scanner) error {
		var language string
		var n [4]int
		err := scan(&language, &n[0], &n[1], &n[2], &n[3])
		asked.documents, asked.passages, length, titles = asked.documents+n[0], asked.passages+n[1], length+n[2], titles+n[3]
		if len(asked.languages) < maxLanguages {
			asked.languages = append(asked.languages, language)
			asked.analyzers = append(asked.analyzers, words.NewAnalyzer(language))
		}
		return err
	}, `SELECT language, count(*), sum(passages), sum(words), sum(title_words) FROM documents GROUP BY language ORDER BY count(*) DESC`)
	if err != nil {
		return nil, err
	}
	asked.averagePassage, asked.averageTitle = average(length, asked.passages), average(titles, asked.documents)
	asked.averageDocument = average(length, asked.documents)
	var all []wanted
	for _, text := range slices.Concat(q.words, q.phrases) {
		function := asked.function(text)
		for _, forms := range asked.forms(text) {
			if len(all) == maxQueryWords || slices.ContainsFunc(all, func(w wanted) bool { return w.terms[0] == forms[0] }) {
				continue
			}
			w, err := s.weigh(asked, forms, function)
			if err != nil {
				return nil, err
			}
			all = append(all, w)
		}
	}
	asked.ask(all)
	asked.written = asked.asWritten(q.words)
	return asked, nil
}

// asWritten returns the terms of words that are dates, numbers, versions, identifiers or names with signs, alone or together.
func (asked *question) asWritten(all []string) (out []string) {
	if len(asked.analyzers) == 0 { // an empty index
		return nil
	}
	for _, text := range append(slices.Clone(all), strings.Join(bounded(all, maxDateWords), " ")) {
		written := joined(terms(asked.analyzers[0], text))
		if strings.Contains(written, " ") && strings.ContainsAny(written, "0123456789._+#") {
			out = append(out, written)
		}
	}
	return out
}

// weigh finds the terms of a word of a query, and the related ones, and weighs both.
func (s search) weigh(asked *question, forms []string, function bool) (w wanted, err error) {
	passages, err := s.having(forms)
	if err == nil && (passages == 0 || oneCharacter(forms[0])) {
		if forms, err = s.longer(asked, forms); err == nil {
			passages, err = s.having(forms)
		}
	}
	w = wanted{terms: forms, weight: asked.weight(passages)}
	if function {
		w.weight *= functionWeight
	}
	if !slices.Contains(asked.languages, relatedLanguage) {
		return w, err
	}
	most := 0
	for _, form := range forms {
		for _, term := range relatedTerms()[form] {
			if slices.Contains(forms, term) || slices.Contains(w.related, term) {
				continue
			}
			passages, failed := s.having([]string{term})
			err, most = cmp.Or(err, failed), max(most, passages)
			w.related = append(w.related, term)
		}
	}
	w.relatedWeight = relatedWeight * min(w.weight, asked.weight(most))
	return w, err
}

// weight is BM25's of a word that so many passages have.
func (asked *question) weight(passages int) float64 {
	return passage.Weight(min(passages, asked.passages), asked.passages)
}

// function reports a function word of any language of the index.
func (asked *question) function(word string) bool {
	return slices.ContainsFunc(asked.languages, func(l string) bool { return words.Function(l, word) })
}

// forms lists the words of a text, each with its distinct terms in all languages. How a text is cut into words does not depend on
// the language.
func (asked *question) forms(text string) (out [][]string) {
	for i, a := range asked.analyzers {
		for n, term := range terms(a, text) {
			switch {
			case i == 0:
				out = append(out, []string{term})
			case n < len(out) && !slices.Contains(out[n], term):
				out[n] = append(out[n], term)
			}
		}
	}
	return out
}

// compounding are languages that write compounds as one word.
var compounding = []string{"da", "de", "fi", "hu", "nb", "nl", "nn", "no", "sv"}

// longer adds the words that begin with a word that no passage has, or else, in a compounding language, those that end with it:
// Wasserstand and Bericht find Wasserstandsbericht. A character of a script without spaces adds all pairs with it.
func (s search) longer(asked *question, forms []string) (out []string, err error) {
	alone := oneCharacter(forms[0])
	compounds := slices.ContainsFunc(asked.languages, func(l string) bool { return slices.Contains(compounding, l) })
	out = slices.Clone(forms)
	add := func(query string, args ...any) {
		err = cmp.Or(err, s.each(s.ctx, func(scan scanner) error {
			var term string
			err := scan(&term)
			out = append(out, term)
			return err
		}, `SELECT DISTINCT term FROM word_counts WHERE `+query, args...))
	}
	for _, part := range forms {
		if utf8.RuneCountInString(part) < leastPart && !alone {
			continue
		}
		most := maxLonger
		if alone {
			most = maxPairs
		}
		add(`term > ? AND term < ? LIMIT ?`, part, part+string(utf8.MaxRune), most)
		if alone || compounds && len(out) == len(forms) { // looks at all words of the index
			add(`term <> ?1 AND substr(term, -length(?1)) = ?1 LIMIT ?2`, part, most)
		}
	}
	return out, err
}

// oneCharacter reports a character of a script without spaces, whose words are indexed as pairs of characters.
func oneCharacter(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	return size == len(word) && unicode.IsLetter(r) && !words.Spaced(r)
}

// having counts the passages that have a word in any form.
func (s search) having(forms []string) (passages int, err error) {
	for _, term := range forms {
		err = cmp.Or(err, s.each(s.ctx, func(scan scanner) error {
			var n int
			err := scan(&n)
			passages += n
			return err
		}, `SELECT cnt FROM word_counts WHERE term = ? AND col = 'body'`, term))
	}
	return passages, err
}

// accepts reports whether a document has the words of the phrases one after the other, and of the excluded phrases not.
func (asked *question) accepts(d *candidate) bool {
	has := func(phrase string) bool {
		return slices.ContainsFunc(asked.analyzers, func(a *words.Analyzer) bool {
			return strings.Contains(d.digest, " "+joined(terms(a, phrase))+" ")
		})
	}
	return !slices.ContainsFunc(asked.query.phrases, func(p string) bool { return !has(p) }) &&
		!slices.ContainsFunc(asked.query.without, func(f field) bool { return f.isPhrase() && has(f.value) })
}

// part is how often the words of a query, and those related to them, are in a part of a document.
type part struct {
	times, related []int
	length         int // terms
}

func (p *part) add(other part) {
	p.length += other.length
	for i := range other.times {
		p.times[i] += other.times[i]
		p.related[i] += other.related[i]
	}
}

// gain is the BM25 of a part among parts of an average length. A related word counts if it counts more than the word itself.
func (asked *question) gain(p part, average float64) (gain float64) {
	norm := passage.Norm(float64(p.length), average)
	for i, w := range asked.words {
		gain += max(passage.Gain(w.weight, float64(p.times[i]), norm), passage.Gain(w.relatedWeight, float64(p.related[i]), norm))
	}
	return gain
}

// share is the part of the weight of all words that a part has.
func (asked *question) share(p part) float64 {
	share := 0.0
	for i, w := range asked.words {
		if p.times[i] > 0 {
			share += w.weight / asked.total
		}
	}
	return share
}

// count counts the words of a query in terms, between spaces.
func (asked *question) count(line string) part {
	p := part{times: make([]int, len(asked.words)), related: make([]int, len(asked.words))}
	for term := range strings.FieldsSeq(line) {
		p.length++
		for _, s := range asked.slots[term] {
			if s.related {
				p.related[s.word]++
			} else {
				p.times[s.word]++
			}
		}
	}
	return p
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

// read reads a digest.
func (d *candidate) read(digest string) {
	lines := strings.Split(digest, "\n")
	d.digest, d.title, d.head = digest, lines[0], lines[1]
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
	d.best = -1
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
	if asked.meant(d) {
		d.score += statedScore * asked.total
	}
}

// meant reports whether a document states what a query states, or has its dates or numbers as they are written.
func (asked *question) meant(d *candidate) bool {
	return slices.ContainsFunc(asked.written, func(s string) bool { return strings.Contains(d.digest, " "+s+" ") }) ||
		slices.ContainsFunc(asked.query.stated, func(s string) bool {
			return strings.Contains(d.head, " "+joined(terms(asked.analyzers[0], s))+" ")
		})
}

// addFeedback adds to the best documents BM25 of the words that are frequent in the best passages and rare elsewhere: they say what
// the query is about.
func (s search) addFeedback(asked *question, all []*candidate) error {
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
		passages, err := s.having([]string{term})
		if err != nil {
			return err
		}
		weights[term] = asked.weight(passages)
		shares[term] *= weights[term]
	}
	slices.SortFunc(frequent, byShare)
	shared := *asked
	var related []wanted
	for _, term := range bounded(frequent, feedbackWords) {
		related = append(related, wanted{terms: []string{term}, weight: weights[term] * shares[term] / shares[frequent[0]]})
	}
	shared.ask(related)
	for _, d := range bounded(all, feedbackCompared) {
		whole := shared.count("")
		for _, p := range d.passages {
			whole.add(shared.count(p.terms))
		}
		d.score += feedbackWeight * shared.gain(whole, asked.averageDocument)
	}
	return nil
}

// statedScore is above all that a word can add to a score of weight 1: a document that states what is asked comes first.
const statedScore = 60

// foldFormats sorts documents by score. Those that are a better one in another format, with the same path but for its ending, come last.
func foldFormats(all []*candidate) []*candidate {
	slices.SortFunc(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), a.folder-b.folder, strings.Compare(a.path, b.path), strings.Compare(a.part, b.part))
	})
	seen := map[place]bool{}
	var out, again []*candidate
	for _, d := range all {
		at := place{d.folder, withoutExtension(d.path)}
		if d.part == "" && seen[at] && isFormat(d.path) {
			again = append(again, d)
		} else {
			out = append(out, d)
		}
		seen[at] = true
	}
	for _, d := range again {
		d.score = min(d.score, out[len(out)-1].score)
	}
	return append(out, again...)
}

// formats are the endings of documents: lamp.go beside lamp.md is no other format of it.
var formats = strings.Fields(".html .htm .xhtml .md .markdown .txt .text .rst .adoc .org .tex .pdf .epub .docx")

func isFormat(file string) bool {
	ext := strings.ToLower(path.Ext(strings.TrimSuffix(file, ".gz")))
	return ext == "" || slices.Contains(formats, ext)
}
