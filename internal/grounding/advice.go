package grounding

import (
	"strings"
	"sync"
	"unicode"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
	"github.com/citeloop/citeloop/internal/grounding/wordlist"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// statesNothing reports whether a sentence asks, advises, or has no verb: nothing in it could be true or false, so no source
// is needed. Where the grammar of the language does not decide, it reports false. A figure or a name makes a sentence a
// statement, except in the condition of advice to the reader ("If you have 2 TB: …").
func statesNothing(text string) bool {
	text = strings.TrimSpace(pointer.ReplaceAllString(text, ""))
	if label, rest, ok := strings.Cut(text, ": "); ok && adviceHas("label", strings.ToLower(label)) {
		text = strings.TrimSpace(rest)
	}
	switch {
	case len(text) > maxAdviceBytes:
		return false
	case strings.ContainsFunc(text, cjkLetter):
		return !strings.ContainsFunc(text, isFigure) && (chineseAdvice.MatchString(text) && !chineseFact.MatchString(text) || japaneseAdvice.MatchString(text) && !japaneseFact.MatchString(text))
	}
	return englishAdvice(text) || fragment("en", text) || germanAdvice(text) || fragment("de", text) ||
		frenchAdvice(text) || fragment("fr", text) || spanishAdvice(text) || fragment("es", text)
}

// maxAdviceBytes bounds a sentence that only advises; a longer one says more.
const maxAdviceBytes = 300

var (
	pointer = lazyregexp.New(`(?i) ?\((?:(?:see|siehe|voir|véase|vgl\.) )?(?:step|section|part|route|option|table|figure|chapter|schritt|abschnitt|étape|paso)s? [\w.]+\)`)

	chineseAdvice  = lazyregexp.New(`^(?:请|不要|切勿|务必|切记)[^，,；;：:]{2,30}(?:[，,](?:再|然后|并|接着)[^，,；;：:]{2,30})*[。！]?$`)
	chineseFact    = lazyregexp.New(`因为|由于|所以|因此|以免|否则|[A-Z]`)
	japaneseAdvice = lazyregexp.New(`^[^、；;：:]{4,40}(?:てください|でください|ましょう|なさい)[。！]?$`)
	japaneseFact   = lazyregexp.New(`ので|から|ため|ように|[A-Z]`)

	germanOrder   = lazyregexp.New(`^((?:Bitte \p{Ll}|\p{Lu})\p{Ll}+en) Sie\b`)
	germanIf      = lazyregexp.New(`^(?:Wenn|Falls|Sobald|Bevor|Solange) Sie [^,:]{3,80}[,:] (?:dann )?\p{Ll}+en Sie\b`)
	germanClause  = lazyregexp.New(`[;:–—]|, (?:weil|da|denn|dass|obwohl|während|so|dann|die|der|das|aber|sonst|wobei|wodurch)\b|\b(?:ist|sind|war|waren|hat|haben|wird|werden|kann|können)\b`)
	frenchClause  = lazyregexp.New(`(?i)[;:–—,]|\b(?:car|parce|puisque|qui|que|dont|où|est|sont|était|a|ont|sera|seront|peut|peuvent)\b|\bqu['’]`)
	frenchOrder   = lazyregexp.New(`^(?:(?i:ne |n['’]))?(\pL{3,}ez)\b`)
	spanishClause = lazyregexp.New(`(?i)[;:–—,]|\b(?:porque|pues|que|quien|cuyo|es|son|era|fue|ha|han|será|puede|pueden)\b`)
	conditional   = lazyregexp.New(`^(?i:if|when|once|unless|before|after|until|while) ([^,:;]{3,100})[,:] (?:then )?(.+)$`)
	coordinated   = lazyregexp.New(`^(?i:and then|and|or|then)\b ?`)
	// asksReader matches an order to find something out: "Check whether the index is used."
	asksReader = lazyregexp.New(`^(?:(?i:first|then|now|also) )?(\p{L}+) (?:what|whether|if|how|which|who|where|why)\b[^,]*$`)
	// untilThen is where the condition of an order begins: what it says is not asserted.
	untilThen       = lazyregexp.New(` (?:until|before|after|once|unless) [^,]*$`)
	givesReason     = lazyregexp.New(`(?i)\b(?:because|since|as|so|for|which|who|whose|that|but|and|while|whereas|although)\b`)
	termsInCapitals = lazyregexp.New(`\b[A-Z]{2,}(?: [A-Z]{2,})*\b`)
	cutsClauses     = lazyregexp.New(`[;:–—]|\(`)
	coordination    = lazyregexp.New(`, | and | or `)
	germanVerbOnce  = lazyregexp.New(`^(?:Haben|Sind|Wollen|Sollen|Können|Müssen|Möchten|Dürfen|Werden|Waren|Hatten)$`)
)

// adviceHas reports whether a section of the list of advice has a word.
func adviceHas(section, word string) bool { return adviceSections()[section][word] }

var adviceSections = sync.OnceValue(func() map[string]map[string]bool { return wordlist.Sections("advice") })

// isFigure reports whether a character writes a number, in digits or in Chinese.
func isFigure(r rune) bool {
	return unicode.IsDigit(r) || strings.ContainsRune("一二三四五六七八九十百千万億亿两", r)
}

// adviceWords are the words of a text without what surrounds them, as written.
func adviceWords(text string) []string {
	words := strings.Fields(text)
	for i, w := range words {
		words[i] = strings.Trim(w, `.,;:!?"“”'’()…`)
	}
	return words
}

// named reports whether a word after the first is written like a name. A word all in capitals is a term ("VACUUM").
func named(words []string) bool {
	for i, w := range words {
		r, ok := firstLetter(w)
		if i > 0 && ok && unicode.IsUpper(r) && w != strings.ToUpper(w) {
			return true
		}
	}
	return false
}

// englishAdvice reports whether a sentence is one order, or a condition and an order, and no clause in it states anything.
func englishAdvice(text string) bool {
	if m := conditional.FindStringSubmatch(text); m != nil {
		words := adviceWords(strings.ToLower(m[1]))
		toReader := len(words) > 0 && (words[0] == "you" || words[0] == "your")
		if toReader || !strings.ContainsFunc(m[1], unicode.IsDigit) && !named(append([]string{""}, adviceWords(m[1])...)) {
			return order(m[2])
		}
		return false
	}
	return order(text)
}

func order(text string) bool {
	if strings.ContainsFunc(text, unicode.IsDigit) || cutsClauses.MatchString(text) || named(adviceWords(text)) {
		return false
	}
	if m := asksReader.FindStringSubmatch(text); m != nil && (adviceHas("en verb", strings.ToLower(m[1])) || adviceHas("en verb or noun", strings.ToLower(m[1]))) {
		return true
	}
	if at := untilThen.FindStringIndex(text); at != nil && !givesReason.MatchString(text[at[0]:]) {
		text = text[:at[0]]
	}
	for i, part := range coordination.Split(termsInCapitals.ReplaceAllString(text, "TERM"), -1) {
		if !orderPart(part, i == 0) {
			return false
		}
	}
	return true
}

// orderPart reports whether a part of an order, between commas and conjunctions, is an order itself or, after the first, a
// further object: an article with one noun, or what a preposition begins.
func orderPart(part string, first bool) bool {
	words := adviceWords(strings.ToLower(coordinated.ReplaceAllString(part, "")))
	for len(words) > 0 && adviceHas("en adverb", words[0]) {
		words = words[1:]
	}
	denied := len(words) > 2 && words[0] == "do" && words[1] == "not"
	for _, w := range words {
		if adviceHas("en clause", w) {
			return false
		}
	}
	if denied || orders(words) {
		return true
	}
	if first {
		return false
	}
	if len(words) > 0 && words[0] == "not" { // "daily ones, not weekly ones"
		return true
	}
	nouns := 0
	for i, w := range words {
		switch {
		case i+1 < len(words) && strings.HasSuffix(w, "ing"): // before a noun

		case adviceHas("en small", w):
			if nouns > 0 {
				return nouns == 1 // a preposition after one noun: there is no verb beside it
			}
		case !adviceHas("en adjective", w):
			nouns++
		}
	}
	return nouns <= 1
}

// orders reports whether words begin with a verb that gives an order.
func orders(words []string) bool {
	switch {
	case len(words) == 0:
		return false
	case adviceHas("en verb", words[0]):
		return true
	case !adviceHas("en verb or noun", words[0]) || len(words) < 2:
		return false
	case adviceHas("en object", words[1]):
		return true
	}
	return len(words) > 2 && adviceHas("en condition", words[1]) && (words[2] == "you" || words[2] == "it")
}

// fragment reports whether no word of a short text can be a finite verb. In German a verb within a sentence is written small; in
// the other languages each noun must follow an article or a preposition.
func fragment(language, text string) bool {
	const fewest, most = 3, 12 // words
	words := adviceWords(text)
	if len(words) < fewest || len(words) > most || strings.ContainsFunc(text, unicode.IsDigit) || cutsClauses.MatchString(text) {
		return false
	}
	open, nouns := false, 0 // a noun may follow
	for i, word := range words {
		w := lexicon.Fold(word)
		for _, elided := range []string{"l'", "d'"} {
			if rest, ok := strings.CutPrefix(w, elided); ok && language == "fr" {
				w, open = rest, true
			}
		}
		r, _ := firstLetter(word)
		switch {
		case adviceHas(language+" small", w), adviceHas(language+" article", w) && (i == 0 || open):
			open = true
		case i == 0:
			return false
		case language == "de":
			if !unicode.IsUpper(r) {
				return false
			}
			nouns++
		case open && language == "en" && adviceHas("en adjective", w):
		case open:
			open = false
			nouns++
		default:
			return false
		}
	}
	return nouns > 0 && (language != "de" || nouns < len(words)-1)
}

func germanAdvice(text string) bool {
	rest := text
	if m := germanIf.FindStringIndex(text); m != nil {
		rest = text[m[1]:]
	} else if m := germanOrder.FindStringSubmatchIndex(text); m != nil && !germanVerbOnce.MatchString(text[m[2]:m[3]]) {
		rest = text[m[1]:]
	} else {
		return false
	}
	return !strings.ContainsFunc(rest, unicode.IsDigit) && !germanClause.MatchString(rest)
}

func frenchAdvice(text string) bool {
	return romanceAdvice(text, frenchClause, func(first string) bool {
		m := frenchOrder.FindStringSubmatch(first)
		return m != nil && !adviceHas("fr noun", strings.ToLower(m[1]))
	})
}

func spanishAdvice(text string) bool {
	return romanceAdvice(text, spanishClause, func(first string) bool {
		return adviceHas("es verb", strings.ToLower(adviceWords(strings.TrimPrefix(first, "No "))[0]))
	})
}

// romanceAdvice reports whether a sentence opens with an order and has no clause, figure or name.
func romanceAdvice(text string, clause *lazyregexp.Regexp, opens func(string) bool) bool {
	words := adviceWords(text)
	return len(words) > 1 && !strings.ContainsFunc(text, unicode.IsDigit) && !named(words) && opens(text) && !clause.MatchString(text)
}
