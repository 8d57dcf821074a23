package draft

import (
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/text/words"
)

// closings are the marks that may close a quotation, by the mark that opens it. One curly and one straight mark go together.
var closings = map[rune]string{
	'“': "”\"‟", '”': "”", '„': "“”\"‟", '"': "\"”“", '＂': "＂", '«': "»", '»': "«»", '‹': "›",
	'›': "‹›", '「': "」", '『': "』", '〝': "〞〟",
	'‘': "’", '‚': "‘’", '\'': "'", '`': "'", ',': "'”\"",
}

// quotations returns the quotations of a block, without their marks; they may run over several sentences.
func (p *prose) quotations(mask []rune) (out []words.Span) {
	none := map[rune]int{} // for each opening mark, up to where no mark closes it
	for i := 0; i < len(mask); i++ {
		open := mask[i]
		ends := closings[open]
		if ends == "" || !p.opens(mask, i) {
			continue
		}
		from := i + 1
		tex := (open == '`' || open == ',') && i+2 < len(mask) && mask[i+1] == open // ``…'' of TeX, ,,…'' of typewriters
		if (open == '`' || open == ',') && !tex {
			continue
		} else if tex {
			from++
		}
		end := -1
		for k := max(from, none[open]); k < len(mask) && end < 0; k++ {
			if strings.ContainsRune(ends, mask[k]) && p.closes(mask, open, k, tex) {
				end = k
			}
		}
		if end < 0 {
			none[open] = len(mask)
			continue
		}
		out = append(out, words.Span{Start: from, End: end})
		if i = end; tex {
			i++
		}
	}
	return out
}

// opens reports whether a mark opens a quotation: not behind a letter, and not as a sign for inches or an apostrophe.
func (p *prose) opens(mask []rune, i int) bool {
	before, after := ' ', ' '
	if i > 0 {
		before = mask[i-1]
	}
	if i+1 < len(mask) {
		after = mask[i+1]
	}
	switch mask[i] {
	case '"', '＂':
		return !alphabetic(before) && (after != ' ' || before == ' ')
	case '”', '»', '›', '\'':
		return !unicode.IsLetter(before) && !unicode.IsDigit(before) &&
			(unicode.IsSpace(before) || strings.ContainsRune("([:—–", before)) && unicode.IsLetter(after) && !p.paired(mask, i)
	case '‘', '‚':
		return !alphabetic(before)
	}
	return true
}

// paired reports whether a mark that may also close is the end of a pair: »a« b »c«.
func (p *prose) paired(mask []rune, i int) bool {
	if mask[i] == '\'' || mask[i] == '”' {
		return false
	}
	other := map[rune]rune{'»': '«', '›': '‹'}[mask[i]]
	for k := i - 1; k >= 0 && i-k < 600; k-- {
		if mask[k] == other {
			next := i + 1
			return next < len(mask) && !slices.Contains(mask[next:min(len(mask), next+600)], other)
		}
		if mask[k] == mask[i] {
			return false
		}
	}
	return false
}

// closes reports whether a mark at k closes a quotation: ’ before a letter is an apostrophe, and so is ' behind an s and before a word.
func (p *prose) closes(mask []rune, open rune, k int, tex bool) bool {
	after := ' '
	if k+1 < len(mask) {
		after = mask[k+1]
	}
	switch mask[k] {
	case '’', '\'':
		if tex {
			return after == '\'' || mask[k] == '’'
		}
		if open == '\'' && mask[k-1] == 's' && after == ' ' && k+2 < len(mask) && unicode.IsLower(mask[k+2]) {
			return false
		}
		return !unicode.IsLetter(after) && !unicode.IsDigit(after) && !unicode.IsSpace(mask[k-1])
	case '“', '«', '‹', '‘':
		return open == '„' || open == '‚' || open == '»' || open == '›' || !unicode.IsLetter(after)
	}
	return true
}

// quotesIn returns what of the quotations is in a sentence, if it is long enough to be somebody's words, and all of it in a quotation
// that says where it is from.
func (p *prose) quotesIn(from, to int, quotes []words.Span) (out []string) {
	const leastWords, leastWide = 3, 6
	if p.quotes > 0 {
		quotes = append(slices.Clone(quotes), words.Span{Start: from, End: to})
		quotes = quotes[len(quotes)-1:]
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
