package extract

import (
	"mime"
	"path"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// TypeByName returns the media type for a file name, or "" if the type is not supported.
func TypeByName(name string) string {
	name = strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	switch path.Ext(name) {
	case ".html", ".htm", ".xhtml":
		return document.TypeHTML
	case ".md", ".markdown":
		return document.TypeMarkdown
	case ".txt", ".text":
		return document.TypePlain
	case ".pdf":
		return document.TypePDF
	case ".epub":
		return document.TypeEPUB
	case ".docx":
		return document.TypeDOCX
	case ".eml":
		return document.TypeMessage
	case ".rss":
		return document.TypeRSS
	case ".atom":
		return document.TypeAtom
	case ".nxml": // as PubMed Central calls its files
		return document.TypeJATS
	case "":
		if strings.HasPrefix(name, "readme") {
			return document.TypePlain
		}
	}
	return ""
}

// IsText reports whether [Text] reads a type.
func IsText(kind string) bool {
	return kind == document.TypeHTML || kind == document.TypeMarkdown || kind == document.TypePlain
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
