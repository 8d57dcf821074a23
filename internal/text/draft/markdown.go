package draft

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// parseMarkdown parses a text as CommonMark with tables, footnotes and formulas. ends has the end of each link, image, address in
// angle brackets and code span: goldmark knows where they begin.
func parseMarkdown(source []byte) (tree ast.Node, ends map[ast.Node]int) {
	ends = map[ast.Node]int{}
	inline := func(p parser.InlineParser, priority int) util.PrioritizedValue {
		return util.Prioritized(placed{p, ends}, priority)
	}
	blocks := append(parser.DefaultBlockParsers(),
		util.Prioritized(formulaBlock{}, 650), util.Prioritized(extension.NewFootnoteBlockParser(), 999))
	for i, b := range blocks {
		switch p := b.Value.(parser.BlockParser); {
		case slices.Contains(p.Trigger(), '~'):
			blocks[i].Value = fences{p}
		case slices.Contains(p.Trigger(), '<'):
			blocks[i].Value = hidden{p}
		case slices.ContainsFunc(p.Trigger(), func(c byte) bool { return c == '>' || c == '+' || c == '[' }):
			blocks[i].Value = nested{p}
		}
	}
	p := parser.NewParser(
		parser.WithBlockParsers(blocks...),
		parser.WithInlineParsers(
			inline(formulas{}, 50), inline(codeSpans{parser.NewCodeSpanParser()}, 100),
			util.Prioritized(links{placed{parser.NewLinkParser(), ends}}, 200),
			inline(parser.NewAutoLinkParser(), 300), inline(parser.NewRawHTMLParser(), 400),
			util.Prioritized(emphasis{parser.NewEmphasisParser()}, 500)),
		parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
			util.Prioritized(extension.NewTableParagraphTransformer(), 200))...),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
	return p.Parse(text.NewReader(source)), ends
}

// placed is an inline parser that records where its nodes end.
type placed struct {
	parser.InlineParser
	ends map[ast.Node]int
}

func (p placed) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	n := p.InlineParser.Parse(parent, block, pc)
	if n != nil {
		_, at := block.Position()
		p.ends[n] = at.Start
	}
	return n
}

// CloseBlock implements parser.CloseBlocker, which the parser of links needs.
func (p placed) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	if c, ok := p.InlineParser.(parser.CloseBlocker); ok {
		c.CloseBlock(parent, block, pc)
	}
}

// nested bounds how deep quotations, lists and footnotes stand in one another: each line costs the square of its depth.
type nested struct{ parser.BlockParser }

func (b nested) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	const most = 100
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		depth++
	}
	if depth > most && parent.Kind() != ast.KindList {
		return nil, parser.NoChildren
	}
	return b.BlockParser.Open(parent, reader, pc)
}

// hidden reads as a block of HTML only what a page does not show. Other tags stand in paragraphs.
type hidden struct{ parser.BlockParser }

var hiddenStart = lazyregexp.New(`^ {0,3}<(?i:[!?]|(?:script|style|template)[\s>])`)

func (h hidden) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if line, _ := reader.PeekLine(); !hiddenStart.Match(line) || bytes.Contains(line, []byte("->")) {
		return nil, parser.NoChildren
	}
	return h.BlockParser.Open(parent, reader, pc)
}

// fences closes a block of code also where a citation stands behind the closing fence, so that not all the rest becomes code.
type fences struct{ parser.BlockParser }

var citedFence = lazyregexp.New("^ {0,3}(?:`{3,}|~{3,})[ \\t]+(?:\\[[^\\[\\]\n]{1,40}\\][ \\t.,;]*)+\r?\n?$")

func (f fences) Continue(n ast.Node, reader text.Reader, pc parser.Context) parser.State {
	if line, _ := reader.PeekLine(); citedFence.Match(line) {
		reader.Advance(bytes.IndexByte(line, '['))
		return parser.Close
	}
	return f.BlockParser.Continue(n, reader, pc)
}

// links bounds the address and the title of a link, for which goldmark would look up to the end of the block.
type links struct{ placed }

func (l links) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if len(line) > 1 && line[0] == ']' && line[1] == '(' {
		rest := block.Source()[segment.Start+2:]
		if bytes.IndexByte(rest[:min(len(rest), 2*maxAddress)], ')') < 0 {
			return nil
		}
	}
	return l.placed.Parse(parent, block, pc)
}

// codeSpans leaves ““words””, the quotation marks of TeX, to the text.
type codeSpans struct{ parser.InlineParser }

func (c codeSpans) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if rest, ok := bytes.CutPrefix(line, []byte("``")); ok && len(rest) > 0 && rest[0] != '`' && rest[0] != ' ' {
		if quote := bytes.Index(rest, []byte("''")); quote >= 0 && !bytes.Contains(rest[:quote], []byte("`")) {
			block.Advance(2)
			return ast.NewTextSegment(segment.WithStop(segment.Start + 2))
		}
	}
	return c.InlineParser.Parse(parent, block, pc)
}

