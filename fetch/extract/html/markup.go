package html

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/markdown"
	"github.com/citeloop/citeloop/internal/sanitize"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// markup writes Markdown beside the plain text of a blockWriter: one walk over the nodes calls both, so that
// both hold the same words, and the offsets of each word are known in both. Marks are held back
// until the word that they apply to, because Markdown has none around white space.
type markup struct {
	base  *url.URL
	notes footnotes

	out     strings.Builder
	line    strings.Builder  // the block that is being written
	runs    []markdown.Piece // of the block, from the beginning of its text and its Markdown
	done    []markdown.Piece // of both outputs
	gap     int              // newlines due before the next block
	lead    string           // written before the next block: the mark of a heading or a footnote
	levels  []level          // the lists and quotations around the next block, the outermost first
	shared  int              // how many of them were around the last one too
	open    []mark           // around the words that come
	written int              // how many of them are written to the line
	code    int              // depth of inline code, in which nothing is escaped
	heading bool
	inRow   bool
	isRow   bool // the line is a row
	rows    int  // rows of the table that are written
	links   document.Links
}

// level is a list or a quotation.
type level struct {
	pad    string // before every line of what is in it
	bullet string // in its place before the first line of an item; empty when that is written
	number int    // of the next item of a list; 0 where they have none
}

// mark is written before and after the words that it applies to.
type mark struct{ before, after string }

// word adds a word; at is its offset in the line of the text, spaced whether white space is before it.
func (m *markup) word(s string, at int, spaced bool) {
	if spaced && m.line.Len() > 0 {
		m.line.WriteByte(' ')
	}
	for ; m.written < len(m.open); m.written++ {
		m.line.WriteString(m.open[m.written].before)
	}
	if m.code > 0 {
		m.piece(s, at, spaced)
		return
	}
	start := 0
	for i := range len(s) {
		if markdown.Escapes(s, i, m.line.Len() == 0, m.inRow) {
			m.piece(s[start:i], at+start, spaced)
			m.line.WriteByte('\\')
			start = i
		}
	}
	m.piece(s[start:], at+start, spaced)
}

// piece writes what is the same in both; a space between two pieces is the same as well.
func (m *markup) piece(s string, at int, spaced bool) {
	if s == "" {
		return
	}
	md := m.line.Len()
	m.line.WriteString(s)
	if len(m.runs) > 0 {
		last := &m.runs[len(m.runs)-1]
		if gap := at - last.Text - last.Bytes; gap == md-last.Markdown-last.Bytes && (gap == 0 || gap == 1 && spaced) {
			last.Bytes += gap + len(s)
			return
		}
	}
	m.runs = append(m.runs, markdown.Piece{Text: at, Markdown: md, Bytes: len(s)})
}

func (m *markup) push(before, after string) { m.open = append(m.open, mark{before, after}) }

// pop ends the innermost mark. An empty mark writes nothing.
func (m *markup) pop() {
	last := len(m.open) - 1
	if m.written > last {
		m.line.WriteString(m.open[last].after)
		m.written = last
	}
	m.open = m.open[:last]
}

// newline is a line break inside of a block.
func (m *markup) newline() {
	if m.heading {
		m.line.WriteByte(' ') // a heading has one line
		return
	}
	m.line.WriteString("  \n")
}

// block ends the block whose plain text is text. It begins at the byte start of the text's output, which
// indents its further lines by pad bytes.
func (m *markup) block(text string, start, pad int) {
	for i := m.written - 1; i >= 0; i-- { // marks end with the block and start again in the next
		m.line.WriteString(m.open[i].after)
	}
	m.written = 0
	line := strings.TrimRight(m.line.String(), " \n")
	indent := m.begin()
	at := m.out.Len()
	inText, inLine := newlines(text), newlines(line)
	m.out.WriteString(strings.ReplaceAll(line, "\n", "\n"+indent))
	for _, r := range m.runs {
		t, _ := slices.BinarySearch(inText, r.Text)
		l, _ := slices.BinarySearch(inLine, r.Markdown)
		m.done = append(m.done, markdown.Piece{Text: start + r.Text + t*pad, Markdown: at + r.Markdown + l*len(indent), Bytes: r.Bytes})
	}
	if m.isRow {
		m.rows++
	}
	m.reset()
}

func (m *markup) reset() {
	m.line.Reset()
	m.runs = m.runs[:0]
	m.written = 0
	m.isRow = false
}

func newlines(s string) []int {
	var at []int
	for i := range len(s) {
		if s[i] == '\n' {
			at = append(at, i)
		}
	}
	return at
}

// maxLevels is how many lists and quotations put something before a line of Markdown. Chosen: pages go five deep, and
// below it each line would carry the marks of all of them.
const maxLevels = 8

