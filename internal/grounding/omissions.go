package grounding

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Omissions is what a draft leaves out.
type Omissions struct {
	Unanswered []string   // topics that the draft does not answer
	Passages   []Evidence // sentences of the sources about these topics, best first
	Unread     []UnreadPart
}

// Answer is a text that answers topics: the question first, then its parts, rubrics and areas.
type Answer struct {
	Text   string
	Topics []string
	Used   []Evidence         // passages on which its sentences rest
	Shown  func(Evidence) int // how many characters of a passage its writer was shown; nil: unknown
}

// Limits of Omissions, all chosen.
const (
	maxTopics          = 24
	maxOmitted         = 5
	omissionCandidates = 12   // passages that a topic is answered with
	leastOmittedWords  = 6    // a shorter sentence says nothing alone
	leastOmittedShare  = 0.34 // of the topic's words in a sentence
	leastOmittedScore  = 0.5  // of the best passage's
	saidShare          = 0.6  // of a sentence's words in neighbouring sentences of the draft: it is said
	touchedShare       = 0.25 // the same, where a sentence of the draft rests on this one or on a neighbour
	copyShare          = 0.7  // of a sentence's words in another: a copy
)

// Omissions finds the topics that a draft does not answer, what the sources say about them, and what its writer did not read
// of the sources on which it rests. Sentences about other topics are not listed: a writer who saw them left them out on
// purpose.
func (c *Checker) Omissions(a Answer) Omissions {
	topics := distinctTopics(a.Topics)
	text := newAnswerText(a.Text)
	var out Omissions
	absence := false // asked for once
	for i, topic := range topics {
		if i == 0 && len(topics) > 1 || absence && asksForAbsence(topic) { // the parts of the first are topics as well
			continue
		}
		absence = absence || asksForAbsence(topic)
		out.Unanswered = append(out.Unanswered, text.unanswered(topic)...)
	}
	out.Passages = c.omitted(out.Unanswered, text.text, a.Used)
	if a.Shown != nil {
		out.Unread = c.unreadParts(topics, a)
	}
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

// Fit is how many of a question's words, without those by which it asks, a text has in neighbouring sentences: 0 to 1.
func Fit(question, text string) float64 {
	words, _, _ := aboutOf(question)
	return passages.NewText(text).Share(words, nil)
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

// candidates are, of the passages that answer a topic best, the sentences that do. What the sources do not say has none.
func (c *Checker) candidates(topic string) []omission {
	if asksForAbsence(topic) {
		return nil
	}
	words, number, _ := aboutOf(topic)
	words, forms := withoutForms(words)
	words = slices.DeleteFunc(words, func(word string) bool { return askingWords()[passages.Fold(word)] == "sources" })
	if len(forms) > 0 && len(words) < 2 { // about a kind of answer, not about a subject
		return nil
	}
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
	if question(s) || strings.HasPrefix(s, "#") || strings.HasPrefix(s, "|") || pointsAway.MatchString(s) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, `"'”’)]» `))
	return strings.ContainsRune(".!。！;；", last) && (len(strings.Fields(s)) >= leastOmittedWords || utf8.RuneCountInString(s) >= 3*leastOmittedWords && strings.ContainsFunc(s, cjkLetter))
}

// pointsAway matches a sentence that does not say alone what it is about.
var pointsAway = lazyregexp.New(`(?i)^(?:in (?:many|most|some|such|this|that|these|those) (?:cases?|ways?)|this|that|these|those|thus|such|he|she|they|here|dies\w*|solche\w*|daher|cela|ces|cette|ainsi|esto|estos|así)\b`)

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
