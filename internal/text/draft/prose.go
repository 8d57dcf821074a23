package draft

import (
	"bytes"
	"cmp"
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
	nethtml "golang.org/x/net/html"
	"golang.org/x/text/unicode/norm"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// prose is a stretch of text that belongs together, as a person sees it rendered: a paragraph, a list item, a heading, a row of a
// table, the entry of a reference list. Escapes and entities are decoded, and each character knows its place in the source.
type prose struct {
	glyphs []glyph
	links  []link // in order, an outer one before an inner one
	cells  []int  // of a row: where each cell ends
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

// glyph is one visible character.
type glyph struct {
	c          rune
	start, end int32 // bytes of the source
	role       role
}

// role is what a character is to a reader of the text; several hold together.
type role uint8

const (
	inCite    role = 1 << iota // of a citation: not part of the sentence, but it parts words
	inSyntax                   // not shown; “ and ” are the tags of a block quotation
	inCode                     // shown as it is, never searched for citations
	inLink                     // the visible part of a link
	inBold                     //
	inRaised                   // a superscript
	inEscaped                  // it had a backslash before it
	inParts                    // it parts blocks, as a tag of HTML
)

// link is a link or an address in angle brackets.
type link struct {
	from, to   int // of its text in glyphs
	start, end int // bytes of the source
	address    string
	label      string // of a reference such as [text][label] or [label]
	full       bool   // [text][label]
}

func (p *prose) add(c rune, start, end int, r role) {
	p.glyphs = append(p.glyphs, glyph{c, int32(start), int32(end), r})
}

// newline parts words at a place of the source, as a line break does.
func (p *prose) newline(at int) { p.add('\n', at, at, 0) }

const entityForm = `&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`

var entity, entityIn = lazyregexp.New("^" + entityForm), lazyregexp.New(entityForm)

// text adds a stretch of the source. raw text has neither escapes nor entities.
func (p *prose) text(source []byte, start, end int, raw bool, r role) {
	for i := start; i < end; {
		c, w := utf8.DecodeRune(source[i:end])
		switch {
		case raw:
		case c == '\\' && i+1 < end && util.IsPunct(source[i+1]):
			p.add(rune(source[i+1]), i, i+2, r|inEscaped)
			i += 2
			continue
		case c == '&':
			if e := entity.FindString(string(source[i:min(end, i+34)])); html.UnescapeString(e) != e {
				for _, d := range html.UnescapeString(e) {
					p.add(d, i, i+len(e), r)
				}
				i += len(e)
				continue
			}
		}
		if c != '\r' {
			p.add(c, i, i+w, r)
		}
		i += w
	}
}

// inlines adds the children of a node of the tree.
func (r *reader) inlines(p *prose, parent ast.Node, as role, tags *tagState) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			s := n.Segment
			p.text(r.Source, s.Start, s.Stop, n.IsRaw(), as|tags.role())
			if n.SoftLineBreak() || n.HardLineBreak() {
				p.newline(s.Stop)
			}
		case *ast.CodeSpan:
			for t := n.FirstChild(); t != nil; t = t.NextSibling() {
				if s := t.(*ast.Text).Segment; !s.IsEmpty() {
					p.text(r.Source, s.Start, s.Stop, true, as|inCode)
				}
			}
		case *ast.Emphasis:
			r.inlines(p, n, as|map[int]role{2: inBold}[n.Level], tags)
		case *ast.AutoLink:
			from := len(p.glyphs)
			s := n.Pos()
			p.text(r.Source, s+1, max(s+1, r.ends[n]-1), true, as|inLink)
			p.links = append(p.links, link{from: from, to: len(p.glyphs), start: s, end: r.ends[n], address: string(n.URL(r.Source))})
		case *ast.Link:
			r.link(p, n, as, tags)
		case *ast.Image: // its description is not shown
		case *ast.RawHTML:
			first, last := n.Segments.At(0).Start, n.Segments.At(n.Segments.Len()-1).Stop
			z := nethtml.NewTokenizer(bytes.NewReader(n.Segments.Value(r.Source)))
			if kind := z.Next(); kind != nethtml.CommentToken && kind != nethtml.ErrorToken {
				p.tag(tags, z.Token(), first, last)
			}
		default:
			r.inlines(p, n, as, tags)
		}
	}
}

