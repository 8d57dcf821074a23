package draft

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// reader holds a draft as code points and a copy of the same length in which everything that is not prose is blanked, so that
// places in one are places in the other.
type reader struct {
	src, mask  []rune
	role       []charRole
	lines      []lineSpan
	references []Reference
	strays     []Marker
	said       []statement
	entries    entryIndex
	own        string   // kind of the author's own statements in this section; "" for none
	ownLevel   int      // of the heading of that section
	section    int      // len(said) when it began
	heads      []string // of the columns of the table being read
	blockStart int      // of the block being read
}

// charRole is what a code point is to a reader of the text.
type charRole byte

const (
	roleProse  charRole = iota
	roleLink            // prose that is the visible part of a link
	roleMark            // a citation: not shown, but it parts words
	roleSyntax          // brackets and addresses of links: not shown
	roleCode            // shown, never searched for citations
)

type lineSpan struct{ start, end int } // code points, the line break left out

func newReader(markdown string) *reader {
	r := &reader{src: []rune(markdown)}
	r.mask, r.role = slices.Clone(r.src), make([]charRole, len(r.src))
	start := 0
	for i, c := range append(r.src, '\n') {
		if c == '\n' {
			r.lines = append(r.lines, lineSpan{start, i})
			start = i + 1
		}
	}
	return r
}

func (r *reader) text(line int) string { return string(r.src[r.lines[line].start:r.lines[line].end]) }

// place returns line and column of a code point, from 1. It is in this line or behind.
func (r *reader) place(i, line int) (int, int) {
	for line < len(r.lines) && r.lines[line].start <= i {
		line++
	}
	return line, i - r.lines[line-1].start + 1
}

// find looks for c between two places, at most limit code points on; -1 if it is not there.
func (r *reader) find(c rune, from, end, limit int) int {
	if i := slices.Index(r.src[from:max(from, min(end, from+limit+1))], c); i >= 0 {
		return from + i
	}
	return -1
}

func (r *reader) trimmed(start, end int) (int, int) {
	for start < end && unicode.IsSpace(r.src[start]) {
		start++
	}
	for start < end && unicode.IsSpace(r.src[end-1]) {
		end--
	}
	return start, end
}

func (r *reader) marker(start, end int, kind, target string) Marker {
	return Marker{Raw: string(r.src[start:end]), Kind: kind, Target: target, Start: start, End: end}
}

// hide takes a stretch out of the prose.
func (r *reader) hide(start, end int, role charRole) {
	for i := start; i < min(end, len(r.mask)); i++ {
		r.mask[i], r.role[i] = ' ', role
	}
}

// stamp hides a citation of any form under "[1]": package words knows that as something that belongs to the sentence before
// it. Citations of one or two characters are only hidden.
func (r *reader) stamp(start, end int) {
	r.hide(start, end, roleMark)
	if end-start >= 3 {
		copy(r.mask[start:end], []rune("[1]"))
	}
}

// visible is the prose between two places: citations, link targets and emphasis are gone. Prose of the role without is left
// out too; roleMark leaves out nothing more.
func (r *reader) visible(start, end int, without charRole) string {
	var b strings.Builder
	var before rune
	space, parted := false, false // white space is due; it stands for a citation
	for i := start; i < end; i++ {
		role, c := r.role[i], r.mask[i]
		inWord := i > start && i+1 < end && alphabetic(r.src[i-1]) && alphabetic(r.src[i+1])
		if role == roleCode {
			c = r.src[i]
		}
		switch {
		case role == roleSyntax, role != roleCode && (c == '*' || c == '`' || c == '_' && !inWord):
			continue
		case role == roleMark || role == without:
			parted = true
			continue
		case unicode.IsSpace(c):
			space = true
			continue
		}
		if before != 0 && (space || parted) {
			opensWord := role == roleCode || c == '.' && !parted && i+1 < end && alphabetic(r.src[i+1]) // ".dump"
			closes := strings.ContainsRune(".,;:!?。，；：！？、)]）］", c)
			if (opensWord || !closes) && !(parted && wideRune(before) && wideRune(c)) {
				b.WriteByte(' ')
			}
		}
		b.WriteRune(c)
		before, space, parted = c, false, false
	}
	return strings.TrimSpace(emptyBrackets.ReplaceAllString(b.String(), ""))
}

// emptyBrackets are what is left of brackets around citations.
var emptyBrackets = lazyregexp.New(`\s<\s*>|\s\([\s,;]*\)|（[，；\s]*）|\s\[\s*\]`)

// alphabetic reports whether c is part of words that have spaces around them.
func alphabetic(c rune) bool {
	return c != utf8.RuneError && c < 0x2e80 && (unicode.IsLetter(c) || unicode.IsNumber(c))
}

// wideRune reports whether a character is in text that is written without spaces.
func wideRune(c rune) bool {
	return c >= 0x2e80 && (unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana) || c <= 0x303f || c >= 0xff00 && c <= 0xff60)
}

// wideLetters counts the letters of scripts that are written without spaces.
func wideLetters(s string) int {
	n := 0
	for _, c := range s {
		if wideRune(c) && unicode.IsLetter(c) {
			n++
		}
	}
	return n
}

func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
}

// narrow is a text with the full-width forms of ASCII made plain, without white space around.
func narrow(s []rune) string { return strings.TrimSpace(norm.NFKC.String(string(s))) }

// firstChars is the beginning of a text, at most n code points.
func firstChars(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

// statement is a sentence while a draft is read, with what decides whether it is a claim.
type statement struct {
	Sentence
	block    block
	inferred int    // where its mark [inference] begins, plus 1; 0 for none
	own      string // kind of the author's own statements in its section
}

const stops = ".!?。！？"

// block is a stretch of prose that belongs together: a paragraph, a list item or a row of a table.
type block struct {
	start, end int  // code points
	line       int  // index of the first line
	level      int  // of a heading; 0 for others
	quoted     int  // depth of quotation (">")
	row        bool // of a table
	stray      bool // a heading, or the head of a table: its citations count, its words do not
	emphasised bool // a line all in bold: a heading by look
}

// headingWords is a heading, or a line that looks like one, without its signs and its number, in small letters.
func headingWords(line string) string {
	s := strings.ToLower(strings.Trim(line, "#*_:： \t\r"))
	return strings.TrimSpace(strings.TrimLeft(s, "0123456789.、)） 一二三四五六七八九十"))
}
