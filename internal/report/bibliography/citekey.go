package bibliography

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// keysOf returns the keys of works in bibliographies, as "pike2015": the family name of the first author, or else a word
// of the name of an institution, of the title or of the publisher, and the year. Equal keys get a, b, c by the order in which the
// sources were read, so that a key does not change when sources come to a loop. Keys have lower-case letters and digits only.
func keysOf(works []Work) []string {
	order := make([]int, len(works))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(readAs(works[a]), readAs(works[b])) })
	keys := make([]string, len(works))
	taken := make(map[string]bool, len(works))
	for _, i := range order {
		base := keyOf(works[i])
		key := base
		for n := 0; taken[key]; n++ {
			key = base + letters(n)
		}
		taken[key], keys[i] = true, key
	}
	return keys
}

// readAs returns the place of a source in the order of reading: 3 for S3.
func readAs(w Work) int {
	n, err := strconv.Atoi(strings.TrimPrefix(w.ID, "S"))
	if err != nil {
		return math.MaxInt
	}
	return n
}

func keyOf(w Work) string {
	name := ""
	if authors := people(w.Authors); len(authors) > 0 {
		if name = ascii(authors[0].family); name == "" {
			name = keyWord(authors[0].literal)
		}
	}
	name = clip(cmp.Or(name, keyWord(w.Title), keyWord(w.Publisher), "source"), 24)
	if year, _, _ := w.date(); year > 0 {
		name += strconv.Itoa(year)
	}
	return name
}

// keyWord returns the first word of a text that is longer than most articles and prepositions, or else the first one.
func keyWord(text string) string {
	first := ""
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		w := ascii(word)
		if len(w) > 3 {
			return w
		}
		first = cmp.Or(first, w)
	}
	return first
}

func clip(s string, n int) string { return s[:min(n, len(s))] }

// ascii returns the letters and digits of s without accents, in lower case.
func ascii(s string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(plainLetters.Replace(s)) {
		switch {
		case r >= 'A' && r <= 'Z':
			b.WriteRune(r + 'a' - 'A')
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		}
	}
	return strings.TrimLeft(b.String(), "0123456789")
}

// plainLetters are those that Unicode does not decompose.
var plainLetters = strings.NewReplacer("ß", "ss", "æ", "ae", "Æ", "ae", "œ", "oe", "Œ", "oe", "ø", "o", "Ø", "o", "ł", "l", "Ł",
	"l", "đ",
	"d", "Đ", "d", "ð", "d", "Ð", "d", "þ", "th", "Þ", "th", "ı", "i")

// letters counts a, b, … z, aa, ab, …
func letters(n int) string {
	s := ""
	for n++; n > 0; n = (n - 1) / 26 {
		s = string(rune('a'+(n-1)%26)) + s
	}
	return s
}
