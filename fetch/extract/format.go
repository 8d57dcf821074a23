package extract

import (
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/archive"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/feed"
	"github.com/citeloop/citeloop/fetch/extract/jats"
)

// typesByEnding are the media types of file names by their endings.
var typesByEnding = map[string]string{
	".html": document.TypeHTML, ".htm": document.TypeHTML, ".xhtml": document.TypeHTML,
	".md": document.TypeMarkdown, ".markdown": document.TypeMarkdown,
	".txt": document.TypePlain, ".text": document.TypePlain,
	".pdf": document.TypePDF, ".epub": document.TypeEPUB, ".docx": document.TypeDOCX,
	".eml": document.TypeMessage, ".mht": document.TypeMessage, ".mhtml": document.TypeMessage,
	".rss": document.TypeRSS, ".atom": document.TypeAtom,
	".nxml": document.TypeJATS, // as PubMed Central calls its files
}

// typeXML stands for a declared type that several formats have.
const typeXML = "application/xml"

// otherTypes are the names of types besides those in package document.
var otherTypes = map[string]string{
	"application/xhtml+xml": document.TypeHTML, "text/x-markdown": document.TypeMarkdown, "application/x-pdf": document.TypePDF,
	"application/vnd.jats+xml": document.TypeJATS, "application/rdf+xml": typeXML, "text/xml": typeXML,
	"multipart/related": document.TypeMessage, "text/css": "", "text/javascript": "", "text/event-stream": "",
}

// TypeByName returns the media type for a file name, or "" if the type is not supported.
func TypeByName(name string) string {
	name = strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	ending := path.Ext(name)
	if ending == "" && strings.HasPrefix(name, "readme") {
		return document.TypePlain
	}
	return typesByEnding[ending]
}

// MediaType returns a Content-Type without its parameters, in lower case. Invalid parameters are ignored.
func MediaType(contentType string) string {
	declared, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		declared, _, _ = strings.Cut(contentType, ";")
		declared = strings.ToLower(strings.TrimSpace(declared))
	}
	return declared
}

// expectedType returns the type of a body by its header, or by its name where a server declares a generic type. It is "" if that
// is not known, and may be typeXML.
func expectedType(contentType string, base *url.URL) (expected string, generic bool) {
	named := ""
	if base != nil {
		named = TypeByName(base.Path)
	}
	switch declared := MediaType(contentType); declared {
	case "", "application/octet-stream", "binary/octet-stream", "application/download", "application/force-download",
		"application/zip", "unknown/unknown", "application/unknown":
		return named, true
	case document.TypePlain:
		if named == document.TypeMarkdown { // the way source forges serve raw files
			return named, false
		}
		return declared, false
	case document.TypeHTML, document.TypeMarkdown, document.TypePDF, document.TypeEPUB, document.TypeDOCX, document.TypeMessage,
		document.TypeRSS, document.TypeAtom, document.TypeJATS, typeXML:
		return declared, false
	default:
		named, ok := otherTypes[declared]
		if !ok && strings.HasPrefix(declared, "text/") {
			named = document.TypePlain
		}
		return named, false
	}
}

// formatOf returns the format of a body: what its bytes say, and where they leave it open, what its header or its name says.
// The error wraps [document.ErrUnsupported].
func formatOf(contentType string, body []byte, base *url.URL) (string, error) {
	expected, generic := expectedType(contentType, base)
	sniffed, _, _ := strings.Cut(http.DetectContentType(body), ";")
	if sniffed == "application/octet-stream" { // a text may have signs that a terminal or an old program knew
		sniffed, _, _ = strings.Cut(http.DetectContentType(bytes.Map(unlessSign, body[:min(len(body), 512)])), ";")
	}
	switch {
	case expected == document.TypeMessage, len(body) == 0 && expected != "":
		return expected, nil
	case isPDF(body), expected == document.TypePDF && bytes.Contains(body[:min(len(body), headBytes)], pdfMark):
		return document.TypePDF, nil
	case bytes.HasPrefix(body, []byte("PK\x03\x04")):
		if format := archive.Format(body); format != "" {
			return format, nil
		}
		return "", damaged(expected, sniffed, body)
	case !strings.HasPrefix(sniffed, "text/") && !isWide(contentType) && len(body) > 0:
		return "", damaged(expected, sniffed, body)
	case expected == document.TypeHTML, expected == document.TypeMarkdown:
		return expected, nil
	case jats.Is(body):
		return document.TypeJATS, nil
	}
	if format := feed.Format(body); format != "" {
		return format, nil
	}
	switch {
	case expected == document.TypePlain:
		return expected, nil
	case sniffed == document.TypeHTML && (generic || expected != "" || isProgramsType(contentType)),
		(generic || expected != "") && looksLikeHTML(body):
		return document.TypeHTML, nil
	case generic && expected == "":
		return document.TypePlain, nil
	}
	return "", damaged(expected, MediaType(contentType), body)
}

// unlessSign leaves out the bell, the backspace, line breaks of word processors, the end of a file of DOS and separators.
func unlessSign(r rune) rune {
	if strings.ContainsRune("\x07\x08\x0b\x1a\x1c\x1d\x1e\x1f", r) {
		return -1
	}
	return r
}

// A PDF has its mark within so many bytes.
const headBytes = 1024

var pdfMark = []byte("%PDF-")

// isPDF reports a PDF, with or without the white space that programs write before what they send.
func isPDF(body []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(body[:min(len(body), headBytes)], "\ufeff \t\r\n\f"), pdfMark)
}

// isWide reports a declared encoding whose texts look binary.
func isWide(contentType string) bool {
	_, params, _ := mime.ParseMediaType(contentType)
	return strings.HasPrefix(strings.ToLower(params["charset"]), "utf-16")
}

// isProgramsType reports a declared type that servers send for all that their programs answer, also pages.
func isProgramsType(contentType string) bool {
	kind := MediaType(contentType)
	return strings.HasPrefix(kind, "application/") || !strings.Contains(kind, "/")
}

// looksLikeHTML recognises documents that the detector misses: those that begin with a long comment or an XML declaration.
func looksLikeHTML(body []byte) bool {
	head := bytes.ToLower(body[:min(len(body), 2048)])
	return bytes.Contains(head, []byte("<html")) || bytes.Contains(head, []byte("<!doctype html"))
}

// damaged returns the error for a body that is not of the expected format; found is the type that is not read.
func damaged(expected, found string, body []byte) error {
	name := map[string]string{document.TypePDF: "PDF", document.TypeEPUB: "EPUB", document.TypeDOCX: "DOCX"}[expected]
	switch {
	case name == "DOCX" && bytes.HasPrefix(body, []byte("\xd0\xcf\x11\xe0")): // an OLE container, which Word encrypts into
		return fmt.Errorf("%w: the DOCX needs a password, or is in the older format .doc", document.ErrUnsupported)
	case name != "":
		return fmt.Errorf("%w: the %s is damaged, or a file of another type", document.ErrUnsupported, name)
	case bytes.HasPrefix(body, []byte("PK\x03\x04")):
		if err := archive.Check(body); err != nil {
			return err
		}
	}
	return unsupported(found)
}

func unsupported(kind string) error {
	if kind == "" || kind == "application/octet-stream" {
		kind = "binary data"
	}
	return fmt.Errorf("%w: %s is not read; HTML, Markdown, plain text, PDF, EPUB, DOCX, messages, feeds and articles in JATS are",
		document.ErrUnsupported, kind)
}
