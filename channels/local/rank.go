package local

import (
	"cmp"
	"context"
	"math"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/internal/text/words"
)

// The constants of the ranking were chosen on the development halves of Cranfield's queries and of the questions on documentation
// packages, and on known items (bench/README.md).
const (
	maxCandidates       = 80
	maxLinkedCandidates = 50
	maxPhrased          = 500 // candidates for a phrase, whose words FTS5 finds in any order

	titleWeight    = 1.5 // of a title against a passage
	leastNamed     = 0.5 // share of a query that title and names must have for the names to count
	functionWeight = 0.5 // of a function word
	beginning      = 3   // passages
	wholeExponent  = 8   // of the share of the query's words in a passage
	titleExponent  = 2   // of their share in a title
	maxLanguages   = 16  // stems of a word

	feedbackDocuments = 10
	feedbackTerms     = 10
	feedbackLooked    = 60  // terms whose frequency is looked up
	feedbackWeight    = 0.8 // of the best of these terms, relative to a word of the query
	leastFeedback     = 3   // letters of such a term
)

// candidate is a document that a query may mean.
type candidate struct {
	folder  *folder
	ix      *index
	id      int64
	file    string // path within the folder
	part    string
	words   int // of its text
	about   stored
	digest  *digest
	passage int // the best one; -1 = none has a word of the query
	scores  []passageScore
	score   float64
}

// passageScore is what a passage has of the query.
type passageScore struct {
	score   float64 // BM25
	covered float64 // weight of the words
}

// question is a query in terms.
type question struct {
	query     query
	analyzers []*words.Analyzer // one for each language of the indexes
	languages []string
	words     []wanted
	linked    bool // there are links

	documents, passages                                        int
	averagePassage, averageTitle, averageDocument, averageLink float64 // terms
}

// wanted is a word that documents are compared by.
type wanted struct {
	terms                   []string // its forms in all languages
	weight, inTitle, inName float64  // in texts, in titles, and in names of files and folders: less for a function word
	documents               int      // that have it
	common                  float64  // added to the weight in a whole document: the best passages share the word
}

// rank returns the documents that match a query, best first.
func (c *Corpus) rank(ctx context.Context, q query, limit int) ([]*candidate, error) {
	folders, err := c.indexed(ctx)
	if err != nil {
		return nil, err
	}
	asked, err := analyse(ctx, folders, q)
	if err != nil {
		return nil, err
	}
	if len(asked.words) == 0 && len(q.phrases)+len(q.fields)+len(q.without) == 0 {
		return nil, nil
	}
	var all []*candidate
	most := max(limit, maxCandidates)
	if asked.phrased() {
		most = max(most, maxPhrased)
	}
	for _, f := range folders {
		found, err := f.candidates(ctx, asked, most)
		if err != nil {
			return nil, err
		}
		all = append(all, slices.DeleteFunc(found, func(d *candidate) bool { return !asked.accepts(d) })...)
	}
	for _, d := range all {
		d.first(asked)
	}
	order(all)
	if len(asked.words) > 0 && len(all) > 1 {
		if err := asked.compare(ctx, folders, all); err != nil {
			return nil, err
		}
		foldFormats(all)
		order(all)
	}
	return all[:min(len(all), limit)], nil
}

// order sorts documents by score, equal ones by folder and path.
func order(all []*candidate) {
	slices.SortFunc(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.folder.root, b.folder.root), strings.Compare(a.file, b.file), strings.Compare(a.part, b.part))
	})
}

