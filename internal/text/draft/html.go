package draft

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// htmlBlock reads a block of HTML as the prose that a page would show.
func (r *reader) htmlBlock(n *ast.HTMLBlock) {
	for _, p := range r.htmlProse(n) {
		switch n := len(r.open) - 1; {
		case p.quotation > 0:
			r.open = append(r.open, len(r.blocks))
		case p.quotation < 0 && n >= 0:
			r.quotation(r.open[n])
			r.open = r.open[:n]
		case p.level > 0:
			r.heading(p, announcesList(p.all()))
		case p.item > 0 && r.list > 0:
			if e, ok := r.entryOf(p, true); ok {
				e.Number = cmp.Or(e.Number, strconv.Itoa(p.item))
				r.References = append(r.References, e)
			}
		default:
			r.paragraph(p)
		}
	}
}

// angled matches an address in angle brackets.
var angled = lazyregexp.New(`^<https?://[^\s<>]+>$`)

// inlineTags do not part blocks.
var inlineTags = strings.Fields("a abbr b big br cite code del dfn em font i img ins kbd label mark q s samp script small span strike " +
	"strong style sub sup time tt u var math")

// quoted reports whether a quotation is open behind blocks.
func quoted(blocks []prose, open int) bool {
	for _, p := range blocks {
		open += p.quotation
	}
	return open > 0
}

// htmlProse takes a block of HTML apart at the tags that part blocks.
func (r *reader) htmlProse(n *ast.HTMLBlock) (out []prose) {
	lines := slices.Clone(n.Lines().Sliced(0, n.Lines().Len()))
	if n.HasClosure() {
		lines = append(lines, n.ClosureLine)
	}
	from, end := lines[0].Start, lines[len(lines)-1].Stop
	at := from
	source := bytes.Clone(r.Source[at:end])
	for i, l := range lines[1:] { // marks of quotations before a line are no part of the block
		for k := lines[i].Stop; k < l.Start; k++ {
			source[k-at] = ' '
		}
	}
	tags, number, item := tagState{}, 0, 0
	p := prose{}
	flush := func(at int) {
		p.finish(&tags, at)
		if p.item = item; hasWord(p.plain(0, len(p.glyphs))) {
			out = append(out, p)
		}
		p = prose{}
	}
	text := func(from, to int) {
		for len(lines) > 0 && lines[0].Stop < to {
			p.text(r.Source, max(from, lines[0].Start), lines[0].Stop, false, tags.role())
			lines = lines[1:]
		}
		if len(lines) > 0 {
			p.text(r.Source, max(from, lines[0].Start), to, false, tags.role())
		}
	}
	z := html.NewTokenizer(bytes.NewReader(source))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		start := at
		at += len(z.Raw())
		if kind == html.TextToken || angled.Match(source[start-from:at-from]) {
			text(start, at)
			continue
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken && kind != html.EndTagToken {
			continue
		}
		tag := z.Token()
		p.tag(&tags, tag, start, at)
		if slices.Contains(inlineTags, tag.Data) && !(tag.Data == "cite" && quoted(out, len(r.open))) {
			continue
		}
		flush(start)
		switch name := tag.Data; {
		case name == "blockquote":
			out = append(out, prose{shape: shape{quotation: map[bool]int{true: -1, false: 1}[kind == html.EndTagToken]}})
		case kind == html.EndTagToken:
			if name == "li" {
				item = 0
			}
		case name == "cite" || name == "footer": // whose a quotation is
			for _, sign := range "— " {
				p.add(sign, at, at, 0)
			}
		case name == "ol" || name == "ul":
			number = 0
		case name == "li":
			number++
			item = number
		case len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6':
			p.level, p.heading = int(name[1]-'0'), true
		}
	}
	text(at, end) // a tag that does not end
	flush(end)
	return out
}