// begin writes the prefix of a block and returns the prefix of each further line.
func (m *markup) begin() (indent string) {
	first, newItem := "", false
	for i := range min(len(m.levels), maxLevels) {
		l := &m.levels[i]
		indent += l.pad
		if l.bullet != "" {
			first, newItem = first+l.bullet, true
			l.bullet = ""
		} else {
			first += l.pad
		}
	}
	if m.gap == 1 && !newItem && m.rows == 0 {
		m.gap = 2 // a line behind a line would be the same paragraph
	}
	between := "" // what is around both blocks is around the lines between them
	for _, l := range m.levels[:min(m.shared, len(m.levels), maxLevels)] {
		between += l.pad
	}
	for i := range m.gap {
		if i > 0 {
			m.out.WriteString(strings.TrimRight(between, " "))
		}
		m.out.WriteByte('\n')
	}
	m.gap, m.shared = 0, len(m.levels)
	m.out.WriteString(first + m.lead)
	m.lead = ""
	return indent
}

// fence writes preformatted text; its place is told as for block. fenced says that the text has fences too.
func (m *markup) fence(n *html.Node, text string, start, pad int, fenced bool) {
	ticks := fence
	for strings.Contains(text, ticks) {
		ticks += "`"
	}
	indent := m.begin()
	same := func(at int) {
		if fenced {
			m.done = append(m.done, markdown.Piece{Text: at, Markdown: m.out.Len(), Bytes: len(fence)})
		}
	}
	same(start - len(fence) - 1)
	m.out.WriteString(ticks + codeLanguage(n))
	for line := range strings.SplitSeq(text, "\n") {
		m.out.WriteString("\n" + indent)
		if line != "" {
			m.done = append(m.done, markdown.Piece{Text: start, Markdown: m.out.Len(), Bytes: len(line)})
		}
		m.out.WriteString(line)
		start += len(line) + 1 + pad
	}
	m.out.WriteString("\n" + indent)
	same(start)
	m.out.WriteString(ticks)
	m.reset()
}

func (m *markup) beginList(n *html.Node) {
	number := 0
	if n.DataAtom == atom.Ol {
		number = 1
		if s, err := strconv.Atoi(attr(n, "start")); err == nil && s >= 0 && s < 1_000_000 {
			number = s
		}
	}
	m.enter(level{pad: "  ", number: number})
}

func (m *markup) enter(l level) { m.levels = append(m.levels, l) }

// leave ends the innermost list or quotation.
func (m *markup) leave() {
	m.levels = m.levels[:len(m.levels)-1]
	m.shared = min(m.shared, len(m.levels))
}

// item begins an item of the innermost list.
func (m *markup) item(n *html.Node) {
	l := &m.levels[len(m.levels)-1]
	label, isNote := m.notes.labels[n]
	switch {
	case isNote:
		l.bullet = "[^" + label + "]: "
	case l.number > 0 || n.Parent != nil && n.Parent.DataAtom == atom.Ol:
		l.bullet = strconv.Itoa(l.number) + ". "
		l.number++
	default:
		l.bullet = "- "
	}
	l.pad = strings.Repeat(" ", min(len(l.bullet), 4))
}

func (m *markup) beginRow() {
	m.inRow = true
	m.line.WriteString("| ")
}

func (m *markup) nextCell() { m.line.WriteString(" | ") }

// endRow ends a row. The first one of a table is its header: Markdown has no table without.
func (m *markup) endRow(filled bool, cells int) {
	m.inRow = false
	if !filled {
		m.reset()
		return
	}
	m.isRow = true
	m.line.WriteString(" |")
	if m.rows == 0 {
		m.line.WriteString("\n|" + strings.Repeat(" --- |", cells))
	}
}

// element writes the marks of an element around its content. It reports whether the content is written too;
// otherwise the text's writer goes on with it.
func (m *markup) element(w *blockWriter, n *html.Node) bool {
	if label, ok := m.notes.labels[n]; ok && n.DataAtom != atom.Li {
		w.flush(w.inside())
		m.lead = "[^" + label + "]: "
		return false
	}
	switch n.DataAtom {
	case atom.A:
		return m.anchor(w, n)
	case atom.B, atom.Strong:
		return !m.heading && m.around(w, n, "**", "**")
	case atom.I, atom.Em:
		return m.around(w, n, "*", "*")
	case atom.Sup:
		return m.around(w, n, "<sup>", "</sup>")
	case atom.Sub:
		return m.around(w, n, "<sub>", "</sub>")
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		return m.inlineCode(w, n)
	case atom.Blockquote:
		if w.row {
			return false
		}
		w.flush(w.inside())
		m.enter(level{pad: "> "})
		w.children(n)
		w.flush(w.inside())
		m.leave()
		return true
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		if w.row || m.heading {
			return false
		}
		w.flush(w.inside())
		m.lead, m.heading = strings.Repeat("#", int(n.Data[1]-'0'))+" ", true
		w.children(n)
		w.flush(w.inside())
		m.lead, m.heading = "", false
		return true
	}
	if n.Data == formulaTag {
		block := displayed(n)
		if block {
			w.flush(w.inside())
		}
		m.code++
		w.children(n)
		m.code--
		if block {
			w.flush(w.inside())
		}
		return true
	}
	return false
}

