package query

import (
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/words"
)

// Hit has the content words of a hit, each once, as Rank compares them: the hashes of their stems.
type Hit struct{ title, snippet []uint64 }

const (
	// titleWeight is the weight of a word in the title, against 1 in the snippet.
	titleWeight = 2
	// maxRankedChars is how many characters of a snippet are compared.
	maxRankedChars = 600
)

// HitOf returns the words of a hit.
func HitOf(title, snippet string) Hit {
	return Hit{hashedStems(title), hashedStems(words.First(snippet, maxRankedChars))}
}

// Rank returns the relevance of hits to a topic: the sum over the topic's words of their rarity among the hits. 0 means that
// a hit shares no word with the topic.
func Rank(topic string, hits []Hit) []float64 {
	relevance := make([]float64, len(hits))
	weights := make([]float64, len(hits))
	for _, word := range hashedStems(topic) {
		count := 0.0
		for i, hit := range hits {
			switch {
			case slices.Contains(hit.title, word):
				weights[i] = titleWeight
			case slices.Contains(hit.snippet, word):
				weights[i] = 1
			default:
				weights[i] = 0
				continue
			}
			count++
		}
		for i, weight := range weights {
			if weight > 0 {
				relevance[i] += weight * math.Log(1+float64(len(hits))/count)
			}
		}
	}
	return relevance
}

// stemChars is the length of a stem: "reported" and "reports" have the same one.
const stemChars = 5

// seed is that of the hashes, which no process keeps.
var seed = maphash.MakeSeed()

// hashedStems returns the hashes of the stems of a text's content words, each once. Chinese and Japanese words are pairs of characters.
func hashedStems(text string) (out []uint64) {
	add := func(stem string) {
		if hash := maphash.String(seed, stem); !slices.Contains(out, hash) {
			out = append(out, hash)
		}
	}
	for word := range eachWord(text) {
		if isFunction(word) {
			continue
		}
		w := strings.ToLower(word)
		if first, _ := utf8.DecodeRuneInString(w); Joins(first) || utf8.RuneCountInString(w) <= 2 {
			add(words.First(w, stemChars))
			continue
		}
		before := 0
		for i, r := range w {
			if i > 0 {
				add(w[before : i+utf8.RuneLen(r)])
				before = i
			}
		}
	}
	return out
}