func (r *reader) link(p *prose, n *ast.Link, as role, tags *tagState) {
	l := link{from: len(p.glyphs), start: n.Pos(), end: r.ends[n], address: unescaped(n.Destination)}
	r.inlines(p, n, as|inLink, tags)
	if ref := n.Reference; ref != nil {
		l.label, l.full = string(ref.Value), ref.Type == ast.ReferenceLinkFull
	}
	p.closeLink(l)
}

// closeLink adds a link that ends here. One without words has a place in the prose all the same.
func (p *prose) closeLink(l link) {
	if l.from == len(p.glyphs) {
		p.add(' ', l.start, l.end, inSyntax)
	}
	l.to = len(p.glyphs)
	p.links = append(p.links, l)
}

// unescaped is the destination of a link as it is rendered: \_ is _, and &amp; is &; "&copy=1" stays.
func unescaped(s []byte) string {
	return entityIn.ReplaceAllStringFunc(string(util.UnescapePunctuations(s)), html.UnescapeString)
}

// tagRoles are what tags make of the text in them.
var tagRoles = map[string]role{"sup": inRaised, "code": inCode, "kbd": inCode, "samp": inCode, "tt": inCode, "var": inCode, "pre": inCode,
	"math": inCode, "script": inSyntax, "style": inSyntax, "template": inSyntax, "h1": inBold, "h2": inBold, "h3": inBold,
	"h4": inBold}

// blockTags part blocks.
var blockTags = strings.Fields("address article aside caption center dd details div dl dt figcaption figure footer h1 h2 " +
	"h3 h4 header hr li main nav ol p section summary table tbody td textarea tfoot th thead tr ul")

// tagState is what the tags of HTML before a place make of it.
type tagState struct {
	depth  [inRaised + 1]int // open tags, by role
	quoted int               // open <blockquote>
	open   *link             // an <a> that is not closed
}

func (t *tagState) role() (r role) {
	for _, as := range []role{inRaised, inCode, inSyntax, inBold} {
		if t.depth[as] > 0 {
			r |= as
		}
	}
	return r
}

// tag reads an HTML tag within prose.
func (p *prose) tag(t *tagState, tag nethtml.Token, start, end int) {
	deeper, quote, anchor := 1, '“', start
	if tag.Type == nethtml.EndTagToken {
		deeper, quote, anchor = -1, '”', end
	}
	as := tagRoles[tag.Data]
	t.depth[as] = max(0, t.depth[as]+deeper)
	if slices.Contains(blockTags, tag.Data) {
		parts := inParts
		if t.quoted > 0 { // what is in a quotation stays together
			parts = 0
		}
		p.add('\n', start, start, parts)
	}
	switch tag.Data {
	case "q":
		p.add(quote, start, end, 0)
	case "blockquote":
		p.newline(start)
		p.add(quote, start, end, inSyntax)
		t.quoted = max(0, t.quoted+deeper)
	case "br":
		p.newline(start)
	case "a":
		p.closeAnchor(t, anchor)
	}
	for _, a := range tag.Attr {
		if tag.Data == "a" && a.Key == "href" && a.Val != "" {
			t.open = &link{from: len(p.glyphs), start: start, address: a.Val}
		}
	}
}

// closeAnchor ends an open <a> at a byte of the source.
func (p *prose) closeAnchor(t *tagState, end int) {
	if t.open == nil {
		return
	}
	t.open.end = end
	p.mark(t.open.from, len(p.glyphs), inLink)
	p.closeLink(*t.open)
	t.open = nil
}

// finish ends an <a> that has no end tag, and puts the links in order.
func (p *prose) finish(t *tagState, at int) {
	p.closeAnchor(t, at)
	slices.SortStableFunc(p.links, func(a, b link) int { return cmp.Or(a.from-b.from, b.to-a.to, a.start-b.start) })
}

