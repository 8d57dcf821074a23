package loops

import (
	"encoding/json"
	"strconv"

	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	// AnswerTokens bounds an answer by default: 16,000 characters of English.
	AnswerTokens = 3_900
	// BriefTokens bounds the brief, which a host reads after it lost its context.
	BriefTokens = 2_000
)

// tokensOf estimates the tokens of the JSON of v.
func tokensOf(v any) int {
	b, err := json.Marshal(v)
	if err != nil {
		return 0
	}
	return words.EstimateTokens(string(b))
}

// Page returns the items from cursor on that fit into tokens, at least one, and the next cursor, which is empty at the end.
func Page[T any](items []T, cursor string, tokens int) (part []T, next string, err error) {
	from := 0
	if cursor != "" {
		if from, err = strconv.Atoi(cursor); err != nil || from < 0 || from > len(items) {
			return nil, "", &loopstate.Error{Code: loopstate.CodeBadCursor, Subject: "cursor", Value: loopstate.Shorten(cursor, 40)}
		}
	}
	part = []T{}
	for i := from; i < len(items); i++ {
		tokens -= tokensOf(items[i])
		if tokens < 0 && len(part) > 0 {
			return part, strconv.Itoa(i), nil
		}
		part = append(part, items[i])
	}
	return part, "", nil
}
