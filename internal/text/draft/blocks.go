package draft

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/words"
)

// reader reads a draft: first the blocks of its tree and the entries of its lists, then citations and sentences.
type reader struct {
	Draft
	ends       map[ast.Node]int // where links and code end in Source
	runes      []int32          // the code points before each byte of Source
	lineStarts []int            // bytes
	blocks     []prose
	said       []statement
	headings   map[string]bool // their words
	cited      []citedSpan
	labels     map[string][]int // indexes of entries; see indexEntries
	works      map[string][]int
	numbered   bool // some entries have a number or another label

	open     []int // the first block of each <blockquote> that is open
	list     int   // the level of the heading of the reference list that we are in; 0 outside
	labelled bool  // the list was opened by a line of text, not by a heading

	own      string   // kind of the author's own statements in this section; "" for none
	ownLevel int      // of the heading of that section
	section  int      // len(said) when it began
	heads    []string // of the columns of the table being read
}

// blank puts spaces in the place of what is no text.
func blank(source []byte) {
	for i, c := range source {
		if c != '\n' {
			source[i] = ' '
		}
	}
}

func newReader(markdown string) *reader {
	if !utf8.ValidString(markdown) {
		markdown = string([]rune(markdown)) // a code point for each invalid byte, as in Go's range
	}
	if text := strings.TrimSpace(markdown); !strings.Contains(text, "\n") && escapedBreaks.MatchString(text) { // escaped twice
		markdown = strings.ReplaceAll(markdown, `\n`, " \n")
	}
	src := unfenced([]byte(markdown))
	const maxFront = 8 << 10 // bytes
	metadata := front.FindString(string(src[:min(len(src), maxFront)]))
	r := &reader{Draft: Draft{Source: src}, headings: map[string]bool{}, runes: make([]int32, len(src)+1), lineStarts: []int{0}}
	n := int32(0)
	for i, c := range src {
		if r.runes[i] = n; utf8.RuneStart(c) {
			n++
		} else {
			r.runes[i] = n - 1
		}
		if c == '\n' {
			r.lineStarts = append(r.lineStarts, i+1)
		}
	}
	r.runes[len(src)] = n
	blank(src[:len(metadata)])
	for _, m := range foreign.FindAllStringSubmatchIndex(string(src), -1) {
		from := max(m[0], m[2])
		before := src[max(0, from-100):from]
		before = before[bytes.LastIndexByte(before, '\n')+1:]
		if bytes.ContainsFunc(before, unicode.IsLetter) { // at the beginning of a line it would be indented code
			blank(src[from:m[1]])
		}
	}
	if m := bibliography.FindStringSubmatch(metadata); m != nil {
		r.Bibliography = m[1]
	}
	if metadata != "" {
		r.skip("metadata", 0, metadata)
	}
	return r
}

// foreign matches the marks of programs that lead nowhere outside of them, and a page behind a citation of Wikipedia.
var foreign = lazyregexp.New(`:contentReference\[oaicite:\d{1,4}\](?:\{index=\d{1,4}\})?|` +
	`<grok:render[^<>]{0,400}>.{0,400}?</grok:render>|` +
	`\x{e200}[^\x{e201}]{0,400}\x{e201}|[.!?]\[\d{1,3}\](:\s?\d{1,4}(?:[-–]\d{1,4})?\b)`)

// unfenced blanks the fence around a text that stands in it as a whole, with a line before it at most. A text that only begins and ends
// with code has a closing fence in between, before any other opens.
func unfenced(src []byte) []byte {
	m := fenced.FindStringSubmatchIndex(string(src))
	if m == nil || !bytes.Equal(src[m[2]:m[3]], src[m[6]:m[7]]) || m[4] == m[5] && !bytes.Contains(src[m[5]:m[6]], []byte("\n\n")) {
		return src
	}
	next := innerFence.FindStringSubmatch(string(src[m[5]:m[6]]))
	if next != nil && strings.HasPrefix(next[1], string(src[m[2]:m[3]])) && next[2] == "" {
		return src
	}
	blank(src[m[2]:m[5]])
	blank(src[m[6]:m[7]])
	return src
}

