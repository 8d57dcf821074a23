package remark

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/text/words"
)

// Quotation is a quotation of a claim with its place in a text.
type Quotation struct {
	Said, Claim   string
	Before, After string // the rest of its sentence in the text
	Text, About   string // the text, and what is known of it: title, publisher, authors
}

const (
	reachWords = 8  // words between a quotation and the verb or preposition that names its speaker (chosen: "told the paper in May")
	connecting = 2  // words within a name: "Clara Webb of the Daily Ferry"
	aside      = 12 // words of an apposition: "Anton Brandt, the last keeper, said"
	openMarks  = ":\"'“”„‟«»‘’ \n"
)

// OtherSpeaker returns the name of the speaker whom the text gives for a quotation if a claim gives it to another one, or "". Both
// must name theirs beside the quotation: with a verb of saying ("Holt said", "said Holt"), "according to", or a colon. It is silent
// about pronouns and roles without a name, where the names share a word or one abbreviates the other, and where the text names
// both in one sentence without such a verb: one may speak for the other.
func OtherSpeaker(q Quotation) string {
	language := words.Language(q.Claim + "\n" + q.Before + q.Said + q.After)
	if language == "" || len(listed("says", language)) == 0 {
		return ""
	}
	before, after, ok := strings.Cut(q.Claim, q.Said)
	if !ok {
		return ""
	}
	if at := words.Sentences(before + "x"); len(at) > 1 {
		before = strings.TrimSuffix(string([]rune(before + "x")[at[len(at)-1].Start:]), "x")
	}
	s := newSpeech(language)
	claimed, said := s.speaker(before, after), s.speaker(q.Before, q.After)
	if len(claimed) == 0 || len(said) == 0 {
		return ""
	}
	known, other := s.names(claimed), s.names(said)
	if len(known) == 0 || len(other) == 0 || same(known, other) || s.mentions(q.About+" "+q.Before+" "+q.After, known) || s.related(q.Text, known, other) {
		return ""
	}
	var name []string
	for _, t := range said {
		name = append(name, t.text)
	}
	return strings.Join(name, " ")
}

// speech finds speakers in a language.
type speech struct {
	language     string
	plain, stems *words.Analyzer
	says, titles []string // verbs of saying, and words before a name: "Professor"
	sources      []phrase // before a speaker: "according to"
}

func newSpeech(language string) speech {
	own := func(kind string) []string { return surfaces()[kind+" "+language] }
	return speech{language, words.NewAnalyzer(""), words.NewAnalyzer(language), own("says"), own("title"), listed("source", language)}
}

func (s speech) scan(text string) []token { return scan(s.plain, s.language, text) }

func (s speech) verb(t token) bool { return slices.Contains(s.says, written(t.text)) }

// speaker returns the words that name who says what stands between two parts of a sentence, or nil. If both parts name one, it
// is not clear.
func (s speech) speaker(before, after string) []token {
	a, b := s.speakerBefore(before), s.speakerAfter(after)
	switch {
	case len(a) > 0 && len(b) > 0:
		return nil
	case len(a) > 0:
		return a
	}
	return b
}

func (s speech) speakerBefore(text string) []token {
	tokens := s.scan(text)
	for v := len(tokens) - 1; v >= max(0, len(tokens)-reachWords); v-- {
		if s.verb(tokens[v]) {
			if name := s.nameEnding(tokens, v); len(name) > 0 {
				return name
			}
			return s.nameFrom(tokens, v+1, false)
		}
		if n := s.preposition(tokens[v:]); n > 0 {
			return s.nameFrom(tokens, v+n, false)
		}
	}
	if name := s.nameFrom(tokens, 0, true); len(name) == len(tokens) && strings.HasSuffix(strings.TrimRight(text, "\"'“”„«‘ "), ":") {
		return name
	}
	return nil
}

