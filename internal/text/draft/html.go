package draft

import (
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
			r.heading(p.prose)
		case p.item > 0 && r.list > 0:
			if e, ok := r.entryOf(p.prose, true); ok {
				if e.Number == "" {
					e.Number = strconv.Itoa(p.item)
				}
				r.references = append(r.references, e)
			}
		default:
			r.paragraph(p.prose)
		}
	}
}

// htmlPart is the prose between two tags that part blocks.
type htmlPart struct {
	prose
	item int // its number in a list; 0 for others
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

// htmlProse takes a block of HTML apart.
func (r *reader) htmlProse(n *ast.HTMLBlock, s shape) (out []htmlPart) {
	text, at := r.htmlSource(n)
	tags, number, item := tagState{}, 0, 0
	p := prose{shape: s}
	flush := func(at int) {
		p.finish(&tags, at)
		if hasWord(p.plain(0, len(p.glyphs))) {
			out = append(out, htmlPart{p, item})
		}
		p = prose{shape: s}
	}
	add := func(from, to int) {
		if from < to {
			p.text(r.src, at(from), at(to-1)+1, false, tags.role())
		}
	}
	z := html.NewTokenizer(strings.NewReader(text))
	i := 0
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		start := i
		i += len(z.Raw())
		switch kind {
		case html.TextToken:
			add(start, i)
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			tag := z.Token()
			p.tag(&tags, tag, at(start), at(i-1)+1)
			if inlineIn[tag.Data] {
				continue
			}
			flush(at(start))
			switch name := tag.Data; {
			case name == "li" && kind == html.EndTagToken:
				item = 0
			case kind == html.EndTagToken:
			case name == "ol" || name == "ul":
				number = 0
			case name == "li":
				number++
				item = number
			case len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6':
				p.level, p.heading = int(name[1]-'0'), true
			}
		}
	}
	add(i, len(text)) // a tag that does not end
	flush(at(len(text)))
	return out
}

// htmlSource returns the text of a block of HTML, and where its bytes are in the source.
func (r *reader) htmlSource(n *ast.HTMLBlock) (text string, at func(int) int) {
	var b strings.Builder
	var starts, offsets []int
	add := func(start, stop int) {
		starts, offsets = append(starts, b.Len()), append(offsets, start)
		b.Write(r.src[start:stop])
	}
	for i := range n.Lines().Len() {
		add(n.Lines().At(i).Start, n.Lines().At(i).Stop)
	}
	if n.HasClosure() {
		add(n.ClosureLine.Start, n.ClosureLine.Stop)
	}
	line := 0
	return b.String(), func(i int) int {
		for line > 0 && starts[line] > i {
			line--
		}
		for line+1 < len(starts) && starts[line+1] <= i {
			line++
		}
		if len(starts) == 0 {
			return 0
		}
		return offsets[line] + i - starts[line]
	}
}
