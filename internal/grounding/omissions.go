package grounding

import (
	"cmp"
	"iter"
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
	maxOmitted         = 5  // passages: hosts found about one in ten useful
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
		if i > 0 || len(topics) == 1 {
			out.Unanswered = append(out.Unanswered, unanswered(topic, draft, text)...)
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

// unanswered returns a topic, or the clauses of a long one, that a text does not seem to answer: its neighbouring sentences
// lack most of the words, a number where the topic asks for one, or a date. A text of another language than the topic cannot
// be judged by words: it counts as an answer.
func unanswered(topic, draft string, text *passages.Text) []string {
	if !text.Speaks(topic) {
		return nil
	}
	if asksForAbsence(topic) {
		if saysAbsence(draft) {
			return nil
		}
		return []string{topic}
	}
	clauses := clausesOf(topic)
	answered := 0
	var untouched []string
	for _, clause := range clauses {
		switch share := answeredBy(clause, text); {
		case share >= leastAnswered(clause):
			answered++
		case share < leastAnswered(clause)/2:
			untouched = append(untouched, trimPart(clause))
		}
	}
	if 2*answered <= len(clauses) {
		return []string{topic}
	}
	return untouched
}

// asksForAbsence reports whether a topic asks what the sources do not say.
func asksForAbsence(topic string) bool {
	sources := false
	for word := range wordsWithin(topic) {
		sources = sources || askingWords()[passages.Fold(word)] == "sources"
	}
	return sources && negates().MatchString(topic)
}

var negates = compiled(`(?i)\b(?:not|nicht|kein\w*|pas|silent|silence|omits?|no)\b|n['’]t\b`)

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

// leastAnswered is the share of a clause's words from which it is answered.
func leastAnswered(clause string) float64 {
	if strings.ContainsFunc(clause, cjkLetter) {
		return answeredPairs
	}
	return answeredShare
}

// answeredBy is the share of a clause's words in neighbouring sentences of a text, or 0 if the text lacks the kind of answer
// that the clause wants.
func answeredBy(clause string, text *passages.Text) float64 {
	words, wantsNumber, wantsDate := aboutOf(clause)
	words, forms := withoutForms(words)
	for _, form := range forms {
		if !slices.ContainsFunc(form, func(word string) bool { return text.Share([]string{word}, nil) >= leastFormShare }) {
			return 0
		}
	}
	return text.Share(words, func(near string) bool {
		return (!wantsNumber || strings.ContainsFunc(near, unicode.IsDigit)) && (!wantsDate || hasYear(near))
	})
}

// leastFormShare is how well a text must have a word for the kind of an answer (chosen: the word or its inflection).
const leastFormShare = 0.8

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
	words, _ = withoutForms(words)
	words = slices.DeleteFunc(words, func(word string) bool { return askingWords()[passages.Fold(word)] == "sources" })
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
	if question(s) || strings.HasPrefix(s, "#") || strings.HasPrefix(s, "|") || pointsAway().MatchString(s) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, `"'”’)]» `))
	return strings.ContainsRune(".!。！;；", last) && (len(strings.Fields(s)) >= leastOmittedWords || utf8.RuneCountInString(s) >= 3*leastOmittedWords && strings.ContainsFunc(s, cjkLetter))
}

// pointsAway matches a sentence that does not say alone what it is about.
var pointsAway = compiled(`(?i)^(?:in (?:many|most|some|such|this|that|these|those) (?:cases?|ways?)|this|that|these|those|thus|such|he|she|they|here|dies\w*|solche\w*|daher|cela|ces|cette|ainsi|esto|estos|así)\b`)

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
