package extract

import (
	"mime"
	"path"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// typesByEnding are the media types of file names by their endings.
var typesByEnding = map[string]string{
	".html": document.TypeHTML, ".htm": document.TypeHTML, ".xhtml": document.TypeHTML,
	".md": document.TypeMarkdown, ".markdown": document.TypeMarkdown,
	".txt": document.TypePlain, ".text": document.TypePlain,
	".pdf": document.TypePDF, ".epub": document.TypeEPUB, ".docx": document.TypeDOCX,
	".eml": document.TypeMessage, ".rss": document.TypeRSS, ".atom": document.TypeAtom,
	".nxml": document.TypeJATS, // as PubMed Central calls its files
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
