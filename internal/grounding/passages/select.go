package passages

import (
	"math"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Selected is a part of a text that answers a query: whole paragraphs, with the heading that is directly above them.
type Selected struct {
	Passage
	Section string // see [WithSections]
	Subject int    // of the query that it answers, from 0
	Score   float64
}

const (
	// paragraphChars is the length up to which Select keeps a paragraph or a list whole.
	paragraphChars = 1_500
	// leastKnown of the words of a query must be in a text that answers it (chosen).
	leastKnown = 1.0 / 3
	// repeatedPart of a gain does not count if a part before has it (chosen).
	repeatedPart = 0.5
	// leastGain is the gain of a selected part, as a share of the best one's (chosen).
	leastGain = 0.4
	// leastGainNamed is the same for a query with an identifier, whose entry gains much more than other parts (chosen).
	leastGainNamed = 0.25
	// titledShare of the words of a query in the heading that a part begins with make it the section that was asked for: it counts
	// titledTimes as much (both chosen).
	titledShare = 0.6
	titledTimes = 1.4
	// sectionTimes is how often the words of a heading count in each paragraph below it (chosen).
	sectionTimes = 0.5
)

// Select returns the parts of a text that answer a query, best first, at most limit. A heading counts for all paragraphs
// below it. After the first, a part counts more for words that the ones before it lack. Each subject of a query ("attach a
// pier; detach a pier") has parts of its own: the best ones of all subjects come first, then the second ones. A subject of
// whose words the text has few has none. If the text has few words of the whole query, Select returns nil. A short gap between
// two parts is filled.
func Select(text, query string, limit int) []Selected {
	units := withoutContents(sectioned(text))
	var lists [][]Selected
	for i, subject := range Subjects(query) {
		if list := selectFor(units, subject, limit); len(list) > 0 {
			for n := range list {
				list[n].Subject = i
			}
			lists = append(lists, list)
		}
	}
	seen := map[int]bool{}
	var out []Selected
	for rank := 0; len(out) < limit; rank++ {
		left := false
		for _, list := range lists {
			if rank >= len(list) {
				continue
			}
			left = true
			if p := list[rank]; !seen[p.Start] && len(out) < limit {
				seen[p.Start] = true
				out = append(out, p)
			}
		}
		if !left {
			break
		}
	}
	return withBridges(out, units, limit)
}

// leastContents headings of the text in a row are its table of contents (chosen).
const leastContents = 3

// withoutContents drops the parts that only list headings of the text: they have the words of every query about it.
func withoutContents(units []Selected) []Selected {
	headings := make(map[string]bool)
	for _, u := range units {
		if title := headingOf(u.Text); title != "" {
			headings[title] = true
		}
	}
	return slices.DeleteFunc(units, func(u Selected) bool {
		listed, others := 0, 0
		for line := range strings.Lines(u.Text) {
			switch line = strings.TrimSpace(strings.TrimLeft(line, "#-*• \t0123456789.")); {
			case line == "" || strings.HasSuffix(line, ":"):
			case headings[line]:
				listed++
			default:
				others++
			}
		}
		return listed >= leastContents && listed > 2*others
	})
}

// Subjects cuts a query at semicolons, line breaks and question marks into the subjects that it asks for.
func Subjects(query string) []string {
	var out []string
	for s := range strings.FieldsFuncSeq(query, func(r rune) bool { return strings.ContainsRune(";；\n?？", r) }) {
		if s = strings.TrimSpace(s); len(Terms(s)) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// selectFor is Select for one subject.
func selectFor(units []Selected, subject string, limit int) (out []Selected) {
	words := queryWords(subject)
	gains, known := unitGains(units, words)
	if known < leastKnown {
		return nil
	}
	for i, u := range units {
		if namedBy(u, words) {
			for w := range gains[i] {
				gains[i][w] *= titledTimes
			}
		}
	}
	gains = withIdentifiers(gains, units, words, subject)
	least := leastGain
	if len(gains) > 0 && len(gains[0]) > len(words) {
		least = leastGainNamed
	}
	covered := make([]float64, len(gains[0])) // there is at least one part: the text has words of the query
	used := make([]bool, len(units))
	for len(out) < min(limit, len(units)) {
		best, most := -1, 0.0
		for u, row := range gains {
			all, sum := 0.0, 0.0
			for w, g := range row {
				all += g
				sum += g - repeatedPart*min(g, covered[w])
			}
			if !used[u] && sum > most && (len(out) == 0 || all >= least*out[0].Score) {
				best, most = u, sum
			}
		}
		if best < 0 {
			break
		}
		for w, g := range gains[best] {
			covered[w] = max(covered[w], g)
		}
		used[best] = true
		part := units[best]
		part.Score = most
		out = append(out, part)
	}
	return out
}

// namedBy reports whether the heading that a part begins with has most words of a query.
func namedBy(u Selected, words []queryWord) bool {
	title := headingOf(u.Text)
	if title == "" {
		return false
	}
	terms := make(map[string]bool)
	new(Analyzer).Tokens(title, func(t Token) { terms[t.Term] = true })
	all, found := 0, 0
	for _, word := range words {
		if word.function || word.pair {
			continue
		}
		all++
		if slices.ContainsFunc(word.variants, func(v Variant) bool { return terms[v.Term] }) {
			found++
		}
	}
	return all > 1 && float64(found) >= titledShare*float64(all)
}

// unitGains returns the BM25 gain of each word in each part, and the share of the query's words that the parts have.
func unitGains(units []Selected, words []queryWord) (gains [][]float64, known float64) {
	counts := make([]map[string]float64, len(units))
	lengths, all := make([]float64, len(units)), 0.0
	frequency := map[string]int{}
	var a Analyzer
	for i, u := range units {
		counts[i] = map[string]float64{}
		a.Tokens(u.Text, func(t Token) { counts[i][t.Term]++; lengths[i]++ })
		a.Tokens(u.Section, func(t Token) { counts[i][t.Term] += sectionTimes })
		all += lengths[i]
		for term := range counts[i] {
			frequency[term]++
		}
	}
	idf := func(term string) float64 {
		n := float64(frequency[term])
		return math.Log(1 + (float64(len(units))-n+0.5)/(n+0.5))
	}
	gains = make([][]float64, len(units))
	for i := range gains {
		gains[i] = make([]float64, len(words))
	}
	average := max(1, all/float64(max(1, len(units))))
	content, found := 0, 0
	for w, word := range words {
		has, rarest := false, math.Inf(1) // a related word counts no more than the word of the query
		for n, v := range word.variants {
			if frequency[v.Term] == 0 {
				continue
			}
			has = true
			weight := idf(v.Term)
			if n == 0 {
				rarest = weight
			}
			for i := range units {
				if tf := counts[i][v.Term]; tf > 0 {
					gains[i][w] = max(gains[i][w], v.Match*min(rarest, weight)*tf*(bm25K1+1)/(tf+bm25K1*(1-bm25B+bm25B*lengths[i]/average)))
				}
			}
		}
		if !word.function {
			content++
			if has {
				found++
			}
		}
	}
	if content == 0 {
		return gains, 1
	}
	return gains, float64(found) / float64(content)
}

const (
	// partOfIdentifier is what a word counts for that the query has only within an identifier which the text has (chosen).
	partOfIdentifier = 0.3
	// definesTimes is how much more a part counts that has the identifier at the beginning of a line: its entry in a manual
	// (chosen).
	definesTimes = 2
	// belowTimes is the same for a part whose heading has it (chosen).
	belowTimes = 1.5
)

// identifier matches a name that the analyzer takes apart: max_connections.
var identifier = lazyregexp.New(`[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+`)

// withIdentifiers adds a column of gains for each identifier of a query that the text has as it is written: as much as its words
// would count together. The words alone, found anywhere, count little then.
func withIdentifiers(gains [][]float64, units []Selected, words []queryWord, query string) [][]float64 {
	rest := query
	var known []string
	for _, name := range identifier.FindAllString(query, -1) {
		having := 0
		column := make([]float64, len(units))
		for i, u := range units {
			if !hasName(u.Text, name) {
				continue
			}
			having++
			column[i] = float64(1 + strings.Count(name, "_"))
			switch {
			case opensLine(u.Text, name):
				column[i] *= definesTimes
			case hasName(firstLine(u.Section), name):
				column[i] *= belowTimes
			}
		}
		if having == 0 || slices.Contains(known, name) {
			continue
		}
		known = append(known, name)
		rest = strings.ReplaceAll(rest, name, " ")
		rarity := math.Log(1 + (float64(len(units)-having)+0.5)/(float64(having)+0.5))
		for i := range gains {
			gains[i] = append(gains[i], column[i]*rarity)
		}
	}
	if len(known) == 0 {
		return gains
	}
	alone := make(map[string]bool)
	for _, w := range queryWords(rest) {
		alone[w.variants[0].Term] = true
	}
	for w, word := range words {
		if alone[word.variants[0].Term] {
			continue
		}
		for i := range gains {
			gains[i][w] *= partOfIdentifier
		}
	}
	return gains
}

// opensLine reports whether a line of a text begins with a name, and says more than that it is set to something.
func opensLine(text, name string) bool {
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(strings.TrimLeft(line, "#-*• "), name)
		if ok && (rest == "" || !nameByte(rest[0])) && !strings.HasPrefix(strings.TrimLeft(rest, " "), "=") {
			return true
		}
	}
	return false
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// hasName reports whether a text has an identifier that is no part of a longer one.
func hasName(text, name string) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(name)
		if (at == 0 || !nameByte(text[at-1])) && (end == len(text) || !nameByte(text[end])) {
			return true
		}
		from = end
	}
}

func nameByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
