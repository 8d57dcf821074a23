package grounding

import (
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// Draft is a text in Markdown, taken apart for checking: what it says, and what it points to.
type Draft struct {
	Sentences  []DraftSentence
	References []Reference
	Strays     []Marker // marks on no sentence: in a heading, in the head of a table, before all prose
}

// DraftSentence is one sentence of a draft. Text is what a reader sees of it, without citation marks, link
// targets and emphasis; Start and End (code points, half open), Line and Column (from 1, code points) say where
// it is in the Markdown. Marks after the full stop, or in a line of their own, belong to the sentence
// before them.
type DraftSentence struct {
	Text         string
	Line, Column int
	Start, End   int
	Markers      []Marker
	// Covering are the marks after the full stop of the next cited sentence of the same paragraph. Some
	// writers cite a whole paragraph that way, and nothing in the text says whether they did. Only set where
	// Markers is empty.
	Covering []Marker
	Head     string   // of a table: the heads of the columns, which are in Text and which no source need say
	Quotes   []string // stretches of three words or more in quotation marks
	IsClaim  bool     // false for questions, advice, labels, talk about the search or the text itself, and what Own names
	Own      string   // OwnInference, OwnAbsence or OwnOpen: the author's own statement, which no source is asked about
	// Split is true for both parts of a sentence that has [inference] after its last citation: the part that the
	// citation closes, which is checked, and the rest, which is the author's own.
	Split bool

	lead     string // of a cell of a table: what Text has before its own words
	inferred int    // where its mark [inference] begins, plus 1; 0 for none
}

// The kinds of markers.
const (
	MarkerID       = "id"       // [S3]; Target "S3"
	MarkerNumber   = "number"   // [1], 【1†L5】, (Source 1), ¹; Target "1"
	MarkerFootnote = "footnote" // [^4]; Target "4"
	MarkerAuthor   = "author"   // (Smith et al., 2021), Smith (2021); Target "smith 2021"
	MarkerLabel    = "label"    // [RFC2119], where the reference list has that label; Target the label
	MarkerLink     = "link"     // [text](https://…), [text][label]; Target the address
	MarkerURL      = "url"      // https://…; Target the address
	MarkerDOI      = "doi"      // doi:10.1000/x; Target "10.1000/x"
)

// Marker is one citation. A mark that cites several sources, such as [1, 2], gives one Marker for each, with
// the same Raw and place.
type Marker struct {
	Raw          string
	Kind, Target string
	Start, End   int // code points in the Markdown
	Line, Column int // from 1
	entry        int // index of its entry in Draft.References, plus 1; 0 for none
}

// Entry is what the reference list says about a mark: that of the list after it when there are several, and
// an entry with an address before one without.
func (d Draft) Entry(m Marker) (Reference, bool) {
	if m.entry < 1 || m.entry > len(d.References) {
		return Reference{}, false
	}
	return d.References[m.entry-1], true
}

// Reference is an entry of a reference list or the definition of a footnote.
type Reference struct {
	Number  string // as the marks write it: "1", "S3", "note"; empty in a list without numbers
	URL     string
	Title   string // the entry without its number and address
	Authors string // where the entry opens with them, as bibliographies do
	Year    string // with its letter: "2021a", or "n.d."; only together with Authors
	Line    int    // from 1
}

// ParseDraft reads a draft. Headings, code, formulas, comments and the heads of tables are left out; a row of a
// table is one sentence, or one for each cell with marks, and a claim only when it cites something. Reading costs time linear in the text.
func ParseDraft(markdown string) Draft {
	p := draftReader{src: []rune(markdown)}
	p.splitLines()
	p.mask = slices.Clone(p.src)
	p.role = make([]charRole, len(p.src))
	blocks := p.blocks()
	p.entries = indexEntries(p.out.References)
	for _, b := range blocks {
		p.readBlock(b)
	}
	return p.out
}

// draftReader holds a draft as code points and a copy of the same length in which everything that is not
// prose is blanked, so that places in one are places in the other.
type draftReader struct {
	src, mask  []rune
	role       []charRole
	lines      []draftLine
	entries    entryIndex
	out        Draft
	section    int // of the block being read: headings before it
	last       int // of the last sentence
	own        ownScope
	blockStart int         // of the block being read
	heads      []tableCell // of the columns of the table being read
}

// charRole is what a code point is to a reader of the text.
type charRole byte

const (
	roleProse  charRole = iota
	roleLink            // prose that is the visible part of a link
	roleMark            // a citation mark: not shown, but it parts words
	roleSyntax          // brackets and addresses of links: not shown
	roleCode            // shown, never searched for marks
)

type draftLine struct {
	start, end int // code points, the line break left out
}

func (p *draftReader) splitLines() {
	start := 0
	for i, r := range p.src {
		if r == '\n' {
			p.lines = append(p.lines, draftLine{start, i})
			start = i + 1
		}
	}
	p.lines = append(p.lines, draftLine{start, len(p.src)})
}

// readBlock reads the marks and sentences of one stretch of prose.
func (p *draftReader) readBlock(b draftBlock) {
	p.section = b.section
	markers := p.markers(b)
	if !b.row {
		p.heads = nil
	}
	if b.stray {
		if b.row {
			p.readHeads(b, markers)
		}
		p.own.heading(p, b, markers)
		p.stray(markers)
		return
	}
	all := markers
	for i := b.start; i < b.end; i++ {
		if p.mask[i] == '\n' || p.mask[i] == '\r' {
			p.mask[i] = ' '
		}
	}
	first := len(p.out.Sentences)
	var spans []passages.Passage
	var row map[int]rowSpan
	if b.row {
		spans, row = p.rowSpans(b, markers)
	} else {
		spans = p.cutBehindMarks(p.joined(passages.Sentences(string(p.mask[b.start:b.end])), b.start), b, markers)
		p.withSubjects(spans, b, markers)
	}
	quotes := p.quoteSpans(b.start, b.end)
	line, quote, free := b.line, 0, b.start
	for _, s := range spans {
		start, end := p.trimmed(max(b.start+s.Start, free), b.start+s.End)
		if start >= end {
			continue
		}
		for end < b.end && p.role[end-1] == roleMark && p.role[end] == roleMark { // a mark is stamped with a shorter one
			end++
		}
		for start > free && p.role[start-1] == roleSyntax { // the bracket of a link
			start--
		}
		free = end
		for len(markers) > 0 && markers[0].Start < start && len(p.out.Sentences) > first { // ".¹ Next"
			p.cite(markers[:1])
			markers = markers[1:]
		}
		n := 0
		for n < len(markers) && markers[n].Start < end {
			n++
		}
		line = p.lineAt(start, line)
		sentence := DraftSentence{Start: start, End: end, Line: line + 1, Column: start - p.lines[line].start + 1, Markers: slices.Clone(markers[:n])}
		markers = markers[n:]
		in := row[s.Start]
		sentence.lead, sentence.Head = in.lead, in.head
		if sentence.Text = in.text; sentence.Text == "" {
			sentence.Text = in.lead + p.visible(start, end)
		}
		if p.belongsBefore(sentence, len(p.out.Sentences) > first) {
			p.cite(sentence.Markers)
			if len(p.out.Sentences) > first {
				p.out.Sentences[len(p.out.Sentences)-1].End = end
			}
			continue
		}
		if !hasWord(sentence.Text) {
			continue
		}
		for quote < len(quotes) && quotes[quote].end <= start {
			quote++
		}
		sentence.Quotes = p.quotesIn(start, end, quotes[quote:])
		quoted := quote < len(quotes) && quotes[quote].start <= start+1
		sentence.settle(0) // isClaim sees the citations alone
		if sentence.Own == "" {
			sentence.IsClaim = p.isClaim(sentence, b, quoted)
			sentence.settle(0)
		}
		p.out.Sentences = append(p.out.Sentences, sentence)
		p.last = b.section
	}
	p.cite(markers)
	p.splitOwn(max(first-1, 0))
	p.closeParagraph(first)
	p.own.cover(p, b, all, first)
}

// joined puts sentences together again that were cut where one only quotes another: 「…？」、「…」.
func (p *draftReader) joined(spans []passages.Passage, from int) []passages.Passage {
	out := spans[:0]
	for _, s := range spans {
		if len(out) > 0 && strings.ContainsRune("、，,;；：)）", p.mask[from+s.Start]) {
			out[len(out)-1].End = s.End
			continue
		}
		out = append(out, s)
	}
	return out
}

// cutBehindMarks parts sentences after a mark with a full stop, whatever comes next: "… 2 [S1]. lock_timeout aborts …".
func (p *draftReader) cutBehindMarks(spans []passages.Passage, b draftBlock, markers []Marker) []passages.Passage {
	var out []passages.Passage
	for _, s := range spans {
		for len(markers) > 0 && b.start+s.Start > markers[0].Start {
			markers = markers[1:]
		}
		for len(markers) > 0 && markers[0].End+1 < b.start+s.End {
			end := markers[0].End
			markers = markers[1:]
			if strings.ContainsRune(".!?。！？", p.src[end]) && unicode.IsSpace(p.src[end+1]) {
				out = append(out, passages.Passage{Start: s.Start, End: end + 1 - b.start})
				s.Start = end + 1 - b.start
			}
		}
		out = append(out, s)
	}
	return out
}

// withSubjects gives a sentence that begins with a small letter the marks before it, which are its subject: "… the soil. [S4] says
// that …". Before a capital letter a mark belongs to the sentence before.
func (p *draftReader) withSubjects(spans []passages.Passage, b draftBlock, markers []Marker) {
	const gap = 5 // characters between two marks: ", " or " and "
	for i := range len(spans) - 1 {
		next, _ := p.trimmed(b.start+spans[i+1].Start, b.start+spans[i+1].End)
		if next >= b.end || !unicode.IsLower(p.src[next]) {
			continue
		}
		first := -1
		for n, m := range markers {
			switch {
			case m.End > next || m.Start < b.start+spans[i].Start:
			case first < 0 || m.Start-markers[n-1].End > gap:
				first = n
			}
			if m.End == next-1 && first >= 0 {
				at := markers[first].Start
				if at >= 2 && unicode.IsSpace(p.src[at-1]) && strings.ContainsRune(".!?。！？", p.src[at-2]) {
					spans[i].End, spans[i+1].Start = at-b.start, at-b.start
				}
				break
			}
		}
	}
}

// cite gives marks to the last sentence. Marks before all prose, or after a heading, are on no sentence.
func (p *draftReader) cite(markers []Marker) {
	if len(markers) == 0 {
		return
	}
	if len(p.out.Sentences) == 0 || p.last != p.section {
		p.stray(markers)
		return
	}
	s := &p.out.Sentences[len(p.out.Sentences)-1]
	known := len(s.Markers)
	s.Markers = append(s.Markers, markers...)
	s.Covering = nil
	s.IsClaim = s.IsClaim || !question(s.Text) && !opensWithSearch(s.Text)
	s.settle(known)
}

// stray records citations that are on no sentence.
func (p *draftReader) stray(markers []Marker) {
	for _, m := range markers {
		if m.Kind != markerInference {
			p.out.Strays = append(p.out.Strays, m)
		}
	}
}

// lineAt returns the index of the line that holds place i, looking from line on.
func (p *draftReader) lineAt(i, line int) int {
	for line+1 < len(p.lines) && p.lines[line+1].start <= i {
		line++
	}
	return line
}

func (p *draftReader) trimmed(start, end int) (int, int) {
	for start < end && unicode.IsSpace(p.src[start]) {
		start++
	}
	for start < end && unicode.IsSpace(p.src[end-1]) {
		end--
	}
	return start, end
}

// visible is the prose between two places: marks, link targets and emphasis are gone.
func (p *draftReader) visible(start, end int) string {
	return p.show(start, end, func(r charRole) bool { return r == roleProse || r == roleLink || r == roleCode })
}

// unlinked is the same without the visible parts of links.
func (p *draftReader) unlinked(start, end int) string {
	return p.show(start, end, func(r charRole) bool { return r == roleProse || r == roleCode })
}

func (p *draftReader) show(start, end int, shown func(charRole) bool) string {
	var b strings.Builder
	var before rune
	space, parted := false, false // white space is due; it stands for a mark
	for i := start; i < end; i++ {
		role, r := p.role[i], p.mask[i]
		if role == roleCode {
			r = p.src[i]
		}
		switch {
		case role == roleSyntax:
			continue
		case !shown(role):
			parted = true
			continue
		case unicode.IsSpace(r):
			space = true
			continue
		case role != roleCode && (r == '*' || r == '`' || r == '_' && !(i > start && i+1 < end && alphabetic(p.src[i-1]) && alphabetic(p.src[i+1]))):
			continue
		case r == '\\' && i+1 < end && p.src[i+1] == '|':
			continue
		case r == '|' && role != roleCode && (i == 0 || p.src[i-1] != '\\'): // a cell ends
			if before != 0 && before != ';' {
				b.WriteByte(';')
				before = ';'
			}
			space = true
			continue
		}
		detached := role == roleCode || r == '.' && !parted && i+1 < end && alphabetic(p.src[i+1]) // ".dump" begins a word
		if before != 0 && (space || parted) && (detached || !strings.ContainsRune(".,;:!?。，；：！？、)]）］", r)) && !(parted && wideRune(before) && wideRune(r)) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before, space, parted = r, false, false
	}
	return strings.Trim(b.String(), " ;")
}

// wide reports whether a character is in text that is written without spaces.
func wideRune(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff60
}
