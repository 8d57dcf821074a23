package passages

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

// Text is a text made ready for [Rank]. It is safe for concurrent use.
type Text struct {
	Sentences []Passage
	spans     []span // of Sentences
	text      string
	language  string
	stems     map[string][]int32 // stem -> sentences that have it, ascending
	sorted    []string           // the stems in order, for words that begin alike
	concepts  func() map[concept][]int32
}

// concept is a meaning that all languages of the lexicon name alike: a month, a unit, a number word.
type concept struct {
	kind        lexicon.Kind
	class, name string
	value       float64
}

// NewText reads a text.
func NewText(text string) *Text {
	t := &Text{spans: sentenceSpans(text), text: text, language: languageOf(text), stems: make(map[string][]int32)}
	for _, s := range t.spans {
		t.Sentences = append(t.Sentences, s.passage(text))
	}
	analyzer := NewAnalyzer(t.language)
	for i, s := range t.Sentences {
		analyzer.Tokens(s.Text, func(token Token) {
			if list := t.stems[token.Term]; len(list) == 0 || list[len(list)-1] != int32(i) {
				t.stems[token.Term] = append(list, int32(i))
			}
		})
	}
	for stem := range t.stems {
		t.sorted = append(t.sorted, stem)
	}
	slices.Sort(t.sorted)
	t.concepts = sync.OnceValue(func() map[concept][]int32 {
		out := make(map[concept][]int32)
		words := lexicon.For(t.language)
		for i, s := range t.Sentences {
			for _, c := range conceptsOf(words, s.Text) {
				if list := out[c]; len(list) == 0 || list[len(list)-1] != int32(i) {
					out[c] = append(list, int32(i))
				}
			}
		}
		return out
	})
	return t
}

// Context returns what a sentence needs to be understood and is above it: the heading of its section, the header
// of its table, the introduction of its list; in order, without what is missing.
func (t *Text) Context(sentence int) []Passage {
	var out []Passage
	own := t.Sentences[sentence].Text
	row, item := strings.HasPrefix(own, "|"), opensItem(own)
	i := sentence - 1
	switch {
	case row:
		for i >= 0 && strings.HasPrefix(t.Sentences[i].Text, "|") {
			i--
		}
		if i+1 < sentence {
			out = append(out, t.Sentences[i+1])
		}
	case item:
		for i >= 0 && (opensItem(t.Sentences[i].Text) || !t.spans[i].opensParagraph) && !strings.HasSuffix(t.Sentences[i].Text, ":") {
			i--
		}
		if i >= 0 && !t.spans[i].heading && t.spans[i].leads(t.text) {
			out = append(out, t.Sentences[i])
		}
	}
	for i := sentence - 1; i >= 0; i-- {
		if s := t.spans[i]; s.heading || s.opensParagraph && t.spans[i+1].opensParagraph && s.leads(t.text) && !strings.HasSuffix(t.Sentences[i].Text, ":") {
			return append([]Passage{t.Sentences[i]}, out...)
		}
	}
	return out
}

// languageOf is LanguageOf, which does not know Chinese and Japanese.
func languageOf(text string) string {
	han, kana, all := 0, 0, 0
	for _, r := range text {
		if all++; all > 2000 {
			break
		}
		switch {
		case r >= 0x3040 && r <= 0x30ff:
			kana++
		case unspaced(r):
			han++
		}
	}
	switch {
	case kana*20 > all:
		return "ja"
	case (han+kana)*5 > all:
		return "zh"
	}
	return LanguageOf(text)
}

// conceptsOf lists the concepts of a text. Numbers in digits and in words are alike, "forty-eight" is one.
func conceptsOf(words *lexicon.Lexicon, text string) []concept {
	var out []concept
	tens := -1 // end of a number word such as forty
	for _, m := range words.Scan(text) {
		c := concept{kind: m.Kind, class: m.Class, name: m.Name, value: m.Value}
		switch m.Kind {
		case lexicon.Number:
			c.class = ""
			if last := len(out) - 1; tens >= 0 && m.Start == tens+1 && m.Value > 0 && m.Value < 10 {
				out[last].value += m.Value
				tens = -1
				continue
			}
			tens = -1
			if m.Class == "number" && m.Value >= 20 && m.Value < 100 {
				tens = m.End
			}
		case lexicon.Calendar, lexicon.Unit, lexicon.Rate, lexicon.Place, lexicon.Translation:
		default:
			continue
		}
		out = append(out, c)
	}
	new(Analyzer).Tokens(text, func(t Token) {
		if v, err := strconv.ParseFloat(t.Term, 64); err == nil && digit(rune(t.Term[0])) {
			out = append(out, concept{kind: lexicon.Number, value: v})
		}
	})
	return out
}

