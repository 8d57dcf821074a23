package sanitize

import "unicode"

// Invisible counts the characters of a raw text that can hide words from the reader. Characters that scripts and layout
// need are not counted: joiners, marks and isolates of right-to-left text, soft hyphens, and the tags of flag emoji.
// [Visible] removes all counted characters.
type Invisible struct {
	Tags      int // U+E0000 to U+E007F, which spell ASCII
	Overrides int // that reverse the order of the following text
	ZeroWidth int // in runs of four or more, which spell bits
	Selectors int // variation selectors that select nothing, which spell bytes
}

// Total returns the sum.
func (n Invisible) Total() int { return n.Tags + n.Overrides + n.ZeroWidth + n.Selectors }

// minZeroWidth is the shortest run of zero-width characters that counts. A byte order mark next to a joiner is common,
// four in a row are not.
const minZeroWidth = 4

// maxFlagTags is the longest run of tags behind a black flag that is an emoji: six letters of a region and the end.
const maxFlagTags = 7

// CountInvisible counts the characters of text that can hide words.
func CountInvisible(text string) Invisible {
	var n Invisible
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
		n.endRuns(&zero, &tags, flag)
		flag = false
		if r < 0x180b { // most texts
			before, emoji = r, 0
			continue
		}
		switch {
		case r == 0x202d || r == 0x202e:
			n.Overrides++
		case !unicode.Is(unicode.Variation_Selector, r):
			before, emoji = r, 0
		case selects(r, before):
			before = r
		case r == 0xfe0e || r == 0xfe0f: // editors leave single ones
			if emoji++; emoji > 1 {
				n.Selectors++
			}
		default:
			n.Selectors++
		}
	}
	n.endRuns(&zero, &tags, flag)
	return n
}

func (n *Invisible) endRuns(zero, tags *int, flag bool) {
	if *zero >= minZeroWidth {
		n.ZeroWidth += *zero
	}
	if !flag || *tags > maxFlagTags {
		n.Tags += *tags
	}
	*zero, *tags = 0, 0
}
