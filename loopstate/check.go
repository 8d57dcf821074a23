package loopstate

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits on one call, so that a mistaken or hostile call cannot fill the log. The largest real input seen is a report of
// 4,000 words with 71 claims and 56 sources.
const (
	MaxTextChars      = 8_000   // a question, gap, claim, reason: code points
	MaxSnippetChars   = 4_000   // a snippet: longer ones are cut
	MaxURLChars       = 4_096   // an address
	MaxItems          = 1_000   // a list of one call
	MaxSynthesisChars = 400_000 // a synthesis
)

// CheckText returns the trimmed text, or an error if it is blank, longer than limit code points, or not valid text.
func CheckText(subject, text string, limit int) (string, error) {
	t := strings.TrimSpace(text)
	n := utf8.RuneCountInString(t)
	switch {
	case t == "":
		return "", &Error{Code: CodeEmpty, Subject: subject}
	case n > limit:
		return "", &Error{Code: CodeTooLong, Subject: subject, Got: int64(n), Limit: int64(limit)}
	case !Keepable(t):
		return "", &Error{Code: CodeNotText, Subject: subject}
	}
	return t, nil
}

// CheckCount returns an error for a list of more than limit items.
func CheckCount(subject string, n, limit int) error {
	if n > limit {
		return &Error{Code: CodeTooMany, Subject: subject, Got: int64(n), Limit: int64(limit)}
	}
	return nil
}

// CheckOneOf returns an error for a word that is neither empty nor in the list.
func CheckOneOf(subject, word string, valid []string) error {
	if word == "" || slices.Contains(valid, word) {
		return nil
	}
	return &Error{Code: CodeUnknownValue, Subject: subject, Value: Shorten(word, 60), Valid: valid}
}

// CheckRange returns an error for a number below least or above most.
func CheckRange(subject string, v, least, most float64) error {
	if v >= least && v <= most {
		return nil
	}
	return &Error{Code: CodeOutOfRange, Subject: subject, Value: strconv.FormatFloat(v, 'g', -1, 64), Min: least, Max: most}
}

// checks checks the parts of a request. err is the first mistake: after it, all checks return zero values, and lists have no
// items. So a step checks everything and looks at err once.
type checks struct{ err error }

// fail records a mistake, unless there is one already.
func (c *checks) fail(err error) { c.err = cmp.Or(c.err, err) }

// text is [CheckText].
func (c *checks) text(subject, text string, limit int) (out string) {
	if c.err == nil {
		out, c.err = CheckText(subject, text, limit)
	}
	return out
}

// optional is text for a text that may be blank.
func (c *checks) optional(subject, text string, limit int) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	return c.text(subject, text, limit)
}

// texts checks a list of texts.
func (c *checks) texts(subject string, texts []string) (out []string) {
	for item, text := range listed(c, subject, texts) {
		out = append(out, c.text(item, text, MaxTextChars))
	}
	return out
}

// word is [CheckOneOf], with a default for an empty word.
func (c *checks) word(subject, word string, valid []string, otherwise string) string {
	c.fail(CheckOneOf(subject, word, valid))
	return cmp.Or(word, otherwise)
}

// listed yields the items of a list, each with its subject, up to the first mistake; one is a list of more than [MaxItems] items.
func listed[T any](c *checks, subject string, items []T) iter.Seq2[string, T] {
	return func(yield func(string, T) bool) {
		c.fail(CheckCount(subject, len(items), MaxItems))
		for i, item := range items {
			if c.err != nil || !yield(fmt.Sprintf("%s[%d]", subject, i), item) {
				return
			}
		}
	}
}

// Shorten cuts a text to n code points and marks the cut with an ellipsis.
func Shorten(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	return strings.TrimSpace(string(r[:n])) + "…"
}

// Keepable reports whether every store can store s in a text column: s is UTF-8 without NUL.
func Keepable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// first returns the first of the items that match.
func first[T any](items []T, match func(T) bool) (item T, ok bool) {
	if i := slices.IndexFunc(items, match); i >= 0 {
		return items[i], true
	}
	return item, false
}

// keep returns the items that match.
func keep[T any](items []T, match func(T) bool) (kept []T) {
	for _, item := range items {
		if match(item) {
			kept = append(kept, item)
		}
	}
	return kept
}

// each returns what of makes of the items.
func each[T, U any](items []T, of func(T) U) []U {
	out := make([]U, len(items))
	for i, item := range items {
		out[i] = of(item)
	}
	return out
}
