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
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/charset"
	"github.com/citeloop/citeloop/fetch/extract/html"

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
		within, cancel, err := e.prepared(ctx)
		defer cancel()
		if err != nil {
			return x, err
		}
		ctx, gate = within, e.pdfs
	case document.TypeMessage:
		gate = e.pdfs
	}
	err = gate.Run(ctx, func(ctx context.Context) (err error) {
		x, err = e.extract(ctx, contentType, body, base)
		return err
	})
	return x, err
}

// maxPreparing bounds the compilation of PDFium, which takes 2 s on a fast machine and a minute in a test with the race detector.
const maxPreparing = 4 * time.Minute

// prepared compiles PDFium, once. Documents of other types do not wait for it, and its time counts for no document: the deadline
// of the context that it returns is later by as much.
func (e *Extractor) prepared(ctx context.Context) (context.Context, context.CancelFunc, error) {
	start := time.Now()
	within, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			cancel()
		}
	})
	preparing, done := context.WithTimeout(within, maxPreparing)
	err := e.pdf.Prepare(preparing)
	done()
	end := func() { stop(); cancel() }
	if deadline, ok := ctx.Deadline(); ok {
		later, cancelLater := context.WithDeadline(within, deadline.Add(time.Since(start)))
		return later, func() { cancelLater(); end() }, err
	}
	return within, end, err
}

// extract is Extract without the gates. It writes the lines of the document.
func (e *Extractor) extract(ctx context.Context, contentType string, body []byte, base *url.URL) (document.Extraction, error) {
	x, err := e.blocks(ctx, contentType, body, base)
	if err == nil && x.Blocks != nil { // a format that makes no blocks yet has written them
		x.Write()
		x.Blocks = nil // the lines are what is kept
	}
	return x, err
}

// blocks reads a document of any format.
func (e *Extractor) blocks(ctx context.Context, contentType string, body []byte, base *url.URL) (document.Extraction, error) {
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

// Message makes a document from a message: its header fields as mail programs show them, and its text. A part that cannot
// be read is replaced by a note. The error is ctx's.
func (e *Extractor) Message(ctx context.Context, m mail.Message) (x document.Extraction, err error) {
	err = e.pdfs.Run(ctx, func(ctx context.Context) (err error) {
		x, err = e.message(ctx, m)
		return err
	})
	return x, err
}

// message is Message without the gate.
func (e *Extractor) message(ctx context.Context, m mail.Message) (document.Extraction, error) {
	var blocks []string
	var head []string
	for _, line := range [][2]string{{"From", strings.Join(m.From, ", ")}, {"Date", m.Date}, {"Subject", m.Subject}} {
		if line[1] != "" {
			head = append(head, line[0]+": "+line[1])
		}
	}
	blocks = append(blocks, strings.Join(head, "\n"))
	var x document.Extraction
	for _, p := range m.Parts {
		part, err := e.extract(ctx, p.ContentType, p.Body, nil)
		if ctx.Err() != nil {
			return x, ctx.Err()
		}
		if err != nil {
			blocks = append(blocks, "[A part of this message cannot be read.]")
			continue
		}
		if p.HTML != nil {
			shown := html.Text(charset.Decode(p.HTML.Body, p.HTML.ContentType, document.TypeHTML))
			if missing := wordsMissing(part.Text, shown); missing > 0 && shown != "" { // people see the other part
				x.HiddenChars += missing
				part.Text = shown
				if missing > maxMissing {
					blocks = append(blocks, "[The plain text of this message differs from its HTML, which mail programs show and which follows.]")
				}
			}
		}
		blocks = append(blocks, part.Text)
		x.Invisible += part.Invisible
		x.Language = cmp.Or(x.Language, part.Language)
	}
	if len(m.Attached) > 0 {
		blocks = append(blocks, "Attached: "+strings.Join(m.Attached, ", "))
	}
	x.Text = document.Tidy(strings.Join(blocks, "\n\n"))
	x.Title, x.Authors, x.PublishedAt, x.ContentType = document.Title(m.Subject), m.From, m.Date, document.TypeMessage
	x.Title = cmp.Or(x.Title, "(no subject)")
	x.Chars = utf8.RuneCountInString(x.Text)
	return x, nil
}

// maxMissing is how many characters of plain text need no notice: links and names of pictures that HTML does not spell out.
const maxMissing = 200

// wordsMissing counts the characters of the words of a text that another does not have; addresses do not count.
func wordsMissing(text, other string) (chars int) {
	split := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("<>≤≥=−-+%", r)
		})
	}
	have := map[string]bool{}
	for _, word := range split(other) {
		have[trimRules(word)] = true
	}
	for field := range strings.FieldsSeq(text) {
		if strings.Contains(field, "://") || strings.ContainsRune(field, '@') {
			continue
		}
		for _, word := range split(field) {
			if word = trimRules(word); !have[word] {
				chars += utf8.RuneCountInString(word)
			}
		}
	}
	return chars
}

// trimRules removes what only draws a line or marks a quotation; a single sign is a word.
func trimRules(word string) string {
	if len(word) == 1 {
		return word
	}
	return strings.Trim(word, "-=<>")
}
