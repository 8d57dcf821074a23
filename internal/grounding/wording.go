package grounding

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/internal/grounding/wordlist"
)

// wording is a claim or a passage as the wording check compares it: words, numbers as one token each, and the
// operators (negations, quantifiers, modals, conditions …) that change what the words say.
type wording struct {
	text      string
	tokens    []token
	operators []operator
	numbers   []quantity
	phrases   []phrase // that have opposites, of several tokens

	respective []int // sentences whose lists go together item by item: "respectively"
}

// phrase is a listed word or phrase of several tokens.
type phrase struct {
	text string
	span
}

// token is a word, a number with its unit, or a character of a script without spaces.
type token struct {
	fold       string   // without accents
	word       string   // as the lexicon folds it
	keys       []string // what it is matched by: the stem first, then groups of equivalents
	place      string   // the place that it names, as an adjective or a noun
	anaphor    string   // refers to a thing named before: class of lexicon.Anaphor
	links      string   // what it joins: "coordination" or "comparison" for the words that do
	part       string   // its noun's part in what happens, by the word beside it: source, goal, agent, subject …
	start, end int      // bytes in the text of the wording
	sentence   int
	segment    int   // stretch between punctuation marks, counted through the text
	clause     int   // segment, or a part of one that a conjunction begins
	number     int   // index in numbers + 1
	operator   int   // index in operators + 1
	form       int32 // number of the word as it is written; 0 for one that was not remembered
	causes     int8  // 2 for a word that states a cause, 1 for one that may
	function   bool  // carries no meaning of its own
	joins      bool  // a preposition or conjunction
	preposed   bool  // a preposition
	determiner bool  // an article or the like
	relative   bool  // opens a relative clause
	genitive   bool  // an article in the genitive
	capital    bool  // written with a capital where the language writes none
	upper      bool  // written with a capital, for whatever reason
	han        bool
	opens      bool // first word of a sentence
	tight      bool // nothing but a space or hyphen is between this token and the one before
	speech     bool // verb or phrase of attribution
	hidden     bool // part of a frame that was accounted for
	copula     bool // a form of "be" or "become"
	gloss      bool // an abbreviation in brackets after the name that it abbreviates
	time       bool // a stretch or point of time: a month, a year
}

// operator is a word or phrase that changes what the words around it say.
type operator struct {
	meanings    []lexicon.Entry
	first, last int // tokens
}

// is reports whether one of the meanings is of a kind.
func (o *operator) is(kind lexicon.Kind) bool {
	return slices.ContainsFunc(o.meanings, func(e lexicon.Entry) bool { return e.Kind == kind })
}

// maxTokens bounds what is compared of a claim and of a passage.
const maxTokens = 500

// reader takes texts of one language apart.
type reader struct {
	language string
	lexicon  *lexicon.Lexicon
	analyzer *passages.Analyzer
	base     map[string][]string // base forms of words, remembered
	forms    []wordForm          // by the analyzer's number of the word
	tokens   []token             // scratch of addTokens
	arena    tokenArena          // of the wordings of one claim and its passages

	refutations []string // see refutationWords
	characters  map[rune]wordForm
	pairs       []wordPair // by a hash of their numbers, remembered
}

// wordForm is what a reader remembers of a word as it is written.
type wordForm struct {
	fold, word string   // as in token
	keys       []string // the stem, then the group of synonyms
	number     int32    // below 0 for a character of a script without spaces
}

func newReader(language string) *reader {
	l := lexicon.For(language)
	return &reader{language: language, lexicon: l, refutations: refutationWords(l), analyzer: passages.NewAnalyzer(language), base: make(map[string][]string), characters: make(map[rune]wordForm)}
}

// read takes a text apart. sentence numbers its tokens.
func (r *reader) read(text string, sentence int) *wording {
	found := r.lexicon.Scan(text)
	w := &wording{text: text, numbers: r.quantities(text, found)}
	r.addTokens(w, sentence)
	r.addMeanings(w, found)
	return w
}