// Choice is a sentence that [Rank] offers: Sentence of the text number Text.
type Choice struct {
	Text, Sentence int
	Score          float64
}

// The weights of a match that is not the same stem, and of what a chosen sentence has said already. Fitted by hand
// on one half of the development texts.
const (
	synonymWeight  = 0.7
	alikeWeight    = 0.55
	conceptWeight  = 0.8
	numberBoost    = 1.6
	nameBoost      = 1.3
	functionWeight = 0.15
	neighbour      = 0.12
	repeated       = 0.65
)

// need is one thing that a claim says, with the sentences that say it.
type need struct {
	weight float64
	found  []finding
}

type finding struct {
	text, sentence int32
	match          float64
}

// Rank offers the sentences of texts that say most of a claim, best first, at most limit. After the first, a sentence
// counts more for what the ones before it do not say, so that a claim over two sentences finds both.
func Rank(claim string, texts []*Text, limit int) []Choice {
	needs := readNeeds(claim, texts)
	scores := make([][]float64, len(texts))
	matches := make(map[[2]int32][]float64) // by sentence: match of each need
	for u, n := range needs {
		for _, f := range n.found {
			place := [2]int32{f.text, f.sentence}
			row := matches[place]
			if row == nil {
				row = make([]float64, len(needs))
				matches[place] = row
			}
			row[u] = max(row[u], f.match)
		}
	}
	for i, t := range texts {
		scores[i] = make([]float64, len(t.Sentences))
	}
	places := make([][2]int32, 0, len(matches))
	for place := range matches {
		places = append(places, place)
	}
	slices.SortFunc(places, func(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	own := func(place [2]int32, covered []float64) float64 {
		sum := 0.0
		for u, m := range matches[place] {
			sum += needs[u].weight * (m - repeated*min(m, covered[u]))
		}
		return sum
	}
	none := make([]float64, len(needs))
	for _, p := range places {
		scores[p[0]][p[1]] = own(p, none)
	}
	near := func(p [2]int32) float64 {
		row, i, sum := scores[p[0]], int(p[1]), 0.0
		if i > 0 {
			sum += row[i-1]
		}
		if i+1 < len(row) {
			sum += row[i+1]
		}
		return neighbour * sum
	}
	covered := make([]float64, len(needs))
	var out []Choice
	for len(out) < limit && len(places) > 0 {
		best, bestScore := -1, -1.0
		for i, p := range places {
			length := utf8.RuneCountInString(texts[p[0]].Sentences[p[1]].Text)
			score := (own(p, covered) + near(p)) / lengthPenalty(length)
			if score > bestScore+1e-12 {
				best, bestScore = i, score
			}
		}
		p := places[best]
		places = slices.Delete(places, best, best+1)
		for u, m := range matches[p] {
			covered[u] = max(covered[u], m)
		}
		out = append(out, Choice{Text: int(p[0]), Sentence: int(p[1]), Score: bestScore})
	}
	return out
}

// lengthPenalty keeps long lists from winning by their length.
func lengthPenalty(chars int) float64 { return 1 + 0.12*math.Log(1+float64(chars)/150) }

func readNeeds(claim string, texts []*Text) []need {
	words := lexiconOf(claim, texts)
	language := words.Language()
	sentences := 0
	for _, t := range texts {
		sentences += len(t.Sentences)
	}
	var needs []need
	seen := map[string]bool{}
	for _, w := range wordsOf(claim) {
		if seen[w.fold] {
			continue
		}
		seen[w.fold] = true
		n := need{weight: 1}
		variants := map[string][]Variant{}
		for i, t := range texts {
			list, known := variants[t.language]
			if !known {
				list = variantsOf(w, words, t.language)
				variants[t.language] = list
			}
			n.found = appendWord(n.found, int32(i), t, w, list)
		}
		n.weight = rarity(len(n.found), sentences)
		_, function := words.Is(lexicon.Function, w.fold)
		switch {
		case function:
			n.weight *= functionWeight
		case w.number:
			n.weight *= numberBoost
		case w.capital:
			n.weight *= nameBoost
		}
		if len(n.found) > 0 {
			needs = append(needs, n)
		}
	}
	for _, c := range conceptsOf(words, claim) {
		n := need{}
		for i, t := range texts {
			if t.language == language {
				continue
			}
			for _, s := range t.concepts()[c] {
				n.found = append(n.found, finding{int32(i), s, 1})
			}
		}
		if len(n.found) > 0 {
			n.weight = conceptWeight * rarity(len(n.found), sentences)
			needs = append(needs, n)
		}
	}
	return needs
}

// claimLanguage is the language of a claim, which is often too short for [LanguageOf]: then the language of the texts
// or English, whichever has more of its function words.
func claimLanguage(claim string, texts []*Text) string {
	if language := languageOf(claim); language != "" {
		return language
	}
	best, most := "en", -1
	for _, t := range texts {
		candidates := []string{t.language, "en"}
		if strings.ContainsFunc(claim, unspaced) != (t.language == "zh" || t.language == "ja") {
			candidates = candidates[1:]
		}
		for _, language := range candidates {
			n := 0
			words := lexicon.For(language)
			for word := range strings.FieldsSeq(claim) {
				if _, function := words.Is(lexicon.Function, strings.Trim(word, ".,;:!?")); function {
					n++
				}
			}
			if words != nil && n > most {
				best, most = language, n
			}
		}
	}
	return best
}

// lexiconOf is the lexicon for a claim: English where its language has none.
func lexiconOf(claim string, texts []*Text) *lexicon.Lexicon {
	if words := lexicon.For(claimLanguage(claim, texts)); words != nil {
		return words
	}
	return lexicon.For("en")
}

// rarity is 0.2 for what every sentence has and 1 for what one has.
func rarity(found, sentences int) float64 {
	most := math.Log(1 + float64(sentences+1)/0.5)
	return 0.2 + 0.8*math.Log(1+float64(sentences+1)/(float64(found)+0.5))/most
}

type claimWord struct {
	fold, text      string
	number, capital bool
	pair            bool
}

// wordsOf lists the words of a claim, or the character pairs where its script has no spaces.
func wordsOf(claim string) []claimWord {
	var out []claimWord
	new(Analyzer).Tokens(claim, func(t Token) {
		text := claim[t.ByteStart:t.ByteEnd]
		r, _ := utf8.DecodeRuneInString(text)
		out = append(out, claimWord{fold: Fold(text), text: text, pair: t.Pair, number: digit(r), capital: len(out) > 0 && text != strings.ToLower(text)})
	})
	return out
}

// variantsOf lists the terms for a word in texts of a language: its stem first, then those of synonyms and derived
// words when the claim has the same language.
func variantsOf(w claimWord, words *lexicon.Lexicon, language string) []Variant {
	analyzer := NewAnalyzer(language)
	stem := func(word string) (term string) {
		analyzer.Tokens(word, func(token Token) {
			if term == "" {
				term = token.Term
			}
		})
		return term
	}
	out := []Variant{{stem(w.text), 1}}
	if w.pair || w.number || language != "" && language != words.Language() {
		return out
	}
	for _, other := range slices.Concat(words.Synonyms(w.fold), words.Family(w.fold)) {
		if term := stem(other); term != out[0].Term && !strings.Contains(other, " ") {
			out = append(out, Variant{term, synonymWeight})
		}
	}
	return out
}

// appendWord finds the sentences of a text that have a word, a variant of it, or a word that begins alike.
func appendWord(found []finding, i int32, t *Text, w claimWord, variants []Variant) []finding {
	for _, v := range variants {
		for _, s := range t.stems[v.Term] {
			found = append(found, finding{i, s, v.Match})
		}
	}
	stem := variants[0].Term
	if w.pair || w.number || len(stem) < 5 {
		return found
	}
	head := firstRunes(stem, 5)
	from, _ := slices.BinarySearch(t.sorted, head)
	for ; from < len(t.sorted) && strings.HasPrefix(t.sorted[from], head); from++ {
		other := t.sorted[from]
		if n := sharedBytes(stem, other); other != stem && 10*n >= 6*min(len(stem), len(other)) {
			for _, s := range t.stems[other] {
				found = append(found, finding{i, s, alikeWeight})
			}
		}
	}
	return found
}

func sharedBytes(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
