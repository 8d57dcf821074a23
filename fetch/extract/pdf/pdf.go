package pdf

import (
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

const (
	maxPDFPages     = 2_000      // standards and books reach some 1,500
	maxPDFPageChars = 200_000    // for one page; a newspaper page has 30,000
	maxPDFChars     = 20_000_000 // for one document, as for a page of HTML
)

// pdfFile is the content of a file before interpretation.
type pdfFile struct {
	pages   []pageLines
	info    map[string]string // Title, Author, Subject, Keywords
	count   int               // pages of the file; with a limit, more than were read
	letters int
	unseen  int    // invisible characters
	missing int    // characters that the fonts map to nothing
	cut     string // the limit that ended the reading before the last page
}

// Extract reads a PDF.
func (e *Engine) Extract(ctx context.Context, body []byte) (document.Extraction, error) {
	file, err := e.readPDF(ctx, body)
	if err != nil {
		return document.Extraction{}, err
	}
	if file.missing > 0 {
		file = e.mended(ctx, body, file)
	}
	x := document.Extraction{Document: file.document()}
	x.ContentType = document.TypePDF
	if x.Chars == 0 {
		return document.Extraction{}, fmt.Errorf("%w: the PDF has %s, and no text layer: it holds pictures of text, which are not read",
			document.ErrUnsupported, english.Plural(file.count, "page", ""))
	}
	return x, nil
}

// readPDF reads the words of a file.
func (e *Engine) readPDF(ctx context.Context, body []byte) (pdfFile, error) {
	var file pdfFile
	var last time.Time // after which no further page is started, so that the pages before are kept
	if end, ok := ctx.Deadline(); ok {
		last = end.Add(-time.Until(end) / 4) // leaves time for the layout
	}
	err := e.open(ctx, func(l *pdfLibrary) error {
		doc, err := l.load(body)
		if err != nil {
			return err
		}
		file.info = map[string]string{}
		for _, key := range []string{"Title", "Author", "Subject", "Keywords"} {
			file.info[key] = l.metaText(doc, key)
		}
		file.count = l.number("FPDF_GetPageCount", doc)
		chars := 0
		for i := 0; i < file.count && l.err == nil; i++ {
			if file.cut = limitAt(i, chars, last); file.cut != "" {
				return nil
			}
			page, n := l.page(doc, i)
			chars, file.letters, file.unseen, file.missing = chars+n, l.letters, l.unseen, l.missing
			file.pages = append(file.pages, page)
		}
		return l.err
	})
	return file, err
}

// limitAt returns the limit that page i of a file exceeds after so many characters, or "". The first page is always read.
func limitAt(i, chars int, last time.Time) string {
	switch {
	case i == 0:
	case i >= maxPDFPages:
		return "more are not read"
	case chars > maxPDFChars:
		return fmt.Sprintf("they have more than %d characters", maxPDFChars)
	case !last.IsZero() && time.Now().After(last):
		return "the time allowed was over"
	}
	return ""
}

// load opens a document.
func (l *pdfLibrary) load(body []byte) (doc uint64, err error) {
	l.scratch = l.allocate(16)
	data := l.write(body)
	if doc = l.call("FPDF_LoadMemDocument", uint64(data), uint64(len(body)), 0); doc != 0 {
		return doc, nil
	}
	code := l.number("FPDF_GetLastError")
	switch {
	case l.err != nil:
		return 0, l.err
	case code == 4 || code == 5: // FPDF_ERR_PASSWORD and FPDF_ERR_SECURITY of fpdfview.h
		return 0, fmt.Errorf("%w: the PDF is encrypted and needs a password", document.ErrUnsupported)
	}
	return 0, fmt.Errorf("%w: it is damaged or not a PDF", errPDFBroken)
}

// page reads the words of one page. A page that cannot be loaded is empty: the others may be intact.
func (l *pdfLibrary) page(doc uint64, index int) (p pageLines, chars int) {
	handle := l.call("FPDF_LoadPage", doc, uint64(index))
	if handle == 0 {
		return p, 0
	}
	// What is written into fields and boxes becomes a part of the page.
	if l.number("FPDFPage_GetAnnotCount", handle) > 0 && l.number("FPDFPage_Flatten", handle, 0) == 1 {
		l.call("FPDF_ClosePage", handle)
		handle = l.call("FPDF_LoadPage", doc, uint64(index))
	}
	if text := l.call("FPDFText_LoadPage", handle); text != 0 {
		chars = min(max(l.number("FPDFText_CountChars", text), 0), maxPDFPageChars)
		p.columns, p.rotated = layout(wordsOf(l.glyphs(text, chars)))
		p.dropLineNumbers()
		l.call("FPDFText_ClosePage", text)
	}
	l.call("FPDF_ClosePage", handle)
	return p, chars
}

// document makes a document from a file: its pages in reading order and its metadata.
func (f pdfFile) document() document.Document {
	d := document.Document{Invisible: f.unseen}
	front := titlePageOf(f.pages) // before furniture is moved: journals print the DOI in it
	moveFurniture(f.pages)
	usual := usualOf(f.pages)
	structure(f.pages, usual)
	d.Blocks = blocksOf(f.pages, usual)
	d.Write()
	if f.count > len(f.pages) {
		d.Partial = fmt.Sprintf("only the first %d of %d pages were read: %s", len(f.pages), f.count, f.cut)
	}
	if f.missing > 0 {
		if d.Partial != "" {
			d.Partial += "; "
		}
		d.Partial += english.Plural(f.missing, "character", "") + " that the fonts map to nothing became \uFFFD"
	}
	d.DOI = front.doi()
	d.Title = front.title(f.info["Title"], d.Blocks)
	d.Authors = front.authors(f.info["Author"])
	d.Subject, d.Keywords = document.Title(f.info["Subject"]), document.Title(f.info["Keywords"])
	d.PublishedAt = front.stamped()
	return d
}
