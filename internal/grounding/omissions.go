package grounding

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// Omissions is what a draft leaves out.
type Omissions struct {
	Passages   []Evidence // sentences of the sources on which nothing in the draft rests, best first
	Unanswered []string   // topics that no sentence of the draft seems to answer
}

// Limits of Omissions, all chosen.
const (
	maxTopics          = 24
	maxOmitted         = 10 // passages
	omissionCandidates = 12 // passages that a topic is answered with
	leastOmittedWords  = 6  // a shorter sentence says nothing alone
	leastOmittedShare  = 0.34
	leastOmittedScore  = 0.5  // of the best passage's
	saidShare          = 0.6  // of a sentence's words in neighbouring sentences of the draft: it is said
	touchedShare       = 0.25 // the same, where a sentence of the draft rests on this one or on a neighbour
	copyShare          = 0.7  // of a sentence's words in another: a copy
	answeredShare      = 0.5  // of a topic's words in neighbouring sentences of the draft: it is answered
	answeredPairs      = 0.34 // the same where pairs of characters stand for words
)

// Omissions finds what a draft does not use of the sources. topics are what it should answer: the question first, then
// its parts and rubrics. used are the passages on which its sentences rest.
func (c *Checker) Omissions(topics []string, draft string, used []Evidence) Omissions {
	topics = distinctTopics(topics)
	text := passages.NewText(draft)
	var out Omissions
	for i, topic := range topics {
		if (i > 0 || len(topics) == 1) && !answered(topic, text) {
			out.Unanswered = append(out.Unanswered, topic)
		}
	}
	out.Passages = c.omitted(topics, text, used)
	return out
}

func distinctTopics(topics []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range topics {
		key := strings.TrimRight(passages.Fold(strings.TrimSpace(t)), " ?.!？。")
		if key != "" && !seen[key] && len(out) < maxTopics {
			seen[key] = true
			out = append(out, strings.TrimSpace(t))
		}
	}
	return out
}

