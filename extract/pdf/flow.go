package pdf

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/extract/document"
)

// pdfFlow puts lines into paragraphs, across columns and pages, and notes where pages begin.
type pdfFlow struct {
	out     strings.Builder
	chars   int   // code points in out
	pages   []int // code point at which each page begins
	known   map[string]bool
	leading float64 // usual distance of lines, in heights of a line
	pending bool    // out ends inside of a paragraph
	last    pdfLine // the line that was written last
	open    bool    // a page has begun, and nothing of it is written yet
}

// flow writes the columns of all pages as text.
func flow(pages [][]pdfColumn, rotated []string) (text string, starts []int) {
	f := pdfFlow{known: vocabulary(pages), leading: usualLeading(pages)}
	for i, columns := range pages {
		f.open = true
		for _, c := range columns {
			f.column(c)
		}
		if t := strings.TrimSpace(readable(document.Clean(rotated[i]))); t != "" {
			f.paragraph()
			f.begin(pdfLine{text: t})
			f.paragraph()
		}
		if f.open { // an empty page begins where the next one does
			f.pages = append(f.pages, f.chars)
			f.open = false
		}
	}
	text = strings.TrimRight(f.out.String(), "\n ")
	end := utf8.RuneCountInString(text)
	for i := range f.pages { // empty pages at the end
		f.pages[i] = min(f.pages[i], end)
	}
	return text, f.pages
}

// write appends text, and marks the start of a page that had none yet.
func (f *pdfFlow) write(s string) {
	if f.open {
		f.pages = append(f.pages, f.chars)
		f.open = false
	}
	f.between(s)
}

// between appends what stands between lines, which belongs to no page.
func (f *pdfFlow) between(s string) {
	f.out.WriteString(s)
	f.chars += utf8.RuneCountInString(s)
}

// paragraph ends the paragraph, when one is open.
func (f *pdfFlow) paragraph() {
	if f.pending {
		if f.last.hyphen {
			f.between("-")
		}
		f.between("\n\n")
	}
	f.pending, f.last.hyphen = false, false
}

func (f *pdfFlow) column(c pdfColumn) {
	for i, line := range c.lines {
		line.text = readable(document.Clean(line.text))
		if line.text = strings.TrimSpace(line.text); line.text == "" {
			continue
		}
		var next *pdfLine
		if i+1 < len(c.lines) {
			next = &c.lines[i+1]
		}
		switch {
		case !f.pending:
			f.begin(line)
		case i == 0: // over to another column or page
			if f.continues(line) {
				f.join(line)
			} else {
				f.paragraph()
				f.begin(line)
			}
		default:
			switch f.gap(c.lines[i-1], line, next, c.box) {
			case newParagraph:
				f.paragraph()
				f.begin(line)
			case newLine:
				if f.last.hyphen {
					f.between("-")
				}
				f.between("\n")
				f.begin(line)
			default:
				f.join(line)
			}
		}
	}
}

func (f *pdfFlow) begin(line pdfLine) {
	f.write(line.text)
	f.pending, f.last = true, line
}

// join continues a paragraph, undoing a hyphen that the break has put in: it stays in a word that the
// document writes with it elsewhere, and goes from one that it writes without.
func (f *pdfFlow) join(line pdfLine) {
	first, _ := utf8.DecodeRuneInString(line.text)
	end, _ := utf8.DecodeLastRuneInString(f.last.text)
	switch {
	case f.last.hyphen:
		left, right := lastWord(f.last.text), firstWord(line.text)
		joined, apart := strings.ToLower(left+right), strings.ToLower(left+"-"+right)
		if !f.known[joined] && (f.known[apart] || !unicode.IsLower(first) || unicode.IsDigit(end)) {
			f.between("-")
		}
	case isWide(first) && isWide(end): // Chinese and Japanese are written without spaces
	default:
		f.between(" ")
	}
	f.write(line.text)
	f.last = line
}

type gapKind int

const (
	sameParagraph gapKind = iota
	newLine
	newParagraph
)

