package draft

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
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
func (p *prose) quotations(mask string) (out []span) {
	none := map[rune]bool{} // no mark closes this one any more
	for i := 0; i < len(mask); {
		if end := p.run(i, inQuoted); end > i { // between tags
			out = append(out, span{i, end})
			i = end
			continue
		}
		open, from := runeAt(mask, i), i+utf8.RuneLen(runeAt(mask, i))
		double := (open == '`' || open == ',') && runeAt(mask, from) == open // ``…'' of TeX, ,,…'' of typewriters
		closing, key := closings[open], open
		if double {
			from, key, closing = from+1, -open, closing+"\"”" // ``…"
		}
		if closings[open] == "" || none[key] || !opens(mask, i, double) {
			i += utf8.RuneLen(open)
			continue
		}
		end := from
		for end < len(mask) && !(strings.ContainsRune(closing, runeAt(mask, end)) && closes(mask, open, end, double)) {
			end += utf8.RuneLen(runeAt(mask, end))
		}
		if none[key] = end == len(mask); none[key] {
			i += utf8.RuneLen(open)
			continue
		}
		out = append(out, span{from, end})
		if i = end + utf8.RuneLen(runeAt(mask, end)); double && runeAt(mask, end) == runeAt(mask, i) {
			i++
		}
	}
	return out
}

// opens reports whether a mark, or a double one, opens a quotation: not behind a letter, and not as a sign for inches or an apostrophe.
func opens(mask string, i int, double bool) bool {
	mark := runeAt(mask, i)
	rest := mask[i+utf8.RuneLen(mark):]
	before, after := runeBefore(mask, i), runeAt(rest, 0)
	switch mark {
	case '`', ',':
		return double
	case '"', '＂', '״':
		return !words.Spaced(before) && (after != ' ' || before == ' ')
	case '”', '»', '›', '\'':
		apart := unicode.IsSpace(before) || strings.ContainsRune("([:—–", before)
		return apart && (unicode.IsLetter(after) || opensOther.MatchString(rest))
	case '‘', '‚':
		return !words.Spaced(before)
	}
	return true
}

// opensOther matches a quotation that begins with something other than a letter: "12 weirs", "[The] weir", "… the weir". '80s is none.
var opensOther = lazyregexp.New(`^(?:\pN+ |[\[…]|\.\.)`)

// closes reports whether a mark at k closes a quotation: ’ before a letter is an apostrophe, unless it is a
// particle of Korean, and so is ' behind an s and before a word.
func closes(mask string, open rune, k int, double bool) bool {
	mark := runeAt(mask, k)
	next := k + utf8.RuneLen(mark)
	before, after := runeBefore(mask, k), runeAt(mask, next)
	switch mark {
	case '’', '\'':
		if double {
			return after == '\'' || mark == '’'
		}
		plural := open == '\'' && before == 's' && after == ' ' && unicode.IsLower(runeAt(mask, next+1))
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
func (p *prose) quotesIn(from, to int, quotes []span) (out []string) {
	const leastWords, leastWide = 3, 6
	if p.quotes > 0 {
		quotes = []span{{from, to}}
	}
	at, _ := slices.BinarySearchFunc(quotes, from, func(q span, from int) int { return q.to - from })
	for _, q := range quotes[at:] {
		if q.from >= to {
			break
		}
		said := p.visible(max(q.from, from), min(q.to, to), 0)
		if len(strings.Fields(said)) >= leastWords || wideLetters(said) >= leastWide {
			out = append(out, said)
		}
	}
	return out
}

// tagged makes block quotations of what the tags of HTML in a paragraph enclose, if they begin with it. Its blocks begin at first.
func (r *reader) tagged(p prose, first int) {
	for _, opens := range p.tags {
		if last := len(r.open) - 1; opens {
			r.open = append(r.open, first)
		} else if last >= 0 {
			r.quotation(r.open[last])
			r.open = r.open[:last]
		}
	}
}

// quotation makes the blocks from first on a block quotation.
func (r *reader) quotation(first int) {
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
	lines := last.lines()
	at := lines[len(lines)-1].from
	if !attribution.MatchString(last.text[at:]) {
		for i := first; i < len(r.blocks) && first > 0 && strings.HasSuffix(r.blocks[first-1].all(), ":"); i++ {
			r.blocks[i].introduced, r.blocks[i].quotes = true, first+1
		}
		return
	}
	if at > 0 {
		r.blocks[len(r.blocks)-1] = last.part(0, at)
		r.add(last.part(at, len(last.text)))
	}
	for i := first; i < len(r.blocks); i++ {
		r.blocks[i].quotes = first + 1
	}
}
