package draft

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// prose is a stretch of text that belongs together, as a person sees it rendered: a paragraph, a list item, a heading, a row of a
// table, the entry of a reference list. Escapes and entities are decoded. Places in it are bytes of its text.
type prose struct {
	text  string
	roles []role     // of each byte
	spots [][2]int32 // where the character of each byte begins and ends in the source
	links []link     // in order, an outer one before an inner one
	cells []int      // of a row: where each cell ends
	tags  []bool     // <blockquote> before its first word (true) and </blockquote>, in order
	shape
}

// shape says what kind of prose it is.
type shape struct {
	level      int  // of a heading; 0 for others
	heading    bool // by form or by look (a line all in bold): its words are no claim unless they state a fact
	row        bool // of a table
	header     bool // the head of a table
	quoted     int  // the number of the block quotation that it is of; 0 for none
	listed     int  // the number of the list or table that it is of; 0 for none
	introduced bool // a quotation below "The notes say [1]:"
	quotes     int  // the number of the block quotation that it is of, if that says where it is from; 0 for none
}

// role is what a byte is to a reader of the text; several hold together.
type role uint8

const (
	inCite    role = 1 << iota // of a citation: not part of the sentence, but it parts words
	inSyntax                   // not shown
	inCode                     // shown as it is, never searched for citations
	inLink                     // the visible part of a link
	inBold                     //
	inRaised                   // a superscript
	inEscaped                  // it had a backslash before it
	inQuoted                   // in <blockquote>
)

// link is a link or an address in angle brackets.
type link struct {
	from, to   int // of its text
	start, end int // in the source
	address    string
	label      string // of a reference such as [text][label] or [label]
	full       bool   // [text][label]
}

// span is a stretch of a text.
type span struct{ from, to int }

// newBlock parts blocks in a text, as some tags of HTML do.
const newBlock = '\u2029'

// start returns where in the source the character at i begins, end where the one before i ends.
func (p *prose) start(i int) int { return int(p.spots[i][0]) }
func (p *prose) end(i int) int   { return int(p.spots[i-1][1]) }

// part returns the prose [from, to) alone.
func (p prose) part(from, to int) prose {
	out := prose{text: p.text[from:to], roles: p.roles[from:to], spots: p.spots[from:to], shape: p.shape}
	at, _ := slices.BinarySearchFunc(p.links, from, func(l link, from int) int { return l.from - from })
	for _, l := range p.links[at:] {
		if l.from > to {
			break
		}
		if l.to <= to {
			l.from, l.to = l.from-from, l.to-from
			out.links = append(out.links, l)
		}
	}
	return out
}

// run returns the end of what has a role from i on.
func (p *prose) run(i int, as role) int {
	for i < len(p.roles) && p.roles[i]&as != 0 {
		i++
	}
	return i
}

func (p *prose) mark(from, to int, as role) {
	for i := from; i < to; i++ {
		p.roles[i] |= as
	}
}

// ahead and behind are what is around a place: as much as a citation and what leads to it may have.
func (p *prose) ahead(i int) string  { return p.text[i:min(len(p.text), i+maxMark)] }
func (p *prose) behind(i int) string { return p.text[max(0, i-maxLead):i] }

// past returns the place of the next character from i on that is neither in set nor, with cites, of a citation.
func (p *prose) past(i int, set string, cites bool) int {
	for i < len(p.text) {
		c, w := utf8.DecodeRuneInString(p.text[i:])
		if !(cites && p.roles[i]&inCite != 0) && !strings.ContainsRune(set, c) {
			break
		}
		i += w
	}
	return i
}

// back returns the end of the last such character before i.
func (p *prose) back(i int, set string, cites bool) int {
	for i > 0 {
		c, w := utf8.DecodeLastRuneInString(p.text[:i])
		if !(cites && p.roles[i-1]&inCite != 0) && !strings.ContainsRune(set, c) {
			break
		}
		i -= w
	}
	return i
}

// lines returns the lines of the prose.
func (p *prose) lines() (out []span) {
	start := 0
	for i, c := range p.text {
		if (c == '\n' || c == newBlock) && p.roles[i]&inCode == 0 {
			out = append(out, span{start, i})
			start = i + utf8.RuneLen(c)
		}
	}
	return append(out, span{start, len(p.text)})
}

