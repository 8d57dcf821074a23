// Package markup reads untrusted Markdown and writes it as HTML whose elements are all ours.
package markup

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// maxDepth bounds the nesting of blocks; deeper ones are shown as text. Browsers stop at some hundreds.
const maxDepth = 64

// maxBytes is the size of a book.
const maxBytes = 4 << 20

// Parse parses a text with tables, strikethrough and bare links. One that is too long or nested too deeply is read as paragraphs.
func Parse(source []byte) (root ast.Node) {
	if len(source) > maxBytes || NestsTooDeep(source) {
		return paragraphs(source)
	}
	defer func() {
		if recover() != nil { // a bug of the parser must not prevent the report
			root = paragraphs(source)
		}
	}()
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify))
	return md.Parser().Parse(text.NewReader(source))
}

// NestsTooDeep reports whether a line of Markdown opens too many blocks or emphases to be parsed.
func NestsTooDeep(source []byte) bool {
	for line := range bytes.Lines(source) {
		opened := 0
	scan:
		for _, c := range line {
			switch c {
			case '>', '-', '*', '+':
				if opened++; opened > maxDepth && c == '>' || opened > 100*maxDepth {
					return true
				}
			case ' ', '\t':
			default:
				break scan
			}
		}
		if bytes.Count(line, []byte{'['}) > 2000 || bytes.Count(line, []byte{'*'})+bytes.Count(line, []byte{'_'}) > 5000 {
			return true
		}
	}
	return false
}

// paragraphs splits a text at blank lines.
func paragraphs(source []byte) ast.Node {
	root := ast.NewDocument()
	var p ast.Node
	at := 0
	for line := range bytes.Lines(source) {
		stop := at + len(bytes.TrimRight(line, "\n"))
		if len(bytes.TrimSpace(line)) == 0 {
			p = nil
		} else {
			if p == nil {
				p = ast.NewParagraph()
				root.AppendChild(root, p)
			}
			t := ast.NewTextSegment(text.NewSegment(at, stop))
			t.SetSoftLineBreak(true)
			p.AppendChild(p, t)
		}
		at += len(line)
	}
	return root
}

// Piece is a visible part of the source.
type Piece struct {
	Start, Stop int
	Kind        Kind
}

// Kind says how a piece is shown.
type Kind int

const (
	Prose   Kind = iota // escapes and entities are resolved
	Literal             // code and untrusted markup: shown as it is
	Address             // the label of a bare link
	Break               // the tag <br>
)

// Pieces returns the visible parts of a node, in order.
func Pieces(n ast.Node, source []byte) []Piece {
	var out []Piece
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			out = append(out, Own(n, source)...)
		}
		return ast.WalkContinue, nil
	})
	return out
}

// Own returns the visible parts of a node without its children.
func Own(n ast.Node, source []byte) []Piece {
	switch n := n.(type) {
	case *ast.Text:
		kind := Prose
		if n.Parent() != nil && n.Parent().Kind() == ast.KindCodeSpan {
			kind = Literal
		}
		return []Piece{{n.Segment.Start, n.Segment.Stop, kind}}
	case *ast.AutoLink:
		label := n.Label(source)
		if i := bytes.Index(source[max(0, n.Pos()):], label); n.Pos() >= 0 && i >= 0 && i <= 8 {
			return []Piece{{n.Pos() + i, n.Pos() + i + len(label), Address}}
		}
	case *ast.RawHTML:
		return segmentPieces(n.Segments)
	case *ast.HTMLBlock:
		out := segmentPieces(n.Lines())
		if n.HasClosure() {
			out = append(out, Piece{n.ClosureLine.Start, n.ClosureLine.Stop, Literal})
		}
		return out
	case *ast.CodeBlock:
		return segmentPieces(n.Lines())
	case *ast.FencedCodeBlock:
		return segmentPieces(n.Lines())
	}
	return nil
}

func segmentPieces(segments *text.Segments) []Piece {
	var out []Piece
	for i := range segments.Len() {
		s := segments.At(i)
		out = append(out, Piece{s.Start, s.Stop, Literal})
	}
	return out
}
