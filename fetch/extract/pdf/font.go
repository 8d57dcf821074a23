package pdf

import (
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// forceBoldFlag is a flag of a font descriptor (ISO 32000-1, table 123).
const forceBoldFlag = 1 << 18

// boldName matches the names of bold faces, including those of Computer Modern, whose descriptors have no flags.
var boldName = lazyregexp.New(`(?i)bold|black|heavy|demi|semibd|[-,]bd|^(?:cm|sf|ec|lm)(?:ss)?(?:bx|b)|^cmssbx|-medi(?:ital)?$`)

// font returns the font of a character, or nil. It caches the few fonts of a document.
func (l *pdfLibrary) font(text uint64, index int) *pdfFont {
	object := l.call("FPDFText_GetTextObject", text, uint64(index))
	if object == 0 {
		return nil
	}
	if object == l.object {
		return l.objectFont
	}
	handle := l.call("FPDFTextObj_GetFont", object)
	if handle == 0 {
		return nil
	}
	f := l.fonts[handle]
	if f == nil {
		f = l.face(handle)
		if len(l.fonts) < maxPDFFonts {
			l.fonts[handle] = f
		}
	}
	l.object, l.objectFont = object, f
	return f
}

// maxPDFFonts bounds the cached fonts; a long book has about a hundred.
const maxPDFFonts = 5_000

func (l *pdfLibrary) face(handle uint64) *pdfFont {
	name := ""
	if n := l.number("FPDFFont_GetBaseFontName", handle, uint64(l.names), maxPDFNameBytes); n > 1 && n <= maxPDFNameBytes {
		name = string(l.read(l.names, n-1))
	}
	if tag, rest, ok := strings.Cut(name, "+"); ok && len(tag) == 6 { // of a subset
		name = rest
	}
	flags, weight := max(l.number("FPDFFont_GetFlags", handle), 0), l.number("FPDFFont_GetWeight", handle)
	return &pdfFont{bold: flags&forceBoldFlag != 0 || boldName.MatchString(name) || weight >= 650 && weight <= 1000 && name == ""}
}