// emphasis leaves the signs in a bare address and in a path with lines to the text: https://a.example/__future__.html, pkg/__init__.py:3.
type emphasis struct{ parser.InlineParser }

func (e emphasis) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	const far, apart = 300, " \t\r\n<>\"|" // bytes; what parts words
	line, segment := block.PeekLine()
	before := block.Source()[max(0, segment.Start-far):segment.Start]
	before = before[bytes.LastIndexAny(before, apart)+1:]
	rest := line[:min(len(line), far)]
	if end := bytes.IndexAny(rest, apart); end >= 0 {
		rest = rest[:end]
	}
	behind := bytes.TrimLeft(rest, string(rest[0]))
	address := bytes.Contains(before, []byte("://")) && len(bytes.Trim(behind, ".,;:!?*_)]}'")) > 0
	if !address && (rest[0] != '_' || pathsIn(strings.Trim(string(before)+string(rest), "()[].,;*"), false) == nil) {
		return e.InlineParser.Parse(parent, block, pc)
	}
	signs := len(rest) - len(behind)
	block.Advance(signs)
	return ast.NewTextSegment(segment.WithStop(segment.Start + signs))
}

// formulas reads $x$, $$x$$, \(x\) and \[x\] as code, with their signs: no mark of Markdown or of a citation holds in them.
type formulas struct{}

func (formulas) Trigger() []byte { return []byte{'$', '\\'} }

const maxFormula = 500 // bytes of one line; what is longer is something else

func (formulas) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	for _, signs := range []string{"$$$$", "$$", `\(\)`, `\[\]`} {
		open, shut := signs[:len(signs)/2], signs[len(signs)/2:]
		rest, ok := bytes.CutPrefix(line, []byte(open))
		end := bytes.Index(rest[:min(len(rest), maxFormula)], []byte(shut))
		if !ok || end < 1 {
			continue
		}
		inside, behind := string(rest[:end]), rest[end+len(shut):]
		price := open == "$" && (strings.TrimSpace(inside) != inside || len(behind) > 0 && behind[0] >= '0' && behind[0] <= '9' ||
			!strings.ContainsAny(inside, `\^_={}<>+[(`) && len(inside) > 1) // $5 and US$
		if price || open == `\[` && sourcesIn(inside) != nil { // \[1\]
			return nil
		}
		size := len(signs) + end
		block.Advance(size)
		n := ast.NewCodeSpan()
		n.AppendChild(n, ast.NewRawTextSegment(segment.WithStop(segment.Start+size)))
		return n
	}
	return nil
}

// formulaBlock reads what is between lines of $$ or of \[ and \], without a limit of blank lines, as code.
type formulaBlock struct{}

func (formulaBlock) Trigger() []byte                             { return []byte{'$', '\\'} }
func (formulaBlock) CanInterruptParagraph() bool                 { return true }
func (formulaBlock) CanAcceptIndentedLine() bool                 { return false }
func (formulaBlock) Close(ast.Node, text.Reader, parser.Context) {}

func (formulaBlock) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	closing := map[string]string{"$$": "$$", `\[`: `\]`}[string(bytes.TrimSpace(line))]
	ahead := reader.Source()[segment.Stop:]
	if closing == "" || !bytes.Contains(ahead[:min(len(ahead), 10*maxFormula)], []byte(closing)) {
		return nil, parser.NoChildren
	}
	n := ast.NewFencedCodeBlock(nil)
	n.SetAttributeString("formula", closing)
	n.Lines().Append(segment)
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

func (formulaBlock) Continue(n ast.Node, reader text.Reader, _ parser.Context) parser.State {
	closing, _ := n.AttributeString("formula")
	if closing == "" { // it was closed
		return parser.Close
	}
	line, segment := reader.PeekLine()
	n.Lines().Append(segment)
	reader.AdvanceToEOL()
	if bytes.Contains(line, []byte(closing.(string))) {
		n.SetAttributeString("formula", "")
	}
	return parser.Continue | parser.NoChildren
}

// front matches the metadata between lines of hyphens at the head of a draft.
var front = lazyregexp.New(`^---[ \t]*\r?\n[A-Za-z_-]{1,40}:[^\n]*\n(?:[^\n]*\n){0,60}?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)`)

// bibliography matches the file that Pandoc takes the entries of a draft from.
var bibliography = lazyregexp.New(`(?m)^bibliography:[ \t]*["']?([^\s"',]+)`)

// IsHTML reports whether a text is a page of HTML rather than Markdown.
func IsHTML(text string) bool { return page.MatchString(text[:min(len(text), 400)]) }

var page = lazyregexp.New(`(?i)^[\s\x{feff}]*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*-->\s*)*<(?:!doctype\s+html|html|head|body)\b`)
