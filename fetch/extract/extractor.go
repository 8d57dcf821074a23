package extract

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/archive"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/feed"
	"github.com/citeloop/citeloop/fetch/extract/jats"
	"github.com/citeloop/citeloop/fetch/extract/limit"
	"github.com/citeloop/citeloop/fetch/extract/mail"
	"github.com/citeloop/citeloop/fetch/extract/pdf"
)

// Config configures an [Extractor].
type Config struct {
	CacheDir   string // for compiled code, which saves 2 s at the first PDF; empty = no cache
	MaxDecoded int64  // bytes to which an archive may unpack
	Logger     *slog.Logger
}

// Extractor extracts documents of every supported type. It is safe for concurrent use. A process should have one, because
// it keeps the PDF library's compiled code.
type Extractor struct {
	cfg Config
	pdf *pdf.Engine
	// PDFs, and messages that may hold them, have a gate of their own with few places, because of PDFium's memory. Each
	// document passes one gate only, so that it does not wait in the place of another.
	pdfs, others limit.Gate
}

// The places of the gate for PDFs. Chosen: with them, PDFium takes 300 MB at most.
const quickPDFs, slowPDFs = 2, 1

// New returns an extractor. Nothing is compiled before the first PDF.
func New(cfg Config) *Extractor {
	return &Extractor{cfg: cfg, pdf: pdf.New(cfg.CacheDir, cfg.Logger),
		pdfs: limit.NewGate(quickPDFs, slowPDFs), others: limit.NewGate(max(2, runtime.GOMAXPROCS(0)), 1)}
}

// Close releases the PDF library's compiled code. The extractor must not be used after it.
func (e *Extractor) Close() error { return e.pdf.Close() }

// Extract makes a document from a body of any supported type. Its arguments are those of [Text], which reads text formats
// only. ctx bounds its time. The number of documents at a time is bounded; others wait.
//
// The error is ctx's, wraps [limit.ErrTooLarge], or wraps [document.ErrUnsupported] if the type is not supported or the file
// is damaged, protected or without text.
func (e *Extractor) Extract(ctx context.Context, contentType string, body []byte, base *url.URL) (x document.Extraction, err error) {
	gate := e.others
	switch formatOf(contentType, body) {
	case document.TypePDF:
		// Compiling PDFium takes 2 s, once. Documents of other types do not wait for it, and it counts for no document.
		if err := e.pdf.Prepare(ctx); err != nil {
			return x, err
		}
		gate = e.pdfs
	case document.TypeMessage:
		gate = e.pdfs
	}
	err = gate.Run(ctx, func(ctx context.Context) (err error) {
		x, err = e.extract(ctx, contentType, body, base)
		return err
	})
	return x, err
}

// extract is Extract without the gates.
func (e *Extractor) extract(ctx context.Context, contentType string, body []byte, base *url.URL) (document.Extraction, error) {
	switch kind := formatOf(contentType, body); kind {
	case document.TypePDF:
		return e.pdf.Extract(ctx, body)
	case document.TypeEPUB:
		return archive.EPUB(ctx, body, e.cfg.MaxDecoded)
	case document.TypeDOCX:
		return archive.DOCX(ctx, body, e.cfg.MaxDecoded)
	case document.TypeMessage:
		return e.message(ctx, mail.Parse(body))
	case document.TypeRSS, document.TypeAtom, document.TypeJSONFeed:
		return feed.Extract(ctx, kind, body, base)
	case document.TypeJATS:
		return jats.Read(ctx, body, base)
	default:
		x, err := Text(ctx, contentType, body, base)
		if errors.Is(err, document.ErrUnsupported) {
			err = cmp.Or(damaged(contentType, body, base), err)
		}
		return x, err
	}
}

// damaged returns the error for a file whose type or name is that of a format, while its content is not, or nil.
func damaged(contentType string, body []byte, base *url.URL) error {
	kind := MediaType(contentType)
	if base != nil && TypeByName(base.Path) != "" {
		kind = TypeByName(base.Path)
	}
	name := map[string]string{document.TypePDF: "PDF", "application/x-pdf": "PDF", document.TypeEPUB: "EPUB", document.TypeDOCX: "DOCX"}[kind]
	switch {
	case name == "DOCX" && bytes.HasPrefix(body, []byte("\xd0\xcf\x11\xe0")): // an OLE container, which Word encrypts into
		return fmt.Errorf("%w: the DOCX needs a password, or is in the older format .doc", document.ErrUnsupported)
	case name != "":
		return fmt.Errorf("%w: the %s is damaged, or a file of another type", document.ErrUnsupported, name)
	case bytes.HasPrefix(body, []byte("PK\x03\x04")):
		return archive.Check(body)
	}
	return nil
}

// formatOf returns the format of a body that is not one of the text formats, or "". The content of the body decides before
// the declared type, which counts alone for an empty body.
func formatOf(contentType string, body []byte) string {
	declared := MediaType(contentType)
	if declared == document.TypeMessage {
		return declared
	}
	if len(body) == 0 {
		switch declared {
		case document.TypePDF, "application/x-pdf", document.TypeEPUB, document.TypeDOCX, document.TypeRSS, document.TypeAtom, document.TypeJSONFeed, document.TypeJATS, "application/vnd.jats+xml", "application/rdf+xml", "application/xml", "text/xml", "application/json":
			return declared
		}
		return ""
	}
	sniffed, _, _ := strings.Cut(http.DetectContentType(body), ";")
	switch {
	case sniffed == document.TypePDF, declared == document.TypePDF && bytes.Contains(body[:min(len(body), 1024)], []byte("%PDF-")):
		return document.TypePDF
	case bytes.HasPrefix(body, []byte("PK\x03\x04")):
		return archive.Format(body)
	case declared == document.TypeHTML, declared == document.TypeMarkdown:
		return ""
	}
	if jats.Is(body) {
		return document.TypeJATS
	}
	return feed.Format(body)
}

// MayRead reports whether a body may be readable, by its header alone.
func MayRead(contentType string, base *url.URL) error {
	if formatOf(contentType, nil) != "" || formatByName(MediaType(contentType), base) != "" {
		return nil
	}
	if _, err := documentType(contentType, nil, base); err != nil {
		return fmt.Errorf("%w: %s is not read; %s are", document.ErrUnsupported, firstOf(MediaType(contentType)), readFormats)
	}
	return nil
}

const readFormats = "HTML, PDF, Markdown, plain text, EPUB, DOCX, messages, feeds and articles in JATS"

// formatByName returns the format for a file name, for servers that declare generic types.
func formatByName(declared string, base *url.URL) string {
	switch declared {
	case "", "application/octet-stream", "binary/octet-stream", "application/download", "application/force-download", "application/zip":
		if base != nil {
			return TypeByName(base.Path)
		}
	}
	return ""
}