// quantities reads the numbers of a text by the rules of the language.
func (r *reader) quantities(text string, found []lexicon.Match) []quantity {
	all := quantitiesIn(r.language, text, r.analyzer)
	if r.lexicon != nil {
		all = r.withPhrases(text, all, found)
	}
	return slices.DeleteFunc(all, func(q quantity) bool { return q.word && q.kind == cardinal && q.value <= 1 && q.unit == "" })
}

// elisions are the languages that write an article and a noun as one word with an apostrophe.
func elides(language string) bool { return language == "fr" || language == "it" || language == "ca" }

var apostrophes = strings.NewReplacer("'", " ", "’", "   ")

func (r *reader) addTokens(w *wording, sentence int) {
	text := w.text
	if elides(r.language) {
		text = apostrophes.Replace(text)
	}
	end, segment, clause, q := 0, 0, 0, 0
	first := true
	tokens := r.tokens[:0]
	emit := func(start, stop int, form wordForm, han bool) {
		if len(tokens) == maxTokens || start < end {
			return
		}
		between := text[end:start]
		if n := len(tokens); between == "_" && n > 0 && tokens[n-1].number == 0 { // work_mem is one word
			r.extend(&tokens[n-1], text, stop)
			end = stop
			return
		}
		gloss := between == " (" && stop < len(text) && text[stop] == ')' && expansion(text[:end], text[start:stop]) != nil
		if n := len(tokens); n > 0 && tokens[n-1].gloss {
			between = strings.TrimPrefix(between, ")")
		}
		if !gloss && breaks(between) {
			segment++
			clause++
		}
		t := token{start: start, end: stop, sentence: sentence, segment: segment, clause: clause, han: han, opens: first, gloss: gloss, function: gloss,
			tight: end > 0 && (between == " " || strings.Trim(between, " -\u00a0’'") == "")}
		for q < len(w.numbers) && w.numbers[q].end <= start {
			q++
		}
		if q < len(w.numbers) && start >= w.numbers[q].start {
			n := len(tokens)
			if n > 0 && tokens[n-1].number == q+1 { // the rest of the number
				tokens[n-1].end = max(stop, tokens[n-1].end)
				end = stop
				return
			}
			t.number = q + 1
			t.end = max(stop, w.numbers[q].end)
		}
		surface := text[start:stop]
		t.fold, t.word, t.keys, t.form = form.fold, form.word, form.keys, form.number
		if t.number > 0 || han {
			t.keys = t.keys[:1:1]
		}
		t.upper = !han && capitalised(surface)
		t.capital = t.upper && (!first || hasInnerCapital(surface))
		tokens = append(tokens, t)
		end, first = stop, false
	}
	r.analyzer.Tokens(text, func(t passages.Token) {
		if !t.Pair {
			emit(t.ByteStart, t.ByteEnd, r.form(t, text[t.ByteStart:t.ByteEnd]), false)
			return
		}
		for i := t.ByteStart; i < t.ByteEnd; {
			c, n := utf8.DecodeRuneInString(text[i:])
			emit(i, i+n, r.character(c), true)
			i += n
		}
	})
	r.tokens = tokens
	w.tokens = append(r.arena.take(len(tokens)), tokens...)
}

// tokenArena lends out memory for tokens until it is reset: most are needed for one claim only.
type tokenArena struct {
	chunk []token
	used  int
}

// arenaTokens is the size of a chunk: most claims need less (measured on claims with three sources).
const arenaTokens = 4096

// take returns an empty slice for n tokens.
func (a *tokenArena) take(n int) []token {
	if n > len(a.chunk)-a.used {
		a.chunk, a.used = make([]token, max(n, arenaTokens)), 0
	}
	a.used += n
	return a.chunk[a.used-n : a.used-n : a.used]
}

// reset ends the use of all tokens.
func (a *tokenArena) reset() { a.used = 0 }

// extend makes a token an identifier that ends at byte stop: max_wal_size.
func (r *reader) extend(t *token, text string, stop int) {
	t.end = stop
	name := passages.Fold(text[t.start:stop])
	t.fold, t.word, t.keys, t.form = name, name, []string{name}, 0
}

// form returns what a word is compared by, remembered.
func (r *reader) form(t passages.Token, surface string) wordForm {
	if t.Word < len(r.forms) && r.forms[t.Word].keys != nil {
		return r.forms[t.Word]
	}
	surface = strings.Clone(firstBytes(surface, 64))
	f := wordForm{fold: passages.Fold(surface), word: lexicon.Fold(surface), keys: []string{t.Term}}
	if group := r.lexicon.Group(f.word); group != "" {
		f.keys = slices.Clip(append(f.keys, "~"+group))
	}
	if t.Word > 0 && t.Word <= maxRemembered {
		if t.Word >= len(r.forms) {
			r.forms = append(r.forms, make([]wordForm, t.Word+1-len(r.forms))...)
		}
		f.number = int32(t.Word)
		r.forms[t.Word] = f
	}
	return f
}

// character is form for a character of a script without spaces.
func (r *reader) character(c rune) wordForm {
	f, known := r.characters[c]
	if !known {
		s := c
		if r.language == "zh" {
			s = wordlist.Simplified(c)
		}
		f = wordForm{fold: passages.Fold(string(s)), word: lexicon.Fold(string(s)), keys: []string{string(unicode.ToLower(s))}}
		if len(r.characters) < maxRemembered {
			f.number = -1 - int32(len(r.characters))
			r.characters[c] = f
		}
	}
	return f
}

// breaks reports whether a mark between two tokens ends the segment.
func breaks(between string) bool {
	return between != " " && (strings.ContainsAny(between, ",;:()[]{}.!?…—–\"“”„«»‹›，。；：、（）「」『』！？\n|") || strings.Contains(between, " - "))
}

// addMeanings looks the tokens up in the lexicon.
func (r *reader) addMeanings(w *wording, found []lexicon.Match) {
	at := 0
	known := r.lexicon != nil
	for i := range w.tokens {
		if t := &w.tokens[i]; t.number == 0 && !known && !t.han {
			t.function = isStop(t.fold) || utf8.RuneCountInString(t.fold) <= 2 && !t.capital
		}
	}
	ends := r.addGapped(w)
	for _, m := range found {
		for at < len(w.tokens) && w.tokens[at].end <= m.Start {
			at++
		}
		last := at
		for last+1 < len(w.tokens) && w.tokens[last+1].start < m.End {
			last++
		}
		if at == len(w.tokens) || w.tokens[at].start >= m.End {
			continue
		}
		if at == last && ends[at] { // "statt" of "findet … statt" denies nothing
			continue
		}
		r.addMatch(w, m, at, last)
	}
	if known && r.language != "zh" && r.language != "ja" { // "nahm den Plan an", "turned off": what ends a clause is part of the verb
		for i := range w.tokens {
			t := &w.tokens[i]
			if t.joins && t.function && (t.preposed || r.language == "de") && (i+1 == len(w.tokens) || w.tokens[i+1].segment != t.segment) {
				t.function, t.joins, t.preposed = false, false, false
			}
		}
	}
	for i := range w.operators {
		o := &w.operators[i]
		for j := o.first; j <= o.last; j++ {
			if w.tokens[j].number == 0 {
				w.tokens[j].operator = i + 1
			}
		}
	}
}

