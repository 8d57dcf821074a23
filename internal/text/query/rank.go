package query

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// Topic has the stems of a topic's content words, each once.
type Topic []string

const (
	// titleWeight is the weight of a word in the title, against 1 in the snippet.
	titleWeight = 2
	// maxRankedChars is how many characters of a snippet are compared.
	maxRankedChars = 600
)

// Rank returns the relevance of n hits to a topic: the sum over the topic's words of their rarity among the hits. 0 means that
// a hit shares no word with the topic. hit returns title and snippet.
func (t Topic) Rank(n int, hit func(i int) (title, snippet string)) []float64 {
	weights := make([]float64, n*len(t)) // len(t) of each hit
	count := make([]float64, len(t))
	for i := range n {
		found := weights[i*len(t) : (i+1)*len(t)]
		weigh := func(text string, weight float64) {
			eachStem(text, func(word, stem string) {
				if at := slices.Index(t, stem); at >= 0 && found[at] == 0 && !isFunction(word) {
					found[at] = weight
					count[at]++
				}
			})
		}
		title, snippet := hit(i)
		weigh(title, titleWeight)
		weigh(firstRunes(snippet, maxRankedChars), 1)
	}
	relevance := make([]float64, n)
	for i := range relevance {
		for at, weight := range weights[i*len(t) : (i+1)*len(t)] {
			if weight > 0 {
				relevance[i] += weight * math.Log(1+float64(n)/count[at])
			}
		}
	}
	return relevance
}

// relevantShare is the minimum share of the topic's words in the title or snippet of a relevant hit. A hit with one word
// of a long question is noise.
const relevantShare = 1.0 / 3

// Has reports whether a hit is about the topic.
func (t Topic) Has(title, snippet string) bool {
	found := make([]bool, len(t))
	n := 0
	eachStem(title+" "+firstRunes(snippet, maxRankedChars), func(word, stem string) {
		if at := slices.Index(t, stem); at >= 0 && !found[at] && !isFunction(word) {
			found[at] = true
			n++
		}
	})
	return n > 0 && float64(n) >= relevantShare*float64(len(t))
}

// stemChars is the length of a stem: "reported" and "reports" have the same one.
const stemChars = 5

// eachStem calls add with each word, function words included, and its stem. Chinese and Japanese words become pairs of
// characters. It runs over all unread hits in every update, so it allocates little.
func eachStem(text string, add func(word, stem string)) {
	for word := range eachWord(text) {
		w := strings.ToLower(word)
		if first, _ := utf8.DecodeRuneInString(w); Joins(first) || utf8.RuneCountInString(w) <= 2 {
			add(word, firstRunes(w, stemChars))
			continue
		}
		before := 0
		for i, r := range w {
			if i > 0 {
				add(word, w[before:i+utf8.RuneLen(r)])
				before = i
			}
		}
	}
}

// TopicOf returns the topic of a text.
func TopicOf(text string) Topic {
	var out Topic
	eachStem(text, func(word, stem string) {
		if !isFunction(word) && !slices.Contains(out, stem) {
			out = append(out, stem)
		}
	})
	return out
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}
