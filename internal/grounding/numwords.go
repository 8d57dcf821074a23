package grounding

import (
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
	"github.com/citeloop/citeloop/internal/grounding/wordlist"
)

// letters reads at an ASCII letter: a month that begins a date, or a number in words. Anything else is skipped
// as a whole word, so that no number is found inside it.
func (r *numberReader) letters() {
	start := r.i
	word := r.s[start:r.wordEnd(start)]
	if m := monthNumber(word); m > 0 {
		if q, end, ok := r.monthFirst(m, start+len(word)); ok {
			q.start, q.end = start, end
			r.add(q)
			return
		}
	}
	if r.words == nil && !mayBeNumber(word) {
		r.skipLetters(start + len(word))
		return
	}
	if value, end, ok := r.numberWords(start); ok {
		q := quantity{value: value, step: 1, start: start, end: end, word: true}
		q.unit, _ = readUnit(r.s, start, end, r.analyzer)
		if q.unit == "%" || q.unit == "pp" {
			_, q.end = readUnit(r.s, start, end, r.analyzer)
		}
		r.addAmount(q)
		return
	}
	if value, ok := numerals()["ordinal"][strings.ToLower(word)]; ok {
		r.add(quantity{kind: ordinal, value: value, start: start, end: start + len(word), word: true})
		return
	}
	r.skipLetters(start + len(word))
}

// skipLetters continues after a word that ends at end, and the digits that belong to it: A320.
func (r *numberReader) skipLetters(end int) {
	r.i = end
	for r.i < len(r.s) && digitByte(r.s[r.i]) {
		r.i++
	}
}

// mayBeNumber is a quick look at a word before it is compared with "three", "seventh" and all the others.
func mayBeNumber(word string) bool {
	if len(word) < 3 || len(word) > len("seventeen") {
		return false
	}
	switch word[0] | 0x20 { // lower case
	case 'z', 'o', 't', 'f', 's', 'e', 'n', 'd':
		return true
	}
	return false
}

// wordEnd returns where the word at i ends: of ASCII letters only, where a language has no list of number words.
func (r *numberReader) wordEnd(i int) int {
	for i < len(r.s) {
		if isLetter(r.s[i]) {
			i++
			continue
		}
		c, w := rune(r.s[i]), 1
		if c >= utf8.RuneSelf && r.words != nil {
			c, w = utf8.DecodeRuneInString(r.s[i:])
		}
		if !latin(c) {
			break
		}
		i += w
	}
	return i
}

// latin reports whether c is a letter of the Latin script, or of ASCII where it stands for a byte.
func latin(c rune) bool {
	return c < utf8.RuneSelf && isLetter(byte(c)) || c >= 0xc0 && c < 0x250 && unicode.IsLetter(c)
}

// small returns the value of a number word below a hundred, or of a compound that the language writes as one word.
func (r *numberReader) small(word string) (float64, bool) {
	if r.words == nil {
		v, ok := numerals()["small"][word]
		return v, ok
	}
	v, ok := r.entry(lexicon.Number, "number", word)
	return v, ok && v > 1
}

// numberWords reads "twenty-five", "two hundred and six thousand". A bare "million" is no number.
func (r *numberReader) numberWords(i int) (float64, int, bool) {
	const maxWords, maxNumberWord = 12, 36
	total, current := 0.0, 0.0
	end, found := i, false
	last := 0.0 // the number word before, to tell "twenty five" from "five, six"
	for n := 0; n < maxWords; n++ {
		w := r.wordEnd(i)
		if w-i > maxNumberWord {
			break
		}
		word := strings.ToLower(r.s[i:w])
		f := r.scale(word)
		if found && (f == 100 || word == "hundred") {
			current *= 100
			last = 0
			end = w
		} else if found && f >= 1e3 && (len(word) > 3 || r.words != nil) {
			if current == 0 { // "mil millones"
				total *= f
			} else {
				total += current * f
			}
			current, last = 0, 0
			end = w
		} else if v, ok := r.small(word); ok {
			v, w = r.compound(i, w, v)
			if found && last > 0 && !(last >= 20 && last < 100 && v < 10 || (last == 60 || last == 80) && v < 20 && r.words != nil) {
				break // "quatre-vingt-douze" continues
			}
			current += v
			last = v
			if v >= 100 {
				last = 0
			}
			if v >= 1000 {
				total, current = total+current, 0
			}
			end, found = w, true
		} else if found && (word == "and" && last == 0 || r.conjunction(word)) {
			// "two hundred and six", "treinta y cinco"
		} else {
			break
		}
		if w >= len(r.s) || r.s[w] != ' ' && r.s[w] != '-' {
			break
		}
		i = w + 1
	}
	if !found {
		return 0, 0, false
	}
	return total + current, end, true
}

