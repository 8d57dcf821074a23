package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// ErrUnsupported is what extraction answers for a type that is not read. The error that wraps it names the
// type and those that are read.
var ErrUnsupported = errors.New("unsupported type")

// The types that are read, as [Document] names them.
const (
	typeHTML     = "text/html"
	typeMarkdown = "text/markdown"
	typePlain    = "text/plain"
)

// Extract makes a citable document of a body: HTML without what surrounds its content, Markdown and plain text
// as they are.
// contentType is the declared media type with its parameters, or empty; base is the address the body came
// from, or nil. The text is valid UTF-8 without control, zero-width and bidirectional characters, its lines
// end in \n, and its blocks are separated by a blank line.
//
// Extract is deterministic, and its time and memory are bounded by the length of the body whatever the body
// holds; the caller bounds that length. The error wraps [ErrUnsupported] when the type is not one that is
// read.
func Extract(contentType string, body []byte, base *url.URL) (Document, error) {
	x, err := extract(contentType, body, base)
	return x.Document, err
}

// ExtractContext is Extract within a context: when that ends, the extraction ends with its error, half a
// second later at most.
func ExtractContext(ctx context.Context, contentType string, body []byte, base *url.URL) (Document, error) {
	x, err := extractContext(ctx, contentType, body, base)
	return x.Document, err
}

// TypeByName is the media type under which a file of this name is read, or "" when it is not read.
func TypeByName(name string) string {
	name = strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	switch path.Ext(name) {
	case ".html", ".htm", ".xhtml":
		return typeHTML
	case ".md", ".markdown":
		return typeMarkdown
	case ".txt", ".text":
		return typePlain
	case "":
		if strings.HasPrefix(name, "readme") {
			return typePlain
		}
	}
	return ""
}

// extraction is a document and what its page says that is not part of it.
type extraction struct {
	Document
	notFree     bool   // the page declares that it is not free to read
	needsScript bool   // the page says that it needs JavaScript, or is all script
	forwardsTo  string // where a refresh of the page leads
	shown       string // the beginning of what an HTML page shows, its frame included
	shownChars  int    // code points of all that it shows
}

func extract(contentType string, body []byte, base *url.URL) (extraction, error) {
	return extractContext(context.Background(), contentType, body, base)
}

func extractContext(ctx context.Context, contentType string, body []byte, base *url.URL) (extraction, error) {
	kind, err := documentType(contentType, body, base)
	if err != nil {
		return extraction{}, err
	}
	text := decodeText(body, contentType, kind)
	var x extraction
	switch kind {
	case typeHTML:
		if x, err = readHTML(ctx, text, base); err != nil {
			return extraction{}, err
		}
	case typeMarkdown:
		x.Document = extractMarkdown(text)
	default:
		x.Document = extractPlain(text)
	}
	x.ContentType = kind
	x.Chars = codePoints(x.Text)
	if x.SourceType == "" {
		x.SourceType = sourceType(x.Document, base, nil)
	}
	return x, nil
}

// documentType settles how a body is read: by what it is declared to be, corrected by what it plainly is.
func documentType(contentType string, body []byte, base *url.URL) (string, error) {
	declared, params, err := mime.ParseMediaType(contentType)
	if err != nil { // a broken parameter does not spoil the type before it
		declared, _, _ = strings.Cut(contentType, ";")
		declared = strings.ToLower(strings.TrimSpace(declared))
	}
	sniffed, _, _ := strings.Cut(http.DetectContentType(body), ";")
	// Two bytes a character look binary to the detector; a declared UTF-16 is taken at its word.
	wide := strings.HasPrefix(strings.ToLower(params["charset"]), "utf-16")
	if len(body) > 0 && !strings.HasPrefix(sniffed, "text/") && !wide {
		return "", unsupported(firstOf(sniffed, declared))
	}
	byName := ""
	if base != nil {
		byName = TypeByName(base.Path)
	}
	switch declared {
	case typeHTML, "application/xhtml+xml":
		return typeHTML, nil
	case typeMarkdown, "text/x-markdown":
		return typeMarkdown, nil
	case typePlain:
		if byName == typeMarkdown { // as source forges serve raw files
			return typeMarkdown, nil
		}
		return typePlain, nil
	case "", "application/octet-stream", "binary/octet-stream", "unknown/unknown", "application/unknown":
		switch {
		case byName != "":
			return byName, nil
		case sniffed == typeHTML || looksLikeHTML(body):
			return typeHTML, nil
		case sniffed == typePlain:
			return typePlain, nil
		}
		return "", unsupported(sniffed)
	default:
		return "", unsupported(declared)
	}
}

// looksLikeHTML sees what the detector misses: documents that begin with a long comment or an XML declaration.
func looksLikeHTML(body []byte) bool {
	head := bytes.ToLower(body[:min(len(body), 2048)])
	return bytes.Contains(head, []byte("<html")) || bytes.Contains(head, []byte("<!doctype html"))
}

func unsupported(kind string) error {
	if kind == "application/octet-stream" {
		kind = "binary data"
	}
	return fmt.Errorf("%w: %s is not read; HTML, Markdown and plain text are", ErrUnsupported, kind)
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" && v != "application/octet-stream" {
			return v
		}
	}
	return "application/octet-stream"
}
