package charset

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// minDoubled is how many sequences that no language writes make a double encoding certain.
const minDoubled = 3

// RepairDoubled undoes a double encoding: UTF-8 that a program read as Windows-1252 and wrote as UTF-8 again, so that
// "é" became "Ã©". It does so where it is certain: the text has several sequences that no language writes, and only in
// pieces between tags that have no letter beyond ASCII that is intact. repaired is the number of characters that changed.
func RepairDoubled(text string) (result string, repaired int) {
	if !strings.ContainsAny(text, "ÃÂâÐÑ") || countCertain(text) < minDoubled || strings.Contains(strings.ToLower(text), "mojibake") {
		return text, 0 // a page about the error shows it
	}
	var b strings.Builder
	b.Grow(len(text))
	for len(text) > 0 {
		end := strings.IndexAny(text, "<>\n")
		if end < 0 {
			end = len(text) - 1
		}
		piece := text[:end+1]
		text = text[end+1:]
		fixed, n, intact := repairPiece(piece)
		if n > 0 && intact == 0 {
			repaired += n
			piece = fixed
		}
		b.WriteString(piece)
	}
	return b.String(), repaired
}

// repairPiece decodes the sequences of a piece. intact counts the letters beyond ASCII that are in none.
func repairPiece(piece string) (fixed string, repaired, intact int) {
	var b strings.Builder
	for i := 0; i < len(piece); {
		if piece[i] < utf8.RuneSelf {
			b.WriteByte(piece[i])
			i++
			continue
		}
		if r, n, _ := doubled(piece[i:]); n > 0 {
			b.WriteRune(r)
			repaired++
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(piece[i:])
		if unicode.IsLetter(r) {
			intact++
		}
		b.WriteRune(r)
		i += n
	}
	return b.String(), repaired, intact
}

// countCertain counts, up to minDoubled, the sequences of a text that are no writing.
func countCertain(text string) int {
	count, run := 0, 0
	for i := 0; i < len(text) && count < minDoubled; {
		if text[i] < utf8.RuneSelf {
			run = 0
			i++
			continue
		}
		_, n, certain := doubled(text[i:])
		if n == 0 {
			_, n = utf8.DecodeRuneInString(text[i:])
			run = 0
		} else if run++; certain || run >= minDoubled {
			count++
		}
		i += n
	}
	return count
}

// doubled reads a character that was encoded twice at the start of s: the character and how many bytes it takes there; n
// is 0 without one. certain is false for sequences that some language writes, as É» and é followed by a space and ».
func doubled(s string) (r rune, n int, certain bool) {
	var raw [utf8.UTFMax]byte
	lead, size := utf8.DecodeRuneInString(s)
	first, ok := windows1252(lead)
	length := 0
	switch {
	case !ok:
	case first >= 0xc2 && first < 0xe0:
		length = 2
	case first >= 0xe0 && first < 0xf0:
		length = 3
	case first >= 0xf0 && first < 0xf5:
		length = 4
	}
	if length == 0 {
		return 0, 0, false
	}
	raw[0], n = first, size
	punctuation := true // all that follows the first is spaces, quotation marks and dashes
	for i := 1; i < length; i++ {
		next, size := utf8.DecodeRuneInString(s[n:])
		c, ok := windows1252(next)
		if !ok || c < 0x80 || c > 0xbf {
			return 0, 0, false
		}
		raw[i] = c
		n += size
		punctuation = punctuation && strings.ContainsRune("\u00a0«»‹›“”„‘’‚–—…", next)
	}
	r, size = utf8.DecodeRune(raw[:length])
	if size != length || r < 0xa0 {
		return 0, 0, false
	}
	certain = (first == 0xc2 || first == 0xc3) && !punctuation || first == 0xe2 && raw[1] == 0x80
	return r, n, certain
}

// windows1252 is the byte of a character in Windows-1252, or of a control that a decoder of Latin-1 left.
func windows1252(r rune) (byte, bool) {
	switch {
	case r < 0x80:
		return 0, false
	case r <= 0xff:
		return byte(r), true
	}
	i := strings.IndexRune(upper1252, r)
	if i < 0 {
		return 0, false
	}
	return byte(0x80 + utf8.RuneCountInString(upper1252[:i])), true
}

// upper1252 are the characters from 0x80 to 0x9f; a full stop marks a place without one.
const upper1252 = "€.‚ƒ„…†‡ˆ‰Š‹Œ.Ž..‘’“”•–—˜™š›œ.žŸ"
