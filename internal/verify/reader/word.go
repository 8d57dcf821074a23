package reader

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/seeded"
)

// sentence is what a twin is made of.
type sentence struct {
	*seeded.Random
	text, language string
	near           string // all that the reader sees beside it
	pending        bool   // nobody knows yet whether it is true
}

// twin is a changed sentence, with the words that were replaced and the new ones.
type twin struct{ text, old, new string }

// replace replaces the bytes from start to end.
func (s sentence) replace(start, end int, by string) twin {
	return twin{s.text[:start] + by + s.text[end:], s.text[start:end], by}
}

// occurrences returns where whole words begin, without regard to case. In scripts without spaces every place counts.
func occurrences(text, what string) (out []int) {
	low, what := strings.ToLower(text), strings.ToLower(what)
	if len(low) != len(text) {
		return nil // lower case moved the offsets
	}
	inWord := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || strings.ContainsRune("-'’", r)
	}
	first, _ := utf8.DecodeRuneInString(what)
	unspaced := unicode.In(first, unicode.Han, unicode.Hiragana, unicode.Katakana)
	for end := 0; ; {
		i := strings.Index(low[end:], what)
		if i < 0 {
			return out
		}
		start := end + i
		end = start + len(what)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if unspaced || !inWord(before) && !inWord(after) {
			out = append(out, start)
		}
	}
}

// has reports whether a text has a word of a section, of whatever language.
func has(text, section string) bool {
	text = strings.ReplaceAll(text, "’", "'")
	low := strings.ToLower(text) // most words are nowhere in it
	return lists(section, func(word string) bool {
		return strings.Contains(low, strings.ToLower(word)) && len(occurrences(text, word)) > 0
	})
}

// alike reports whether a text may say what some words say: it has one that begins as one of them does.
func alike(text, say string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(strings.Fields(strings.ToLower(say)), func(word string) bool {
		return len(word) > 2 && strings.Contains(text, strings.ToValidUTF8(word[:min(len(word), 5)], ""))
	})
}

// swaps changes a sentence by the swaps of a section. Of two that begin at one place only the longer counts, so that
// "is not" becomes "is", never "is not not". A name that is written like an ordinary word is not taken for it.
func swaps(s sentence, section string) (out []twin) {
	list := tables()[s.language][section]
	free, rest := s.text, s.text // what no longer phrase has, before and after this one
	low := strings.ToLower(s.text)
	for i, change := range list {
		if i > 0 && list[i-1].From != change.From {
			free = rest
		}
		if !strings.Contains(low, strings.ToLower(change.From)) {
			continue // as most are
		}
		for _, start := range occurrences(free, change.From) {
			end, to := start+len(change.From), change.To
			rest = rest[:start] + strings.Repeat(" ", end-start) + rest[end:]
			if first, size := utf8.DecodeRuneInString(to); start == 0 {
				to = string(unicode.ToUpper(first)) + to[size:]
			}
			name := start > 0 && s.text[start:end] != change.From
			both := section != datafile.Same && slices.ContainsFunc(list, func(o datafile.Swap) bool {
				return o.From == change.From && len(occurrences(s.text[:start]+" "+s.text[end:], o.To)) > 0
			})
			if to != "=" && !name && !both && fits(section, change, s.text[:start], s.text[end:]) {
				out = append(out, s.replace(start, end, to))
			}
		}
	}
	return out
}

// reword replaces words of a changed sentence, but none that a change put in, until it has n changes. It returns how many it has.
func (s sentence) reword(n int, made ...twin) (string, int) {
	for len(made) < n {
		all := slices.DeleteFunc(swaps(s, datafile.Same), func(t twin) bool {
			return slices.ContainsFunc(made, func(m twin) bool {
				return strings.Contains(t.old, m.new) || strings.Contains(m.new, t.old) || strings.EqualFold(t.new, m.old)
			})
		})
		if len(all) == 0 {
			break
		}
		made = append(made, all[s.Intn(len(all))])
		s.text = made[len(made)-1].text
	}
	return s.text, len(made)
}

// What must or must not stand beside a swap; companions need the negation beside them.
var (
	amount = lazyregexp.New(`(?i)(?:[0-9一二三四五六七八九十百千万亿億両两几数][ \x{00a0}-]?|\b(?:two|three|four|five|six|seven|eight|nine|` +
		`ten|zwei|drei|vier|fünf|sechs|sieben|acht|zehn|deux|trois|quatre|cinq|sept|huit|dix|dos|tres|cuatro|cinco|seis|siete|ocho|diez) )$`)
	number     = lazyregexp.New(`^[ $€£约]*[0-9一二三四五六七八九十百千万半]`)
	per        = lazyregexp.New(`^(?:/| (?:per|an?|pro|par|por)\b|\s?[(（][^)）]*[0-9])`)
	joined     = lazyregexp.New(`^(?:,|-| (?:or|and|oder|und|ou|et|o|y|as|the|than|als|que)\b|[一二三四五六日天中上下早晚])`)
	adverb     = lazyregexp.New(`^ (?:also|only|still|already|even|so|as|be as|not|un|more|less|always|never|both|all|plus|aussi|más|también)`)
	article    = lazyregexp.New(`(?i)\ban? $`)
	vowel      = lazyregexp.New(`^[aeiou]`)
	companions = lazyregexp.New(`(?i)\b(?:yet|any|anyone|anything|ever|either|anymore|whether|noch|encore|todavía|aún)\b|まだ|还|尚|任何`)
)

// fits reports whether a swap reads well, and surely says something else, between the words around it.
func fits(section string, s datafile.Swap, before, rest string) bool {
	around := before + " " + rest
	switch {
	case article.MatchString(before) && vowel.MatchString(s.From) != vowel.MatchString(s.To):
		return false
	case section == "unit":
		return amount.MatchString(before) && !per.MatchString(rest)
	case has(around, "negative"):
		return false // a change beside a negation is easily misread
	case section == "negation":
		return !companions.MatchString(around) && !adverb.MatchString(rest) && !number.MatchString(rest)
	}
	return section == "certainty" || section == datafile.Same || !joined.MatchString(rest) && !number.MatchString(rest)
}

// whole matches a sentence without marks of quotes, tables, lists, code and links.
var whole = lazyregexp.New(`^(?:\p{Lu}|\p{Han}|\p{Hiragana}|\p{Katakana}|\d+[^\d\s.)、)．–-]*\s\p{L})[^\n\t|\[\]{}<>*_=\\?？` + "`" +
	`"“”„«»「」『』:;：；!—…]*[^\s.][.。]$`)

// usable reports whether a sentence of a text reads as a claim does: a whole statement, of 45 to 340 bytes.
func usable(s string) bool {
	return len(s) >= 45 && len(s) <= 340 && whole.MatchString(s) && !strings.Contains(s, "http") && !strings.Contains(s, "...")
}

// leans reports whether a sentence may need others to be understood.
func leans(s string) bool {
	return lists("leaning", func(word string) bool { at := occurrences(s, word); return len(at) > 0 && at[0] == 0 }) || has(s, "speaking")
}