var innerFence = lazyregexp.New("(?m)^(```+|~~~+)[ \t]*([^ \t\r\n]*)")

// escapedBreaks matches a text, rather than data, with breaks as JSON has them.
var escapedBreaks = lazyregexp.New(`^[^{\[].*[^\\]\\n\\n`)

var fenced = lazyregexp.New("^(?:[^\n`]{0,200}:)?\\s*(```+|~~~+)(|markdown|md)[ \\t]*\r?\n(?s:.*)\n(```+|~~~+)\\s*$")

// place returns line and column of a byte of the source, from 1, the column in code points.
func (r *reader) place(at int) (line, column int) {
	i, found := slices.BinarySearch(r.lineStarts, at)
	if !found {
		i--
	}
	return i + 1, int(r.runes[at]-r.runes[r.lineStarts[i]]) + 1
}

// read takes in a block and those in it.
func (r *reader) read(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		p := r.proseOf(n, shape{level: n.Level, heading: true})
		text := p.all()
		const most = 5 // words of a heading of a list
		short := len(strings.Fields(text)) <= most
		r.heading(p, announcesList(text) || short && listWord.MatchString(text) && r.onlyEntries(n.NextSibling()))
	case *ast.Paragraph, *ast.TextBlock:
		p, first := r.proseOf(n, shape{}), len(r.blocks)
		r.paragraph(p)
		r.tagged(p, first)
		above := n.PreviousSibling() // the line that says whose a quotation is may be a paragraph of its own
		if above != nil && above.Kind() == ast.KindBlockquote && len(r.blocks) == first+1 && first > 0 && attribution.MatchString(p.all()) {
			r.quotation(r.blocks[first-1].quoted - 1)
		}
	case *ast.List:
		if n.IsOrdered() && r.endsText(n) {
			r.list = 6
		}
		first := len(r.blocks)
		r.listItems(n)
		r.listed(first)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		r.code(n)
	case *ast.HTMLBlock:
	case *extast.Table:
		if r.endsText(n) {
			r.list = 6
		}
		first := len(r.blocks)
		r.table(n)
		r.listed(first)
	case *ast.LinkReferenceDefinition:
		r.definition(n)
	case *extast.Footnote:
		r.footnote(n)
	default:
		first := len(r.blocks)
		r.readIn(n)
		if n.Kind() == ast.KindBlockquote {
			r.quotation(first)
		}
	}
}

// firstMark matches the mark of the first entry of a list: [1], [cite: 1, 2], 【1】, ¹.
var firstMark = lazyregexp.New(`[\[【［](?:\pL{1,9}[:_ ] ?)?1[\]】］,;–-]|¹|<sup>\[?1\b`)

// listed makes the blocks from first on those of a list or a table.
func (r *reader) listed(first int) {
	for i := first; i < len(r.blocks); i++ {
		r.blocks[i].listed = first + 1
	}
}

func (r *reader) readIn(parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		r.read(n)
	}
}

// proseOf returns the prose of all that is in a block, as one.
func (r *reader) proseOf(n ast.Node, s shape) prose {
	w := writer{reader: r, prose: prose{shape: s}}
	w.inlines(n, 0)
	return w.done()
}

func (r *reader) add(p prose) {
	if p.text != "" {
		r.blocks = append(r.blocks, p)
	}
}

// heading ends what a heading of its level ends, and opens the list that it announces.
func (r *reader) heading(p prose, list bool) {
	if list {
		r.list, r.labelled = p.level, false
	} else if p.level <= r.list {
		r.list = 0
	}
	if r.list == 0 || statesFact(p.all()) {
		r.add(p)
	}
}

// aside reports whether what is below the heading of a list is prose rather than an entry: it names no source and states a fact, and has
// no authors and year, or states it before them. "The bridge was lifted in 2001" looks like an author and a year.
func aside(e Reference, text string) bool {
	first, _, _ := strings.Cut(strings.ReplaceAll(text, "(", ". "), ". ")
	return !e.sourced() && (statesFact(first) || e.author == nil && statesFact(text))
}