func (s speech) speakerAfter(text string) []token {
	tokens := s.scan(strings.TrimLeft(text, openMarks+",.!?"))
	if n := s.preposition(tokens); n > 0 {
		return s.nameFrom(tokens, n, false)
	}
	for i := range tokens[:min(2, len(tokens))] { // "said Holt", "a dit Luc Bernard"
		if s.verb(tokens[i]) && (i == 0 || tokens[0].function && !tokens[1].opens) {
			return s.nameFrom(tokens, i+1, false)
		}
	}
	name := s.nameFrom(tokens, 0, false)
	if rest := tokens[len(name):]; len(name) > 0 && len(rest) > 0 && s.verb(rest[0]) && !rest[0].opens {
		return name
	}
	return nil
}

// preposition returns how many of the first tokens are one before a speaker, 0 if none are.
func (s speech) preposition(tokens []token) int {
	stemmed := slices.Clone(tokens[:min(len(tokens), 4)])
	for i := range stemmed {
		s.stems.Tokens(stemmed[i].text, func(t words.Token) { stemmed[i].Term = t.Term })
	}
	return match(s.sources, stemmed)
}

// nameEnding returns the name before the verb at v. Words such as "has also" may stand between them, and an apposition.
func (s speech) nameEnding(tokens []token, v int) []token {
	end := v
	for end > 0 && end > v-3 && tokens[end-1].function && !tokens[end-1].capital && !tokens[end].opens {
		end--
	}
	if end > 0 && tokens[end].opens { // Holt, the keeper, said
		start := end - 1
		for start > 0 && start > end-aside && !tokens[start].opens {
			start--
		}
		if !tokens[start].opens || start == 0 {
			return nil
		}
		end = start
	}
	start := end
	for i := end - 1; i >= 0 && (i == end-1 || !tokens[i+1].opens) && end-i <= aside; i-- {
		switch {
		case nameWord(tokens[i]):
			start = i
		case i == end-1 || !tokens[i].function || start-i > connecting:
			return s.clear(tokens[start:end], start == 0)
		}
	}
	return s.clear(tokens[start:end], start == 0)
}

// nameFrom returns the name at a place, behind an article.
func (s speech) nameFrom(tokens []token, at int, first bool) []token {
	if at < len(tokens) && tokens[at].function {
		at++
	}
	end := at
	for i := at; i < len(tokens) && (i == at || !tokens[i].opens) && i-at < aside; i++ {
		if nameWord(tokens[i]) {
			end = i + 1
		} else if i == at || !tokens[i].function || i-end >= connecting {
			break
		}
	}
	return s.clear(tokens[min(at, len(tokens)):end], first)
}

func nameWord(t token) bool { return t.capital && !t.function && !t.number }

// clear returns the words of a name if they are clearly one: one word with a capital may be a German noun, or begin a sentence.
func (s speech) clear(name []token, first bool) []token {
	n := 0
	for _, t := range name {
		if nameWord(t) {
			n++
		}
	}
	if n == 0 || n == 1 && (first || s.language == "de") || len(s.names(name)) == 0 {
		return nil
	}
	return name
}

// names returns the words of a name without titles.
func (s speech) names(name []token) (out []string) {
	for _, t := range name {
		if w := written(t.text); nameWord(t) && !slices.Contains(s.titles, w) {
			out = append(out, w)
		}
	}
	return out
}

// same reports whether two names share a word, or one has the initials of the other.
func same(a, b []string) bool {
	initials := func(name []string) (out string) {
		for _, w := range name {
			out += string([]rune(w)[:1])
		}
		return out
	}
	return slices.ContainsFunc(a, func(w string) bool { return slices.Contains(b, w) }) || slices.Contains(a, initials(b)) || slices.Contains(b, initials(a))
}

// mentions reports whether a text has a word of a name.
func (s speech) mentions(text string, name []string) bool {
	return slices.ContainsFunc(s.scan(text), func(t token) bool { return slices.Contains(name, written(t.text)) })
}

// related reports whether a sentence of a text has words of both names and no verb of saying: one may be of the other.
func (s speech) related(text string, a, b []string) bool {
	for _, sentence := range words.Sentences(text) {
		if s.mentions(sentence.Text, a) && s.mentions(sentence.Text, b) && !slices.ContainsFunc(s.scan(sentence.Text), s.verb) {
			return true
		}
	}
	return false
}
