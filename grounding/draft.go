package grounding

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/passages"
)

// Draft is a text in Markdown, taken apart for checking: what it says, and what it points to.
type Draft struct {
	Sentences  []DraftSentence
	References []Reference
}

// DraftSentence is one sentence of a draft. Text is what a reader sees of it, without citation marks, link
// targets and emphasis; Start and End (code points, half open), Line and Column (from 1, code points) say where
// it stands in the Markdown.
type DraftSentence struct {
	Text         string
	Line, Column int
	Start, End   int
	Markers      []Marker
	Quotes       []string // stretches of three words or more in quotation marks
	IsClaim      bool     // false for questions, labels and talk about the search itself
}

// The kinds of markers.
const (
	MarkerID       = "id"       // [S3]; Target "S3"
	MarkerNumber   = "number"   // [1], 【1†L5】, (Source 1); Target "1"
	MarkerFootnote = "footnote" // [^4]; Target "4"
	MarkerLink     = "link"     // [text](https://…); Target the address
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
}

// Reference is an entry of a reference list or the definition of a footnote.
type Reference struct {
	Number     string // as the marks write it: "1", "S3", "note"; empty in a list without numbers
	URL, Title string
	Line       int // from 1
}

// ParseDraft reads a draft. Headings, code, comments and the heads of tables are left out; a row of a table is
// one sentence, a claim only when it cites something. Reading costs time linear in the text.
func ParseDraft(markdown string) Draft {
	p := draftReader{src: []rune(markdown)}
	p.splitLines()
	p.mask = make([]rune, len(p.src))
	copy(p.mask, p.src)
	for _, b := range p.blocks() {
		p.readBlock(b)
	}
	return p.out
}

