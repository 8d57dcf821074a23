package draft

import (
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/citeloop/citeloop/internal/lazyregexp"
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

var (
	anyTag   = lazyregexp.New(`^(?:</?[A-Za-z][A-Za-z0-9-]*(?:[^<>"']|"[^"]*"|'[^']*')*>|<[!?][^>]*>)`)
	inlineIn = map[string]bool{"a": true, "abbr": true, "b": true, "big": true, "br": true, "cite": true, "code": true, "del": true, "dfn": true,
		"em": true, "font": true, "i": true, "img": true, "ins": true, "kbd": true, "label": true, "mark": true, "q": true, "s": true, "samp": true, "script": true,
		"small": true, "span": true, "strike": true, "strong": true, "style": true, "sub": true, "sup": true, "time": true, "tt": true, "u": true, "var": true, "math": true}
)

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
	for i := 0; i < len(text); {
		next := strings.IndexByte(text[i:], '<')
		if next != 0 {
			if next < 0 {
				next = len(text) - i
			}
			p.text(r.src, at(i), at(i+next-1)+1, false, tags.role())
			i += next
			continue
		}
		if end := commentEnd(text[i:]); end > 0 {
			i += end
			continue
		}
		tag := anyTag.FindString(text[i:min(len(text), i+maxTag)])
		if tag == "" {
			p.text(r.src, at(i), at(i)+1, false, tags.role())
			i++
			continue
		}
		name := p.tag(&tags, tag, at(i), at(i+len(tag)-1)+1)
		bare := strings.TrimPrefix(name, "/")
		if name != "" && !inlineIn[bare] {
			flush(at(i))
			switch {
			case name == "ol" || name == "ul":
				number = 0
			case name == "li":
				number++
				item = number
			case name == "/li":
				item = 0
			case len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6':
				p.level, p.heading = int(name[1]-'0'), true
			}
		}
		i += len(tag)
	}
	flush(at(len(text)))
	return out
}

const maxTag = 4000 // bytes of a tag that is read as one

// commentEnd returns the length of the comment that a text of HTML opens with; 0 for none. A comment without an end takes all.
func commentEnd(s string) int {
	const opens = "<!--"
	switch rest, ok := strings.CutPrefix(s, opens); {
	case !ok:
		return 0
	case strings.HasPrefix(rest, ">"):
		return len(opens) + 1
	case strings.HasPrefix(rest, "->"):
		return len(opens) + 2
	default:
		if end := strings.Index(rest, "-->"); end >= 0 {
			return len(opens) + end + len("-->")
		}
		return len(s)
	}
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
