package draft

import (
	"slices"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Citation is the node of a citation in [Draft.Tree], in place of what the author wrote; the words of a link that are a part of the
// sentence stay before it. One without markers closes a claim that cites nothing.
type Citation struct {
	ast.BaseInline
	Markers  []Marker
	Sentence int // index in Draft.Sentences, -1 for none
}

// KindCitation is the kind of a [Citation].
var KindCitation = ast.NewNodeKind("Citation")

// Kind implements ast.Node.
func (*Citation) Kind() ast.NodeKind { return KindCitation }

// Dump implements ast.Node.
func (c *Citation) Dump(source []byte, level int) { ast.DumpHelper(c, source, level, nil, nil) }

// markTree puts a node for each citation into the tree, and one behind each claim without any.
func (r *reader) markTree() {
	for i, s := range r.said {
		if s.IsClaim && len(s.Markers) == 0 {
			end := s.block.end(s.to)
			r.cited = append(r.cited, citedSpan{start: end, end: end, said: i})
		}
	}
	slices.SortStableFunc(r.cited, func(a, b citedSpan) int { return a.start - b.start })
	t := placer{reader: r}
	t.placeIn(r.Tree)
}

// placer walks the tree in the order of the source, which is that of the citations.
type placer struct {
	*reader
	left   []citedSpan // that follow
	hidden int         // the end of the citation before: what it took of the source is no text
}

// next returns the node of the next citation if it begins before a byte, or closes something there; nil if not.
func (t *placer) next(before int) *citedSpan {
	if len(t.left) == 0 || t.left[0].start > before || t.left[0].start == before && t.left[0].end > before {
		return nil
	}
	c := &t.left[0]
	t.left = t.left[1:]
	return c
}

func (c *citedSpan) node() *Citation { return &Citation{Markers: c.markers, Sentence: c.said} }

func (t *placer) placeIn(parent ast.Node) {
	if parent.Type() == ast.TypeBlock && parent.Lines().Len() > 0 { // all footnotes are in one place of the tree
		start := parent.Lines().At(0).Start
		at, _ := slices.BinarySearchFunc(t.cited, start, func(c citedSpan, start int) int { return c.start - start })
		t.left = t.cited[at:]
	}
	for n := parent.FirstChild(); n != nil; {
		next := n.NextSibling()
		if text, ok := n.(*ast.Text); ok {
			t.placeText(parent, text)
		} else if end := t.ends[n]; end > 0 && n.Type() == ast.TypeInline {
			t.placeNode(parent, n, end)
		} else {
			t.placeIn(n)
		}
		n = next
	}
}

// placeNode replaces a link or code that is a citation as a whole, and puts the citations in any other behind it.
func (t *placer) placeNode(parent, n ast.Node, end int) {
	if len(t.left) > 0 && t.left[0].start <= n.Pos() && t.left[0].end > n.Pos() {
		t.hidden = t.left[0].end
		parent.InsertBefore(parent, n, t.next(end).node())
	}
	if t.hidden >= end {
		parent.RemoveChild(parent, n)
		return
	}
	if n.Kind() != ast.KindCodeSpan {
		t.placeIn(n)
	}
	for c := t.next(end); c != nil; c = t.next(end) {
		node := c.node()
		parent.InsertAfter(parent, n, node)
		n = node
	}
}

// placeText cuts a text at the citations in it.
func (t *placer) placeText(parent ast.Node, n *ast.Text) {
	start, stop := max(n.Segment.Start, t.hidden), n.Segment.Stop
	for c := t.next(stop); c != nil; c = t.next(stop) {
		if c.start > start {
			parent.InsertBefore(parent, n, ast.NewTextSegment(text.NewSegment(start, c.start)))
		}
		parent.InsertBefore(parent, n, c.node())
		t.hidden = c.end
		start = max(start, c.end)
	}
	if start >= stop && !n.SoftLineBreak() && !n.HardLineBreak() {
		parent.RemoveChild(parent, n)
		return
	}
	n.Segment = n.Segment.WithStart(min(start, stop))
}
