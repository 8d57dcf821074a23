package html

import (
	"net/url"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
)

var (
	arxivID   = lazyregexp.New(`(?i)^(?:arxiv:)?(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?$`)
	arxivPath = lazyregexp.New(`(?i)^/(?:abs|pdf|html)/(.+?)(?:\.pdf)?$`)
	arxivDOI  = lazyregexp.New(`(?i)^10\.48550/arxiv\.(.+)$`)
	pmidText  = lazyregexp.New(`^(?i:pmid:\s*)?(\d{1,8})$`)
	pmidPath  = lazyregexp.New(`^/(\d{1,8})/?$`)
)

// arxiv is the page's own arXiv id without its version.
func (m *pageMeta) arxiv(base *url.URL) string {
	candidates := slices.Concat(m.names["citation_arxiv_id"], m.names["dc.identifier"], m.names["dcterms.identifier"])
	if d := arxivDOI.FindStringSubmatch(m.doi()); d != nil {
		candidates = append(candidates, d[1])
	}
	if base != nil && (base.Host == "arxiv.org" || strings.HasSuffix(base.Host, ".arxiv.org")) {
		if p := arxivPath.FindStringSubmatch(base.Path); p != nil {
			candidates = append(candidates, p[1])
		}
	}
	for _, c := range candidates {
		if id := arxivID.FindStringSubmatch(strings.TrimSpace(c)); id != nil {
			return strings.ToLower(id[1])
		}
	}
	return ""
}

// pmid is the page's own number in PubMed.
func (m *pageMeta) pmid(base *url.URL) string {
	for _, name := range []string{"citation_pmid", "ncbi_uid", "dc.identifier"} {
		for _, v := range m.names[name] {
			if name == "ncbi_uid" && m.first("ncbi_db") != "pubmed" || name == "dc.identifier" &&
				!strings.HasPrefix(strings.ToLower(v), "pmid") {
				continue
			}
			if id := pmidText.FindStringSubmatch(strings.TrimSpace(v)); id != nil {
				return id[1]
			}
		}
	}
	if base != nil && base.Host == "pubmed.ncbi.nlm.nih.gov" {
		if id := pmidPath.FindStringSubmatch(base.Path); id != nil {
			return id[1]
		}
	}
	return ""
}

// statedLicence is the address of the licence that the page states, or its name where it gives no address.
func (m *pageMeta) statedLicence(base *url.URL) string {
	s := document.First(m.licence, m.first("dcterms.license", "dc.rights.license", "citation_license"), m.linked.licence,
		m.first("dc.rights", "dcterms.rights"))
	u, err := url.Parse(strings.TrimSpace(s))
	if err == nil && base != nil && !strings.Contains(strings.TrimSpace(s), " ") &&
		(u.Scheme == "" && strings.HasPrefix(s, "/") || u.Scheme == "http" || u.Scheme == "https") {
		u = base.ResolveReference(u)
		u.User = nil
		return document.Shorten(sanitize.Visible(u.String()), document.MaxNameChars)
	}
	return document.Title(s)
}

// citedReferences reads the references that publishers list for scholarly indexes. One is a title, or pairs
// of a name and a value with semicolons between them.
func (m *pageMeta) citedReferences() []document.Reference {
	var out []document.Reference
	for _, v := range m.names["citation_reference"] {
		var r document.Reference
		if !strings.Contains(v, "=") {
			r.Text = v
		}
		for pair := range strings.SplitSeq(v, ";") {
			name, value, ok := strings.Cut(pair, "=")
			if !ok {
				continue
			}
			switch strings.TrimSpace(name) {
			case "citation_title":
				r.Text = value
			case "citation_doi":
				r.DOI = docid.NormalizeDOI(value)
			}
		}
		r.Text = document.Shorten(document.Title(r.Text), document.MaxReferenceChars)
		if r.DOI != "" {
			r.URL = "https://doi.org/" + r.DOI
		}
		if r.DOI != "" || r.Text != "" {
			out = append(out, r)
		}
	}
	return out
}

// doi is the page's own. Names that also list references (citation_reference) are not among these.
func (m *pageMeta) doi() string {
	for _, name := range []string{"citation_doi", "prism.doi", "bepress_citation_doi", "dc.identifier", "dcterms.identifier",
		"dc.identifier.doi", "doi"} {
		for _, v := range m.names[name] {
			if d := docid.NormalizeDOI(v); d != "" {
				return d
			}
		}
	}
	return m.linked.doi
}
