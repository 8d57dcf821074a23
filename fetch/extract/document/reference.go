package document

// Reference is a document that a page refers to, and that may be read to check what the page says about it.
type Reference struct {
	URL  string // absolute; empty when the page names no address
	DOI  string // lower case, without https://doi.org/; empty when there is none
	Text string // the words of the link, or the title that the page gives
}
