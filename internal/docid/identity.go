package docid

import (
	"cmp"
	"hash/fnv"
	"net/url"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// CanonicalKey returns the identity of a document, the same for all its addresses.
//
// It uses the strongest identifier: "doi:10.1000/x", "arxiv:2101.00001", "acl:p19-1001", "pmid:123", "pmcid:PMC123", and otherwise
// "url:host/path?sorted=parameters" ("file:/path" for local files). doi is a DOI that a registry or a channel has for the document,
// or empty; what a page states of itself must not be given (see [Identify]). A DOI in the address counts at doi.org, and at the
// host that the registry names for it; elsewhere anybody can write it.
//
// Known equivalents have one key: schemes, www. and mobile hosts, fragments, tracking parameters, the versions and
// formats of an arXiv paper, doi.org, PubMed and PMC addresses. Other parameters are kept and sorted, because watch?v=A
// and watch?v=B are two documents. A text that is not an address gets a key after "raw:"; a blank address without a DOI
// gets "". The rest of a "url:" key after https:// is an address with the same key.
func CanonicalKey(rawURL, doi string) string {
	if d := NormalizeDOI(doi); d != "" {
		return doiKey(d)
	}
	raw := strings.TrimSpace(rawURL)
	if raw == "" {
		return ""
	}
	switch kind, id, _ := strings.Cut(raw, ":"); strings.ToLower(kind) {
	case "doi":
		if d := NormalizeDOI(id); d != "" {
			return doiKey(d)
		}
	case "arxiv":
		if key := arxivKey(strings.TrimSpace(id)); key != "" {
			return key
		}
	}
	u := parseAddress(raw)
	if u == nil {
		return "raw:" + strings.ToLower(raw)
	}
	if u.Scheme == "file" { // a DOI in a folder's name would make its files one document
		return "file:" + canonicalFile(u)
	}
	host := canonicalHost(u)
	if host == "" {
		return "raw:" + strings.ToLower(raw)
	}
	p := cleanPath(u.Path)
	if key := scholarlyKey(host, p, queryPairs(u.RawQuery)); key != "" {
		return key
	}
	if d := doiIn(u); d != "" && (host == "doi.org" || host == "dx.doi.org" || Registered(host, d)) {
		return doiKey(d)
	}
	return addressKey(u, host)
}

func addressKey(u *url.URL, host string) string {
	key := "url:" + host + (&url.URL{Path: cleanPath(u.Path)}).EscapedPath()
	if q := canonicalQuery(queryPairs(u.RawQuery)); q != "" {
		key += "?" + q
	}
	return key
}

// doiIn returns the DOI in the path or the query of an address, or "".
func doiIn(u *url.URL) string {
	return cmp.Or(NormalizeDOI(u.Path), doiInQuery(queryPairs(u.RawQuery)))
}

var (
	arxivID = lazyregexp.New(`^(?:(\d{4}\.\d{4,5})|([a-z-]+)(?:\.[a-z]{2})?(/\d{7}))(?:v\d+)?$`)
	aclDOI  = lazyregexp.New(`^10\.(?:18653|3115)/v1/(.+)$`)
)

// arxivKey returns the key of an arXiv id without its version and, in ids from before 2007, without the optional subject class,
// or "" for another text.
func arxivKey(id string) string {
	m := arxivID.FindStringSubmatch(strings.ToLower(id))
	if m == nil {
		return ""
	}
	return "arxiv:" + m[1] + m[2] + m[3]
}

func doiKey(doi string) string {
	if id, ok := strings.CutPrefix(doi, "10.48550/arxiv."); ok && arxivKey(id) != "" {
		return arxivKey(id)
	}
	if m := aclDOI.FindStringSubmatch(doi); m != nil { // many of the Anthology's papers have no DOI
		return "acl:" + m[1]
	}
	return "doi:" + doi
}

// sites are the archives and publishers whose addresses have the ids of their documents: the hosts, joined by spaces, a pattern
// with the id, and the key of an id. At nature.com the id is that of the publisher's DOIs. A file of GitHub is the same in each form.
var sites = []struct {
	hosts string
	path  *lazyregexp.Regexp
	key   func(id string) string
}{
	{"arxiv.org export.arxiv.org browse.arxiv.org ar5iv.labs.arxiv.org ar5iv.org alphaxiv.org",
		lazyregexp.New(`(?i)^/(?:abs|pdf|html|format|ps|e-print|src)/(.+?)(?:\.pdf)?$`), arxivKey},
	{"pubmed.ncbi.nlm.nih.gov", lazyregexp.New(`^/(\d{1,9})$`), prefixed("pmid:")},
	{"ncbi.nlm.nih.gov", lazyregexp.New(`^/pubmed/(\d{1,9})$`), prefixed("pmid:")},
	{"ncbi.nlm.nih.gov pmc.ncbi.nlm.nih.gov europepmc.org", lazyregexp.New(`(?i)^/(?:pmc/)?articles/(pmc\d+)`), pmcKey},
	{"europepmc.org", lazyregexp.New(`(?i)^/(?:article|abstract)/med/(\d+)`), prefixed("pmid:")},
	{"europepmc.org", lazyregexp.New(`(?i)^/(?:article|abstract)/pmc/(?:pmc)?(\d+)`), pmcKey},
	{"nature.com", lazyregexp.New(`(?i)^/articles/([a-z0-9._-]*\d[a-z0-9._-]*?)(?:_reference)?(?:\.e?pdf)?$`), natureKey},
	{"aclanthology.org aclweb.org", lazyregexp.New(`(?i)^(?:/anthology)?(?:/[a-z]/[a-z]\d\d)?/` +
		`([a-z]\d\d-\d{4}|\d{4}\.[a-z0-9_]+-[a-z0-9_]+\.\d+)(?:v\d+)?(?:\.pdf)?$`), prefixed("acl:")},
	{"youtu.be", lazyregexp.New(`^/([\w-]{11})$`), youTubeKey},
	{"github.com", lazyregexp.New(`^/([^/]+/[^/]+?)(?:(?:\.git)+|(?:\.git)*/tree/(?:main|master|HEAD))$`), gitHubKey},
	{"github.com", lazyregexp.New(`^/([^/]+/[^/]+/(?:blob|raw|blame)/.+)$`), gitHubKey},
	{"raw.githubusercontent.com", lazyregexp.New(`^/([^/]+/[^/]+/.+)$`), gitHubKey},
}

// inParameter are the sites that have the id of a document in a parameter: hosts, paths, the parameter, and the key of an id.
var inParameter = []struct {
	hosts, paths, name string
	key                func(id string) string
}{
	{"openreview.net", "/forum /pdf", "id", func(id string) string {
		return addressKey(&url.URL{Path: "/forum", RawQuery: "id=" + url.QueryEscape(id)}, "openreview.net")
	}},
	{"youtube.com music.youtube.com", "/watch", "v", youTubeKey},
}

func youTubeKey(id string) string {
	return addressKey(&url.URL{Path: "/watch", RawQuery: "v=" + url.QueryEscape(id)}, "youtube.com")
}

var gitHubFile = lazyregexp.New(`^([^/]+/[^/]+)/(?:blob/|raw/|blame/)?(?:refs/heads/)*(.+)$`)

func gitHubKey(id string) string {
	return addressKey(&url.URL{Path: "/" + gitHubFile.ReplaceAllString(id, "$1/blob/$2")}, "github.com")
}

func prefixed(kind string) func(string) string {
	return func(id string) string { return kind + strings.ToLower(id) }
}

func natureKey(id string) string { return doiKey(NormalizeDOI("10.1038/" + id)) }

func pmcKey(id string) string { return "pmcid:PMC" + strings.TrimPrefix(strings.ToUpper(id), "PMC") }

// scholarlyKey returns the key of an address of a site with ids of its own, or "".
func scholarlyKey(host, p string, params []pair) string {
	for _, s := range inParameter {
		if !slices.Contains(strings.Fields(s.hosts), host) || !slices.Contains(strings.Fields(s.paths), p) {
			continue
		}
		for _, q := range params {
			if q.key == s.name && q.value != "" {
				return s.key(q.value)
			}
		}
	}
	for _, s := range sites {
		if !slices.Contains(strings.Fields(s.hosts), host) {
			continue
		}
		if m := s.path.FindStringSubmatch(p); m != nil && s.key(m[1]) != "" {
			return s.key(m[1])
		}
	}
	return ""
}

// Mark identifies an address in a cursor.
func Mark(url string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(url))
	return h.Sum32()
}
