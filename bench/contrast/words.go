package main

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/bench/claimset"
)

// The words baseline answers grounded if a window of three sentences has at least the share enoughWords of a claim's words,
// and unsupported if no window has fewWords of them.
const (
	enoughWords = 0.7
	fewWords    = 0.3
	windowSize  = 3
)

// matchWords is a baseline that compares only words.
func matchWords(s claimset.Set) []said {
	windows := map[string][]map[string]bool{}
	for _, src := range s.Sources {
		windows[src.ID] = splitWindows(src.Text)
	}
	verdicts := make([]said, len(s.Claims))
	for i, c := range s.Claims {
		words := tokens(c.Claim)
		best := 0.0
		for _, id := range c.SourceIDs {
			for _, window := range windows[id] {
				found := 0
				for word := range words {
					if window[word] {
						found++
					}
				}
				best = max(best, float64(found)/float64(max(1, len(words))))
			}
		}
		status := "inferred"
		switch {
		case best >= enoughWords:
			status = "grounded"
		case best < fewWords:
			status = "unsupported"
		}
		verdicts[i] = said{ID: c.ID, Status: status, Support: &best}
	}
	return verdicts
}

var sentenceEnd = regexp.MustCompile(`[.!?]["”»“]?\s+|[。！？]|\n+`)

// splitWindows returns the words of each run of windowSize sentences.
func splitWindows(text string) []map[string]bool {
	var sentences []string
	for _, sentence := range sentenceEnd.Split(text, -1) {
		if strings.TrimSpace(sentence) != "" {
			sentences = append(sentences, sentence)
		}
	}
	var windows []map[string]bool
	for i := range sentences {
		end := min(len(sentences), i+windowSize)
		windows = append(windows, tokens(strings.Join(sentences[i:end], "\n")))
	}
	return windows
}

// tokens returns the numbers of a text, its words of at least four letters in lower case, and the pairs of
// neighbouring characters in Chinese and Japanese.
func tokens(text string) map[string]bool {
	found := map[string]bool{}
	fields := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	for _, field := range fields {
		runes := []rune(field)
		switch {
		case strings.ContainsFunc(field, isCJK):
			for i := range len(runes) - 1 {
				found[string(runes[i:i+2])] = true
			}
		case utf8.RuneCountInString(field) >= 4 || unicode.IsDigit(runes[0]):
			found[field] = true
		}
	}
	return found
}

func isCJK(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }
