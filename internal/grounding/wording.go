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

// means reports whether one of the meanings is of a kind and a class.
func (o *operator) means(kind lexicon.Kind, class string) bool {
	return slices.ContainsFunc(o.meanings, func(e lexicon.Entry) bool { return e.Kind == kind && e.Class == class })
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
