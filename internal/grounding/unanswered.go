package grounding

import (
	"iter"
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Words cannot prove that a text answers a question, and a text that answers it in other words must not be called
// incomplete. So a topic counts as unanswered only where the draft lacks the kind of answer that it asks for, or nearly all
// of its words.

// Limits of unanswered, both chosen.
const (
	leastPresent   = 0.25 // of a topic's words in the draft: it may be answered
	leastFormShare = 0.8  // how well a draft must have a word for the kind of an answer: the word or its inflection
)

// answerText is a draft that topics are compared with.
type answerText struct {
	draft string
	text  *passages.Text
}

func newAnswerText(draft string) answerText {
	draft = inOneWord(draft)
	return answerText{draft, passages.NewText(draft)}
}

// inOneWord replaces phrases that would be read as other words: "out of date" asks for no date.
func inOneWord(text string) string { return outOfDate.ReplaceAllString(text, "outdated") }

var outOfDate = lazyregexp.New(`(?i)\bout[ -]of[ -]date\b`)

// unanswered returns a topic, or the clauses of a long one, that the draft does not answer. A draft of another language than
// the topic cannot be judged by words.
func (a answerText) unanswered(topic string) []string {
	if !a.text.Speaks(topic) {
		return nil
	}
	if asksForAbsence(topic) {
		if saysAbsence(a.draft) {
			return nil
		}
		return []string{topic}
	}
	clauses := clausesOf(topic)
	var missing []string
	for _, clause := range clauses {
		if a.lacks(clause) {
			missing = append(missing, trimPart(clause))
		}
	}
	if len(missing) > 0 && 2*(len(clauses)-len(missing)) <= len(clauses) {
		return []string{topic}
	}
	return missing
}

// lacks reports whether the draft has no answer to a clause: nothing of the kind of answer that it asks for, no number or
// date near its words where it asks for one, or hardly any of its words.
func (a answerText) lacks(clause string) bool {
	words, wantsNumber, wantsDate := aboutOf(clause)
	words, forms := withoutForms(words)
	if slices.ContainsFunc(forms, func(form []string) bool { return !slices.ContainsFunc(form, a.has) }) {
		return true
	}
	if wantsNumber || wantsDate {
		return a.text.Share(words, func(near string) bool {
			return (!wantsNumber || strings.ContainsFunc(near, unicode.IsDigit)) && (!wantsDate || hasYear(near))
		}) < leastPresent
	}
	present := 0.0
	for _, word := range words {
		present += a.text.Share([]string{word}, nil)
	}
	return present < leastPresent*float64(len(words))
}

// has reports whether the draft has a word, or a mark of the layout: one of a single character anywhere, a longer one at the
// beginning of a line.
func (a answerText) has(sign string) bool {
	switch {
	case strings.ContainsFunc(sign, unicode.IsLetter):
		return a.text.Share([]string{sign}, nil) >= leastFormShare
	case len(sign) == 1:
		return strings.Contains(a.draft, sign)
	}
	return strings.Contains("\n"+a.draft, "\n"+sign)
}

// asksForAbsence reports whether a topic asks what the sources do not say.
func asksForAbsence(topic string) bool {
	sources := false
	for word := range wordsWithin(topic) {
		sources = sources || askingWords()[passages.Fold(word)] == "sources"
	}
	return sources && negates.MatchString(topic)
}

var negates = lazyregexp.New(`(?i)\b(?:not|nicht|kein\w*|pas|silent|silence|omits?|no)\b|n['’]t\b`)

// saysAbsence reports whether a draft has a sentence or a heading about what the sources do not say.
func saysAbsence(draft string) bool {
	for line := range strings.Lines(draft) {
		if headingLevel(strings.TrimSpace(line)) > 0 && asksForAbsence(line) {
			return true
		}
	}
	return slices.ContainsFunc(ParseDraft(draft).Sentences, func(s DraftSentence) bool { return s.Own == OwnAbsence || s.Own == OwnOpen })
}

// wordsWithin yields the words of a text as written.
func wordsWithin(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		new(passages.Analyzer).Tokens(text, func(t passages.Token) { yield(text[t.ByteStart:t.ByteEnd]) })
	}
}

// longTopic is the number of words from which a topic's clauses are judged one by one (chosen).
const longTopic = 8

// clausesOf cuts a long topic at its commas. A clause of one word belongs to the one before: a list is no clause.
func clausesOf(topic string) []string {
	if words, _, _ := aboutOf(topic); len(words) <= longTopic {
		return []string{topic}
	}
	var out []string
	for clause := range strings.SplitSeq(topic, ",") {
		if words, _, _ := aboutOf(clause); len(words) < 2 && len(out) > 0 {
			out[len(out)-1] += "," + clause
			continue
		}
		out = append(out, clause)
	}
	return out
}

// withoutForms parts the words that name the kind of an answer, each with its alternatives, from the others.
func withoutForms(words []string) (rest []string, forms [][]string) {
	for _, word := range words {
		if form := wantedForms()[passages.Fold(word)]; form != nil {
			forms = append(forms, form)
			continue
		}
		rest = append(rest, word)
	}
	return rest, forms
}

// aboutOf are the words of a topic without those by which it asks, and what kind of answer it asks for.
func aboutOf(topic string) (words []string, number, date bool) {
	asking := askingWords()
	topic = inOneWord(topic)
	new(passages.Analyzer).Tokens(topic, func(t passages.Token) {
		word := topic[t.ByteStart:t.ByteEnd]
		folded := passages.Fold(word)
		switch asking[folded] {
		case "number":
			number = true
		case "date":
			date = true
		case "", "form", "sources":
			if !isStop(folded) {
				words = append(words, word)
			}
		}
	})
	return words, number, date
}

// hasYear reports whether a text has a number of four digits.
func hasYear(text string) bool {
	run := 0
	for _, r := range text + " " {
		if unicode.IsDigit(r) {
			run++
			continue
		}
		if run == 4 {
			return true
		}
		run = 0
	}
	return false
}