var (
	listMark = regexp.MustCompile(`^(?:[•·▪■◦‣–—*]\s|\[\d{1,3}\]\s|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)]\s)`)
	leaders  = regexp.MustCompile(`(?:\. ?){4,}`)
)

// gap says what lies between two lines of one column.
func (f *pdfFlow) gap(a, b pdfLine, next *pdfLine, column box) gapKind {
	h := math.Max(a.size, 1)
	lead := a.box.y0 - b.box.y0
	switch {
	case b.size > 1.2*a.size, b.size < 0.8*a.size: // a heading, a note
		if !(lead < 0.6*h) { // a part of a formula is no paragraph
			return newParagraph
		}
	case lead > math.Max(1.35*f.leading, f.leading+0.25)*h:
		return newParagraph
	}
	short := a.box.x1 < column.x1-math.Max(0.12*column.width(), 2*h)
	ended := endsSentence(a.text)
	switch {
	case leaders.MatchString(a.text) || leaders.MatchString(b.text), a.cells > 1 && b.cells > 1:
		return newLine
	case listMark.MatchString(b.text) && (short || ended):
		return newParagraph
	case a.hyphen:
		return sameParagraph
	case b.box.x0 > a.box.x0+0.7*h && (ended || short):
		// An indented first line, unless what follows stays there: then it is the hang of a list.
		if next == nil || next.box.x0 < b.box.x0-0.4*h {
			return newParagraph
		}
	case short && ended && startsSentence(b.text):
		return newParagraph
	}
	return sameParagraph
}

// continues reports a line that goes on with the paragraph of another column or page.
func (f *pdfFlow) continues(line pdfLine) bool {
	if f.last.size == 0 || line.size > 1.3*f.last.size || line.size < 0.75*f.last.size || listMark.MatchString(line.text) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(line.text)
	if f.last.hyphen {
		return unicode.IsLetter(first)
	}
	return !endsSentence(f.last.text) && (unicode.IsLower(first) || isWide(first) || unicode.IsDigit(first) && !listMark.MatchString(line.text))
}

func endsSentence(s string) bool {
	s = strings.TrimRight(s, `"'”’»)]`+" ")
	r, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".!?:;。！？", r)
}

func startsSentence(s string) bool {
	s = strings.TrimLeft(s, `"'“‘«([`)
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r) || unicode.IsDigit(r) || isWide(r)
}

func endsInLetter(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// isWide reports a letter of the scripts that write no spaces between words.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r < 0x3040 || r >= 0xff00 && r < 0xff66
}

func lastWord(s string) string {
	return s[strings.LastIndexFunc(s, notInWord)+1:]
}

func firstWord(s string) string {
	if i := strings.IndexFunc(s, notInWord); i >= 0 {
		return s[:i]
	}
	return s
}

func notInWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '\''
}

// maxVocabulary bounds the words that are remembered; a long book has some 30,000 forms.
const maxVocabulary = 200_000

// vocabulary holds the words, in lower case, that stand whole inside of lines.
func vocabulary(pages [][]pdfColumn) map[string]bool {
	known := map[string]bool{}
	for _, columns := range pages {
		for _, c := range columns {
			for _, line := range c.lines {
				words := strings.FieldsFunc(strings.ToLower(readable(line.text)), notInWord)
				for i, w := range words {
					if i == len(words)-1 && line.hyphen || i == 0 || len(known) >= maxVocabulary {
						continue
					}
					known[w] = true
				}
			}
		}
	}
	return known
}

// usualLeading is the median distance of lines, in heights of a line.
func usualLeading(pages [][]pdfColumn) float64 {
	var leads []float64
	for _, columns := range pages {
		for _, c := range columns {
			for i := 1; i < len(c.lines); i++ {
				a, b := c.lines[i-1], c.lines[i]
				if lead := (a.box.y0 - b.box.y0) / math.Max(a.size, 1); lead > 0.5 && lead < 3 {
					leads = append(leads, lead)
				}
			}
		}
	}
	if len(leads) == 0 {
		return 1.2
	}
	slices.Sort(leads)
	return leads[len(leads)/2]
}
