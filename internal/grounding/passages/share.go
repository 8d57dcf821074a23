package passages

import "strings"

// Share is how many of the words neighbouring sentences of the text have at best, together with the heading above them:
// 0 to 1, and 1 of no words. A synonym, or a word that begins alike, counts less than the same stem; a number counts
// more than a word. Only sentences that accepts takes, joined to one string, are looked at; nil takes all.
func (t *Text) Share(words []string, accepts func(near string) bool) float64 {
	var needs []need
	total := 0.0
	for _, text := range words {
		lex := lexiconOf(text, []*Text{t})
		for _, w := range wordsOf(text) {
			n := need{weight: 1, found: appendWord(nil, 0, t, w, variantsOf(w, lex, t.language))}
			if w.number {
				n.weight = numberBoost
			}
			needs = append(needs, n)
			total += n.weight
		}
	}
	has := make([][]float64, len(t.Sentences)) // by sentence: how well it has each word
	for u, n := range needs {
		for _, f := range n.found {
			if has[f.sentence] == nil {
				has[f.sentence] = make([]float64, len(needs))
			}
			has[f.sentence][u] = max(has[f.sentence][u], f.match)
		}
	}
	best := 0.0
	for i := range t.Sentences {
		near := t.near(i)
		share := 1.0
		if total > 0 {
			share = 0
			for u, n := range needs {
				most := 0.0
				for _, at := range near {
					if has[at] != nil {
						most = max(most, has[at][u])
					}
				}
				share += n.weight * most / total
			}
		}
		if share > best && (accepts == nil || accepts(t.join(near))) {
			best = share
		}
	}
	return best
}

func (t *Text) join(sentences []int) string {
	var b strings.Builder
	for _, i := range sentences {
		b.WriteString(t.Sentences[i].Text)
		b.WriteByte(' ')
	}
	return b.String()
}

// near are a sentence, its neighbours, and the heading above it.
func (t *Text) near(i int) []int {
	out := []int{i}
	if i > 0 {
		out = append(out, i-1)
	}
	if i+1 < len(t.Sentences) {
		out = append(out, i+1)
	}
	for j := i - 2; j >= 0; j-- {
		if t.spans[j].heading {
			return append(out, j)
		}
	}
	return out
}

// Speaks reports whether a short text seems to be of the language of t, or either language is unknown.
func (t *Text) Speaks(short string) bool {
	return t.language == "" || claimLanguage(short, []*Text{t}) == t.language
}