// part returns the prose [from, to) alone.
func (p prose) part(from, to int) prose {
	out := prose{glyphs: p.glyphs[from:to:to], shape: p.shape}
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

// join adds another prose behind a line break.
func (p *prose) join(other prose) {
	if len(other.glyphs) == 0 {
		return
	}
	if len(p.glyphs) > 0 {
		p.newline(int(other.glyphs[0].start))
	}
	p.append(other)
}

// append adds another prose directly.
func (p *prose) append(other prose) {
	at := len(p.glyphs)
	p.glyphs = append(p.glyphs, other.glyphs...)
	for _, l := range other.links {
		l.from, l.to = l.from+at, l.to+at
		p.links = append(p.links, l)
	}
}

// all is what a reader sees of the prose.
func (p *prose) all() string { return p.visible(0, len(p.glyphs), 0) }

// plain is the text [from, to) without regard to roles.
func (p *prose) plain(from, to int) string {
	var b strings.Builder
	for _, g := range p.glyphs[from:to] {
		b.WriteRune(g.c)
	}
	return b.String()
}

// splitLines returns where each line of the prose begins and ends, in glyphs.
func (p *prose) splitLines() (out [][2]int) {
	start := 0
	for i, g := range p.glyphs {
		if g.c == '\n' && g.role&inCode == 0 {
			out = append(out, [2]int{start, i})
			start = i + 1
		}
	}
	return append(out, [2]int{start, len(p.glyphs)})
}

// visible is what a reader sees of [from, to): citations are gone. Prose with one of the roles without is left out too.
func (p *prose) visible(from, to int, without role) string {
	var b bytes.Buffer
	var before rune
	space, parted := false, false // white space is due; it stands for a citation
	for i := from; i < to; i++ {
		g := p.glyphs[i]
		code := g.role&inCode != 0
		switch {
		case g.role&inSyntax != 0, !code && g.c == '*' && g.role&inEscaped == 0 && p.doubled(i):
			continue
		case g.c == '^' && i+1 < to && p.glyphs[i+1].role&inCite != 0: // ^[1]
			continue
		case g.role&(inCite|without) != 0:
			parted = true
			continue
		case unicode.IsSpace(g.c) && !code || g.c == '\n':
			space = true
			continue
		}
		if parted && strings.ContainsRune(stops, g.c) { // what led to a citation goes with it: "… long: [1]."
			for strings.ContainsRune(",;:–—-/，；：、", before) && bytes.ContainsRune(b.Bytes(), ' ') { // not "Sources: [1]."
				b.Truncate(b.Len() - utf8.RuneLen(before))
				trimmed := bytes.TrimRight(b.Bytes(), " ")
				b.Truncate(len(trimmed))
				before, _ = utf8.DecodeLastRune(trimmed)
			}
		}
		if before != 0 && (space || parted) {
			opensWord := code || g.c == '.' && !parted && i+1 < to && words.Spaced(p.glyphs[i+1].c) // ".dump"
			closes := strings.ContainsRune(".,;:!?。，；：！？、)]）］", g.c) || g.c == '”' && parted
			if (opensWord && space || !closes) && !(parted && wideRune(before) && wideRune(g.c)) {
				b.WriteByte(' ')
			}
		}
		c := g.c
		if raised, ok := powers[c]; ok && g.role&inRaised != 0 && unicode.IsNumber(before) { // 10<sup>9</sup>
			c = raised
		}
		b.WriteRune(c)
		before, space, parted = c, false, false
	}
	out := b.String()
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
	'9': '⁹',
	'-': '⁻', '−': '⁻', '–': '⁻'}

// doubled reports whether an asterisk is one of two: emphasis that CommonMark does not see, as next to Chinese letters.
func (p *prose) doubled(i int) bool {
	is := func(k int) bool { return k >= 0 && k < len(p.glyphs) && p.glyphs[k].c == '*' }
	return is(i-1) || is(i+1)
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

// narrow is a text with the full-width forms of ASCII and the digits of all scripts made plain, without white space around.
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
