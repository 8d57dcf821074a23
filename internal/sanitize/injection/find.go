package injection

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kind is what a phrase does.
type Kind string

// The kinds.
const (
	Override Kind = "override" // sets aside what the model was told, or asks for it
	Persona  Kind = "persona"  // tells a model what it is, or what it must do as one
	Secrecy  Kind = "secrecy"  // asks to keep something from the user
	Action   Kind = "action"   // asks to call a tool, to send something out, or for a judgement
	Markup   Kind = "markup"   // tags and role headers of a chat
)

// Flag is the kind of flag that a source or a claim gets for such a phrase.
const Flag = "addresses_the_model"

// Place is a phrase that addresses a model. Start and End count Unicode code points of the text, half open.
type Place struct {
	Kind       Kind
	Start, End int
}

const (
	// maxPlaces of one text are listed; a text with more is about the subject, or full of it.
	maxPlaces = 100
	// reach is how far a phrase goes beyond the word by which it is found, in bytes: the longest pattern has
	// 200 characters, and three quarters of those found are shorter than 60.
	reach = 300
	// maxLooked bounds how much of a text is compared with one pattern, in bytes: a text that is full of the words
	// costs a second, not minutes.
	maxLooked = 1 << 20
)

// Find lists the places of a text that address a model, in order. They do not overlap: of two that do, the first
// and then the longer one stays.
func Find(text string) []Place {
	lower := lowered(text)
	var found []Place
	for _, p := range phrases {
		for _, r := range p.regions(lower) {
			for _, m := range p.pattern.FindAllStringIndex(text[r[0]:r[1]], maxPlaces) {
				found = append(found, Place{p.kind, r[0] + m[0], r[0] + m[1]})
			}
		}
	}
	slices.SortFunc(found, func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), strings.Compare(string(a.Kind), string(b.Kind)))
	})
	kept := found[:0]
	for _, p := range found {
		if n := len(kept); n == 0 || p.Start >= kept[n-1].End {
			kept = append(kept, p)
		}
	}
	kept = kept[:min(len(kept), maxPlaces)]
	inCodePoints(text, kept)
	return kept
}

// lowered is a text with the letters A to Z in lower case, byte for byte as long as it was.
func lowered(text string) string {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// inCodePoints turns ascending byte offsets into code points.
func inCodePoints(text string, places []Place) {
	at, chars := 0, 0
	to := func(b int) int {
		chars += utf8.RuneCountInString(text[at:b])
		at = b
		return chars
	}
	for i := range places {
		places[i].Start, places[i].End = to(places[i].Start), to(places[i].End)
	}
}

// regions are the stretches around the words by which a phrase is found, in bytes, merged.
func (p phrase) regions(lower string) [][2]int {
	var at []int
	for _, word := range p.words {
		for from := 0; ; {
			i := strings.Index(lower[from:], word)
			if i < 0 {
				break
			}
			at = append(at, from+i)
			from += i + len(word)
		}
	}
	slices.Sort(at)
	var merged [][2]int
	looked := 0
	for _, i := range at {
		start, end := max(0, i-reach), min(len(lower), i+reach)
		for start > 0 && !utf8.RuneStart(lower[start]) {
			start--
		}
		for end < len(lower) && !utf8.RuneStart(lower[end]) {
			end++
		}
		if n := len(merged); n > 0 && start <= merged[n-1][1] {
			start = merged[n-1][1]
			merged[n-1][1] = max(merged[n-1][1], end)
		} else {
			merged = append(merged, [2]int{start, end})
		}
		if looked += max(0, end-start); looked > maxLooked {
			break
		}
	}
	return merged
}

// Flags are the places of a text as a source carries them: "addresses_the_model: override 120-161". At most n are
// named one by one; the words themselves are not repeated, for they are a stranger's.
func Flags(places []Place, n int) []string {
	var flags []string
	for i, p := range places {
		if i == n {
			return append(flags, fmt.Sprintf("%s: %d more places", Flag, len(places)-n))
		}
		flags = append(flags, fmt.Sprintf("%s: %s %d-%d", Flag, p.Kind, p.Start, p.End))
	}
	return flags
}

// touch is how far apart two neighbours may be, in code points: what stands between two paragraphs.
const touch = 3

// Touching are the places that a passage of a text holds or touches. Start and end count code points of the text.
func Touching(text string, start, end int) []Place {
	if start < 0 || end <= start {
		return nil
	}
	first := max(0, start-reach)
	from := bytesOf(text, first)
	to := from + bytesOf(text[from:], end-first+reach)
	var out []Place
	for _, p := range Find(text[from:to]) {
		p.Start, p.End = p.Start+first, p.End+first
		if p.Start < end+touch && start < p.End+touch {
			out = append(out, p)
		}
	}
	return out
}

// bytesOf is how many bytes the first code points of a text have; all of them where it has fewer.
func bytesOf(text string, chars int) int {
	for i := range text {
		if chars == 0 {
			return i
		}
		chars--
	}
	return len(text)
}
