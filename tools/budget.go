package tools

import (
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/loops"
)

// tokensOf estimates the tokens of a part of an answer, with what separates it from the next.
func tokensOf(part any) int {
	body, err := MarshalAnswer(part)
	if err != nil {
		return 0
	}
	return loops.EstimateTokens(string(body) + ",")
}

// charsOf counts the characters of a part of an answer, with what separates it from the next.
func charsOf(part any) int {
	body, err := MarshalAnswer(part)
	if err != nil {
		return 0
	}
	return utf8.RuneCount(body) + 1
}

// within returns the first parts whose costs fit into a limit, at least one.
func within[T any](parts []T, limit int, cost func(any) int) []T {
	for i, part := range parts {
		if limit -= cost(part); limit < 0 && i > 0 {
			return parts[:i]
		}
	}
	return parts
}

// shrink returns a number of characters, at most n, whose cost is within a limit.
func shrink(n, limit int, cost func(n int) int) int {
	for n > 0 {
		have := cost(n)
		if have <= limit {
			break
		}
		n = max(0, min(n-1, n*limit/have))
	}
	return n
}

// cutTo shortens untrusted text.
func cutTo(s string, chars int) string {
	if r := []rune(s); len(r) > chars {
		return string(r[:chars]) + "…"
	}
	return s
}