// addGapped gives the ends of phrases with a gap the key of their group, and returns the tokens that are such an end.
func (r *reader) addGapped(w *wording) map[int]bool {
	var ends map[int]bool
	for i := range w.tokens {
		for _, g := range r.lexicon.Gapped(w.tokens[i].word) {
			for j := i + 1; j < len(w.tokens) && w.tokens[j].segment == w.tokens[i].segment; j++ {
				if w.tokens[j].word != g.Last || j+1 < len(w.tokens) && w.tokens[j+1].clause == w.tokens[i].clause && !w.tokens[j+1].joins {
					continue
				}
				w.tokens[i].keys = append(w.tokens[i].keys, "="+g.Name)
				w.tokens[j].keys = append(w.tokens[j].keys, "="+g.Name)
				if ends == nil {
					ends = make(map[int]bool)
				}
				ends[j] = true
				break
			}
		}
	}
	return ends
}

func (r *reader) addMatch(w *wording, m lexicon.Match, first, last int) {
	if m.Kind == lexicon.Relation && first == last {
		w.tokens[first].preposed = true // "since", "after"
	}
	if n := w.tokens[first].number; n > 0 && (m.Kind != lexicon.Rate && m.Kind != lexicon.Equivalent || m.End <= w.numbers[n-1].end) {
		return
	}
	switch m.Kind {
	case lexicon.Bound: // the number has it as its relation
		if slices.ContainsFunc(w.numbers, func(q quantity) bool { return q.bound == [2]int{m.Start, m.End} }) {
			for i := first; i <= last; i++ {
				w.tokens[i].function = true
			}
		}
	case lexicon.Case:
		if m.Class == "behind" && first > 0 && w.tokens[first-1].segment == w.tokens[first].segment {
			w.tokens[first-1].part = m.Name
		} else if m.Class == "before" {
			w.opensPart(last, m.Name)
		}
	case lexicon.Function:
		if m.Class == "light" && !(r.language == "ja" || r.language == "zh") { // "gave" and "took" are no forms of "be"
			return
		}
		if first == last && abbreviates(w.text[w.tokens[first].start:w.tokens[first].end]) { // WHO is no pronoun
			return
		}
		for i := first; i <= last; i++ {
			w.tokens[i].function = true
		}
		switch m.Class {
		case "preposition":
			w.tokens[first].joins, w.tokens[first].preposed = true, true
		case "respective":
			w.respective = append(w.respective, w.tokens[first].sentence)
		case "coordination", "comparison":
			w.tokens[first].joins, w.tokens[first].links = true, m.Class
		case "conjunction", "discourse":
			w.tokens[first].joins = true
		case "copula":
			w.tokens[last].copula = true
		case "determiner":
			w.tokens[first].determiner = true
			w.tokens[first].genitive = r.language == "de" && (w.tokens[first].fold == "des" || w.tokens[first].fold == "eines")
		}
		if first == last && (m.Class == "conjunction" || m.Class == "coordination" || m.Class == "comparison" && !w.tokens[first].han || w.tokens[first].fold == "which" || w.tokens[first].fold == "who") {
			for i := first; i < len(w.tokens); i++ {
				w.tokens[i].clause++
			}
		}
	case lexicon.Unit, lexicon.Calendar:
		w.tokens[last].time = w.tokens[last].time || m.Kind == lexicon.Unit && m.Class == "time" || m.Class == "weekday" || m.Class == "season"
	case lexicon.Place:
		w.tokens[first].place = m.Name
	case lexicon.Cause:
		w.tokens[first].causes = max(w.tokens[first].causes, 1)
		if m.Class == "cause" {
			w.tokens[first].causes = 2
		}
	case lexicon.Anaphor:
		if m.Class == "relative" {
			w.tokens[first].relative = true
			return
		}
		w.tokens[first].anaphor = m.Class
	case lexicon.Opposite:
		if last > first {
			w.phrases = append(w.phrases, phrase{w.text[m.Start:m.End], span{first, last}})
		}
	case lexicon.Equivalent:
		for i := first; i <= last; i++ {
			w.tokens[i].keys = append(w.tokens[i].keys, "="+m.Name)
		}
	case lexicon.Paraphrase:
		for i := first; i <= last; i++ {
			w.tokens[i].keys = append(w.tokens[i].keys, "="+m.Class+":"+m.Name)
		}
	case lexicon.Attribution:
		if m.Class != "noun" {
			for i := first; i <= last; i++ {
				w.tokens[i].speech = true
			}
		}
	default:
		if r.changes(w, m, first, last) {
			if n := len(w.operators); n > 0 && w.operators[n-1].first <= first && w.operators[n-1].last >= first {
				if first > w.operators[n-1].first && last > w.operators[n-1].last { // it only overlaps: ほとん|どの
					return
				}
				w.operators[n-1].meanings = append(w.operators[n-1].meanings, m.Entry)
				w.operators[n-1].last = max(w.operators[n-1].last, last)
				return
			}
			w.operators = append(w.operators, operator{meanings: []lexicon.Entry{m.Entry}, first: first, last: last})
		}
	}
}

