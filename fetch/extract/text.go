package extract

import (
	"bytes"
	"context"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/charset"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/html"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// Text makes a citable document from a body of text: the main content of HTML, and unchanged Markdown and plain text.
// contentType is the declared media type with its parameters, or empty. base is the address of the body, or nil. The text
// is valid UTF-8 without control, zero-width and bidirectional characters. Its lines end in \n, and blank lines separate its
// blocks.
//
// Text is deterministic. Its time and memory are bounded by the length of the body for any content; the caller bounds that
// length. It returns the error of ctx at most half a second after ctx ends. Other errors wrap [document.ErrUnsupported]: the
// type is not supported.
func Text(ctx context.Context, contentType string, body []byte, base *url.URL) (document.Extraction, error) {
	kind, err := documentType(contentType, body, base)
	if err != nil {
		return document.Extraction{}, err
	}
	text := charset.Decode(body, contentType, kind)
	var x document.Extraction
	switch kind {
	case document.TypeHTML:
		if x, err = html.Read(ctx, text, base); err != nil {
			return document.Extraction{}, err
		}
		x.Blocks = nil
	case document.TypeMarkdown:
		x.Document = markdownText(text)
	default:
		x.Document = plainText(text, base)
	}
	if kind != document.TypeHTML { // which counts them in its elements
		x.Invisible = sanitize.CountInvisible(text)
	}
	x.ContentType = kind
	x.Chars = utf8.RuneCountInString(x.Text)
	if x.SourceType == "" {
		x.SourceType = document.SourceType(x.Document, base, document.Says{})
	}
	return x, nil
}

// documentType returns the type of a body: the declared one, unless the content contradicts it.
func documentType(contentType string, body []byte, base *url.URL) (string, error) {
	declared := MediaType(contentType)
	_, params, _ := mime.ParseMediaType(contentType)
	sniffed, _, _ := strings.Cut(http.DetectContentType(body), ";")
	// UTF-16 looks binary to the detector, so its declaration is trusted.
	wide := strings.HasPrefix(strings.ToLower(params["charset"]), "utf-16")
	if len(body) > 0 && !strings.HasPrefix(sniffed, "text/") && !wide {
		return "", unsupported(firstOf(sniffed, declared))
	}
	byName := ""
	if base != nil {
		if byName = TypeByName(base.Path); !IsText(byName) {
			byName = ""
		}
	}
	switch declared {
	case document.TypeHTML, "application/xhtml+xml":
		return document.TypeHTML, nil
	case document.TypeMarkdown, "text/x-markdown":
		return document.TypeMarkdown, nil
	case document.TypePlain:
		if byName == document.TypeMarkdown { // the way source forges serve raw files
			return document.TypeMarkdown, nil
		}
		return document.TypePlain, nil
	case "", "application/octet-stream", "binary/octet-stream", "unknown/unknown", "application/unknown":
		switch {
		case byName != "":
			return byName, nil
		case sniffed == document.TypeHTML || looksLikeHTML(body):
			return document.TypeHTML, nil
		case sniffed == document.TypePlain:
			return document.TypePlain, nil
		}
		return "", unsupported(sniffed)
	default:
		return "", unsupported(declared)
	}
}

// looksLikeHTML recognises documents that the detector misses: those that begin with a long comment or an XML declaration.
func looksLikeHTML(body []byte) bool {
	head := bytes.ToLower(body[:min(len(body), 2048)])
	return bytes.Contains(head, []byte("<html")) || bytes.Contains(head, []byte("<!doctype html"))
}

func unsupported(kind string) error {
	if kind == "application/octet-stream" {
		kind = "binary data"
	}
	return fmt.Errorf("%w: %s is not read; HTML, Markdown and plain text are", document.ErrUnsupported, kind)
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" && v != "application/octet-stream" {
			return v
		}
	}
	return "application/octet-stream"
}
