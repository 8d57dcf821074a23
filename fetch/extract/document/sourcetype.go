package document

import (
	"net/url"
	"strings"

	"golang.org/x/net/publicsuffix"

	"github.com/citeloop/citeloop/internal/docid"
)

// Says holds what a page states about its type. Documents of other formats state nothing.
type Says struct {
	Journal  bool // by the citation tags of a journal or a conference
	News     bool // by linked data
	Practice bool // a blog post, a forum or a technical article
}

// SourceType guesses the type of a source from its metadata and address, by these rules in this order, or returns "". Hosts
// can correct the guess. What a page states of itself never makes it peer or primary.
//
//  1. a preprint server or data repository: primary, because it is not reviewed
//  2. a DOI that the host proves, or there the citation tags of a journal: by the DOI's prefix, see [TypeOfDOI]
//  3. a government, university, standards body or project documentation: primary
//  4. linked data that says NewsArticle: press
//  5. a blog post, forum or technical article: practitioner
func SourceType(d Document, base *url.URL, says Says) string {
	host := ""
	if base != nil {
		host = strings.ToLower(strings.TrimPrefix(base.Hostname(), "www."))
	}
	for _, site := range preprints {
		if onSite(host, site) {
			return "primary"
		}
	}
	if d.DOI != "" && (docid.Registered(host, d.DOI) || docid.Archive(host)) {
		return TypeOfDOI(d.DOI)
	}
	if says.Journal && docid.Archive(host) {
		return "peer"
	}
	if isOfficial(host) {
		return "primary"
	}
	switch {
	case says.News:
		return "press"
	case says.Practice:
		return "practitioner"
	}
	return ""
}

// TypeOfDOI returns the type of a document whose DOI is proven: primary for the prefixes of preprint servers and data
// repositories, else peer.
func TypeOfDOI(doi string) string {
	for _, prefix := range preprintDOIs {
		if strings.HasPrefix(doi, prefix) {
			return "primary"
		}
	}
	return "peer"
}

var (
	preprints = []string{"arxiv.org", "biorxiv.org", "medrxiv.org", "ssrn.com", "osf.io", "preprints.org", "researchsquare.com",
		"chemrxiv.org", "zenodo.org", "figshare.com", "hal.science"}
	preprintDOIs = []string{"10.48550/", "10.1101/", "10.64898/", "10.2139/", "10.31219/", "10.31234/", "10.20944/", "10.21203/",
		"10.26434/", "10.5281/", "10.6084/"}
	officials = []string{"europa.eu", "who.int", "un.org", "oecd.org", "imf.org", "worldbank.org", "ietf.org", "rfc-editor.org",
		"w3.org", "whatwg.org", "iso.org", "unicode.org", "readthedocs.io", "go.dev", "python.org"}
)

// isOfficial reports whether a host is that of a government, a university, a standards body, or project documentation.
func isOfficial(host string) bool {
	for _, site := range officials {
		if onSite(host, site) {
			return true
		}
	}
	for _, prefix := range []string{"docs.", "doc.", "developer.", "developers.", "spec."} {
		if strings.HasPrefix(host, prefix) && strings.Count(host, ".") > 1 {
			return true
		}
	}
	suffix, _ := publicsuffix.PublicSuffix(host) // "gov", "gov.uk", "ac.jp", "gouv.fr"
	switch first, _, _ := strings.Cut(suffix, "."); first {
	case "gov", "gouv", "gob", "govt", "mil", "int", "edu", "ac":
		return host != suffix && suffix != "ac"
	}
	return false
}

func onSite(host, site string) bool { return host == site || strings.HasSuffix(host, "."+site) }
