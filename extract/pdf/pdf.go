package pdf

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/citeloop/citeloop/extract/document"
)

var (
	errPDFBroken = fmt.Errorf("%w: the PDF could not be parsed", document.ErrUnsupported)
	errNoText    = errors.New("no text layer")
)

const (
	maxPDFPages     = 2_000            // standards and books reach some 1,500
	maxPDFPageChars = 200_000          // of one page; a page of a newspaper has 30,000
	maxPDFChars     = 20_000_000       // of one document, as much as of a page of HTML
	pdfSoftLimit    = 12 * time.Second // after which no further page is begun, so that what was read is kept
)

// pdfFile is what is taken out of a file before any of it is interpreted.
type pdfFile struct {
	pages []pdfPage
	info  map[string]string // Title, Author, CreationDate
	count int               // pages of the file, more than were read when a limit was met
}

// Extract reads a PDF: its words by PDFium, their order, paragraphs and repeated headers by this package.
func (e *Engine) Extract(ctx context.Context, body []byte) (document.Extraction, error) {
	file, err := e.readPDF(ctx, body)
	if err != nil {
		return document.Extraction{}, err
	}
	x := document.Extraction{Document: file.document(body)}
	x.ContentType = document.TypePDF
	x.Chars = utf8.RuneCountInString(x.Text)
	if x.Chars == 0 {
		return document.Extraction{}, fmt.Errorf("%w: the PDF has %s, and %w: it holds pictures of text, which are not read", document.ErrUnsupported, plural(file.count, "page"), errNoText)
	}
	return x, nil
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// readPDF takes the words out of a file.
func (e *Engine) readPDF(ctx context.Context, body []byte) (pdfFile, error) {
	soft := pdfSoftLimit
	start := time.Now()
	if end, ok := ctx.Deadline(); ok { // leaves some of the caller's time for the text
		soft = min(soft, time.Until(end)*3/4)
	}
	var file pdfFile
	err := e.open(ctx, func(l *pdfLibrary) error {
		doc, err := l.load(body)
		if err != nil {
			return err
		}
		if file.info, err = l.info(doc); err != nil {
			return err
		}
		if file.count, err = l.number("FPDF_GetPageCount", doc); err != nil {
			return err
		}
		chars := 0
		for i := range min(file.count, maxPDFPages) {
			if i > 0 && (time.Since(start) > soft || chars > maxPDFChars) {
				break
			}
			page, n, err := l.page(doc, i)
			if err != nil {
				return err
			}
			chars += n
			file.pages = append(file.pages, page)
		}
		return nil
	})
	return file, err
}

// load opens a document.
func (l *pdfLibrary) load(body []byte) (doc uint64, err error) {
	if l.scratch, err = l.allocate(16); err != nil {
		return 0, err
	}
	data, err := l.write(body)
	if err != nil {
		return 0, err
	}
	if doc, err = l.call("FPDF_LoadMemDocument", uint64(data), uint64(len(body)), 0); err != nil || doc != 0 {
		return doc, err
	}
	code, err := l.number("FPDF_GetLastError")
	if err != nil {
		return 0, err
	}
	switch code { // FPDF_ERR_ of fpdfview.h
	case 4:
		return 0, fmt.Errorf("%w: the PDF is encrypted and asks for a password", document.ErrUnsupported)
	case 5:
		return 0, fmt.Errorf("%w: the PDF is protected in a way that is not read", document.ErrUnsupported)
	default:
		return 0, fmt.Errorf("%w: it is damaged or no PDF", errPDFBroken)
	}
}

func (l *pdfLibrary) info(doc uint64) (map[string]string, error) {
	info := map[string]string{}
	for _, key := range []string{"Title", "Author", "CreationDate"} {
		value, err := l.metaText(doc, key)
		if err != nil {
			return nil, err
		}
		info[key] = value
	}
	return info, nil
}

// page reads the words of one page. A page that cannot be loaded is an empty one: the others may be whole.
func (l *pdfLibrary) page(doc uint64, index int) (p pdfPage, chars int, err error) {
	handle, err := l.call("FPDF_LoadPage", doc, uint64(index))
	if err != nil || handle == 0 {
		return p, 0, err
	}
	text, err := l.call("FPDFText_LoadPage", handle)
	if err != nil {
		return p, 0, err
	}
	if text != 0 {
		if chars, err = l.number("FPDFText_CountChars", text); err != nil {
			return p, 0, err
		}
		chars = min(max(chars, 0), maxPDFPageChars)
		if p.words, err = l.words(text, chars); err != nil {
			return p, 0, err
		}
		if _, err = l.call("FPDFText_ClosePage", text); err != nil {
			return p, 0, err
		}
	}
	ok, err := l.number("FPDF_GetPageSizeByIndexF", doc, uint64(index), uint64(l.scratch))
	if err != nil {
		return p, 0, err
	}
	if size := l.floats(); ok != 0 {
		p.width, p.height = size[0], size[1]
	}
	_, err = l.call("FPDF_ClosePage", handle)
	return p, chars, err
}

// words splits a page's characters into words and asks for the boxes of their ends alone: a call costs some
// 3 µs, and a page has 3,000 characters.
func (l *pdfLibrary) words(text uint64, chars int) ([]pdfWord, error) {
	units, err := l.characters(text, chars)
	if err != nil {
		return nil, err
	}
	var words []pdfWord
	angle, newLine := 0, true
	for i := 0; i < len(units); {
		u := units[i]
		if isPDFSpace(u) {
			newLine = newLine || u == '\n' || u == '\r'
			i++
			continue
		}
		if lineHyphen(u) { // alone: its word was ended by a space
			if len(words) > 0 {
				words[len(words)-1].hyphen = true
			}
			newLine = true
			i++
			continue
		}
		end := i
		for end < len(units) && !isPDFSpace(units[end]) && !lineHyphen(units[end]) && end-i < maxPDFWordChars {
			end++
		}
		if newLine {
			if angle, err = l.angle(text, i); err != nil {
				return nil, err
			}
			newLine = false
		}
		if words, err = l.word(words, text, units, i, end, angle); err != nil {
			return nil, err
		}
		if i = end; end < len(units) && lineHyphen(units[end]) {
			words[len(words)-1].hyphen, newLine = true, true
			i++
		}
	}
	return words, nil
}

// word appends the characters from i to end as a word. A raised mark of a note at either end becomes a word
// of its own: "1See" and "people12" are words that nobody wrote.
func (l *pdfLibrary) word(words []pdfWord, text uint64, units []uint16, i, end, angle int) ([]pdfWord, error) {
	first, err := l.box(text, i)
	if err != nil {
		return nil, err
	}
	last := first
	if end-1 > i {
		if last, err = l.box(text, end-1); err != nil {
			return nil, err
		}
	}
	add := func(from, to int, b box) {
		words = append(words, pdfWord{text: string(utf16.Decode(units[from:to])), box: b, angle: angle})
	}
	if mark := leadingMark(units[i:end]); mark > 0 && angle == 0 && first.y0 > last.y0+0.15*last.height() {
		rest, err := l.box(text, i+mark)
		if err != nil {
			return nil, err
		}
		if first.y0 > rest.y0+0.15*rest.height() {
			first.x1 = math.Max(first.x1, math.Min(rest.x0, last.x0))
			add(i, i+mark, first)
			add(i+mark, end, rest.union(last))
			return words, nil
		}
	}
	if mark := trailingMark(units[i:end]); mark > 0 && angle == 0 && last.y0 > first.y0+0.15*first.height() {
		body, err := l.box(text, end-mark-1)
		if err != nil {
			return nil, err
		}
		add(i, end-mark, first.union(body))
		add(end-mark, end, last)
		return words, nil
	}
	add(i, end, first.union(last))
	return words, nil
}

// leadingMark is the length of what may be the mark of a note before a word: digits or one small letter, and
// then a capital.
func leadingMark(word []uint16) int {
	n := 0
	for n < len(word) && isDigit(word[n]) {
		n++
	}
	if n == 0 && len(word) > 1 && 'a' <= word[0] && word[0] <= 'z' {
		n = 1
	}
	if n > 3 || n == len(word) || !unicode.IsUpper(rune(word[n])) {
		return 0
	}
	return n
}

// trailingMark is the number of digits behind a word of at least three letters.
func trailingMark(word []uint16) int {
	n := 0
	for n < len(word) && isDigit(word[len(word)-1-n]) {
		n++
	}
	if n > 3 || len(word)-n < 3 {
		return 0
	}
	for _, u := range word[len(word)-n-3 : len(word)-n] {
		if !unicode.IsLetter(rune(u)) && !unicode.IsPunct(rune(u)) {
			return 0
		}
	}
	return n
}

func isDigit(u uint16) bool { return '0' <= u && u <= '9' }

// maxPDFWordChars splits what has no spaces, so that a box never spans much more than a line.
const maxPDFWordChars = 200

func isPDFSpace(u uint16) bool { return unicode.IsSpace(rune(u)) || u == 0 || u == 0xffff }

// lineHyphen reports the characters that PDFium puts in the place of a hyphen at the end of a line.
func lineHyphen(u uint16) bool { return u == 0x02 || u == 0xfffe }

// characters returns a UTF-16 unit for each character of the page, 0 for those without a code.
func (l *pdfLibrary) characters(text uint64, chars int) ([]uint16, error) {
	if chars == 0 {
		return nil, nil
	}
	buf, err := l.allocate(4*chars + 2)
	if err != nil {
		return nil, err
	}
	out, err := l.span(text, 0, chars, buf)
	if err != nil {
		return nil, err
	}
	return out, l.release(buf)
}

// span reads characters all at once, which leaves out those without a code. Where some are missing it reads
// the two halves, and at last one by one, so that places in the text are places on the page.
func (l *pdfLibrary) span(text uint64, from, count int, buf uint32) ([]uint16, error) {
	n, err := l.number("FPDFText_GetText", text, uint64(from), uint64(count), uint64(buf))
	if err != nil {
		return nil, err
	}
	if n == count+1 {
		return l.units(buf, count), nil
	}
	if count > 16 {
		left, err := l.span(text, from, count/2, buf)
		if err != nil {
			return nil, err
		}
		right, err := l.span(text, from+count/2, count-count/2, buf)
		return append(left, right...), err
	}
	out := make([]uint16, 0, count)
	for i := range count {
		u, err := l.call("FPDFText_GetUnicode", text, uint64(from+i))
		if err != nil {
			return nil, err
		}
		if u > 0xffff {
			u = unicode.ReplacementChar
		}
		out = append(out, uint16(u))
	}
	return out, nil
}

// box is the place of a character with its font's full height, so that the boxes of a line agree.
func (l *pdfLibrary) box(text uint64, index int) (box, error) {
	ok, err := l.number("FPDFText_GetLooseCharBox", text, uint64(index), uint64(l.scratch))
	if err != nil || ok == 0 {
		return box{}, err
	}
	v := l.floats() // left, top, right, bottom
	for _, f := range v {
		if math.IsNaN(f) || math.Abs(f) > 1e6 {
			return box{}, nil
		}
	}
	return box{math.Min(v[0], v[2]), math.Min(v[1], v[3]), math.Max(v[0], v[2]), math.Max(v[1], v[3])}, nil
}

// angle is a character's direction, to the next right angle.
func (l *pdfLibrary) angle(text uint64, index int) (int, error) {
	bits, err := l.call("FPDFText_GetCharAngle", text, uint64(index))
	if err != nil {
		return 0, err
	}
	radians := float64(math.Float32frombits(uint32(bits)))
	if math.IsNaN(radians) || radians < 0 || radians > 7 {
		return 0, nil
	}
	return int(math.Round(radians/(math.Pi/2))) % 4 * 90, nil
}
