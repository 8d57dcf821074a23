package local

import (
	"cmp"
	"encoding/json"
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
// packages, and on known items (bench/README.md).
const (
	maxCandidates     = 80
	maxLinkCandidates = 100    // documents that links lead to
	maxLinks          = 1_000  // links among which those are looked for (chosen)
	maxLinkTerms      = 20_000 // of the links to one document (chosen)
	maxPhrased        = 500    // candidates for a phrase, whose words FTS5 finds in any order
	maxLanguages      = 16     // stems of a word

	digestHead     = 3 // lines of a digest before those of passages
	linkWeight     = 2
	titleWeight    = 2   // of a title by the share of the words in it
	leastNamed     = 0.5 // share of a query that title and names must have for the names to count
	functionWeight = 0.5 // of a function word
	beginning      = 3   // passages
	wholeExponent  = 8   // of the share of the query's words in a passage
	titleExponent  = 2   // of their share in a title

	feedbackDocuments = 10
	feedbackTerms     = 10
	feedbackLooked    = 60  // terms whose frequency is looked up
	feedbackWeight    = 0.8 // of the best of these terms, relative to a word of the query
	leastFeedback     = 3   // letters of such a term

	leastPrefix = 5  // letters of the first part of a compound
	maxLonger   = 16 // words with one prefix
)

// question is a query in terms.
type question struct {
	query     query
	analyzers []*words.Analyzer // one for each language of the index
	languages []string
	words     []wanted

	documents, passages                           int
	averagePassage, averageTitle, averageDocument float64 // terms
}

// wanted is a word that documents are compared by.
type wanted struct {
	terms                   []string // its forms in all languages
	weight, inTitle, inName float64  // in texts, in titles, and in names of files and folders: less for a function word
	documents               int      // that have it
}

// rank returns the documents that match a query, best first.
func (s search) rank(q query, limit int) ([]*candidate, error) {
	asked, err := s.analyse(q)
	if err != nil || len(asked.words)+len(q.phrases)+len(q.fields)+len(q.without) == 0 {
		return nil, err
	}
	most := max(limit, maxCandidates)
	if len(q.phrases)+len(q.without) > 0 {
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
	if len(asked.words) > 0 && len(all) > 1 {
		if err := s.addLinks(asked, all); err != nil {
			return nil, err
		}
		foldFormats(all)
		if len(all) > feedbackDocuments { // fewer would be compared with themselves
			if err := s.addFeedback(asked, all); err != nil {
				return nil, err
			}
			foldFormats(all)
		}
	}
	return all[:min(len(all), limit)], nil
}

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
	share := func(sum, n int) float64 { return max(1, float64(sum)/float64(max(1, n))) }
	asked.averagePassage, asked.averageTitle, asked.averageDocument = share(length, asked.passages), share(titles, asked.documents),
		share(length, asked.documents)
	for _, text := range slices.Concat(q.words, q.phrases) {
		function := asked.function(text)
		for _, forms := range asked.forms(text) {
			if len(asked.words) == maxQueryWords ||
				slices.ContainsFunc(asked.words, func(w wanted) bool { return w.terms[0] == forms[0] }) {
				continue
			}
			w, err := s.weigh(asked, forms)
			if err == nil && w.documents == 0 {
				if forms, err = s.longer(forms); err == nil {
					w, err = s.weigh(asked, forms)
				}
			}
			if err != nil {
				return nil, err
			}
			if function {
				w.weight, w.inTitle, w.inName = w.weight*functionWeight, w.inTitle*functionWeight, w.inName*functionWeight
			}
			asked.words = append(asked.words, w)
		}
	}
	return asked, nil
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

// longer returns words that begin with a word that no document has: Wasserstand finds Wasserstandsbericht.
func (s search) longer(forms []string) ([]string, error) {
	out := slices.Clone(forms)
	for _, prefix := range forms {
		if utf8.RuneCountInString(prefix) < leastPrefix {
			continue
		}
		err := s.each(s.ctx, func(scan scanner) error {
			var term string
			err := scan(&term)
			out = append(out, term)
			return err
		}, `SELECT DISTINCT term FROM word_counts WHERE term > ? AND term < ? LIMIT ?`, prefix, prefix+string(utf8.MaxRune), maxLonger)
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// weigh returns a word with BM25's weights, by how many passages, titles and names have it.
func (s search) weigh(asked *question, forms []string) (wanted, error) {
	documents, times := 0, map[string]int{}
	for _, term := range forms {
		err := s.each(s.ctx, func(scan scanner) error {
			var column string
			var n, count int
			err := scan(&column, &n, &count)
			documents += n
			times[column] += count
			return err
		}, `SELECT col, doc, cnt FROM word_counts WHERE term = ?`, term)
		if err != nil {
			return wanted{}, err
		}
	}
	weight := func(times, n int) float64 { return passage.Weight(min(times, n), n) }
	return wanted{forms, weight(times["body"], asked.passages), weight(times["title"], asked.documents),
		weight(times["title"]+times["name"], asked.documents), documents}, nil
}

// match returns the words of the query for FTS5: any of them, without function words unless there are no others.
func (asked *question) match() string {
	var all, some []string
	for _, w := range asked.words {
		for _, term := range w.terms {
			if all = append(all, term); !asked.function(term) {
				some = append(some, term)
			}
		}
	}
	if len(some) > 0 {
		all = some
	}
	return anyOf(all)
}

func isSpace(r rune) bool { return unicode.IsSpace(r) }

// accepts reports whether a document has the words of the phrases one after the other, and of the excluded phrases not.
func (asked *question) accepts(d *candidate) bool {
	has := func(phrase string) bool {
		return slices.ContainsFunc(asked.analyzers, func(a *words.Analyzer) bool {
			return strings.Contains(d.digest, " "+joined(terms(a, phrase))+" ")
		})
	}
	return !slices.ContainsFunc(asked.query.phrases, func(p string) bool { return !has(p) }) &&
		!slices.ContainsFunc(asked.query.without, func(f field) bool {
			return f.name == "" && strings.ContainsFunc(f.value, isSpace) &&
				has(f.value)
		})
}

// counts is how often the words of a query are in the parts of a document.
type counts struct {
	title, name []int
	passages    [][]int // by passage and word
	lengths     []int   // of passages, in terms
}

// count counts words in the digest of a document, and sets its spans.
func (d *candidate) count(list []wanted) (c counts) {
	numbers, begins := map[string]int{}, [256]bool{}
	for i, w := range list {
		for _, term := range w.terms {
			numbers[term] = i
			begins[term[0]] = true
		}
	}
	in := func(line string) (times []int, length int) {
		times = make([]int, len(list))
		for line != "" {
			term, rest, _ := strings.Cut(line, " ")
			if line = rest; term == "" {
				continue
			}
			length++
			if begins[term[0]] {
				if i, ok := numbers[term]; ok {
					times[i]++
				}
			}
		}
		return times, length
	}
	parts := strings.Split(d.digest, "\n")
	c.title, _ = in(parts[0])
	c.name, _ = in(parts[1])
	d.spans = d.spans[:0]
	for _, line := range parts[digestHead:] {
		start, rest, _ := strings.Cut(line, " ")
		end, rest, _ := strings.Cut(rest, " ")
		var span [2]int
		span[0], _ = strconv.Atoi(start)
		span[1], _ = strconv.Atoi(end)
		times, length := in(rest)
		d.spans, c.passages, c.lengths = append(d.spans, span), append(c.passages, times), append(c.lengths, length)
	}
	return c
}

// rate scores a document by BM25 of its best and second passage, its beginning, the whole, and the title. A passage counts more if it
// has all words of the query, and a title by their share: so a query that is a title finds its document, and a long query is not
// dominated by titles that share one word.
func (d *candidate) rate(asked *question) {
	c := d.count(asked.words)
	d.scores, d.best = make([]float64, len(c.passages)), -1
	covered, sums, first := make([]float64, len(c.passages)), make([]int, len(asked.words)), make([]int, len(asked.words))
	start, total := 0, 0.0
	for i, w := range asked.words {
		total += w.weight
		for p, times := range c.passages {
			if sums[i] += times[i]; p < beginning {
				first[i] += times[i]
			}
			if times[i] > 0 {
				d.scores[p] += passage.Gain(w.weight, float64(times[i]), passage.Norm(float64(c.lengths[p]), asked.averagePassage))
				covered[p] += w.weight
			}
		}
	}
	for _, n := range c.lengths[:min(beginning, len(c.lengths))] {
		start += n
	}
	total = max(total, 1e-9)
	best, second, whole := 0.0, 0.0, 0.0
	for p, score := range d.scores {
		if score > best {
			d.best = p
		}
		best, second = max(best, score), max(second, min(best, score))
		whole = max(whole, score*math.Pow(min(1, covered[p]/total), wholeExponent))
	}
	if len(d.scores) == 1 {
		second = best
	}
	norm, atStart := passage.Norm(float64(d.words), asked.averageDocument), passage.Norm(float64(start), beginning*asked.averagePassage)
	inTitle := passage.Norm(float64(sum(c.title)), asked.averageTitle)
	document, opening, title, titled, byName, named := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	for i, w := range asked.words {
		document += passage.Gain(w.weight, float64(sums[i]), norm)
		opening += passage.Gain(w.weight, float64(first[i]), atStart)
		if c.title[i] > 0 {
			title += passage.Gain(w.inTitle, float64(c.title[i]), inTitle)
			titled += w.weight
		}
		if c.name[i] > 0 {
			byName += passage.Gain(w.inName, float64(c.name[i]), inTitle)
			named += w.weight
		}
	}
	if titled+named >= leastNamed*total {
		title, titled = title+byName, titled+named
	}
	share := min(1, titled/total)
	title *= titleWeight*share + 16*math.Pow(share, titleExponent)
	d.score = best + 3*document + 4*opening + 5*second + 4*whole + title
}

// addLinks adds BM25 of the texts of the links to a document.
func (s search) addLinks(asked *question, all []*candidate) error {
	ids := make([]int64, len(all))
	for i, d := range all {
		ids[i] = d.id
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	terms, length := map[int64]int{}, 0 // terms of the links to a document, and to all
	times := map[int64][]int{}          // how often each word of the query is there
	err = s.each(s.ctx, func(scan scanner) error {
		var id int64
		var text string
		if err := scan(&id, &text); err != nil || terms[id] >= maxLinkTerms {
			return err
		}
		found := strings.Fields(text)
		terms[id], length = terms[id]+len(found), length+len(found)
		if times[id] == nil {
			times[id] = make([]int, len(asked.words))
		}
		for i, w := range asked.words {
			for _, term := range found {
				if slices.Contains(w.terms, term) {
					times[id][i]++
				}
			}
		}
		return nil
	}, `SELECT d.id, l.terms FROM `+documentsInFiles+` JOIN links l ON l.folder = f.folder AND l.target = f.stem
		WHERE d.part = '' AND d.id IN (SELECT value FROM json_each(?))`, string(list))
	average := float64(length) / float64(max(1, len(terms)))
	for _, d := range all {
		for i, n := range times[d.id] {
			if n > 0 {
				norm := passage.Norm(float64(terms[d.id]), average)
				d.score += linkWeight * passage.Gain(asked.words[i].weight, float64(n), norm)
			}
		}
	}
	return err
}

// addFeedback adds BM25 of the words that are frequent in the best passages and rare elsewhere: they say what the query is about.
func (s search) addFeedback(asked *question, all []*candidate) error {
	shares := map[string]float64{}
	for _, d := range all[:min(len(all), feedbackDocuments)] {
		if d.best < 0 || d.score <= 0 {
			continue
		}
		line := strings.Split(d.digest, "\n")[digestHead+d.best]
		kept := slices.DeleteFunc(strings.Fields(line)[2:], func(term string) bool {
			return len(term) < leastFeedback ||
				asked.function(term)
		})
		for _, term := range kept {
			shares[term] += d.score / all[0].score / float64(len(kept))
		}
	}
	byShare := func(a, b string) int { return cmp.Or(cmp.Compare(shares[b], shares[a]), strings.Compare(a, b)) }
	frequent := slices.SortedFunc(maps.Keys(shares), byShare)
	frequent = frequent[:min(len(frequent), feedbackLooked)]
	weights := map[string]wanted{}
	for _, term := range frequent {
		w, err := s.weigh(asked, []string{term})
		if err != nil {
			return err
		}
		weights[term] = w
		shares[term] *= w.weight
	}
	slices.SortFunc(frequent, byShare)
	var list []wanted
	for _, term := range frequent[:min(len(frequent), feedbackTerms)] {
		w := weights[term]
		w.weight *= feedbackWeight * shares[term] / max(shares[frequent[0]], 1e-9)
		list = append(list, w)
	}
	for _, d := range all {
		c, norm := d.count(list), passage.Norm(float64(d.words), asked.averageDocument)
		for i, w := range list {
			times := 0
			for _, in := range c.passages {
				times += in[i]
			}
			d.score += 3 * passage.Gain(w.weight, float64(times), norm)
		}
	}
	return nil
}

func sum(list []int) (n int) {
	for _, v := range list {
		n += v
	}
	return n
}

// foldFormats sorts documents by score, and lowers the scores of those that are a better one in another format: the same path but
// for its ending. They come last, in their order.
func foldFormats(all []*candidate) {
	slices.SortFunc(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), a.folder-b.folder, strings.Compare(a.path, b.path), strings.Compare(a.part, b.part))
	})
	seen := map[place]bool{}
	var first, again []*candidate
	for _, d := range all {
		at := place{d.folder, withoutExtension(d.path)}
		if d.part == "" && isFormat(d.path) && seen[at] {
			again = append(again, d)
			continue
		}
		seen[at] = true
		first = append(first, d)
	}
	for _, d := range again {
		d.score *= first[len(first)-1].score / max(first[0].score, 1e-9)
	}
	copy(all, append(first, again...))
}

// isFormat reports a path whose ending is that of a format for documents: lamp.go beside lamp.md is no other format of it.
func isFormat(file string) bool {
	switch strings.ToLower(path.Ext(strings.TrimSuffix(file, ".gz"))) {
	case "", ".html", ".htm", ".xhtml", ".md", ".markdown", ".txt", ".text", ".rst", ".adoc", ".org", ".tex", ".pdf", ".epub", ".docx":
		return true
	}
	return false
}
