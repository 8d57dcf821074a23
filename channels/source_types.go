package channels

import (
	"net/url"
	"strings"
)

// Rules that map each source's kinds of documents to source types (peer, primary, press, practitioner). A kind without
// a rule has the empty source type; it is not guessed.

// sourceTypes maps Crossref's types; the other scholarly channels translate into them. Books and chapters are missing,
// because records do not say whether they are refereed.
var sourceTypes = map[string]string{
	"journal-article":     "peer",
	"proceedings-article": "peer",
	"posted-content":      "primary", // preprints: the authors' own word, not refereed
	"dissertation":        "primary",
	"report":              "primary",
	"report-component":    "primary",
	"standard":            "primary",
	"dataset":             "primary",
	"database":            "primary",
	"grant":               "primary",
	"software":            "primary", // the program itself, or its authors' description
}

// dataciteTypes translates DataCite's resourceTypeGeneral (metadata schema 4.6). "Text" is too general; dataciteTexts
// then translates the free text of resourceType.
var dataciteTypes = map[string]string{
	"JournalArticle": "journal-article", "ConferencePaper": "proceedings-article", "PeerReview": "journal-article",
	"Preprint": "posted-content", "Dissertation": "dissertation", "Report": "report", "Standard": "standard",
	"Dataset": "dataset", "DataPaper": "journal-article", "Software": "software", "Model": "software",
	"ComputationalNotebook": "software", "Collection": "dataset", "Image": "dataset", "Audiovisual": "dataset",
	"Sound": "dataset", "OutputManagementPlan": "report", "Workflow": "software", "PhysicalObject": "dataset",
}

var dataciteTexts = map[string]string{
	"conferencepaper": "proceedings-article", "conference paper": "proceedings-article", "journal article": "journal-article",
	"journalarticle": "journal-article", "article": "journal-article", "preprint": "posted-content", "report": "report",
	"technical report": "report", "working paper": "report", "thesis": "dissertation", "dissertation": "dissertation",
	"doctoral thesis": "dissertation", "master thesis": "dissertation",
}

// dblpTypes translates the sections of DBLP.
var dblpTypes = map[string]string{
	"Journal Articles": "journal-article", "Conference and Workshop Papers": "proceedings-article",
	"Informal Publications": "posted-content", "Informal and Other Publications": "posted-content", "Data and Artifacts": "dataset",
}

// zoteroTypes translates Zotero's item types; zoteroSourceTypes are those that Crossref has no name for.
var zoteroTypes = map[string]string{
	"journalArticle": "journal-article", "conferencePaper": "proceedings-article", "preprint": "posted-content", "thesis": "dissertation",
	"report": "report", "standard": "standard", "dataset": "dataset", "computerProgram": "software",
}

var zoteroSourceTypes = map[string]string{
	"newspaperArticle": "press", "case": "primary", "statute": "primary", "bill": "primary", "hearing": "primary", "patent": "primary",
	"forumPost": "practitioner",
}

// openAlexTypes translates OpenAlex's types. "article" and "review" are refereed only in a journal or in proceedings,
// which openAlexType checks.
var openAlexTypes = map[string]string{
	"article": "journal-article", "review": "journal-article", "preprint": "posted-content", "dissertation": "dissertation",
	"report": "report", "standard": "standard", "dataset": "dataset", "software": "software", "grant": "grant",
}

// medlineType returns the source type for publication types of PubMed and Europe PMC. A record has several: types that
// are not refereed outweigh "Journal Article", which MEDLINE also gives to letters and news.
func medlineType(types []string) string {
	said := map[string]bool{}
	for _, t := range types {
		said[strings.ReplaceAll(strings.ToLower(strings.TrimSpace(t)), "-", " ")] = true
	}
	for _, t := range []string{"preprint", "practice guideline", "guideline", "technical report", "clinical trial protocol", "dataset", "government publication", "thesis", "patent"} {
		if said[t] {
			return "primary"
		}
	}
	for _, t := range []string{"news", "newspaper article"} {
		if said[t] {
			return "press"
		}
	}
	for _, t := range []string{"letter", "editorial", "comment", "interview", "biography", "book review", "retracted publication", "retraction of publication", "published erratum", "correction", "correspondence"} {
		if said[t] {
			return ""
		}
	}
	for _, t := range []string{"journal article", "research article", "review", "review article", "systematic review", "meta analysis", "clinical trial", "randomized controlled trial", "case reports", "case report"} {
		if said[t] {
			return "peer"
		}
	}
	return ""
}

// Sites, for channels that find pages of any kind. The lists are short on purpose: pages of other sites have no source
// type until they are read.
var (
	officialSites = []string{"gov", "mil", "int", "europa.eu", "gov.uk", "gc.ca", "admin.ch", "gouv.fr", "bund.de", "who.int", "un.org", "oecd.org", "imf.org",
		"worldbank.org", "ietf.org", "rfc-editor.org", "w3.org", "whatwg.org", "iso.org", "unicode.org", "go.dev", "python.org", "arxiv.org", "biorxiv.org", "medrxiv.org"}
	pressSites = []string{"reuters.com", "apnews.com", "afp.com", "bbc.com", "bbc.co.uk", "nytimes.com", "washingtonpost.com", "wsj.com", "ft.com", "economist.com",
		"bloomberg.com", "theguardian.com", "npr.org", "lemonde.fr", "spiegel.de", "zeit.de", "faz.net", "elpais.com", "nikkei.com", "asahi.com", "aljazeera.com", "politico.com"}
	practitionerSites = []string{"stackoverflow.com", "stackexchange.com", "superuser.com", "serverfault.com", "askubuntu.com", "news.ycombinator.com", "lobste.rs",
		"reddit.com", "dev.to", "medium.com", "substack.com", "github.com", "gitlab.com", "wordpress.com", "blogspot.com", "hashnode.dev"}
)

// typeOfSite returns the source type for the host of an address, or "" for other sites.
func typeOfSite(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	host := strings.ToLower(u.Hostname())
	for _, list := range []struct {
		sites []string
		kind  string
	}{{officialSites, "primary"}, {pressSites, "press"}, {practitionerSites, "practitioner"}} {
		for _, site := range list.sites {
			if host == site || strings.HasSuffix(host, "."+site) {
				return list.kind
			}
		}
	}
	return ""
}

// preprintDOIs are the prefixes of arXiv, bioRxiv and medRxiv (two), SSRN, OSF, PsyArXiv, Preprints.org, Research
// Square and ChemRxiv.
var preprintDOIs = []string{"10.48550/", "10.1101/", "10.64898/", "10.2139/", "10.31219/", "10.31234/", "10.20944/", "10.21203/", "10.26434/"}

// isPreprint reports whether all DOIs and arXiv ids are those of a preprint.
func isPreprint(ids map[string]bool) bool {
	preprint := false
	for id := range ids {
		doi, isDOI := strings.CutPrefix(id, "doi:")
		switch {
		case isDOI && preprintDOI(doi), strings.HasPrefix(id, "arxiv:"):
			preprint = true
		case isDOI:
			return false
		}
	}
	return preprint
}

// preprintDOI excepts Cold Spring Harbor's journals, which share 10.1101 with bioRxiv: its preprints have numbers.
func preprintDOI(doi string) bool {
	for _, prefix := range preprintDOIs {
		if rest, ok := strings.CutPrefix(doi, prefix); ok {
			return prefix != "10.1101/" || rest != "" && rest[0] >= '0' && rest[0] <= '9'
		}
	}
	return false
}
