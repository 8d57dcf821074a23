// Package document defines a citable text with its metadata, and the rules by which every format normalises both: one line
// for a title, a day for a date, no invisible characters.
//
// It holds what the format packages share and opens no file or connection.
package document

import (
	"errors"
	"regexp"
)

// Document is a citable text with its own metadata. All of it is untrusted.
type Document struct {
	Title        string
	Authors      []string    // in the page's order, without repeats
	Publisher    string      // the site, journal or publisher
	PublishedAt  string      // YYYY, YYYY-MM or YYYY-MM-DD
	DOI          string      // lower case, without https://doi.org/; the page's own, never from a reference list
	Language     string      // BCP 47, as the page declares it
	CanonicalURL string      // the page's own canonical address, when it is on the same site
	ContentType  string      // the type that was read: text/html, text/markdown, text/plain, application/pdf, …
	SourceType   string      // one of loopstate.SourceTypes, or empty when unknown
	ModifiedAt   string      // as PublishedAt; the page's last change, when it says so
	ArXiv        string      // the page's own arXiv id without its version, as 2101.00001
	PMID         string      // the page's own number in PubMed
	Licence      string      // the address of the licence that the page states, or its name
	Text         string      // plain text in valid UTF-8, blocks separated by a blank line
	Markdown     string      // the same as Markdown, with code, tables, lists, links, formulas and footnotes; empty for plain text and Markdown
	Runs         []Run       // pieces that Text and Markdown share, in order
	References   []Reference // what it refers to on other sites, and the papers that it cites; at most 300
	HiddenChars  int         // HTML and EPUB only: code points, white space aside, that the page holds and hides from who reads it; not in Text
	HiddenOrders int         // HTML only: phrases that address a model, in what the page hides
	Chars        int         // code points of the text; set also when the page was too short to keep
	Pages        []int       // of a PDF: the code point of the text at which each page begins, the first page first
	PageLabels   []string    // of a PDF whose pages have names of their own (iv, 12, A-3): one for each page, else empty
	Chapters     []Chapter   // of an EPUB, in order
	Invisible    int         // characters left out of the text that spell words no reader sees; see sanitize.CountInvisible
	Partial      string      // what was left out by a limit, as a sentence; empty when the text is whole
}

// ErrUnsupported is wrapped by the errors for types and files that cannot be read.
var ErrUnsupported = errors.New("unsupported type")

// Extraction is a document with the signals by which package fetch tells a source from a paywall, a log-in page, a shell or
// a missing page.
type Extraction struct {
	Document
	NotFree     bool   // the page declares that it is not free to read
	NeedsScript bool   // the page says that it needs JavaScript
	HasScripts  bool   // the page has scripts that run, not data alone
	ForwardsTo  string // where a refresh of the page leads
	Shown       string // the beginning of what an HTML page shows, its frame included
	ShownChars  int    // code points of all that it shows
}

var scriptWords = regexp.MustCompile(`(?i)(enable|turn on|activate|requires?|needs?|without|allow) (your )?java ?script|java ?script (is |seems to be )?(disabled|not enabled|required|must be enabled|needs to be enabled)|java ?script (aktivieren|activé)|activer javascript|habilit(e|ar) (el )?javascript|unsupported browser|(your|this) browser is (not supported|out of date|no longer supported)|java ?script is (turned off|blocked)|please enable js|loading\.{3}$|habilite o javascript|abilita(re)? javascript`)

// AsksForScripts reports words that ask to turn JavaScript on.
func AsksForScripts(text string) bool { return scriptWords.MatchString(text) }

// The types that are read, as [Document.ContentType] names them.
const (
	TypeHTML     = "text/html"
	TypeMarkdown = "text/markdown"
	TypePlain    = "text/plain"
	TypePDF      = "application/pdf"
	TypeEPUB     = "application/epub+zip"
	TypeDOCX     = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	TypeRSS      = "application/rss+xml"
	TypeAtom     = "application/atom+xml"
	TypeJSONFeed = "application/feed+json"
	TypeJATS     = "application/jats+xml" // not registered, and what archives call it
	TypeMessage  = "message/rfc822"
)

// Reference is a document that a page refers to, and that may be read to check what the page says about it.
type Reference struct {
	URL  string // absolute; empty when the page names no address
	DOI  string // lower case, without https://doi.org/; empty when there is none
	Text string // the words of the link, or the title that the page gives
}