// answered reports whether neighbouring sentences of a text have most words of a topic, a number where it asks for one,
// and a date where it asks for one. Of a long topic, most clauses must be answered. A text of another language than the
// topic cannot be judged by words: it counts as an answer.
func answered(topic string, text *passages.Text) bool {
	if !text.Speaks(topic) {
		return true
	}
	clauses := clausesOf(topic)
	n := 0
	for _, clause := range clauses {
		if answersClause(clause, text) {
			n++
		}
	}
	return 2*n > len(clauses)
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

func answersClause(clause string, text *passages.Text) bool {
	words, wantsNumber, wantsDate := aboutOf(clause)
	least := answeredShare
	if strings.ContainsFunc(clause, cjkLetter) {
		least = answeredPairs
	}
	return text.Share(words, func(near string) bool {
		return (!wantsNumber || strings.ContainsFunc(near, unicode.IsDigit)) && (!wantsDate || hasYear(near))
	}) >= least
}

// Fit is how many of a question's words, without those by which it asks, a text has in neighbouring sentences: 0 to 1.
func Fit(question, text string) float64 {
	words, _, _ := aboutOf(question)
	return passages.NewText(text).Share(words, nil)
}

// aboutOf are the words of a topic without those by which it asks, and what kind of answer it asks for.
func aboutOf(topic string) (words []string, number, date bool) {
	asking := askingWords()
	new(passages.Analyzer).Tokens(topic, func(t passages.Token) {
		word := topic[t.ByteStart:t.ByteEnd]
		folded := passages.Fold(word)
		switch asking[folded] {
		case "number":
			number = true
		case "date":
			date = true
		case "":
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

// omission is a sentence that might be used.
type omission struct {
	doc, sentence int
	score         float64 // share of the topic's words
	terms         map[int32]bool
}

// omitted picks the sentences that answer the topics best, the topics taking turns, without what is used or said
// already and without copies.
func (c *Checker) omitted(topics []string, draft *passages.Text, used []Evidence) []Evidence {
	queues := make([][]omission, len(topics))
	for i, topic := range topics {
		queues[i] = c.candidates(topic)
	}
	var chosen []omission
	for len(chosen) < maxOmitted {
		took := false
		for i := range queues {
			for len(queues[i]) > 0 && len(chosen) < maxOmitted {
				x := queues[i][0]
				queues[i] = queues[i][1:]
				if c.usable(x, draft, used) && !slices.ContainsFunc(chosen, func(o omission) bool { return repeats(x, o) }) {
					chosen, took = append(chosen, x), true
					break
				}
			}
		}
		if !took {
			break
		}
	}
	var out []Evidence
	for _, x := range chosen {
		out = append(out, c.docs[x.doc].evidence(x.sentence, x.sentence))
	}
	return out
}

// candidates are, of the passages that answer a topic best, the sentences that do.
func (c *Checker) candidates(topic string) []omission {
	words, number, _ := aboutOf(topic)
	wanted := map[int32]float64{}
	total := 0.0
	holders := c.holders()
	for _, term := range passages.Terms(strings.Join(words, " ")) {
		if id, ok := c.vocabulary.ids[term]; ok && wanted[id] == 0 {
			wanted[id] = rarityOf(len(holders[id]), len(c.docs))
			total += wanted[id]
		}
	}
	if total == 0 {
		return nil
	}
	var out []omission
	best := 0.0
	for _, hit := range c.Find(strings.Join(words, " "), nil, omissionCandidates) {
		best = max(best, hit.Score)
		if hit.Score < leastOmittedScore*best {
			continue
		}
		doc := c.byID[hit.SourceID]
		d := c.docs[doc]
		from, _ := slices.BinarySearchFunc(d.sentences, hit.Start, func(p passages.Passage, start int) int { return cmp.Compare(p.Start, start) })
		for i := from; i < len(d.sentences) && d.sentences[i].End <= hit.End; i++ {
			s := d.sentences[i].Text
			if !tells(s) {
				continue
			}
			terms, share := c.termsOf(s), 0.0
			for id := range terms {
				share += wanted[id]
			}
			share /= total
			if number && strings.ContainsFunc(s, unicode.IsDigit) {
				share *= 1.2
			}
			if share >= leastOmittedShare {
				out = append(out, omission{doc, i, share, terms})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b omission) int { return cmp.Compare(b.score, a.score) })
	return out
}

// rarityOf is less for a term that most documents have, and never 0.
func rarityOf(having, documents int) float64 {
	return 1.2 - float64(having)/float64(max(1, documents))
}

// tells reports whether a sentence is more than a heading, a question or a row of names.
func tells(s string) bool {
	if question(s) || strings.HasPrefix(s, "#") || strings.HasPrefix(s, "|") {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, `"'”’)]» `))
	return strings.ContainsRune(".!。！;；", last) && (len(strings.Fields(s)) >= leastOmittedWords || utf8.RuneCountInString(s) >= 3*leastOmittedWords && strings.ContainsFunc(s, cjkLetter))
}

// termsOf is the vocabulary's terms of a sentence, without words that say nothing.
func (c *Checker) termsOf(s string) map[int32]bool {
	out := map[int32]bool{}
	new(passages.Analyzer).Tokens(s, func(t passages.Token) {
		if id, ok := c.vocabulary.ids[t.Term]; ok && !isStop(passages.Fold(s[t.ByteStart:t.ByteEnd])) {
			out[id] = true
		}
	})
	return out
}

// usable reports whether the draft says nothing of x. Of a stretch on which a sentence of the draft rests, a neighbour
// that only completes it may still be unused.
func (c *Checker) usable(x omission, draft *passages.Text, used []Evidence) bool {
	d := c.docs[x.doc]
	s := d.sentences[x.sentence]
	least := saidShare
	for _, u := range used {
		if u.SourceID == d.ID && u.Start < s.End && s.Start < u.End {
			least = touchedShare
		}
	}
	words, _, _ := aboutOf(s.Text)
	return draft.Share(words, nil) < least
}

// repeats reports whether two sentences have most of their words in common.
func repeats(a, b omission) bool {
	common := 0
	for id := range a.terms {
		if b.terms[id] {
			common++
		}
	}
	return float64(common) >= copyShare*float64(max(1, min(len(a.terms), len(b.terms))))
}
