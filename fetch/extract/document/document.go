package document

// Document is a text that can be cited, and what its own metadata says about it. Everything in it was
// written by strangers.
type Document struct {
	Title        string
	Authors      []string    // in the page's order, without repeats
	Publisher    string      // the site, journal or publishing house
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
	Runs         []Run       // what stands in Text and in Markdown alike, in order
	References   []Reference // what it refers to on other sites, and the papers that it cites; at most 300
	HiddenChars  int         // HTML and EPUB only: code points, white space aside, that the page holds and hides from who reads it; not in Text
	Chars        int         // code points of the text; set also when the page was too short to keep
	Pages        []int       // of a PDF: the code point of the text at which each page begins, the first page first
	PageLabels   []string    // of a PDF whose pages have names of their own (iv, 12, A-3): one for each page, else empty
	Chapters     []Chapter   // of an EPUB, in order
	Invisible    int         // characters left out of the text that spell words no reader sees; see sanitize.CountInvisible
	Partial      string      // what was left out by a limit, as a sentence; empty when the text is whole
}