// paragraph takes in a paragraph: lines of prose, with items and headings by look, entries of a list, or the label of one.
func (r *reader) paragraph(p prose) {
	open, last := -1, 0
	flush := func() {
		if open >= 0 {
			r.add(p.part(open, last))
		}
		open = -1
	}
	lines := p.lines()
	for i := 0; i < len(lines); i++ {
		from, to := lines[i].from, lines[i].to
		if runeBefore(p.text, from) == newBlock {
			flush()
		}
		text := p.visible(from, to, 0)
		if announcesList(text) {
			flush()
			r.list, r.labelled = 6, true
			continue
		}
		if begin := r.labelEnd(&p, from, to); begin > from {
			flush()
			r.list, r.labelled, from = 6, true, begin
		}
		if parts := p.entryParts(from, to); r.list > 0 && parts != nil {
			lines = slices.Replace(lines, i, i+1, parts...)
			from, to = lines[i].from, lines[i].to
		}
		line := p.part(from, to)
		e, ok := r.entryOf(line, r.list > 0)
		if !ok && r.labelled && i == 0 { // prose again behind a list that only a label opened
			r.list = 0
		}
		opening := len(itemStart.FindString(line.text))
		if note := len(callout.FindString(line.text)); note > 0 {
			flush()
			r.add(p.part(from+note, to-strings.Count(text, `"`)/2))
			continue
		}
		switch {
		case ok || r.list > 0 && !aside(e, text) && open < 0:
			flush()
			alone := e.Number == "" && (e.Title == "" || len(line.links) == 1 && line.links[0].to-line.links[0].from == len(line.text))
			if r.entry(e, ok, alone, i == 0); !aside(e, text) {
				continue
			}
		case tableRule.MatchString(text):
			flush()
			continue
		case p.bold(from, to) && emphasised.MatchString(text):
			flush()
			line.heading = true
			r.add(line)
			continue
		case opening > 0:
			flush()
			from += opening
		}
		if open < 0 {
			open = from
		}
		last = to
	}
	flush()
}

// bold reports whether a line is all in bold: a heading by look.
func (p *prose) bold(from, to int) bool {
	for i, c := range p.text[from:to] {
		if p.roles[from+i]&inBold == 0 && !strings.ContainsRune(" *:：", c) {
			return false
		}
	}
	return from < to
}

var (
	// callout opens a note: "[!NOTE]", "::: warning", `!!! note "Title"`.
	callout = lazyregexp.New(`^(?:\[!\w{1,20}\][+-]?|:{3,}[ \t]*(?:\{[^{}]*\}|[\w-]*)|(?:!!!|\?\?\?\+?) [\w-]+)(?:[ \t]+"?|$)`)
	// itemStart matches what opens an item that is none in Markdown: "• ", "（一）", "a) ", "2. ".
	itemStart = lazyregexp.New(`^[ \t]*(?:[•–·▪◦‣●■○]+[ \t]+|\[[ xX]\][ \t]+|\d{1,3}[.)．][ \t]+|` +
		`\d{1,2}、|[a-z][.)][ \t]+|` +
		`[（(](?:[a-z]|[ivx]{1,4}|[一二三四五六七八九十\d]{1,3})[)）][ \t]*|[一二三四五六七八九十]{1,3}、[ ` +
		`\t]*|[①-⑳][ \t]*)`)
	emphasised = lazyregexp.New(`[^.。][:：]*$`)
	// attribution opens the line below a quotation that says whose it is.
	attribution = lazyregexp.New(`^(?:—|–|--|-|―|⸺|~|(?i:source|quelle|来源|出处)\s*[:：])\s*`)
)

// listItems reads a list; below a heading such as "References" each item is an entry.
func (r *reader) listItems(n *ast.List) {
	number := n.Start
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		if r.list == 0 {
			r.read(item)
			continue
		}
		p := r.proseOf(item, shape{})
		if p.text == "" { // "- [1]: notes.md" is a definition in an item
			r.readIn(item)
			continue
		}
		e, _ := r.entryOf(p, true)
		if n.IsOrdered() && e.Number == "" {
			e.Number = strconv.Itoa(number)
			number++
		}
		r.References = append(r.References, e)
		if aside(e, p.all()) {
			r.outside(item)
			continue
		}
	}
}

