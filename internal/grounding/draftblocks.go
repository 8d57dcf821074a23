package grounding

import (
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// draftBlock is a stretch of prose that belongs together: a paragraph, a list item or a row of a table.
type draftBlock struct {
	start, end int // code points
	line       int // index of the first line
	section    int // headings before it
	row        bool
	level      int  // of a heading; 0 for others
	item       bool // of a list, or after one and indented
	stray      bool // a heading, or the head of a table: its marks count, its words do not
	emphasised bool // a line all in bold: a heading by look
	contents   bool // in the table of contents
	label      bool // its last line is like "Memory: 1 GB"
	quoted     int  // depth of quotation (">")
}

// blockReader cuts the lines of a draft into blocks.
//
// It is our own and not goldmark because every place is needed in code points of the source, which goldmark
// keeps for text only, and because an unclosed bracket must not cost more than a closed one.
type blockReader struct {
	*draftReader
	found   []draftBlock
	open    *draftBlock
	section int
	table   bool // the lines before are a table's, with or without bars at the ends
	// contents is the level of the heading of the table of contents that we are in, references that of the
	// reference list; 0 outside.
	contents, references int
	labelled             bool         // the list was opened by a line of text, not by a heading
	pending              []draftBlock // prose after such a list: it is the list's if an entry follows
	blank                bool         // the line before was
}

func (p *draftReader) blocks() []draftBlock {
	r := blockReader{draftReader: p, blank: true}
	for i := r.frontMatter(); i < len(p.lines); {
		i = r.line(i)
	}
	r.flush()
	return append(r.found, r.pending...)
}

func (r *blockReader) flush() {
	if r.open != nil {
		if r.references > 0 {
			r.pending = append(r.pending, *r.open)
		} else {
			r.found = append(r.found, *r.open)
		}
		r.open = nil
	}
}

// line reads line i, and the lines that go with it, and returns the next one.
func (r *blockReader) line(i int) int {
	l := r.lines[i]
	text := r.text(i)
	trimmed := strings.TrimSpace(text)
	wasBlank := r.blank
	r.blank = trimmed == ""
	if r.blank || !strings.Contains(trimmed, "|") {
		r.table = false
	}
	switch {
	case r.blank:
		r.flush()
		return i + 1
	case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
		r.flush()
		return r.fence(i, fenceOf(trimmed))
	case strings.HasPrefix(trimmed, "<!--"):
		r.flush()
		return r.until(i, "-->", trimmed, len(r.lines))
	case strings.HasPrefix(trimmed, "$$") || trimmed == `\[`:
		if next := r.formula(i, trimmed); next > i {
			r.flush()
			return next
		}
	}
	if level := r.heading(i, trimmed); level > 0 {
		r.closeSection(level, referenceHeading(trimmed, true))
		if contentsHeading(trimmed) {
			r.contents = level
		}
		if r.references == 0 {
			r.found = append(r.found, draftBlock{start: l.start, end: l.end, line: i, section: r.section, stray: true, level: level})
		}
		return i + 1
	}
	if referenceHeading(trimmed, false) {
		r.flush()
		r.references, r.labelled = 6, true
		return i + 1
	}
	if e, ok := reference(trimmed, r.references > 0); ok && !r.continues(e, wasBlank) {
		r.flush()
		if len(r.pending) == 0 || e.URL != "" {
			r.pending = nil
			e.Line = i + 1
			r.out.References = append(r.out.References, e)
			return i + 1
		}
		r.endList() // an item of a list without an address, after prose: the body continues
	}
	switch {
	case r.references > 0:
		r.inList(i, trimmed, wasBlank)
	case rule(trimmed) || indentedCode(text, wasBlank && r.open == nil):
		r.flush()
	case r.row(i, trimmed):
	default:
		r.prose(i, text, trimmed)
	}
	return i + 1
}

// closeSection ends what the heading of this level ends.
func (r *blockReader) closeSection(level int, references bool) {
	r.flush()
	r.section++
	if level <= r.contents {
		r.contents = 0
	}
	switch {
	case references:
		r.references, r.labelled = level, false
		r.pending = nil
	case r.references > 0 && level <= r.references:
		r.endList()
	}
}

// endList leaves the reference list; the prose after it is prose.
func (r *blockReader) endList() {
	r.references = 0
	r.found = append(r.found, r.pending...)
	r.pending = nil
}

// continues reports whether a line of the list is only the address of the entry before it.
func (r *blockReader) continues(e Reference, wasBlank bool) bool {
	n := len(r.out.References)
	return r.references > 0 && !wasBlank && n > 0 && e.Number == "" && e.Title == "" && r.out.References[n-1].URL == ""
}

// inList reads a line of the reference list that is no entry: it goes with the entry before it. Sentences
// after a list that only a label opened are prose again, unless another entry follows them.
func (r *blockReader) inList(i int, trimmed string, wasBlank bool) {
	l := r.lines[i]
	if r.open != nil {
		r.open.end = l.end
		return
	}
	if r.labelled && wasBlank && sentenceLike(trimmed) {
		r.open = &draftBlock{start: l.start, end: l.end, line: i, section: r.section}
		return
	}
	r.continueReference(trimmed)
}

// sentenceLike reports whether a line after a list is prose and not the rest of an entry.
func sentenceLike(s string) bool {
	const leastWords, leastHan = 6, 12
	if !strings.ContainsAny(lastChar(s), ".!?。！？]") {
		return false
	}
	han := 0
	for _, c := range s {
		if unicode.Is(unicode.Han, c) {
			han++
		}
	}
	return len(strings.Fields(s)) >= leastWords || han >= leastHan
}

func lastChar(s string) string {
	runes := []rune(strings.TrimRight(s, `"'”’)） *`))
	if len(runes) == 0 {
		return ""
	}
	return string(runes[len(runes)-1])
}

// prose adds a line to the open paragraph, or opens one.
func (r *blockReader) prose(i int, text, trimmed string) {
	l := r.lines[i]
	prefix := itemPrefix(text)
	depth := quoteDepth(text, prefix)
	quoteGoesOn := depth > 0 && r.open != nil && r.open.quoted == depth && plainQuote(text, prefix)
	if callout.MatchString(trimmed) {
		r.flush()
		return
	}
	if r.open != nil && (prefix > 0 && !quoteGoesOn || r.open.emphasised || hardBreak(r.src, r.open.end) || r.open.label && lineLabel.MatchString(trimmed)) {
		r.flush()
	}
	if r.open == nil {
		if l.start+prefix == l.end {
			return
		}
		item := strings.TrimSpace(string(r.src[l.start+prefix : l.end]))
		r.open = &draftBlock{start: l.start + prefix, line: i, section: r.section, quoted: depth, contents: r.contents > 0,
			item:       prefix > 0 && !plainQuote(text, prefix) || strings.HasPrefix(text, "  "),
			emphasised: emphasised(item), label: lineLabel.MatchString(item)}
	} else {
		r.open.emphasised, r.open.label = false, lineLabel.MatchString(trimmed)
		r.hide(l.start, l.start+prefix, roleSyntax)
	}
	r.open.end = l.end
}

var (
	lineLabel = lazyregexp.New(`^[*_]{0,2}\p{Lu}[\w/&() -]{1,40}[*_]{0,2}[:：][*_]{0,2} ?\S`)
	callout   = lazyregexp.New(`^>\s*\[!\w{1,20}\]`)
)

// row reads a line of a table, if it is one.
func (r *blockReader) row(i int, trimmed string) bool {
	isRow := strings.HasPrefix(trimmed, "|") && strings.Count(trimmed, "|") > 1
	heads := i+1 < len(r.lines) && strings.Contains(trimmed, "|") && separator(strings.TrimSpace(r.text(i+1)))
	switch {
	case separator(trimmed) && (r.table || isRow):
		r.flush()
		r.table = true
		return true
	case !isRow && !heads && !r.table:
		return false
	}
	r.flush()
	r.found = append(r.found, draftBlock{start: r.lines[i].start, end: r.lines[i].end, line: i, section: r.section, row: true, stray: heads})
	r.table = true
	return true
}

// fence skips a block of code. Marks after its end cite it: they are read.
func (r *blockReader) fence(i int, fence string) int {
	for i++; i < len(r.lines); i++ {
		text := r.text(i)
		rest, closes := strings.CutPrefix(strings.TrimSpace(text), fence)
		rest = strings.TrimSpace(strings.TrimLeft(rest, fence[:1]))
		if !closes || strings.Trim(stripMarks(rest), " ") != "" {
			continue
		}
		if rest != "" {
			end := r.lines[i].end
			r.found = append(r.found, draftBlock{start: end - len([]rune(strings.TrimLeft(text, " \t"+fence[:1]))), end: end, line: i, section: r.section})
		}
		return i + 1
	}
	return i
}

// formula returns the line after a displayed formula that opens in line i, or i if nothing closes it.
func (r *blockReader) formula(i int, trimmed string) int {
	const longest = 60 // lines
	sign, rest := "$$", strings.TrimPrefix(trimmed, "$$")
	if trimmed == `\[` {
		sign, rest = `\]`, ""
	}
	last := min(i+longest, len(r.lines))
	if next := r.until(i, sign, rest, last); next < last || strings.Contains(r.text(last-1), sign) {
		return next
	}
	return i
}

// until returns the line after the one with the closing sign, or last. rest is what line i
// has after the opening sign.
func (r *blockReader) until(i int, sign, rest string, last int) int {
	for !strings.Contains(rest, sign) {
		if i++; i >= last {
			return last
		}
		rest = r.text(i)
	}
	return i + 1
}

// frontMatter returns the first line after the metadata that a draft may open with.
func (r *blockReader) frontMatter() int {
	const longest = 60 // lines
	if strings.TrimSpace(r.text(0)) != "---" || len(r.lines) < 3 || !yamlLine.MatchString(r.text(1)) {
		return 0
	}
	for i := 1; i < len(r.lines) && i < longest; i++ {
		if strings.TrimSpace(r.text(i)) == "---" {
			return i + 1
		}
	}
	return 0
}

var yamlLine = lazyregexp.New(`^[A-Za-z_-]{1,40}:`)
