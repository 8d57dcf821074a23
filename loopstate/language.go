package loopstate

import "unicode"

// WrittenIn tells the language of a text as far as its script does: "zh", "ja", "ko", "ru", "ar", "hi", "th",
// "he" or "el", and "" for an alphabet that many languages share, or for none. The script stands for its
// most widely read language: Ukrainian counts as "ru" here, Persian as "ar". A few characters of another
// script, a name or a term, do not count.
func WrittenIn(text string) string {
	counts := map[string]int{}
	for _, r := range text {
		if script := scriptOf(r); script != "" {
			counts[script]++
		}
	}
	han, kana, hangul := counts["han"], counts["kana"], counts["ko"]
	if 2*(han+kana+hangul) > counts["latin"] { // one such character says about as much as two letters or more
		switch {
		case hangul > han+kana:
			return "ko"
		case kana*5 > han: // Japanese prose is mostly kana; a Chinese text has next to none
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

func scriptOf(r rune) string {
	switch {
	case !unicode.IsLetter(r):
		return ""
	case unicode.Is(unicode.Latin, r):
		return "latin"
	case unicode.Is(unicode.Han, r):
		return "han"
	case unicode.In(r, unicode.Hiragana, unicode.Katakana):
		return "kana"
	case unicode.Is(unicode.Hangul, r):
		return "ko"
	case unicode.Is(unicode.Cyrillic, r):
		return "ru"
	case unicode.Is(unicode.Arabic, r):
		return "ar"
	case unicode.Is(unicode.Devanagari, r):
		return "hi"
	case unicode.Is(unicode.Thai, r):
		return "th"
	case unicode.Is(unicode.Hebrew, r):
		return "he"
	case unicode.Is(unicode.Greek, r):
		return "el"
	}
	return ""
}
