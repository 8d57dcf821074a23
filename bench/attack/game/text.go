package game

import (
	"slices"
	"strings"
	"unicode"
)

// tokens are the words and numbers of a text in lower case, and "%".
func tokens(text string) []string {
	return strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "%", " % ")), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("%.,'’-", r)
	})
}

// words are tokens without marks around them.
func words(text string) (out []string) {
	for _, t := range tokens(text) {
		if t = strings.Trim(t, ".,'’-"); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// Sentences splits at the marks that end sentences, roughly.
func Sentences(text string) (out []string) {
	begin := 0
	for i := range len(text) {
		ends := strings.ContainsRune(".!?", rune(text[i])) && i+2 < len(text) && text[i+1] == ' ' && unicode.IsUpper(rune(text[i+2]))
		if ends || text[i] == '\n' || i == len(text)-1 {
			if s := strings.TrimSpace(text[begin : i+1]); s != "" {
				out = append(out, s)
			}
			begin = i + 1
		}
	}
	return out
}

// edit is a part of a sentence that stands in place of another.
type edit struct{ old, new []string }

// diff aligns two lists of words by their longest common subsequence and returns what differs.
func diff(a, b []string) (out []edit) {
	n, m := len(a), len(b)
	best := make([][]int, n+1)
	for i := range best {
		best[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if best[i][j] = max(best[i+1][j], best[i][j+1]); a[i] == b[j] {
				best[i][j] = best[i+1][j+1] + 1
			}
		}
	}
	var now edit
	flush := func() {
		if len(now.old)+len(now.new) > 0 {
			out, now = append(out, now), edit{}
		}
	}
	i, j := 0, 0
	for i < n || j < m {
		switch {
		case i < n && j < m && a[i] == b[j]:
			flush()
			i, j = i+1, j+1
		case j == m || i < n && best[i+1][j] >= best[i][j+1]:
			now.old, i = append(now.old, a[i]), i+1
		default:
			now.new, j = append(now.new, b[j]), j+1
		}
	}
	flush()
	return out
}

// changed counts the words that differ.
func changed(edits []edit) (n int) {
	for _, e := range edits {
		n += max(len(e.old), len(e.new))
	}
	return n
}

// nearest returns the candidate that differs least from a sentence, and how.
func nearest(sentence string, candidates []string) (edits []edit, at string) {
	least, of := -1, words(sentence)
	for _, c := range candidates {
		other := words(c)
		if d := len(of) - len(other); least >= 0 && (d > least || -d > least) {
			continue
		}
		e := diff(other, of)
		if n := changed(e); least < 0 || n < least {
			least, edits, at = n, e, c
		}
	}
	return edits, at
}

// overlap is the share of a sentence's words that a text has.
func overlap(sentence, text string) float64 {
	has, found, all := words(text), 0, words(sentence)
	for _, w := range all {
		if slices.Contains(has, w) {
			found++
		}
	}
	return float64(found) / float64(max(1, len(all)))
}

var named = map[string]string{"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "twelve": "12"}

// numbers are the numbers of a text, also those in words.
func numbers(text string) (out []string) {
	for _, w := range words(text) {
		if n, ok := named[w]; ok {
			w = n
		}
		if strings.IndexFunc(w, unicode.IsDigit) >= 0 {
			out = append(out, strings.ReplaceAll(w, ",", ""))
		}
	}
	return out
}

// negations counts the words that deny.
func negations(text string) (n int) {
	for _, w := range words(text) {
		if strings.HasSuffix(w, "n't") || slices.Contains([]string{"not", "no", "never", "none", "nothing", "neither", "nor", "cannot", "without", "nobody", "hardly", "rarely", "seldom"}, w) {
			n++
		}
	}
	return n
}
