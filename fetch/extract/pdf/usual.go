package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// usual is what the lines of a document have in common.
type usual struct {
	size    float64         // height of text
	leading float64         // distance of lines, in line heights
	words   map[string]bool // in lower case, that occur unbroken within lines
}

// maxVocabulary bounds the remembered words; a long book has some 30,000 forms.
const maxVocabulary = 200_000

func usualOf(pages []pageLines) usual {
	u := usual{leading: 1.2, words: map[string]bool{}}
	chars := map[float64]int{} // by the height of their lines
	var leads []float64
	for _, p := range pages {
		for _, c := range p.columns {
			for i, line := range c.lines {
				chars[math.Round(4*line.size)/4] += len(line.text)
				u.learn(line)
				if i > 0 {
					if lead := lead(c.lines, i) / max(c.lines[i-1].size, 1); lead > 0.5 && lead < 3 {
						leads = append(leads, lead)
					}
				}
			}
		}
	}
	for size, n := range chars {
		if n > chars[u.size] || n == chars[u.size] && size < u.size {
			u.size = size
		}
	}
	if len(leads) > 0 {
		u.leading = median(leads)
	}
	return u
}

// learn adds the words of a line, but for the first and a broken one at its end.
func (u *usual) learn(line line) {
	words := strings.FieldsFunc(strings.ToLower(line.text), notInWord)
	for i, w := range words {
		if i > 0 && !(i == len(words)-1 && line.hyphen) && len(u.words) < maxVocabulary {
			u.words[w] = true
		}
	}
}

// median returns the middle value; all must not be empty.
func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

// joint returns what stands between a text and the line that continues it. A hyphen of the line break stays if the document has the
// word with it elsewhere.
func (u usual) joint(above piece, below string) string {
	first, end := firstRune(below), lastRune(above.text)
	switch {
	case above.hyphen:
		left, right := lastWord(above.text), firstWord(below)
		joined, apart := strings.ToLower(left+right), strings.ToLower(left+"-"+right)
		if !u.words[joined] && (u.words[apart] || !unicode.IsLower(first) || unicode.IsDigit(end)) {
			return "-"
		}
		return ""
	case isWide(first) && isWide(end), brokenAddress(above.text, below): // Chinese and Japanese are written without spaces
		return ""
	}
	return " "
}

// brokenAddress reports whether a line break is inside of an address: behind it are several parts of one, such as er/two/lines.
func brokenAddress(above, below string) bool {
	address := above[strings.LastIndexByte(above, ' ')+1:]
	rest, _, _ := strings.Cut(below, " ")
	parts := strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune("/.-_=&", r) })
	return strings.Contains(address, "://") && len(parts) > 2 && !strings.Contains(rest, "://")
}