// outside reads what is in a node as text outside of a list.
func (r *reader) outside(n ast.Node) {
	list := r.list
	r.list = 0
	r.readIn(n)
	if n.Kind() == ast.KindParagraph || n.Kind() == ast.KindTextBlock {
		r.read(n)
	}
	r.list = list
}

// table reads a table: rows of sentences, or entries of a list.
func (r *reader) table(n *extast.Table) {
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		p := r.row(row)
		if r.list == 0 {
			r.add(p)
			continue
		}
		e, ok := r.entryOf(p, true)
		if ok && !p.header {
			r.References = append(r.References, e)
		}
		if e.URL == "" && slices.ContainsFunc(p.cellTexts(), statesFact) {
			r.add(p)
		}
	}
}

// row is the prose of a row of a table.
func (r *reader) row(n ast.Node) prose {
	w := writer{reader: r, prose: prose{shape: shape{row: true, header: n.Kind() == extast.KindTableHeader}}}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if len(w.out) > 0 {
			w.add(" | ", w.last(), w.last(), inSyntax)
		}
		w.inlines(c, 0)
		w.cells = append(w.cells, len(w.out))
	}
	return w.done()
}

// code leaves a block of code or a formula out, but for whole sentences in it that a reader of the page sees as text.
func (r *reader) code(n ast.Node) {
	if n.Lines().Len() == 0 {
		return
	}
	if r.list > 0 {
		r.paragraph(r.raw(n.Lines().Sliced(0, n.Lines().Len())...))
		return
	}
	start, end := n.Lines().At(0).Start, n.Lines().At(n.Lines().Len()-1).Stop
	kind := "code"
	if _, formula := n.AttributeString("formula"); formula {
		kind = "formula"
	}
	r.skip(kind, start, string(r.Source[start:end]))
	f, fenced := n.(*ast.FencedCodeBlock)
	if fenced && !strings.HasPrefix(string(f.Language(r.Source)), "{") { // the admonitions of MyST are text
		return
	}
	for _, line := range n.Lines().Sliced(0, n.Lines().Len()) {
		if p := r.raw(line); wholeLine.MatchString(p.all()) && statesFact(p.all()) {
			r.add(p)
		}
	}
}

// raw is the prose of text as it stands.
func (r *reader) raw(segments ...text.Segment) prose {
	w := writer{reader: r}
	for _, s := range segments {
		w.take(s.Start, s.Stop, true, 0)
	}
	return w.done()
}

// wholeLine matches a sentence in indented text.
var wholeLine = lazyregexp.New(`^[\p{Lu}\p{Han}].*[.!…。]$`)

func (r *reader) skip(kind string, at int, text string) {
	line, _ := r.place(at)
	text = strings.Join(strings.Fields(words.First(text, 400)), " ")
	r.Skipped = append(r.Skipped, Skipped{Kind: kind, Line: line, Text: words.First(text, 200)})
}

// definition reads [label]: address "title".
func (r *reader) definition(n *ast.LinkReferenceDefinition) {
	x := leadsTo(unescaped(n.Destination))
	if x.Raw == "" {
		return
	}
	e := Reference{Number: strings.TrimSpace(string(n.Label)), Title: unescaped(n.Title)}.at(x)
	e.Line, _ = r.place(max(0, n.Pos()))
	r.References = append(r.References, e)
}

// again matches a note that names the source of the one before it.
var again = lazyregexp.New(`(?i)^(?:(?:ibid(?:em)?|ebd|ebenda|idem)\b|id\.(?: at\b|$)|id$)`)

// footnote reads a footnote: an entry for each source that it names, or a note of the author's, whose sentences are read.
func (r *reader) footnote(n *extast.Footnote) {
	p := r.proseOf(n, shape{})
	label := strings.TrimSpace(string(n.Ref))
	if p.text == "" {
		return
	}
	found := r.entriesOf(p)
	for i := range found {
		found[i].Number = label
	}
	r.References = append(r.References, found...)
	if aside(found[0], p.all()) {
		r.outside(n)
	}
}
