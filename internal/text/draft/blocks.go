package draft

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// blockReader cuts the lines of a draft into blocks. It is our own and not a Markdown library because every place is needed in
// code points of the source, and because an unclosed bracket must not cost more than a closed one.
type blockReader struct {
	*reader
	found    []block
	open     *block
	blank    bool // the line before was
	list     int  // the level of the heading of the reference list that we are in; 0 outside
	labelled bool // the list was opened by a line of text, not by a heading
}

func (r *reader) blocks() []block {
	b := blockReader{reader: r, blank: true}
	for i := 0; i < len(r.lines); {
		i = b.read(i)
	}
	b.flush()
	return b.found
}

// flush ends the open paragraph.
func (b *blockReader) flush() {
	if b.open != nil {
		b.found = append(b.found, *b.open)
	}
	b.open = nil
}

// read takes in line i, and the lines that go with it, and returns the next one.
func (b *blockReader) read(i int) int {
	text := b.text(i)
	trimmed := strings.TrimSpace(text)
	wasBlank := b.blank
	b.blank = trimmed == ""
	if b.blank {
		b.flush()
		return i + 1
	}
	if next := b.skipped(i, trimmed); next > i {
		b.flush()
		return next
	}
	if level := len(strings.TrimSpace(headingSigns.FindString(trimmed))); level > 0 {
		b.openSection(i, level, trimmed)
		return i + 1
	}
	if announcesList(trimmed) {
		b.flush()
		b.list, b.labelled = 6, true
		return i + 1
	}
	e, ok := referenceOf(trimmed, b.list > 0)
	if !ok && b.labelled && wasBlank { // prose again behind a list that only a label opened
		b.list = 0
	}
	switch {
	case ok || b.list > 0:
		b.flush()
		e.Line = i + 1
		b.entry(e, ok, wasBlank)
	case rule.MatchString(trimmed), callout.MatchString(trimmed), wasBlank && indentedCode.MatchString(text):
		b.flush()
	case !b.row(i, trimmed):
		b.prose(i, text)
	}
	return i + 1
}

// skipped returns the line after the code, comment, formula or metadata that opens in line i, or i. Code and comments may run to
// the end of the draft, the others are something else if they are long.
func (b *blockReader) skipped(i int, trimmed string) int {
	const longest = 60 // lines
	sign := skippedFrom.FindString(trimmed)
	if sign == "" || sign == "---" && (i > 0 || len(b.lines) == 1 || !metadata.MatchString(b.text(1))) {
		return i
	}
	closes := cmp.Or(map[string]string{"<!--": "-->", `\[`: `\]`}[sign], sign)
	short := !strings.ContainsAny(sign, "`~<")
	for k, rest := i, trimmed[len(sign):]; !short || k-i < longest; rest = b.text(k) {
		if strings.Contains(rest, closes) {
			return k + 1
		}
		if k++; k == len(b.lines) {
			return k
		}
	}
	return i
}

// openSection ends what a heading of this level ends, and opens what it announces.
func (b *blockReader) openSection(i, level int, heading string) {
	b.flush()
	if announcesList(heading) {
		b.list, b.labelled = level, false
	} else if level <= b.list {
		b.list = 0
	}
	if b.list == 0 {
		b.found = append(b.found, block{start: b.lines[i].start, end: b.lines[i].end, line: i, stray: true, level: level})
	}
}

// entry adds an entry to the references. A line that is none, or only an address, goes with the entry before it.
func (b *blockReader) entry(e Reference, ok, wasBlank bool) {
	last := &Reference{URL: "-"}
	if n := len(b.references); b.list > 0 && n > 0 {
		last = &b.references[n-1]
	}
	if ok && (e.Number+e.Title != "" || wasBlank || last.URL != "") {
		b.references = append(b.references, e)
		return
	}
	if last.URL == "" {
		last.URL, last.Lines, last.Quote = e.URL, e.Lines, e.Quote
	}
	last.Title = cmp.Or(last.Title, e.Title)
}

// prose adds a line to the open paragraph, or opens one.
func (b *blockReader) prose(i int, text string) {
	opening := itemStart.FindString(text)
	prefix, depth := utf8.RuneCountInString(opening), strings.Count(opening, ">")
	item := strings.Trim(opening, "> \t") != ""
	l := b.lines[i]
	if o := b.open; o != nil && (o.emphasised || prefix > 0 && (item || depth != o.quoted)) {
		b.flush()
	}
	if b.open != nil {
		b.open.end = l.end
		b.hide(l.start, l.start+prefix, roleSyntax)
	} else if l.start += prefix; l.start < l.end {
		b.open = &block{start: l.start, end: l.end, line: i, quoted: depth,
			emphasised: emphasised.MatchString(strings.TrimSpace(text[len(opening):]))}
	}
}

// row reads a line of a table, if it is one.
func (b *blockReader) row(i int, trimmed string) bool {
	if !strings.HasPrefix(trimmed, "|") || strings.Count(trimmed, "|") < 2 {
		return false
	}
	heads := i+1 < len(b.lines) && tableRule.MatchString(strings.TrimSpace(b.text(i+1)))
	b.flush()
	if !tableRule.MatchString(trimmed) {
		b.found = append(b.found, block{start: b.lines[i].start, end: b.lines[i].end, line: i, row: true, stray: heads})
	}
	return true
}

var (
	// itemStart matches what opens a list item or a quotation: "- ", "12. ", "> ", "（一）".
	itemStart = lazyregexp.New(`^[ \t]*(?:>[ \t]*)*(?:[-*+•–·▪◦‣●■○]+[ \t]+(?:\[[ xX]\][ \t]+)?|` +
		`\d{1,3}(?:[.)．]|\\\.)[ \t]+|\d{1,2}、|[a-z][.)][ \t]+|[（(](?:[a-z]|[ivx]{1,4}|[一二三四五六七八九十\d]{1,3})[)）][ \t]*|` +
		`[一二三四五六七八九十]{1,3}、[ \t]*|[①-⑳][ \t]*|>[ \t]*)`)
	rule         = lazyregexp.New(`^(?:[- ]{3,}|[* ]{3,}|[_ ]{3,}|={3,}|—+)$`)
	indentedCode = lazyregexp.New(`^(?:    |\t)[^\[]*[{}();=<>][^\[]*$`) // what has a bracket may be cited prose
	callout      = lazyregexp.New(`^>\s*\[!\w{1,20}\]`)                  // of a note in a quotation
	skippedFrom  = lazyregexp.New("^(?:`{3,}|~{3,}|<!--|\\$\\$|\\\\\\[$|---$)")
	metadata     = lazyregexp.New(`^[A-Za-z_-]{1,40}:`) // of a draft, between lines of hyphens
	headingSigns = lazyregexp.New(`^#{1,6}(?: |$)`)
	// emphasised matches a line all in bold, without a full stop: a heading by look.
	emphasised = lazyregexp.New(`^\*\*[^*]*[^*.。]\*\*[:：]*$`)
)