// compound extends a number word from byte i to w, of the value v, to the longest listed one that begins there: dix-sept.
func (r *numberReader) compound(i, w int, v float64) (float64, int) {
	if r.words == nil || w >= len(r.s) || r.s[w] != '-' && r.s[w] != ' ' {
		return v, w
	}
	if e, n, ok := r.words.Prefix(lexicon.Number, "number", r.s[i:]); ok && i+n > w {
		return e.Value, i + n
	}
	return v, w
}

// conjunction reports whether a word of a listed language joins the parts of a number.
func (r *numberReader) conjunction(word string) bool {
	e, ok := r.words.Is(lexicon.Function, word)
	return ok && e.Class == "coordination"
}

// numerals are the values of number words and of words such as "million", by section of their list.
var numerals = sync.OnceValue(func() map[string]map[string]float64 {
	out := make(map[string]map[string]float64)
	for _, line := range wordlist.Lines("numerals") {
		if out[line.Section] == nil {
			out[line.Section] = make(map[string]float64)
		}
		value, _ := strconv.ParseFloat(line.Value, 64) // a test reads every line
		for _, word := range line.Words {
			out[line.Section][word] = value
		}
	}
	return out
})

// characterValues are the values of the Chinese numerals in a section of the list.
func characterValues(section string) func() map[rune]float64 {
	return sync.OnceValue(func() map[rune]float64 {
		out := make(map[rune]float64)
		for character, value := range numerals()[section] {
			out[firstRune(character)] = value
		}
		return out
	})
}

var chineseDigits, chineseScales = characterValues("chinese digit"), characterValues("chinese scale")

func chineseDigit(r rune) (float64, bool) {
	value, ok := chineseDigits()[r]
	return value, ok
}

func isChineseNumeral(r rune) bool {
	_, ok := chineseDigit(r)
	return ok || r == '十'
}

// chinese reads 十二, 一百二十, 三千万, 二〇二四. A single digit alone is too often part of a word (一起, 三星)
// to be a number, unless a counting word follows it.
func (r *numberReader) chinese() {
	const maxNumerals = 16
	start := r.i
	i := start
	var total, section, current float64
	plain := ""        // digits written one after the other, as years are
	positional := true // only digits so far
	n := 0
	for n < maxNumerals && i < len(r.s) {
		c, w := utf8.DecodeRuneInString(r.s[i:])
		if d, ok := chineseDigit(c); ok {
			if positional {
				plain += string(rune('0' + int(d)))
			}
			current = d
		} else if f := chineseScales()[c]; f > 0 && (n > 0 || c == '十') {
			positional = false
			if f >= 1e4 {
				total = (total + section + current) * f
				section = 0
			} else {
				if current == 0 {
					current = 1
				}
				section += current * f
			}
			current = 0
		} else {
			break
		}
		n++
		i += w
	}
	q := quantity{start: start, end: i, step: 1, word: true}
	switch {
	case strings.HasSuffix(r.s[:start], "第"):
		q.kind = ordinal
		q.value = total + section + current
		r.add(q)
		return
	case positional && n > 1:
		q.value, _ = parseDecimal(plain)
		if n > 4 || n < 4 && !countingWord(r.s[i:]) {
			r.i = i
			return
		}
	case n == 1 && !countingWord(r.s[i:]) && !strings.HasSuffix(r.s[:start], "百分之"):
		r.i = i
		return
	default:
		q.value = total + section + current
	}
	if d, end, ok := r.chineseDate(q.value, i); ok {
		d.start, d.end = start, end
		r.add(d)
		return
	}
	q.unit, q.end = readUnit(r.s, start, i, r.analyzer)
	r.addAmount(q)
}

func countingWord(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return c != utf8.RuneError && strings.ContainsRune("个個名人位年月日号天次家种項项条座只台部倍成小分米吨岁元度%％艘架辆届", c)
}
