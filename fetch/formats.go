package fetch

import (
	"bytes"
	"context"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// The types that are read beside text, as [Document] names them.
const (
	typeEPUB     = "application/epub+zip"
	typeDOCX     = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	typeRSS      = "application/rss+xml"
	typeAtom     = "application/atom+xml"
	typeJSONFeed = "application/feed+json"
)

// Extract makes a document of a body of any type that is read, PDF among them. Its arguments are those of the
// package's Extract, which reads text alone; ctx bounds the time that a PDF may take.
//
// The error wraps [ErrUnsupported] when the type is not read, or the file is damaged, protected or without
// text; it says which.
func (r *Reader) Extract(ctx context.Context, contentType string, body []byte, base *url.URL) (Document, error) {
	ctx, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
	defer cancel()
	x, err := r.extractBody(ctx, contentType, body, base)
	return x.Document, err
}

// extractBody reads a body by its format.
func (r *Reader) extractBody(ctx context.Context, contentType string, body []byte, base *url.URL) (extraction, error) {
	switch kind := formatOf(contentType, body, base); kind {
	case typePDF:
		return r.pdf.extractPDF(ctx, body)
	case typeEPUB, typeDOCX:
		a, err := openArchive(body, r.cfg.MaxDecoded)
		if err != nil {
			return extraction{}, err
		}
		if kind == typeEPUB {
			return extractEPUB(ctx, a, base)
		}
		return extractDOCX(a)
	case typeRSS, typeAtom, typeJSONFeed:
		return extractFeed(ctx, kind, body, base)
	default:
		return extractContext(ctx, contentType, body, base)
	}
}

// formatOf is the format of a body beside the text formats, or "". What the body plainly is counts for more
// than what it is declared to be; a body of length 0 is judged by its declaration alone.
func formatOf(contentType string, body []byte, base *url.URL) string {
	declared := mediaType(contentType)
	if len(body) == 0 {
		switch declared {
		case typePDF, "application/x-pdf", typeEPUB, typeDOCX, typeRSS, typeAtom, typeJSONFeed, "application/rdf+xml", "application/xml", "text/xml", "application/json":
			return declared
		}
		return ""
	}
	sniffed, _, _ := strings.Cut(http.DetectContentType(body), ";")
	switch {
	case sniffed == typePDF, declared == typePDF && bytes.Contains(body[:min(len(body), 1024)], []byte("%PDF-")):
		return typePDF
	case bytes.HasPrefix(body, []byte("PK\x03\x04")):
		return archiveFormat(body)
	case declared == typeHTML, declared == typeMarkdown:
		return ""
	}
	if kind := feedFormat(body); kind != "" {
		return kind
	}
	return ""
}

func mediaType(contentType string) string {
	declared, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		declared, _, _ = strings.Cut(contentType, ";")
		declared = strings.ToLower(strings.TrimSpace(declared))
	}
	return declared
}

// mayBeRead tells by the header alone whether a body is worth receiving.
func mayBeRead(contentType string, base *url.URL) error {
	if formatOf(contentType, nil, base) != "" || formatByName(mediaType(contentType), base) != "" {
		return nil
	}
	if _, err := documentType(contentType, nil, base); err != nil {
		return fmt.Errorf("%w: %s is not read; %s are", ErrUnsupported, firstOf(mediaType(contentType)), readFormats)
	}
	return nil
}

const readFormats = "HTML, PDF, Markdown, plain text, EPUB, DOCX and feeds"

// formatByName is the format of a file's name, for servers that call it no more than data.
func formatByName(declared string, base *url.URL) string {
	switch declared {
	case "", "application/octet-stream", "binary/octet-stream", "application/download", "application/force-download", "application/zip":
		if base != nil {
			return FileType(base.Path)
		}
	}
	return ""
}

// FileType is the media type under which a [Reader] reads a file of this name, or "" when it does not.
func FileType(name string) string {
	switch strings.ToLower(path.Ext(strings.ReplaceAll(name, `\`, "/"))) {
	case ".pdf":
		return typePDF
	case ".epub":
		return typeEPUB
	case ".docx":
		return typeDOCX
	case ".rss":
		return typeRSS
	case ".atom":
		return typeAtom
	}
	return TypeByName(name)
}
