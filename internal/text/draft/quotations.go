package draft

import (
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/text/words"
)

// closings are the marks that may close a quotation, by the mark that opens it. One curly and one straight mark go together.
var closings = map[rune]string{
	'“': "”\"‟“", '”': "”“", '„': "“”\"‟", '‟': "”‟\"", '"': "\"”“", '＂': "＂", '״': "״",
	'❝': "❞", '«': "»", '»': "«»", '‹': "›",
	'›': "‹›", '「': "」", '『': "』", '｢': "｣", '〝': "〞〟",
	'‘': "’", '‚': "‘’", '\'': "'", '`': "'", ',': "'”\"",
}

// quotations returns the quotations of a block, without their marks; they may run over several sentences.
func (p *prose) quotations(mask []rune) (out []words.Span) {
	none := map[rune]bool{} // no mark closes this one any more
	for i := 0; i < len(mask); i++ {
		open := mask[i]
		double := (open == '`' || open == ',') && runeAt(mask, i+1) == open // ``…'' of TeX, ,,…'' of typewriters
		from, key := i+1, open
		if double {
			from, key = i+2, -open
		}
		closing := closings[open]
		if closing == "" || none[key] || !opens(mask, i, double) {
			continue
		} else if double {
			closing += "\"”" // ``…"
		}
		end := from
		for end < len(mask) && !(strings.ContainsRune(closing, mask[end]) && closes(mask, open, end, double)) {
			end++
		}
		if none[key] = end == len(mask); none[key] {
			continue
		}
		out = append(out, words.Span{Start: from, End: end})
		if i = end; double && mask[end] == runeAt(mask, end+1) {
			i++
		}
	}
	return out
}

// runeAt is a character of a block; a space beyond its ends.
func runeAt(mask []rune, i int) rune {
	if i < 0 || i >= len(mask) {
		return ' '
	}
	return mask[i]
}

// opens reports whether a mark, or a double one, opens a quotation: not behind a letter, and not as a sign for inches or an apostrophe.
func opens(mask []rune, i int, double bool) bool {
	before, after := runeAt(mask, i-1), runeAt(mask, i+1)
	switch mask[i] {
	case '`', ',':
		return double
	case '"', '＂', '״':
		return !words.Spaced(before) && (after != ' ' || before == ' ')
	case '”', '»', '›', '\'':
		apart := unicode.IsSpace(before) || strings.ContainsRune("([:—–", before)
		return apart && (unicode.IsLetter(after) || opensOther(mask[i+1:]))
	case '‘', '‚':
		return !words.Spaced(before)
	}
	return true
}

// opensOther reports whether a quotation begins here with something other than a letter: "12 weirs", "[The] weir", "… the weir". '80s
// is none.
func opensOther(rest []rune) bool {
	digits := 0
	for digits < len(rest) && unicode.IsDigit(rest[digits]) {
		digits++
	}
	return digits > 0 && runeAt(rest, digits) == ' ' || strings.ContainsRune("[…", runeAt(rest, 0)) ||
		runeAt(rest, 0) == '.' && runeAt(rest, 1) == '.'
}

// closes reports whether a mark at k closes a quotation: ’ before a letter is an apostrophe, unless it is a
// particle of Korean, and so is ' behind an s and before a word.
func closes(mask []rune, open rune, k int, double bool) bool {
	before, after := runeAt(mask, k-1), runeAt(mask, k+1)
	switch mask[k] {
	case '’', '\'':
		if double {
			return after == '\'' || mask[k] == '’'
		}
		plural := open == '\'' && before == 's' && after == ' ' && unicode.IsLower(runeAt(mask, k+2))
		particle := unicode.Is(unicode.Hangul, after)
		return !plural && (particle || !unicode.IsLetter(after) && !unicode.IsDigit(after)) && !unicode.IsSpace(before)
	case '"', '״': // צה"ל is an abbreviation
		return !unicode.Is(unicode.Hebrew, before) || !unicode.Is(unicode.Hebrew, after)
	case '“', '«', '‹', '‘':
		return strings.ContainsRune("„‚»›", open) || !unicode.IsLetter(after)
	}
	return true
}

// quotesIn returns what of the quotations is in a sentence, if it is long enough to be somebody's words, and all of it in a quotation
// that says where it is from.
func (p *prose) quotesIn(from, to int, quotes []words.Span) (out []string) {
	const leastWords, leastWide = 3, 6
	if p.quotes > 0 {
		quotes = []words.Span{{Start: from, End: to}}
	}
	at, _ := slices.BinarySearchFunc(quotes, from, func(q words.Span, from int) int { return q.End - from })
	for _, q := range quotes[at:] {
		if q.Start >= to {
			break
		}
		said := p.visible(max(q.Start, from), min(q.End, to), 0)
		if len(strings.Fields(said)) >= leastWords || wideLetters(said) >= leastWide {
			out = append(out, said)
		}
	}
	return out
}

// tagged makes block quotations of what the tags of HTML in a paragraph enclose, if they begin with it. Its blocks begin at first.
func (r *reader) tagged(p prose, first int) {
	begun := false
	for _, g := range p.glyphs {
		last := len(r.open) - 1
		switch {
		case g.role&inSyntax == 0:
		case g.c == '“' && !begun:
			r.open = append(r.open, first)
		case g.c == '”' && last >= 0:
			r.quotation(r.open[last])
			r.open = r.open[:last]
		}
		begun = begun || !unicode.IsSpace(g.c)
	}
}

// quotation makes the blocks from first on a block quotation.
func (r *reader) quotation(first int) {
	r.quoted = first
	r.attribute(first)
	for i := first; i < len(r.blocks); i++ {
		r.blocks[i].quoted = first + 1
	}
}

// attribute marks the blocks of a quotation whose last line says where it is from.
func (r *reader) attribute(first int) {
	if first >= len(r.blocks) {
		return
	}
	last := r.blocks[len(r.blocks)-1]
	lines := last.splitLines()
	at := lines[len(lines)-1]
	if !attribution.MatchString(last.plain(at[0], at[1])) {
		for i := first; i < len(r.blocks) && first > 0 && strings.HasSuffix(r.blocks[first-1].all(), ":"); i++ {
			r.blocks[i].introduced, r.blocks[i].quotes = true, first+1
		}
		return
	}
	if at[0] > 0 {
		r.blocks[len(r.blocks)-1] = last.part(0, at[0])
		r.add(last.part(at[0], at[1]))
	}
	for i := first; i < len(r.blocks); i++ {
		r.blocks[i].quotes = first + 1
	}
}
