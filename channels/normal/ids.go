package normal

import (
	"path"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Typed ids are "kind:value" in one spelling each, so that equal ids are equal strings. The kinds that
// docid.CanonicalKey knows (doi, arxiv, pmid, pmcid) have its spelling.

var (
	digits       = lazyregexp.New(`\d{1,10}`)
	openAlexWork = lazyregexp.New(`(?i)\bW\d{1,12}\b`)
	s2Paper      = lazyregexp.New(`^[0-9a-f]{40}$`)
	wholeDOI     = lazyregexp.New(`(?i)^(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/\S+)$`)
)

// DOIKey returns "doi:10.…", or "arxiv:…" for arXiv's own DOI of a paper; "" if s has no DOI.
func DOIKey(s string) string {
	if d := docid.NormalizeDOI(s); d != "" {
		return docid.CanonicalKey("", d)
	}
	return ""
}

// ArxivKey accepts an id with or without a version or "arXiv:" before it.
func ArxivKey(s string) string {
	bare := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(s)), "arxiv:")
	if key := docid.CanonicalKey("arxiv:"+bare, ""); strings.HasPrefix(key, "arxiv:") {
		return key
	}
	return ""
}

// ACLKey accepts an id or an address of the ACL Anthology.
func ACLKey(s string) string {
	if key := docid.CanonicalKey("https://aclanthology.org/"+path.Base(s), ""); strings.HasPrefix(key, "acl:") {
		return key
	}
	return ""
}

// PMID accepts a number or an address of PubMed that ends in one.
func PMID(s string) string {
	if n := strings.TrimLeft(digits.FindString(s), "0"); n != "" {
		return "pmid:" + n
	}
	return ""
}

// PMCID accepts a number with or without "PMC" before it, or an address that contains it.
func PMCID(s string) string {
	if n := strings.TrimLeft(digits.FindString(s), "0"); n != "" {
		return "pmcid:PMC" + n
	}
	return ""
}

func OpenAlexKey(s string) string {
	if w := openAlexWork.FindString(s); w != "" {
		return "openalex:" + strings.ToUpper(w)
	}
	return ""
}

func S2Key(s string) string {
	if s2Paper.MatchString(s) {
		return "s2:" + s
	}
	return ""
}

// ISBN returns the id of an ISBN, or "" if the check digit is wrong. All chapters of a book share its ISBN, so it never merges
// results.
func ISBN(s string) string {
	if n := docid.ISBN(s); n != "" {
		return "isbn:" + n
	}
	return ""
}

// WholeQueryDOI returns the DOI in lower case if a query is a DOI and nothing else, otherwise "".
func WholeQueryDOI(text string) string {
	m := wholeDOI.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return ""
	}
	return docid.NormalizeDOI(m[1])
}

// Distinct returns the strings that are not empty, each once, in order.
func Distinct(all ...string) []string {
	var kept []string
	for _, s := range all {
		if s != "" && !slices.Contains(kept, s) {
			kept = append(kept, s)
		}
	}
	return kept
}

// IDKinds are the valid kinds of ids; cleaning drops others.
var IDKinds = []string{"doi", "arxiv", "acl", "pmid", "pmcid", "isbn", "openalex", "s2"}

// maxIDs bounds the ids of one result (chosen: a book has a few ISBNs).
const maxIDs = 20

// CleanIDs keeps the well-formed ids of known kinds.
func CleanIDs(ids []string) []string {
	var kept []string
	for _, id := range ids {
		kind, value, ok := strings.Cut(id, ":")
		if ok && value != "" && len(id) <= 300 && slices.Contains(IDKinds, kind) && !slices.Contains(kept, id) && len(kept) < maxIDs {
			kept = append(kept, id)
		}
	}
	return kept
}

// DoisInText finds DOIs in a text, and arxivID matches an arXiv id with or without a version.
var (
	DoisInText = lazyregexp.New(`(?i)\b10\.\d{4,9}/[^\s"<>,;]+`)
	ArxivID    = lazyregexp.New(`(?i)^(?:arxiv:)?(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[a-z]{2})?/\d{7}(?:v\d+)?)$`)
)
