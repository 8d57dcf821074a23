// Package pdf reads PDFs: words and places by PDFium, which runs as WebAssembly without files or network; lines,
// columns, paragraphs and what is repeated on every page by this package.
//
// PDFium has 320 MiB of memory, serves one document and is then thrown away, and is stopped in the middle of a
// call when the time is over (pdfium.go).
package pdf

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
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
	if l.names, err = l.allocate(maxPDFNameBytes); err != nil {
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
		return 0, fmt.Errorf("%w: the PDF is encrypted and needs a password", document.ErrUnsupported)
	case 5:
		return 0, fmt.Errorf("%w: the PDF is protected by an unsupported scheme", document.ErrUnsupported)
	default:
		return 0, fmt.Errorf("%w: it is damaged or not a PDF", errPDFBroken)
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
	l.object = 0 // the last page's objects are gone
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
	links, err := l.links(doc, handle)
	if err != nil {
		return p, 0, err
	}
	linked(p.words, links)
	ok, err := l.number("FPDF_GetPageSizeByIndexF", doc, uint64(index), uint64(l.scratch))
	if err != nil {
		return p, 0, err
	}
	if size := l.floats(); ok != 0 {
		p.width, p.height = size[0], size[1]
	}
	if p.label, err = l.label(doc, index); err != nil {
		return p, 0, err
	}
	_, err = l.call("FPDF_ClosePage", handle)
	return p, chars, err
}
