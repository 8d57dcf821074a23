package draft

import (
	"bytes"
	"cmp"
	"html"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
	nethtml "golang.org/x/net/html"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// writer writes the prose of a node of the tree.
type writer struct {
	*reader
	prose
	out    []byte
	depth  [inQuoted]int // the open tags of HTML, by role
	quotes []int         // where the open <blockquote> began
	anchor *link         // an <a> that is not closed
}

// add adds a text that is in the source at [start, end), all of it in the place of each character if it reads otherwise there.
func (w *writer) add(text string, start, end int, as role) {
	spot := [2]int32{int32(start), int32(end)}
	for i, c := range text {
		size := utf8.RuneLen(c)
		if end-start == len(text) {
			spot = [2]int32{int32(start + i), int32(start + i + size)}
		}
		for range size {
			w.roles, w.spots = append(w.roles, as), append(w.spots, spot)
		}
	}
	w.out = append(w.out, text...)
}

// newline parts words at a place of the source, as a line break does.
func (w *writer) newline(at int) { w.add("\n", at, at, 0) }

// replaced matches what is not shown as it is written.
var replaced = lazyregexp.New(`\\[!-/:-@\[-\x60{-~]|&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});|\r`)

// take adds a stretch of the source. raw text has neither escapes nor entities.
func (w *writer) take(start, end int, raw bool, as role) {
	s, from := string(w.Source[start:end]), 0
	if strings.ContainsAny(s, "\\&\r") {
		for _, m := range replaced.FindAllStringIndex(s, -1) {
			shown, role := html.UnescapeString(s[m[0]:m[1]]), as
			switch escaped := s[m[0]] == '\\'; {
			case s[m[0]] == '\r':
				shown = ""
			case raw:
				continue
			case escaped:
				shown, role = s[m[0]+1:m[1]], as|inEscaped
			}
			w.add(s[from:m[0]], start+from, start+m[0], as)
			w.add(shown, start+m[0], start+m[1], role)
			from = m[1]
		}
	}
	w.add(s[from:], start+from, end, as)
}

// unescaped is the destination of a link as it is rendered: \_ is _, and &amp; is &; "&copy=1" stays.
func unescaped(s []byte) string {
	return replaced.ReplaceAllStringFunc(string(util.UnescapePunctuations(s)), html.UnescapeString)
}

// role is what the open tags make of the text in them.
func (w *writer) role() (as role) {
	for r, n := range w.depth {
		if n > 0 {
			as |= role(r)
		}
	}
	return as
}

// last returns where in the source what was written ends.
func (w *writer) last() int {
	if len(w.out) == 0 {
		return 0
	}
	return w.end(len(w.out))
}

// done is the prose that was written.
func (w *writer) done() prose {
	w.closeAnchor(w.last())
	slices.SortStableFunc(w.links, func(a, b link) int { return cmp.Or(a.from-b.from, b.to-a.to, a.start-b.start) })
	w.prose.text = string(w.out)
	return w.prose
}

// inlines adds the children of a node.
func (w *writer) inlines(parent ast.Node, as role) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			s := n.Segment
			w.take(s.Start, s.Stop, n.IsRaw(), as|w.role())
			if n.SoftLineBreak() || n.HardLineBreak() {
				w.newline(s.Stop)
			}
		case *ast.CodeSpan:
			for t := n.FirstChild(); t != nil; t = t.NextSibling() {
				s := t.(*ast.Text).Segment
				w.take(s.Start, s.Stop, true, as|inCode)
			}
		case *ast.Emphasis:
			w.inlines(n, as|map[int]role{2: inBold}[n.Level])
		case *ast.AutoLink:
			l := link{from: len(w.out), start: n.Pos(), end: w.ends[n], address: string(n.URL(w.Source))}
			w.take(l.start+1, max(l.start+1, l.end-1), true, as|inLink)
			w.closeLink(l)
		case *ast.Link:
			l := link{from: len(w.out), start: n.Pos(), end: w.ends[n], address: unescaped(n.Destination)}
			w.inlines(n, as|inLink)
			if ref := n.Reference; ref != nil {
				l.label, l.full = string(ref.Value), ref.Type == ast.ReferenceLinkFull
			}
			w.closeLink(l)
		case *ast.Image: // its description is not shown
		case *ast.RawHTML:
			first, last := n.Segments.At(0).Start, n.Segments.At(n.Segments.Len()-1).Stop
			z := nethtml.NewTokenizer(bytes.NewReader(n.Segments.Value(w.Source)))
			if kind := z.Next(); kind != nethtml.CommentToken && kind != nethtml.ErrorToken {
				w.tag(z.Token(), first, last)
			}
		default:
			if n.Type() == ast.TypeBlock && len(w.out) > 0 {
				w.newline(w.last())
			}
			w.inlines(n, as)
		}
	}
}

