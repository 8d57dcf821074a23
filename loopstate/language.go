package loopstate

import (
	"strings"
	"unicode"
)

// Language returns the language of the question: de, fr, es, zh or ja, or en for English, other and unknown ones.
func (s *State) Language() string {
	text := s.Query + " " + strings.Join(s.Rubrics, " ")
	if l := WrittenIn(text); l == "zh" || l == "ja" {
		return l
	}
	counts := map[string]int{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		if languages := functionWords()[w]; len(languages) == 1 {
			counts[languages[0]]++
		}
	}
	best := "en"
	for _, l := range []string{"de", "es", "fr"} { // in a tie, English wins, then the first
		if counts[l] > counts[best] {
			best = l
		}
	}
	return best
}

// WrittenIn returns the language of a text's script: "zh", "ja", "ko", "ru", "ar", "hi", "th", "he" or "el", or "" for a
// script that many languages share. A script counts as its most widely read language: Ukrainian as "ru", Persian as "ar".
// A few characters of another script, such as a name, do not count.
func WrittenIn(text string) string {
	counts := map[string]int{}
	for _, r := range text {
		if script := scriptOf(r); script != "" {
			counts[script]++
		}
	}
	han, kana, hangul := counts["han"], counts["kana"], counts["ko"]
	if 2*(han+kana+hangul) > counts["latin"] { // one such character weighs as much as two letters
		switch {
		case hangul > han+kana:
			return "ko"
		case kana*5 > han: // Japanese prose is mostly kana; Chinese has almost none
			return "ja"
		case han > 0:
			return "zh"
		}
	}
	for _, script := range []string{"ru", "ar", "hi", "th", "he", "el"} {
		if counts[script] > counts["latin"] {
			return script
		}
	}
	return ""
}

// scripts are the scripts that scriptOf tells apart.
var scripts = []struct {
	name   string
	tables []*unicode.RangeTable
}{
	{"latin", []*unicode.RangeTable{unicode.Latin}},
	{"han", []*unicode.RangeTable{unicode.Han}},
	{"kana", []*unicode.RangeTable{unicode.Hiragana, unicode.Katakana}},
	{"ko", []*unicode.RangeTable{unicode.Hangul}},
	{"ru", []*unicode.RangeTable{unicode.Cyrillic}},
	{"ar", []*unicode.RangeTable{unicode.Arabic}},
	{"hi", []*unicode.RangeTable{unicode.Devanagari}},
	{"th", []*unicode.RangeTable{unicode.Thai}},
	{"he", []*unicode.RangeTable{unicode.Hebrew}},
	{"el", []*unicode.RangeTable{unicode.Greek}},
}

func scriptOf(r rune) string {
	if unicode.IsLetter(r) {
		for _, s := range scripts {
			if unicode.In(r, s.tables...) {
				return s.name
			}
		}
	}
	return ""
}
