package loopstate

import (
	"net/url"
	"path"
	"regexp"
	"strings"
)

// CanonicalKey is the identity under which a document counts once, however it was reached.
//
// The strongest identifier wins: "doi:10.1000/x", "arxiv:2101.00001", "pmid:123", "pmcid:PMC123", and else
// "url:host/path?sorted=parameters" ("file:/path" for local files, "zotero:library/KEY" and "zotero:groups/ID/KEY" for
// items of a Zotero library). doi is the one that the page's own
// metadata names, or empty; a DOI in the address is found by itself. Reference lists are no place to take a
// DOI from: they name other documents.
//
// Known equivalents fold together: schemes, www., mobile and AMP hosts, fragments, tracking parameters, the
// versions and formats of an arXiv paper, doi.org, PubMed and PMC addresses. Parameters that are not
// tracking are kept and sorted, because watch?v=A and watch?v=B are two documents. The function never
// fails: what is no address is its own key, behind "raw:", and only a blank address without a DOI has none.
// The rest of a "url:" key behind https:// is an address with that same key.
func CanonicalKey(rawURL, doi string) string {
	if d := NormalizeDOI(doi); d != "" {
		return doiKey(d)
	}
	raw := strings.TrimSpace(rawURL)
	if raw == "" {
		return ""
	}
	if d, ok := strings.CutPrefix(strings.ToLower(raw), "doi:"); ok {
		if d := NormalizeDOI(d); d != "" {
			return doiKey(d)
		}
	}
	if id, ok := strings.CutPrefix(strings.ToLower(raw), "arxiv:"); ok {
		if id := arxivIdentity(strings.TrimSpace(id)); id != "" {
			return "arxiv:" + id
		}
	}
	u := parseAddress(raw)
	if u == nil {
		return "raw:" + strings.ToLower(raw)
	}
	if u.Scheme == "file" { // a folder that is named like a DOI does not make its files one document
		return "file:" + canonicalFile(u)
	}
	if key := zoteroIdentity(u); key != "" {
		return key
	}
	host := canonicalHost(u)
	if host == "" {
		return "raw:" + strings.ToLower(raw)
	}
	p := canonicalPath(u)
	if key := scholarlyKey(host, p); key != "" {
		return key
	}
	query := queryPairs(u.RawQuery)
	for _, d := range []string{NormalizeDOI(u.Path), NormalizeDOI(p), doiInQuery(query)} {
		if d != "" {
			return doiKey(d)
		}
	}
	key := "url:" + host + (&url.URL{Path: p}).EscapedPath()
	if q := canonicalQuery(query); q != "" {
		key += "?" + q
	}
	return key
}

var (
	arxivID    = regexp.MustCompile(`^(?:(\d{4}\.\d{4,5})|([a-z-]+)(?:\.[a-z]{2})?(/\d{7}))(?:v\d+)?$`)
	arxivPath  = regexp.MustCompile(`(?i)^/(?:abs|pdf|html|format|ps|e-print|src)/(.+?)(?:\.pdf)?$`)
	pmidPath   = regexp.MustCompile(`^/(?:pubmed/)?(\d{1,9})$`)
	pmcPath    = regexp.MustCompile(`(?i)^/(?:pmc/)?articles/(pmc\d+)`)
	europePath = regexp.MustCompile(`(?i)^/(?:article|abstract)/(med|pmc)/(?:pmc)?(\d+)`)
)

// zoteroItem is what an address of a Zotero item has after its host, and that of an earlier form of it.
var zoteroItem = regexp.MustCompile(`^/(?:library/|(groups/\d+/))?items/(?:0_)?([A-Z0-9]{8})/?$`)

// zoteroIdentity is the identity of an item in a Zotero library; "" of any other address.
func zoteroIdentity(u *url.URL) string {
	if u.Scheme != "zotero" || u.Host != "select" {
		return ""
	}
	m := zoteroItem.FindStringSubmatch(u.Path)
	switch {
	case m == nil:
		return ""
	case m[1] == "":
		return "zotero:library/" + m[2]
	}
	return "zotero:" + m[1] + m[2]
}

// ZoteroItem is an address of an item of a Zotero library in Zotero's own form, which opens it there; "" if raw is no such
// address.
func ZoteroItem(raw string) string {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		return ""
	}
	id, ok := strings.CutPrefix(zoteroIdentity(u), "zotero:")
	if !ok {
		return ""
	}
	place, key := path.Split(id)
	return "zotero://select/" + place + "items/" + key
}

// arxivIdentity is an arXiv id without its version and, in the ids of before 2007, without the subject class
// that may be left out; "" if it is none.
func arxivIdentity(id string) string {
	m := arxivID.FindStringSubmatch(strings.ToLower(id))
	if m == nil {
		return ""
	}
	return m[1] + m[2] + m[3]
}

func doiKey(doi string) string {
	if id, ok := strings.CutPrefix(doi, "10.48550/arxiv."); ok {
		if id := arxivIdentity(id); id != "" {
			return "arxiv:" + id
		}
	}
	return "doi:" + doi
}

// scholarlyKey recognises the addresses of archives whose ids are identities of their own.
func scholarlyKey(host, p string) string {
	switch host {
	case "arxiv.org", "export.arxiv.org", "browse.arxiv.org", "ar5iv.org", "ar5iv.labs.arxiv.org", "alphaxiv.org":
		if m := arxivPath.FindStringSubmatch(p); m != nil {
			if id := arxivIdentity(m[1]); id != "" {
				return "arxiv:" + id
			}
		}
	case "pubmed.ncbi.nlm.nih.gov":
		if m := pmidPath.FindStringSubmatch(p); m != nil {
			return "pmid:" + m[1]
		}
	case "ncbi.nlm.nih.gov", "pmc.ncbi.nlm.nih.gov":
		if m := pmcPath.FindStringSubmatch(p); m != nil {
			return "pmcid:" + strings.ToUpper(m[1])
		}
		if m := pmidPath.FindStringSubmatch(p); m != nil && strings.HasPrefix(p, "/pubmed/") {
			return "pmid:" + m[1]
		}
	case "europepmc.org":
		if m := pmcPath.FindStringSubmatch(p); m != nil {
			return "pmcid:" + strings.ToUpper(m[1])
		}
		if m := europePath.FindStringSubmatch(p); m != nil {
			if strings.EqualFold(m[1], "med") {
				return "pmid:" + m[2]
			}
			return "pmcid:PMC" + m[2]
		}
	}
	return ""
}
