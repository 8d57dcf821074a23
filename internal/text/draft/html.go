package draft

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"
)

// htmlBlock reads a block of HTML as the prose that a page would show.
func (r *reader) htmlBlock(n *ast.HTMLBlock, s shape) {
	for _, p := range r.htmlProse(n, s) {
		switch {
		case p.level > 0:
			r.heading(p)
		case p.item > 0 && r.list > 0:
			if e, ok := r.entryOf(p, true); ok {
				e.Number = cmp.Or(e.Number, strconv.Itoa(p.item))
				r.references = append(r.references, e)
			}
		default:
			r.paragraph(p)
		}
	}
}

// inlineTags do not part blocks.
var inlineTags = strings.Fields("a abbr b big br cite code del dfn em font i img ins kbd label mark q s samp script small span strike " +
	"strong style sub sup time tt u var math")

// htmlProse takes a block of HTML apart at the tags that part blocks.
func (r *reader) htmlProse(n *ast.HTMLBlock, s shape) (out []prose) {
	at, end := n.Lines().At(0).Start, n.Lines().At(n.Lines().Len()-1).Stop
	if n.HasClosure() {
		end = n.ClosureLine.Stop
	}
	tags, number, item := tagState{}, 0, 0
	p := prose{shape: s}
	flush := func(at int) {
		p.finish(&tags, at)
		if p.item = item; hasWord(p.plain(0, len(p.glyphs))) {
			out = append(out, p)
		}
		p = prose{shape: s}
	}
	z := html.NewTokenizer(bytes.NewReader(r.src[at:end]))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		start := at
		at += len(z.Raw())
		if kind == html.TextToken {
			p.text(r.src, start, at, false, tags.role())
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken && kind != html.EndTagToken {
			continue
		}
		tag := z.Token()
		p.tag(&tags, tag, start, at)
		if slices.Contains(inlineTags, tag.Data) {
			continue
		}
		flush(start)
		switch name := tag.Data; {
		case kind == html.EndTagToken:
			if name == "li" {
				item = 0
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
	p.text(r.src, at, end, false, tags.role()) // a tag that does not end
	flush(end)
	return out
}
