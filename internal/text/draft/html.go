package draft

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/net/html"
)

// htmlBlock reads a block of HTML as the prose that a page would show.
func (r *reader) htmlBlock(n *ast.HTMLBlock, s shape) {
	for _, p := range r.htmlProse(n, s) {
		if p.level > 0 {
			r.heading(p)
		} else {
			r.paragraph(p)
		}
	}
}

var inlineIn = func() map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq("a abbr b big br cite code del dfn em font i img ins kbd label mark q s samp script small " +
		"span strike strong style " +
		"sub sup time tt u var math") {
		out[name] = true
	}
	return out
}()

// htmlProse takes a block of HTML apart at the tags that part blocks.
func (r *reader) htmlProse(n *ast.HTMLBlock, s shape) (out []prose) {
	i, end := 0, 0
	if lines := n.Lines(); lines.Len() > 0 {
		i, end = lines.At(0).Start, lines.At(lines.Len()-1).Stop
	}
	if n.HasClosure() {
		end = max(end, n.ClosureLine.Stop)
	}
	tags := tagState{}
	p := prose{shape: s}
	flush := func(at int) {
		p.finish(&tags, at)
		if hasWord(p.plain(0, len(p.glyphs))) {
			out = append(out, p)
		}
		p = prose{shape: s}
	}
	z := html.NewTokenizer(bytes.NewReader(r.src[i:end]))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		start := i
		i += len(z.Raw())
		switch kind {
		case html.TextToken:
			p.text(r.src, start, i, false, tags.role())
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			tag := z.Token()
			p.tag(&tags, tag, start, i)
			if inlineIn[tag.Data] {
				continue
			}
			flush(start)
			if name := tag.Data; kind == html.StartTagToken && len(name) == 2 && name[0] == 'h' && '1' <= name[1] && name[1] <= '6' {
				p.level, p.heading = int(name[1]-'0'), true
			}
		}
	}
	p.text(r.src, i, end, false, tags.role()) // a tag that does not end
	flush(end)
	return out
}