// around writes content with marks around its words, unless the same marks surround it already.
func (m *markup) around(w *blockWriter, n *html.Node, before, after string) bool {
	if m.code > 0 || slices.Contains(m.open, mark{before, after}) || before[0] == '<' && m.notes.refersIn(n) {
		return false
	}
	m.push(before, after)
	w.children(n)
	m.pop()
	return true
}

// inlineCode writes code between more backticks than any in it.
func (m *markup) inlineCode(w *blockWriter, n *html.Node) bool {
	if m.code > 0 {
		return false
	}
	ticks := "`"
	for content := InlineText(n); strings.Contains(content, ticks); {
		ticks += "`"
	}
	if len(ticks) > 1 {
		m.push(ticks+" ", " "+ticks)
	} else {
		m.push(ticks, ticks)
	}
	m.code++
	w.children(n)
	m.code--
	m.pop()
	return true
}

// anchor writes a link, or what refers to a footnote and back from it.
func (m *markup) anchor(w *blockWriter, n *html.Node) bool {
	if label, ok := m.notes.refs[n]; ok {
		if w.space && m.line.Len() > 0 {
			m.line.WriteByte(' ')
		}
		m.reference(w, n)
		m.line.WriteString("[^" + label + "]")
		return true
	}
	if m.notes.back[n] {
		m.silently(w, n)
		return true
	}
	to := m.target(n)
	if to == "" || m.code > 0 || slices.ContainsFunc(m.open, func(o mark) bool { return o.before == "[" }) {
		return false
	}
	m.links.Base = m.base
	m.links.Refer(to, func() string { return InlineText(n) })
	m.push("[", "]("+markdown.Address(to)+")")
	w.children(n)
	m.pop()
	return true
}

// reference writes the mark of a note to the text, in brackets, so that it is not read as a part of the word or the
// number before it.
func (m *markup) reference(w *blockWriter, n *html.Node) {
	bracketed := strings.HasPrefix(InlineText(n), "[") || strings.HasPrefix(InlineText(n), "(")
	w.mark, w.raise = nil, unraised
	if !bracketed {
		w.text("[")
	}
	w.children(n)
	if !bracketed {
		w.text("]")
	}
	w.mark, w.raise = m, nil
}

// silently writes content to the text alone.
func (m *markup) silently(w *blockWriter, n *html.Node) {
	w.mark = nil
	w.children(n)
	w.mark = m
}

// maxLinkBytes bounds an address that is kept. Those with tracking parameters are longer.
const maxLinkBytes = 1_000

// target is the address of a link, or "" when it is neither on the web nor on this page.
func (m *markup) target(n *html.Node) string {
	href := strings.TrimSpace(attr(n, "href"))
	if href == "" || href[0] == '#' || len(href) > maxLinkBytes {
		return ""
	}
	to, err := url.Parse(href)
	if err != nil {
		return ""
	}
	if m.base != nil {
		to = m.base.ResolveReference(to)
	}
	switch to.Scheme {
	case "http", "https", "mailto", "":
	default:
		return ""
	}
	to.User = nil
	return sanitize.Visible(to.String())
}

// codeLanguage is the language that a highlighter was told: by a class of the block, of what is in it, or of
// what is around it.
func codeLanguage(n *html.Node) string {
	for look, depth := n, 0; look != nil && depth < 4; look, depth = firstElement(look), depth+1 {
		for class := range strings.FieldsSeq(attr(look, "class")) {
			for _, lead := range []string{"language-", "lang-", "highlight-source-", "brush:"} {
				if lang, ok := strings.CutPrefix(class, lead); ok && isLanguageName(lang) {
					return strings.ToLower(lang)
				}
			}
		}
		if lang := firstAttr(look, "data-lang", "data-language"); isLanguageName(lang) {
			return strings.ToLower(lang)
		}
	}
	for p, depth := n.Parent, 0; p != nil && depth < 2; p, depth = p.Parent, depth+1 {
		for class := range strings.FieldsSeq(attr(p, "class")) {
			for _, lead := range []string{"highlight-source-", "highlight-", "language-"} {
				if lang, ok := strings.CutPrefix(class, lead); ok && isLanguageName(lang) && lang != "default" {
					return strings.ToLower(lang)
				}
			}
		}
	}
	return ""
}

func isLanguageName(s string) bool {
	return s != "" && len(s) <= 20 && strings.IndexFunc(s, func(r rune) bool {
		return r >= 0x80 || !isAlphanumeric(byte(r)) && !strings.ContainsRune("+#-_.", r)
	}) < 0
}

// result returns the text, the Markdown and the pieces that they share.
func (w *blockWriter) result() (text, md string, runs []document.Run) {
	text, md = w.out.String(), w.mark.out.String()
	return text, md, markdown.Runs(text, md, w.mark.done)
}