// analyse reads a query in the languages of the indexes, and weighs its words.
func analyse(ctx context.Context, folders []searched, q query) (*question, error) {
	asked := &question{query: q}
	var length, titleWords, linkWords, linkedDocuments int
	for _, f := range folders {
		var n [6]int
		row := f.reader.QueryRowContext(ctx, `SELECT count(*), ifnull(sum(passages), 0), ifnull(sum(words), 0), ifnull(sum(title_words), 0),
			(SELECT count(*) FROM linked), (SELECT ifnull(sum(words), 0) FROM linked) FROM documents`)
		if err := row.Scan(&n[0], &n[1], &n[2], &n[3], &n[4], &n[5]); err != nil {
			return nil, err
		}
		asked.documents += n[0]
		asked.passages += n[1]
		length += n[2]
		titleWords += n[3]
		linkedDocuments += n[4]
		linkWords += n[5]
		err := f.each(ctx, func(scan func(...any) error) error {
			var language string
			if err := scan(&language); err != nil {
				return err
			}
			if !slices.Contains(asked.languages, language) && len(asked.languages) < maxLanguages {
				asked.languages = append(asked.languages, language)
				asked.analyzers = append(asked.analyzers, words.NewAnalyzer(language))
			}
			return nil
		}, `SELECT DISTINCT language FROM documents`)
		if err != nil {
			return nil, err
		}
	}
	share := func(sum, n int) float64 { return max(1, float64(sum)/float64(max(1, n))) }
	asked.averagePassage, asked.averageTitle = share(length, asked.passages), share(titleWords, asked.documents)
	asked.averageDocument, asked.averageLink, asked.linked = share(length, asked.documents), share(linkWords, linkedDocuments), linkedDocuments > 0
	for _, text := range slices.Concat(q.words, q.phrases) {
		function := slices.ContainsFunc(asked.languages, func(l string) bool { return words.Function(l, text) })
		for _, forms := range asked.forms(text) {
			if len(asked.words) == maxQueryWords || slices.ContainsFunc(asked.words, func(w wanted) bool { return w.terms[0] == forms[0] }) {
				continue
			}
			w, err := asked.weigh(ctx, folders, forms)
			if err != nil {
				return nil, err
			}
			if w.documents == 0 {
				if forms, err = asked.longer(ctx, folders, forms); err != nil {
					return nil, err
				}
				if w, err = asked.weigh(ctx, folders, forms); err != nil {
					return nil, err
				}
			}
			if function {
				w.weight, w.inTitle, w.inName = w.weight*functionWeight, w.inTitle*functionWeight, w.inName*functionWeight
			}
			asked.words = append(asked.words, w)
		}
	}
	return asked, nil
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

const (
	leastPrefix = 5  // letters of the first part of a compound
	maxLonger   = 16 // words with one prefix
)

// longer returns words that begin with a word that no document has: Wasserstand finds Wasserstandsbericht.
func (asked *question) longer(ctx context.Context, folders []searched, forms []string) ([]string, error) {
	out := slices.Clone(forms)
	for _, f := range folders {
		for _, prefix := range forms {
			if utf8.RuneCountInString(prefix) < leastPrefix {
				continue
			}
			err := f.each(ctx, func(scan func(...any) error) error {
				var term string
				err := scan(&term)
				if err == nil && !slices.Contains(out, term) {
					out = append(out, term)
				}
				return err
			}, `SELECT DISTINCT term FROM word_counts WHERE term > ? AND term < ? LIMIT ?`, prefix, prefix+string(utf8.MaxRune), maxLonger)
			if err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// weigh returns a word with BM25's weights, by how many passages, titles and names have it.
func (asked *question) weigh(ctx context.Context, folders []searched, forms []string) (wanted, error) {
	documents, texts, titles, names := 0, 0, 0, 0
	for _, f := range folders {
		for _, term := range forms {
			err := f.each(ctx, func(scan func(...any) error) error {
				var column string
				var n, times int
				if err := scan(&column, &n, &times); err != nil {
					return err
				}
				documents += n
				switch column {
				case "body":
					texts += times
				case "title":
					titles += n
				case "name":
					names += n
				}
				return nil
			}, `SELECT col, doc, cnt FROM word_counts WHERE term = ?`, term)
			if err != nil {
				return wanted{}, err
			}
		}
	}
	n := asked.documents
	return wanted{terms: forms, documents: documents, weight: passage.Weight(min(texts, asked.passages), asked.passages), inTitle: passage.Weight(min(titles, n), n), inName: passage.Weight(min(titles+names, n), n)}, nil
}

// match returns the words of the query for FTS5: any of them, without function words unless there are no others.
func (asked *question) match() string {
	var all, some []string
	for _, w := range asked.words {
		for _, term := range w.terms {
			all = append(all, quote(term))
			if !slices.ContainsFunc(asked.languages, func(l string) bool { return words.Function(l, term) }) {
				some = append(some, quote(term))
			}
		}
	}
	if len(some) > 0 {
		all = some
	}
	return strings.Join(all, " OR ")
}

// counted is a document in numbers: for each word of the query, how often it is in each part.
type counted struct {
	in    [][]int // by word and passage
	title []int
	name  []int
}

// countIn counts words in a digest.
func (d *digest) countIn(list []wanted) counted {
	c := counted{in: make([][]int, len(list)), title: make([]int, len(list)), name: make([]int, len(list))}
	wordOf := make([]int, len(d.terms)) // from 1
	numbers := map[string]int{}
	for i, w := range list {
		c.in[i] = make([]int, len(d.passages))
		for _, term := range w.terms {
			numbers[term] = i + 1
		}
	}
	for i, term := range d.terms {
		wordOf[i] = numbers[term]
	}
	for i, p := range d.passages {
		for _, t := range p.terms {
			if w := wordOf[t]; w > 0 {
				c.in[w-1][i]++
			}
		}
	}
	for _, t := range d.title {
		if w := wordOf[t]; w > 0 {
			c.title[w-1]++
		}
	}
	for _, t := range d.name {
		if w := wordOf[t]; w > 0 {
			c.name[w-1]++
		}
	}
	return c
}

// first scores a document by its best passage, and by the title, times the weighted share of the query's words in it. So a query
// that is a title finds its document, and a long query is not dominated by titles that share one word.
func (d *candidate) first(asked *question) {
	c := d.digest.countIn(asked.words)
	d.scores = make([]passageScore, len(d.digest.passages))
	title, covered, byName, coveredByName, whole := 0.0, 0.0, 0.0, 0.0, 0.0
	norm := passage.Norm(float64(len(d.digest.title)), asked.averageTitle)
	for i, w := range asked.words {
		whole += w.weight
		for p, n := range c.in[i] {
			if n > 0 {
				d.scores[p].score += passage.Gain(w.weight, float64(n), passage.Norm(float64(len(d.digest.passages[p].terms)), asked.averagePassage))
				d.scores[p].covered += w.weight
			}
		}
		if c.title[i] > 0 {
			title += passage.Gain(titleWeight*w.inTitle, 1, norm)
			covered += w.weight
		}
		if c.name[i] > 0 {
			byName += passage.Gain(titleWeight*w.inName, 1, norm)
			coveredByName += w.weight
		}
	}
	if covered+coveredByName >= leastNamed*whole {
		title, covered = title+byName, covered+coveredByName
	}
	if whole > 0 {
		title *= min(1, covered/whole)
	}
	d.passage = -1
	best := 0.0
	for p, s := range d.scores {
		if s.score > best {
			d.passage, best = p, s.score
		}
	}
	d.score = best + title
}

// compare adds to the scores what the whole documents, their beginnings, second passages, titles and links say.
func (asked *question) compare(ctx context.Context, folders []searched, all []*candidate) error {
	list := asked.words
	foldFormats(all) // a document in two formats is one for the feedback
	order(all)
	if len(all) > feedbackDocuments { // fewer would be compared with themselves
		var err error
		if list, err = asked.withFeedback(ctx, folders, all); err != nil {
			return err
		}
	}
	total := 0.0
	for _, w := range list {
		total += w.weight
	}
	for _, d := range all {
		links, err := asked.linkScore(ctx, list, d)
		if err != nil {
			return err
		}
		d.score += d.comparison(asked, list, total) + 4*links
	}
	return nil
}

// comparison weighs the parts of a document against the score by its best passage and title.
func (d *candidate) comparison(asked *question, list []wanted, total float64) float64 {
	c := d.digest.countIn(list)
	start, inStart := 0, min(beginning, len(d.digest.passages))
	for _, p := range d.digest.passages[:inStart] {
		start += len(p.terms)
	}
	norm, atStart := passage.Norm(float64(d.words), asked.averageDocument), passage.Norm(float64(start), beginning*asked.averagePassage)
	inTitle := passage.Norm(float64(len(d.digest.title)), asked.averageTitle)
	document, opening, title, titled, byName, named := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	for i, w := range list {
		times, first := 0, 0
		for p, n := range c.in[i] {
			times += n
			if p < inStart {
				first += n
			}
		}
		document += passage.Gain(w.weight+w.common, float64(times), norm)
		opening += passage.Gain(w.weight, float64(first), atStart)
		if c.title[i] > 0 {
			title += passage.Gain(w.inTitle, float64(c.title[i]), inTitle)
			titled += w.weight
		}
		if c.name[i] > 0 {
			byName += passage.Gain(w.inName, float64(c.name[i]), inTitle)
			named += w.weight
		}
	}
	best, second, whole := 0.0, 0.0, 0.0
	for _, p := range d.scores {
		best, second = max(best, p.score), max(second, min(best, p.score))
		whole = max(whole, p.score*math.Pow(min(1, p.covered/max(total, 1e-9)), wholeExponent))
	}
	if len(d.scores) == 1 {
		second = best
	}
	if titled+named >= leastNamed*total {
		title, titled = title+byName, titled+named
	}
	title *= math.Pow(min(1, titled/max(total, 1e-9)), titleExponent)
	return 3*document + 4*opening + 5*second + 4*whole + 16*title
}

// linkScore is BM25 of the texts of the links to a document together.
func (asked *question) linkScore(ctx context.Context, list []wanted, d *candidate) (score float64, err error) {
	var packed []byte
	err = d.ix.each(ctx, func(scan func(...any) error) error { return scan(&packed) }, `SELECT terms FROM linked WHERE document = ?`, d.id)
	if err != nil || packed == nil {
		return 0, err
	}
	raw, err := d.ix.codec.unpack(packed)
	if err != nil {
		return 0, err
	}
	counts, length := map[string]int{}, 0
	for term := range strings.FieldsSeq(string(raw)) {
		counts[term]++
		length++
	}
	norm := passage.Norm(float64(length), asked.averageLink)
	for _, w := range list {
		times := 0
		for _, term := range w.terms {
			times += counts[term]
		}
		score += passage.Gain(w.weight, float64(times), norm)
	}
	return score, nil
}

// withFeedback adds the words that are frequent in the best passages and rare elsewhere: they say what the query is about. If a
// word of the query is among them, its weight in a whole document grows.
func (asked *question) withFeedback(ctx context.Context, folders []searched, all []*candidate) ([]wanted, error) {
	shares := map[string]float64{}
	for _, d := range all[:min(len(all), feedbackDocuments)] {
		if d.passage < 0 || d.score <= 0 {
			continue
		}
		var kept []string
		for _, t := range d.digest.passages[d.passage].terms {
			if term := d.digest.terms[t]; len(term) >= leastFeedback && !words.Function(primary(d.about.Language), term) {
				kept = append(kept, term)
			}
		}
		for _, term := range kept {
			shares[term] += d.score / all[0].score / float64(len(kept))
		}
	}
	type common struct {
		term          string
		share, rarity float64
	}
	var list []common
	for term, share := range shares {
		list = append(list, common{term: term, share: share})
	}
	byShare := func(a, b common) int { return cmp.Or(cmp.Compare(b.share, a.share), strings.Compare(a.term, b.term)) }
	slices.SortFunc(list, byShare)
	list = list[:min(len(list), feedbackLooked)]
	for i := range list {
		w, err := asked.weigh(ctx, folders, []string{list[i].term})
		if err != nil {
			return nil, err
		}
		list[i].rarity = w.weight
		list[i].share *= w.weight
	}
	slices.SortFunc(list, byShare)
	out := slices.Clone(asked.words)
	for _, c := range list[:min(len(list), feedbackTerms)] {
		at := slices.IndexFunc(out, func(w wanted) bool { return slices.Contains(w.terms, c.term) })
		if at < 0 {
			at, out = len(out), append(out, wanted{terms: []string{c.term}})
		}
		out[at].common = feedbackWeight * c.share / max(list[0].share, 1e-9) * c.rarity
	}
	return out, nil
}

// foldFormats lowers the scores of documents that are a better one in another format: the same path but for its ending. They come
// last, in their order.
func foldFormats(all []*candidate) {
	type document struct {
		folder *folder
		path   string
	}
	order(all)
	seen := map[document]bool{}
	var again []*candidate
	least, most := 0.0, 0.0
	for _, d := range all {
		at := document{d.folder, withoutExtension(d.file)}
		if d.part == "" && isFormat(d.file) {
			if seen[at] {
				again = append(again, d)
				continue
			}
			seen[at] = true
		}
		least, most = d.score, max(most, d.score)
	}
	for _, d := range again {
		if most > 0 {
			d.score *= least / most
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
