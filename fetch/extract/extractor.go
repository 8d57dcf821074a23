package extract

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/url"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/citeloop/citeloop/fetch/extract/archive"
	"github.com/citeloop/citeloop/fetch/extract/charset"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/feed"
	"github.com/citeloop/citeloop/fetch/extract/html"
	"github.com/citeloop/citeloop/fetch/extract/jats"
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
	// The documents that are parsed at a time, because each may take hundreds of megabytes. PDFs, and messages that may hold them,
	// have few places of their own, because of PDFium's memory.
	pdfs, others *semaphore.Weighted
}

// maxPDFs are parsed at a time. Chosen: PDFium takes 300 MB at most.
const maxPDFs = 3

// New returns an extractor. Nothing is compiled before the first PDF.
func New(cfg Config) *Extractor {
	return &Extractor{cfg: cfg, pdf: pdf.New(cfg.CacheDir, cfg.Logger),
		pdfs: semaphore.NewWeighted(maxPDFs), others: semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0)) + 1)}
}

// Close releases the PDF library's compiled code. The extractor must not be used after it.
func (e *Extractor) Close() error { return e.pdf.Close() }

// Extract makes a document from a body. contentType is the declared media type with its parameters, or empty. base is the address
// of the body, or nil. The text is valid UTF-8 without control, zero-width and bidirectional characters.
//
// The result is deterministic. Time and memory are bounded by the length of the body for any content; the caller bounds that
// length, and ctx the time. The number of documents at a time is bounded; others wait. The error is ctx's, wraps
// [limit.ErrTooLarge], or wraps [document.ErrUnsupported] if the type is not supported or the file is damaged, protected or
// without text.
func (e *Extractor) Extract(ctx context.Context, contentType string, body []byte, base *url.URL) (x document.Extraction, err error) {
	body = charset.Narrow(body)
	kind, err := formatOf(contentType, body, base)
	if err != nil {
		return x, err
	}
	places := e.others
	switch kind {
	case document.TypePDF:
		within, cancel, err := e.prepared(ctx)
		defer cancel()
		if err != nil {
			return x, err
		}
		ctx, places = within, e.pdfs
	case document.TypeMessage:
		places = e.pdfs
	}
	if err := places.Acquire(ctx, 1); err != nil {
		return x, err
	}
	defer places.Release(1)
	return e.read(ctx, kind, contentType, body, base)
}

// prepared compiles PDFium, once, which cannot be cancelled. Its time counts for no document: the deadline of the context that it returns
// is later by as much.
func (e *Extractor) prepared(ctx context.Context) (context.Context, context.CancelFunc, error) {
	start := time.Now()
	err := e.pdf.Prepare()
	deadline, ok := ctx.Deadline()
	if took := time.Since(start); ok && took > time.Second {
		later, cancel := context.WithDeadline(context.WithoutCancel(ctx), deadline.Add(took))
		stop := context.AfterFunc(ctx, func() {
			if errors.Is(ctx.Err(), context.Canceled) {
				cancel()
			}
		})
		return later, func() { stop(); cancel() }, err
	}
	return ctx, func() {}, err
}

// read makes a document from a body of a known format.
func (e *Extractor) read(ctx context.Context, kind, contentType string, body []byte, base *url.URL) (document.Extraction, error) {
	x, err := e.blocks(ctx, kind, contentType, body, base)
	if err != nil {
		return document.Extraction{}, err
	}
	finish(&x, kind, base)
	return x, ctx.Err()
}

// finish writes the lines of a document and completes its head.
func finish(x *document.Extraction, kind string, base *url.URL) {
	x.Write()
	x.Blocks = nil // the lines are what is kept
	x.ContentType = kind
	if kind == document.TypeHTML && x.Title == "" {
		x.Title = document.Title(document.FirstLine(strings.TrimLeft(x.Content(), "# ")))
	}
	x.SourceType = cmp.Or(x.SourceType, document.SourceType(x.Document, base, document.Says{}))
}

// blocks makes the blocks of a body of a known format.
func (e *Extractor) blocks(ctx context.Context, kind, contentType string, body []byte, base *url.URL) (x document.Extraction, err error) {
	switch kind {
	case document.TypePDF:
		return e.pdf.Extract(ctx, body)
	case document.TypeEPUB:
		return archive.EPUB(ctx, body, e.cfg.MaxDecoded)
	case document.TypeDOCX:
		return archive.DOCX(ctx, body, e.cfg.MaxDecoded)
	case document.TypeMessage:
		return e.message(ctx, mail.Parse(body))
	case document.TypeRSS, document.TypeAtom:
		return feed.Read(ctx, body, base)
	case document.TypeJATS:
		return jats.Read(ctx, body, base)
	case document.TypeHTML:
		return html.Read(ctx, charset.Decode(body, contentType, kind), base)
	}
	x.Document = plainText(kind, charset.Decode(body, contentType, kind), base)
	return x, nil
}

// message makes blocks of a message: its header fields as mail programs show them, and its parts. A part that cannot be read is
// replaced by a note.
func (e *Extractor) message(ctx context.Context, m mail.Message) (x document.Extraction, err error) {
	x.Blocks = []document.Block{{Text: strings.Join(m.Head, "\n")}}
	for _, p := range m.Parts {
		part, err := e.part(ctx, p)
		if ctx.Err() != nil {
			return x, ctx.Err()
		}
		if err != nil {
			x.Blocks = append(x.Blocks, document.Block{Text: "[A part of this message cannot be read.]"})
			continue
		}
		x.Blocks = append(x.Blocks, part.Blocks...)
		x.Invisible += part.Invisible
		x.HiddenChars += part.HiddenChars
		x.Language = cmp.Or(x.Language, part.Language)
	}
	if len(m.Attached) > 0 {
		x.Blocks = append(x.Blocks, document.Block{Text: "Attached: " + strings.Join(m.Attached, ", ")})
	}
	x.Title, x.Authors, x.PublishedAt = cmp.Or(document.Title(m.Subject), "(no subject)"), m.From, m.Date
	return x, nil
}

// part reads a part of a message.
func (e *Extractor) part(ctx context.Context, p mail.Part) (x document.Extraction, err error) {
	x, err = e.blocks(ctx, MediaType(p.ContentType), p.ContentType, p.Body, nil)
	if p.Plain == nil || err != nil || len(x.Blocks) > 0 {
		return x, err
	}
	hidden := x.HiddenChars
	x, err = e.part(ctx, *p.Plain)
	x.HiddenChars += hidden
	return x, err
}