// abbreviates reports whether a word is written in capitals throughout.
func abbreviates(word string) bool {
	return utf8.RuneCountInString(word) > 1 && strings.ToUpper(word) == word && strings.ToLower(word) != word
}

// changes reports whether a match changes what the words around it say. Words that do so only sometimes ("in",
// "by", "when") do not count.
func (r *reader) changes(w *wording, m lexicon.Match, first, last int) bool {
	word := w.tokens[first].fold
	switch m.Kind {
	case lexicon.Negation, lexicon.Myth:
		return m.Kind == lexicon.Negation || m.Class == "myth" || m.Class == refuted
	case lexicon.Quantifier:
		if w.tokens[last].number > 0 { // "the two"
			return false
		}
		beforeNumber := last+1 < len(w.tokens) && w.tokens[last+1].number > 0 // "some 20", "all 61" is more than a number
		return m.Class != "first" && !(beforeNumber && (m.Name == "some" || m.Class == "only"))
	case lexicon.Certainty:
		if m.Class == "epistemic" {
			return m.Value != 4
		}
		if m.Class == "realisation" {
			return m.Value == 1 || m.Value == 2
		}
		return true
	case lexicon.Relation:
		return m.Class == "before" || m.Class == "after" || m.Class == "until" || m.Class == "since" && (word == "since" || r.language != "en")
	case lexicon.Condition:
		return m.Class != "although" && m.Class != "sometimes"
	case lexicon.Rate:
		return true
	}
	return false
}

// content reports whether a token carries meaning of its own.
func (t *token) content() bool { return !t.function && t.operator == 0 && !t.speech }

// join puts sentences side by side.
func (r *reader) join(list []*wording) *wording {
	if len(list) == 1 {
		return list[0]
	}
	var tokens, numbers, operators int
	for _, w := range list {
		tokens, numbers, operators = tokens+len(w.tokens), numbers+len(w.numbers), operators+len(w.operators)
	}
	out := &wording{tokens: r.arena.take(tokens), numbers: make([]quantity, 0, numbers), operators: make([]operator, 0, operators)}
	segment, clause := 0, 0
	for _, w := range list {
		base, numbers, operators := len(out.tokens), len(out.numbers), len(out.operators)
		for _, t := range w.tokens {
			t.segment += segment
			t.clause += clause
			if t.number > 0 {
				t.number += numbers
			}
			if t.operator > 0 {
				t.operator += operators
			}
			out.tokens = append(out.tokens, t)
		}
		if n := len(w.tokens); n > 0 {
			segment = out.tokens[len(out.tokens)-1].segment + 1
			clause = out.tokens[len(out.tokens)-1].clause + 1
		}
		out.numbers = append(out.numbers, w.numbers...)
		out.respective = append(out.respective, w.respective...)
		for _, o := range w.phrases {
			out.phrases = append(out.phrases, phrase{o.text, span{o.first + base, o.last + base}})
		}
		for _, o := range w.operators {
			o.first += base
			o.last += base
			out.operators = append(out.operators, o)
		}
	}
	return out
}