// runeAt is the character at a place, runeBefore the one before it; a space beyond the ends.
func runeAt(s string, i int) rune {
	if i >= len(s) {
		return ' '
	}
	c, _ := utf8.DecodeRuneInString(s[i:])
	return c
}

func runeBefore(s string, i int) rune {
	if i <= 0 {
		return ' '
	}
	c, _ := utf8.DecodeLastRuneInString(s[:i])
	return c
}

// all is what a reader sees of the prose.
func (p *prose) all() string { return p.visible(0, len(p.text), 0) }

// visible is what a reader sees of [from, to): citations are gone. Prose with one of the roles without is left out too.
func (p *prose) visible(from, to int, without role) string {
	var b []byte
	var before rune
	space, parted := false, false // white space is due; it stands for a citation
	for i, c := range p.text[from:to] {
		i += from
		as, next := p.roles[i], i+utf8.RuneLen(c)
		code := as&inCode != 0
		switch {
		case as&inSyntax != 0, c == '*' && as&(inCode|inEscaped) == 0 && // two are emphasis that CommonMark does not see
			(runeBefore(p.text, i) == '*' || runeAt(p.text, next) == '*'):
			continue
		case c == '^' && next < to && p.roles[next]&inCite != 0: // ^[1]
			continue
		case as&(inCite|without) != 0:
			parted = true
			continue
		case unicode.IsSpace(c) && !code || c == '\n':
			space = true
			continue
		}
		if parted && strings.ContainsRune(stops, c) { // what led to a citation goes with it: "… long: [1]."
			for strings.ContainsRune(",;:–—-/，；：、", before) && slices.Contains(b, ' ') { // not "Sources: [1]."
				b = []byte(strings.TrimRight(string(b[:len(b)-utf8.RuneLen(before)]), " "))
				before, _ = utf8.DecodeLastRune(b)
			}
		}
		if before != 0 && (space || parted) {
			opensWord := code || c == '.' && !parted && words.Spaced(runeAt(p.text[:to], next)) // ".dump"
			closes := strings.ContainsRune(".,;:!?。，；：！？、)]）］", c) || c == '”' && parted
			if (opensWord && space || !closes) && !(parted && wideRune(before) && wideRune(c)) {
				b = append(b, ' ')
			}
		}
		if raised, ok := powers[c]; ok && as&inRaised != 0 && unicode.IsNumber(before) { // 10<sup>9</sup>
			c = raised
		}
		b = utf8.AppendRune(b, c)
		before, space, parted = c, false, false
	}
	out := string(b)
	if strings.ContainsAny(out, "<(（") {
		out = emptyBrackets.ReplaceAllString(out, "")
	}
	if out = strings.TrimSpace(out); parted {
		out = strings.TrimRight(out, " ,;–—→|/-")
	}
	return out
}

// powers are the raised forms of what a power of ten is made of.
var powers = map[rune]rune{'0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸',
	'9': '⁹', '-': '⁻', '−': '⁻', '–': '⁻'}

// raise writes a label as raised digits.
func raise(s string) string {
	return strings.Map(func(c rune) rune { return cmp.Or(powers[c], c) }, s)
}

// emptyBrackets are what is left of brackets around citations.
var emptyBrackets = lazyregexp.New(`\s<\s*>|\s\([\s,;]*\)|（[，；\s]*）`)

// wideRune reports whether a character is of Chinese or Japanese, which no spaces part.
func wideRune(c rune) bool {
	return c >= 0x2e80 && (unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana) || c <= 0x303f || c >= 0xff00 && c <= 0xff60)
}

// wideLetters counts the letters of scripts that are written without spaces.
func wideLetters(s string) int {
	n := 0
	for _, c := range s {
		if (wideRune(c) || unicode.In(c, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)) && unicode.IsLetter(c) {
			n++
		}
	}
	return n
}

func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
}

// narrow is a text with the full-width and raised forms of ASCII and the digits of all scripts made plain, without white space around.
func narrow(s string) string { return strings.TrimSpace(withDigits(norm.NFKC.String(s))) }

// withDigits writes the digits of all scripts as 0 to 9.
func withDigits(s string) string {
	return strings.Map(func(c rune) rune {
		n := rune(0) // the digits before it
		for c >= utf8.RuneSelf && unicode.Is(unicode.Nd, c-n) {
			n++
		}
		if n > 0 {
			return '0' + (n-1)%10
		}
		return c
	}, s)
}
