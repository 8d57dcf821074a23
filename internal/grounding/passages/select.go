package passages

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// Selected is a part of a text that answers a query: whole paragraphs, with the heading that is directly above them.
type Selected struct {
	Passage
	Section string // the heading above, if the passage does not have it
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
	// sectionTimes is how often the words of a heading count in each paragraph below it (chosen).
	sectionTimes = 0.5
)

// admonitions are headings of remarks, which do not begin a section.
var admonitions = []string{"note", "tip", "warning", "caution", "important", "hinweis", "tipp", "warnung", "achtung", "wichtig"}

// Select returns the parts of a text that answer a query, best first, at most limit. A heading counts for all paragraphs
// below it. After the first, a part counts more for words that the ones before it lack, so that a query on several subjects
// finds each. If the text has few words of the query, Select returns nil.
func Select(text, query string, limit int) []Selected {
	units := sectioned(text)
	words := queryWords(query)
	gains, known := unitGains(units, words)
	if known < leastKnown {
		return nil
	}
	covered := make([]float64, len(words))
	out := []Selected{}
	for len(out) < min(limit, len(units)) {
		best, most := -1, 0.0
		for u, row := range gains {
			all, sum := 0.0, 0.0
			for w, g := range row {
				all += g
				sum += g - repeatedPart*min(g, covered[w])
			}
			if units[u].Score == 0 && sum > most && (len(out) == 0 || all >= leastGain*out[0].Score) {
				best, most = u, sum
			}
		}
		if best < 0 {
			break
		}
		for w, g := range gains[best] {
			covered[w] = max(covered[w], g)
		}
		units[best].Score = most
		out = append(out, units[best])
	}
	return out
}

// sectioned returns the paragraphs of a text with the headings above them.
func sectioned(text string) []Selected {
	all := JoinLeads(text, Split(text, paragraphChars))
	out := make([]Selected, len(all))
	section := ""
	for i, p := range all {
		out[i] = Selected{Passage: p, Section: section}
		line, _, above := strings.Cut(p.Text, "\n\n")
		title := strings.TrimSpace(strings.TrimLeft(line, "#"))
		if !above || title == "" || title[0] == '(' || utf8.RuneCountInString(line) > maxLeadLine || !leadLine(line) || strings.HasSuffix(line, ":") {
			continue
		}
		if !slices.Contains(admonitions, strings.ToLower(title)) {
			section, out[i].Section = title, ""
		}
	}
	return out
}

// unitGains returns the BM25 gain of each word in each part, and the share of the query's words that the parts have.
func unitGains(units []Selected, words [][]Variant) (gains [][]float64, known float64) {
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
	for w, variants := range words {
		has, rarest := false, math.Inf(1) // a related word counts no more than the word of the query
		for n, v := range variants {
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
		if variants[0].Match == 1 { // no function word
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