// closeLink adds a link that ends here. One without words has a place in the prose all the same.
func (w *writer) closeLink(l link) {
	if l.from == len(w.out) {
		w.add(" ", l.start, l.end, inSyntax)
	}
	l.to = len(w.out)
	w.links = append(w.links, l)
}

// tagRoles are what tags make of the text in them.
var tagRoles = map[string]role{"sup": inRaised, "code": inCode, "kbd": inCode, "samp": inCode, "tt": inCode, "var": inCode, "pre": inCode,
	"math": inCode, "script": inSyntax, "style": inSyntax, "template": inSyntax, "h1": inBold, "h2": inBold, "h3": inBold,
	"h4": inBold}

// blockTags part blocks.
var blockTags = strings.Fields("address article aside caption center dd details div dl dt figcaption figure footer h1 h2 " +
	"h3 h4 header hr li main nav ol p section summary table tbody td textarea tfoot th thead tr ul")

// tag reads a tag of HTML.
func (w *writer) tag(tag nethtml.Token, start, end int) {
	deeper, mark, opens := 1, "“", tag.Type != nethtml.EndTagToken
	if !opens {
		deeper, mark = -1, "”"
	}
	if as := tagRoles[tag.Data]; as != 0 {
		w.depth[as] = max(0, w.depth[as]+deeper)
	}
	switch parts := slices.Contains(blockTags, tag.Data); {
	case parts && len(w.quotes) == 0:
		w.add(string(newBlock), start, start, 0)
	case parts, tag.Data == "br": // what is in a quotation stays together
		w.newline(start)
	case tag.Data == "q":
		w.add(mark, start, end, 0)
	case tag.Data == "blockquote":
		w.newline(start)
		w.blockquote(opens)
	case tag.Data == "a" && !opens:
		w.closeAnchor(end)
	case tag.Data == "a":
		w.closeAnchor(start)
		for _, a := range tag.Attr {
			if a.Key == "href" && a.Val != "" {
				w.anchor = &link{from: len(w.out), start: start, end: end, address: a.Val}
			}
		}
	}
}

// blockquote reads the tag of a block quotation. What is between the outermost tags is quoted.
func (w *writer) blockquote(opens bool) {
	last := len(w.quotes) - 1
	switch {
	case opens:
		w.quotes = append(w.quotes, len(w.out))
	case last >= 0:
		if last == 0 {
			w.mark(w.quotes[0], len(w.out), inQuoted)
		}
		w.quotes = w.quotes[:last]
	}
	if !opens || len(bytes.TrimSpace(w.out)) == 0 {
		w.tags = append(w.tags, opens)
	}
}

// closeAnchor ends an open <a> at a byte of the source.
func (w *writer) closeAnchor(end int) {
	if w.anchor != nil {
		w.anchor.end = max(w.anchor.end, end)
		w.mark(w.anchor.from, len(w.out), inLink)
		w.closeLink(*w.anchor)
		w.anchor = nil
	}
}
