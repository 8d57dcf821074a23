package sanitize

import "unicode"

// minZeroWidth is the shortest run of zero-width characters that counts. A byte order mark next to a joiner is common,
// four in a row are not.
const minZeroWidth = 4

// maxFlagTags is the longest run of tags behind a black flag that is an emoji: six letters of a region and the end.
const maxFlagTags = 7

// CountInvisible counts the characters of a raw text that can hide words from the reader: tags, which spell ASCII (U+E0000 to
// U+E007F), overrides that reverse the order of the text, zero-width characters in runs, which spell bits, and variation
// selectors that select nothing, which spell bytes. Characters that scripts and layout need are not counted: joiners, marks
// and isolates of right-to-left text, soft hyphens, and the tags of flag emoji. [Visible] removes all counted characters.
func CountInvisible(text string) (n int) {
	zero, tags, emoji := 0, 0, 0 // current runs: zero-width, tags, and selectors that choose emoji or text
	var before rune
	flag := false // the run of tags follows a black flag
	for _, r := range text {
		switch {
		case r >= 0x200b && r <= 0x200d || r >= 0x2060 && r <= 0x2064 || r == 0xfeff:
			zero++
			continue
		case r >= 0xe0000 && r <= 0xe007f:
			flag = flag || tags == 0 && before == 0x1f3f4
			tags++
			before = r
			continue
		}
		n += countRuns(zero, tags, flag)
		zero, tags, flag = 0, 0, false
		if r < 0x180b { // most texts
			before, emoji = r, 0
			continue
		}
		switch {
		case r == 0x202d || r == 0x202e:
			n++
		case !unicode.Is(unicode.Variation_Selector, r):
			before, emoji = r, 0
		case selects(r, before):
			before = r
		case r == 0xfe0e || r == 0xfe0f: // editors leave single ones
			if emoji++; emoji > 1 {
				n++
			}
		default:
			n++
		}
	}
	return n + countRuns(zero, tags, flag)
}

// countRuns counts what two runs of characters hide.
func countRuns(zero, tags int, flag bool) (n int) {
	if zero >= minZeroWidth {
		n = zero
	}
	if !flag || tags > maxFlagTags {
		n += tags
	}
	return n
}
