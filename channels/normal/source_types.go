package normal

import (
	_ "embed"
	"net/url"
	"strings"

	"github.com/citeloop/citeloop/internal/datafile"
)

//go:embed source_types.txt
var sourceTypesText string

// TypeTables are the sections of source_types.txt.
var TypeTables = func() map[string]map[string]string {
	tables := map[string]map[string]string{}
	for section, line := range datafile.Sections(sourceTypesText) {
		if tables[section] == nil {
			tables[section] = map[string]string{}
		}
		name, value, _ := strings.Cut(line, ": ")
		tables[section][name] = strings.TrimSpace(value)
	}
	return tables
}()

// MedlineType returns the source type for publication types of PubMed and Europe PMC. A record has several: types that
// are not refereed outweigh "Journal Article", which MEDLINE also gives to letters and news.
func MedlineType(types []string) string {
	said := map[string]bool{}
	for _, t := range types {
		said[TypeTables["medline"][strings.ReplaceAll(strings.ToLower(strings.TrimSpace(t)), "-", " ")]] = true
	}
	for _, kind := range []string{"primary", "press", "none", "peer"} {
		if said[kind] {
			return strings.TrimSuffix(kind, "none")
		}
	}
	return ""
}

// TypeOfSite returns the source type for the host of an address, or "" for other sites.
func TypeOfSite(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	for host, more := strings.ToLower(u.Hostname()), true; more; _, host, more = strings.Cut(host, ".") {
		if kind := TypeTables["site"][host]; kind != "" {
			return kind
		}
	}
	return ""
}

// preprintDOIs are the prefixes of arXiv, bioRxiv and medRxiv (two), SSRN, OSF, PsyArXiv, Preprints.org, Research
// Square and ChemRxiv.
var preprintDOIs = []string{"10.48550/", "10.1101/", "10.64898/", "10.2139/", "10.31219/", "10.31234/", "10.20944/", "10.21203/",
	"10.26434/"}

// IsPreprint reports whether all DOIs and arXiv ids are those of a preprint.
func IsPreprint(ids map[string]bool) bool {
	preprint := false
	for id := range ids {
		doi, isDOI := strings.CutPrefix(id, "doi:")
		switch {
		case isDOI && PreprintDOI(doi), strings.HasPrefix(id, "arxiv:"):
			preprint = true
		case isDOI:
			return false
		}
	}
	return preprint
}

// PreprintDOI excepts Cold Spring Harbor's journals, which share 10.1101 with bioRxiv: its preprints have numbers.
func PreprintDOI(doi string) bool {
	for _, prefix := range preprintDOIs {
		if rest, ok := strings.CutPrefix(doi, prefix); ok {
			return prefix != "10.1101/" || rest != "" && rest[0] >= '0' && rest[0] <= '9'
		}
	}
	return false
}
