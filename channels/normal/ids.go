package normal

import (
	"path"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// IDKinds are the kinds of typed ids.
var IDKinds = []string{"doi", "arxiv", "acl", "pmid", "pmcid", "isbn", "openalex", "s2"}

var (
	digits       = lazyregexp.New(`\d{1,10}`)
	openAlexWork = lazyregexp.New(`(?i)\bW\d{1,12}\b`)
	s2Paper      = lazyregexp.New(`^[0-9a-f]{40}$`)
	wholeDOI     = lazyregexp.New(`(?i)^(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,9}/\S+)$`)
)

// ID returns the id of a kind as "kind:value", in one spelling, so that equal ids are equal strings; "" for another text. It accepts
// bare ids and addresses that end in them. The DOI of arXiv or of the ACL Anthology is an id of theirs.
func ID(kind, s string) string {
	number := strings.TrimLeft(digits.FindString(s), "0")
	key := ""
	switch kind {
	case "doi":
		if d := docid.NormalizeDOI(s); d != "" {
			return docid.CanonicalKey("", d)
		}
	case "arxiv":
		key = docid.CanonicalKey("arxiv:"+strings.TrimPrefix(strings.ToLower(strings.TrimSpace(s)), "arxiv:"), "")
	case "acl":
		key = docid.CanonicalKey("https://aclanthology.org/"+path.Base(s), "")
	case "pmid":
		key = "pmid:" + number
	case "pmcid":
		key = strings.TrimSuffix("pmcid:PMC"+number, "PMC")
	case "isbn":
		key = "isbn:" + docid.ISBN(s)
	case "openalex":
		key = "openalex:" + strings.ToUpper(openAlexWork.FindString(s))
	case "s2":
		key = "s2:" + s2Paper.FindString(s)
	}
	if value, ok := strings.CutPrefix(key, kind+":"); !ok || value == "" {
		return ""
	}
	return key
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
