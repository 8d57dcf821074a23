// Package document defines a citable text with its metadata, and the rules by which every format normalises both: one line
// for a title, a day for a date, no invisible characters.
//
// It holds what the format packages share and opens no file or connection.
package document

import (
	"errors"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/text/lines"
)

// Head is what a document says about itself. All of it is untrusted.
type Head struct {
	Title        string   `json:"title"`
	Authors      []string `json:"authors"`                   // in the page's order, without repeats
	Publisher    string   `json:"publisher,omitempty"`       // the site, journal or publisher
	Container    string   `json:"-"`                         // what Publisher is in a citation: [Journal], [Proceedings]; else empty
	DocStatus    string   `json:"document_status,omitempty"` // Draft, Final, Withdrawn, …, in the document's own words
	Subject      string   `json:"subject,omitempty"`         // as the document's properties state it
	Keywords     string   `json:"keywords,omitempty"`        // the same, separated by commas
	PublishedAt  string   `json:"published_at"`              // YYYY, YYYY-MM or YYYY-MM-DD
	ModifiedAt   string   `json:"modified_at,omitempty"`     // as PublishedAt; the last change that the page states
	DOI          string   `json:"doi"`                       // lower case, without https://doi.org/; never from a reference list
	ArXiv        string   `json:"arxiv,omitempty"`           // the page's own arXiv id without its version, such as 2101.00001
	PMID         string   `json:"pmid,omitempty"`            // the page's own number in PubMed
	Licence      string   `json:"licence,omitempty"`         // the address of the stated licence, or its name
	Language     string   `json:"language"`                  // BCP 47, as declared
	CanonicalURL string   `json:"canonical_url,omitempty"`   // the page's canonical address if it is on the same site
	ContentType  string   `json:"content_type"`              // of the body: text/html, text/markdown, text/plain, application/pdf, …
	SourceType   string   `json:"-"`                         // one of docid.SourceTypes, or empty if unknown
}

// Document is a citable text with its own metadata: all that its reader sees, in reading order. All of it is untrusted.
type Document struct {
	Head
	Blocks []Block

	// What [Document.Write] makes of the blocks.
	Text      string       // lines in valid UTF-8
	Furniture lines.Ranges // the lines that are not content
	Pages     []int        // offset of each page in the text, in code points; nil where the format has no pages
	Chars     int          // code points of the text; set also if the page was too short to keep

	HiddenChars  int    // code points that the document hides from readers, without white space; not in Text
	HiddenOrders int    // phrases in the hidden text that address a model
	Invisible    int    // characters left out of the text that spell words no reader sees; see sanitize.CountInvisible
	Partial      string // a sentence about what could not be read or a limit left out; empty if the text is whole
}

// The values of [Head.Container].
const (
	Journal     = "journal"
	Proceedings = "proceedings"
)

// ErrUnsupported is wrapped by the errors for types and files that cannot be read.
var ErrUnsupported = errors.New("unsupported type")

// Extraction is a document with the signals by which package fetch tells a source from a paywall, a log-in page, a shell or
// a missing page.
type Extraction struct {
	Document
	NotFree     bool   // the page declares that it is not free to read
	NeedsScript bool   // the page says that it needs JavaScript
	HasScripts  bool   // the page has scripts that run, not only data
	Shown       string // the beginning of an HTML page's visible text, with its frame
	ShownChars  int    // code points of the whole visible text
}

var scriptWords = lazyregexp.New(`(?i)(enable|turn on|activate|requires?|needs?|without|allow) (your )?java ?script|java ?script (is ` +
	`|seems to be )?(disabled|not enabled|required|must be enabled|needs to be enabled)|java ?script (aktivieren|activé)|activer ` +
	`javascript|habilit(e|ar) (el )?javascript|unsupported browser|(your|this) browser is (not supported|out of date|no longer ` +
	`supported)|java ?script is (turned off|blocked)|please enable js|loading\.{3}$|habilite o javascript|abilita(re)? javascript`)

// AsksForScripts reports whether a text asks to enable JavaScript.
func AsksForScripts(text string) bool {
	low := strings.ToLower(text)
	may := func(word string) bool { return strings.Contains(low, word) } // most <noscript> hold a picture
	return (may("script") || may("browser") || may("enable js") || may("loading...")) && scriptWords.MatchString(text)
}

// The supported types, as values of [Head.ContentType].
const (
	TypeHTML     = "text/html"
	TypeMarkdown = "text/markdown"
	TypePlain    = "text/plain"
	TypePDF      = "application/pdf"
	TypeEPUB     = "application/epub+zip"
	TypeDOCX     = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	TypeRSS      = "application/rss+xml"
	TypeAtom     = "application/atom+xml"
	TypeJATS     = "application/jats+xml" // not registered, but used by archives
	TypeMessage  = "message/rfc822"
)
