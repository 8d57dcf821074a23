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
			end := int(s.block.glyphs[s.to-1].end)
			r.cited = append(r.cited, citedSpan{start: end, end: end, said: i})
		}
	}
	slices.SortStableFunc(r.cited, func(a, b citedSpan) int { return a.start - b.start })
	r.placeIn(r.Tree)
}

// placeIn replaces what is below a node: it cuts texts at the citations in them, and replaces a link or a code span that is a citation, or
// puts the citation behind it.
func (r *reader) placeIn(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; {
		next := n.NextSibling()
		if t, ok := n.(*ast.Text); ok && parent.Kind() != ast.KindCodeSpan {
			r.placeText(parent, t)
		} else if r.placeNode(parent, n) && n.Kind() != ast.KindCodeSpan {
			r.placeIn(n)
		}
		n = next
	}
}

// placeNode reports whether a node stays.
func (r *reader) placeNode(parent, n ast.Node) bool {
	end := r.ends[n]
	if end == 0 || n.Type() != ast.TypeInline {
		return true
	}
	for _, c := range r.within(n.Pos(), end) {
		switch {
		case c.end <= c.start && c.start < end:
		case c.shown || c.start > n.Pos() || c.end < end: // its words stay
			parent.InsertAfter(parent, n, c.node())
		default:
			if c.start == n.Pos() {
				parent.InsertBefore(parent, n, c.node())
			}
			parent.RemoveChild(parent, n)
			return false
		}
	}
	return true
}

func (r *reader) placeText(parent ast.Node, t *ast.Text) {
	start, stop := t.Segment.Start, t.Segment.Stop
	for _, c := range r.within(start, stop) {
		at := c.start
		if c.shown { // of a link, or a file in the text, whose name stays
			if at = c.end; c.start < start || c.end > stop {
				continue
			}
		}
		if at > start {
			parent.InsertBefore(parent, t, ast.NewTextSegment(text.NewSegment(start, at)))
		}
		if c.start >= start {
			parent.InsertBefore(parent, t, c.node())
		}
		start = min(c.end, stop)
	}
	if start >= stop && !t.SoftLineBreak() && !t.HardLineBreak() {
		parent.RemoveChild(parent, t)
		return
	}
	t.Segment = t.Segment.WithStart(min(start, stop))
}

func (c citedSpan) node() *Citation { return &Citation{Markers: c.markers, Sentence: c.said} }

// within returns the citations that share a byte with [start, end), and those without a length that close something there.
func (r *reader) within(start, end int) []citedSpan {
	at, _ := slices.BinarySearchFunc(r.cited, start, func(c citedSpan, start int) int {
		return c.start - start
	})
	for at > 0 && r.cited[at-1].end > start {
		at--
	}
	for at < len(r.cited) && r.cited[at].start == start && r.cited[at].end == start { // it closed what is before
		at++
	}
	to := at
	for to < len(r.cited) && (r.cited[to].start < end || r.cited[to].start == end && r.cited[to].end == end) {
		to++
	}
	return r.cited[at:to]
}
