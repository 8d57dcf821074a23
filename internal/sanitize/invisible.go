package sanitize

import "unicode"

// Invisible counts the characters of a raw text that can carry words which no reader sees. Characters that scripts
// and layout need are not counted: joiners, marks and isolates of right-to-left text, soft hyphens, and the tags of
// flag emoji.
type Invisible struct {
	Tags      int // U+E0020 to U+E007E, which spell ASCII
	Overrides int // that reverse the order of what follows
	ZeroWidth int // in runs of four or more, which spell bits
	Selectors int // variation selectors in runs of two or more, which spell bytes
}

// Total returns the sum.
func (n Invisible) Total() int { return n.Tags + n.Overrides + n.ZeroWidth + n.Selectors }

// minZeroWidth is the shortest run of zero-width characters that counts. A byte order mark beside a joiner is
// common, four in a row are not.
const minZeroWidth = 4

// CountInvisible counts the characters of text that can hide words.
func CountInvisible(text string) Invisible {
	var n Invisible
	zero, selectors := 0, 0 // runs under way
	endRuns := func() {
		if zero >= minZeroWidth {
			n.ZeroWidth += zero
		}
		if selectors >= 2 {
			n.Selectors += selectors
		}
		zero, selectors = 0, 0
	}
	flag := false
	for _, r := range text {
		switch {
		case r < 0x200b:
			endRuns()
			flag = false
		case r >= 0xe0000 && r <= 0xe007f:
			if !flag {
				n.Tags++
			}
		case r >= 0x200b && r <= 0x200d || r >= 0x2060 && r <= 0x2064 || r == 0xfeff:
			zero++
		case unicode.Is(unicode.Variation_Selector, r):
			selectors++
		default:
			endRuns()
			if r == 0x202d || r == 0x202e {
				n.Overrides++
			}
			flag = r == 0x1f3f4 // the black flag, which tags make one of a region
		}
	}
	endRuns()
	return n
}