// draftReader holds a draft as code points and a copy of the same length in which everything that is not
// prose is blanked, so that places in one are places in the other.
type draftReader struct {
	src, mask []rune
	lines     []draftLine
	out       Draft
}

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
	markers := p.markers(b.start, b.end)
	for i := b.start; i < b.end; i++ {
		if p.mask[i] == '\n' || p.mask[i] == '\r' {
			p.mask[i] = ' '
		}
	}
	first := len(p.out.Sentences)
	spans := []passages.Passage{{Start: 0, End: b.end - b.start}}
	if !b.row {
		spans = passages.Sentences(string(p.mask[b.start:b.end]))
	}
	line, next := b.line, 0
	for _, s := range spans {
		start, end := p.trimmed(b.start+s.Start, b.start+s.End)
		if start >= end {
			continue
		}
		for line+1 < len(p.lines) && p.lines[line+1].start <= start {
			line++
		}
		sentence := DraftSentence{Start: start, End: end, Line: line + 1, Column: start - p.lines[line].start + 1}
		at := line
		for next < len(markers) && markers[next].Start < end {
			m := markers[next]
			for at+1 < len(p.lines) && p.lines[at+1].start <= m.Start {
				at++
			}
			m.Line, m.Column = at+1, m.Start-p.lines[at].start+1
			sentence.Markers = append(sentence.Markers, m)
			next++
		}
		sentence.Text = p.visible(start, end, sentence.Markers)
		if len(p.out.Sentences) > first && belongsBefore(sentence) {
			before := &p.out.Sentences[len(p.out.Sentences)-1]
			before.End = end
			before.Markers = append(before.Markers, sentence.Markers...)
			before.IsClaim = before.IsClaim || cites(before.Markers) && !question(before.Text)
			continue
		}
		if len(p.out.Sentences) > 0 && !hasWord(sentence.Text) { // marks in a line of their own
			before := &p.out.Sentences[len(p.out.Sentences)-1]
			before.Markers = append(before.Markers, sentence.Markers...)
			before.IsClaim = before.IsClaim || cites(before.Markers) && !question(before.Text)
			continue
		}
		sentence.Quotes = quoted(sentence.Text)
		sentence.IsClaim = isClaim(sentence, b)
		if hasWord(sentence.Text) {
			p.out.Sentences = append(p.out.Sentences, sentence)
		}
	}
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
func (p *draftReader) visible(start, end int, markers []Marker) string {
	var b strings.Builder
	m := 0
	for i := start; i < end; i++ {
		for m < len(markers) && (markers[m].End <= i || markers[m].Kind == MarkerLink) {
			m++
		}
		if m < len(markers) && i >= markers[m].Start {
			b.WriteByte(' ')
			i = min(markers[m].End, end) - 1
			continue
		}
		switch r := p.mask[i]; r {
		case '*', '`', 0:
			if r == 0 {
				b.WriteRune(p.src[i]) // code: kept for the reader, blanked for the marks
			}
		case '_':
			if i > start && i+1 < end && alphabetic(p.src[i-1]) && alphabetic(p.src[i+1]) {
				b.WriteRune(r)
			}
		case '|':
			b.WriteString(" ; ")
		default:
			b.WriteRune(r)
		}
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	return strings.Trim(spaceBeforePoint.ReplaceAllString(text, "$1"), " ;")
}

var spaceBeforePoint = regexp.MustCompile(` +([.,;:!?。，；：！？)\]])`)

// belongsBefore reports whether a "sentence" is only the citation of the one before: marks alone, or one link
// with a short name.
func belongsBefore(s DraftSentence) bool {
	if len(s.Markers) == 0 {
		return !hasWord(s.Text)
	}
	if !hasWord(s.Text) {
		return true
	}
	const shortName = 6 // words
	if len(s.Markers) == 1 && s.Markers[0].Kind == MarkerLink && len(strings.Fields(s.Text)) <= shortName {
		m := s.Markers[0]
		return m.Start-s.Start <= 1 && s.End-m.End <= 2
	}
	return false
}

func hasWord(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

func cites(markers []Marker) bool { return len(markers) > 0 }

func question(text string) bool {
	text = strings.TrimRight(text, `"'”’)） `)
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？")
}

// isClaim reports whether a sentence states something that needs a source.
func isClaim(s DraftSentence, b draftBlock) bool {
	if question(s.Text) || narration(s.Text) {
		return false
	}
	if cites(s.Markers) {
		return true
	}
	if b.row || b.emphasised || strings.HasSuffix(s.Text, ":") || strings.HasSuffix(s.Text, "：") {
		return false
	}
	const leastWords, leastHan = 4, 8 // shorter ones are labels (chosen)
	han := 0
	for _, r := range s.Text {
		if unicode.Is(unicode.Han, r) {
			han++
		}
	}
	return len(strings.Fields(s.Text)) >= leastWords || han >= leastHan
}

// narration reports whether a sentence is the writer's talk about the work: "Let me search for …".
func narration(text string) bool {
	head := firstBytes(text, 240)
	return englishNarration.MatchString(head) || chineseNarration.MatchString(head)
}

var (
	englishNarration = regexp.MustCompile(`(?i)^(let me|let's|(now|next|first|then|finally|okay|ok|great)?,? ?(i|we)('ll| will| need to| should| am going to|'m going to| have to| want to| can now)\b|based on (my|the|these|this)( search| research)?( results| information| findings)?[^,.]{0,40}, (i|we)('ll| will| can)\b|here (is|are) (the|my|a)\b.{0,60}(report|analysis|summary|overview))`)
	chineseNarration = regexp.MustCompile(`^(首先|接下来|现在|最后|然后|好的|下面)?[，,]?(让我|我(们)?(将|需要|会|先|来|要|再|还|想|应该|已经|可以|继续|现在))|^(为了|基于|根据).{0,60}[，,]?我(们)?(将|需要|会|先|来|要|再|还|可以)|^(下面|以下)(将|是|我)|^(现在|最后|首先|接下来)，?我`)
)

var quotePairs = map[rune]rune{'“': '”', '"': '"', '„': '“', '«': '»', '「': '」', '『': '』'}

// quoted returns the stretches in quotation marks that are long enough to be somebody's words.
func quoted(text string) []string {
	const leastWords, leastHan, most = 3, 6, 1000
	var out []string
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		closing, ok := quotePairs[runes[i]]
		if !ok {
			continue
		}
		end := -1
		for j := i + 1; j < len(runes) && j-i <= most; j++ {
			if runes[j] == closing {
				end = j
				break
			}
		}
		if end < 0 { // no partner within reach: a sign for inches, or a mistake
			continue
		}
		q := strings.TrimSpace(string(runes[i+1 : end]))
		if len(strings.Fields(q)) >= leastWords || utf8.RuneCountInString(q) >= leastHan && unspacedText(q) {
			out = append(out, q)
		}
		i = end
	}
	return out
}

func unspacedText(s string) bool {
	for _, r := range s {
		if unicode.Is(unicode.Han, r) || unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			return true
		}
	}
	return false
}
