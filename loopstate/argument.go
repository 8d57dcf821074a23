package loopstate

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// ArgumentError says what was wrong with what a caller asked: the argument, the problem, and what to do
// next. Its text is made for the person or the model that reads it, and names nothing else.
type ArgumentError struct {
	Argument string // "claims[2].source_ids"
	Problem  string // "S7 was never read in this loop"
	Next     string // "fetch it with this state_id first, then cite the source_id that fetch answers"
}

func (e *ArgumentError) Error() string {
	msg := e.Argument + ": " + e.Problem
	if e.Next != "" {
		next := e.Next
		if first, _, _ := strings.Cut(next, " "); !strings.Contains(first, "_") { // not the name of a tool
			next = strings.ToUpper(next[:1]) + next[1:]
		}
		msg += ". " + next
		if !strings.HasSuffix(msg, "?") {
			msg += "."
		}
	}
	return msg
}

func badArgument(argument, next, problem string, args ...any) error {
	return &ArgumentError{Argument: argument, Problem: fmt.Sprintf(problem, args...), Next: next}
}

// Limits on what one call may bring. They keep a mistaken or hostile call from filling the log; real ones
// stay far below. Chosen, with the largest real inputs seen (a 4,000-word brief with 71 claims and 56
// sources, research-synthesis-loop) in mind.
const (
	MaxTextChars      = 8_000   // a question, gap, claim, reason: code points
	MaxSnippetChars   = 4_000   // a snippet: longer ones are cut, not refused
	MaxURLChars       = 4_096   // an address
	MaxItems          = 1_000   // a list of one call
	MaxSynthesisChars = 400_000 // a synthesis handed to loop_reflect
)

// checkText refuses what is blank or too long, and returns the text trimmed.
func checkText(argument, text string, limit int) (string, error) {
	t := strings.TrimSpace(text)
	if t == "" {
		return "", badArgument(argument, "give it a text or leave it out", "is empty")
	}
	if n := utf8.RuneCountInString(t); n > limit {
		return "", badArgument(argument, "shorten it", "has %d characters, at most %d are taken", n, limit)
	}
	if !Keepable(t) {
		return "", badArgument(argument, "send plain text", "is not valid UTF-8, or holds a NUL")
	}
	return t, nil
}

func checkCount(argument string, n int) error {
	if n > MaxItems {
		return badArgument(argument, "send it in several calls", "has %d items, at most %d are taken in one call", n, MaxItems)
	}
	return nil
}

func checkTexts(argument string, texts []string) ([]string, error) {
	if err := checkCount(argument, len(texts)); err != nil {
		return nil, err
	}
	out := make([]string, 0, len(texts))
	for i, text := range texts {
		t, err := checkText(fmt.Sprintf("%s[%d]", argument, i), text, MaxTextChars)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// checkOneOf refuses a word that is not in the list; empty passes.
func checkOneOf(argument, word string, valid []string) error {
	if word == "" {
		return nil
	}
	for _, v := range valid {
		if v == word {
			return nil
		}
	}
	return badArgument(argument, "use one of "+strings.Join(valid, ", "), "%q is not known", clip(word, 60))
}

// clip cuts a text to n code points, with an ellipsis when it was longer.
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	return strings.TrimSpace(string(r[:n])) + "…"
}
