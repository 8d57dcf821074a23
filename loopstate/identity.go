package loopstate

import (
	"net/url"
	"path"
	"regexp"
	"sort"
	"strings"

	"golang.org/x/net/idna"
)

// CanonicalKey is the identity under which a document counts once, however it was reached.
//
// The strongest identifier wins: "doi:10.1000/x", "arxiv:2101.00001", "pmid:123", "pmcid:PMC123", and else
// "url:host/path?sorted=parameters" ("file:/path" for local files). doi is the one that the page's own
// metadata names, or empty; a DOI in the address is found by itself. Reference lists are no place to take a
// DOI from: they name other documents.
//
// Known equivalents fold together: schemes, www., mobile and AMP hosts, fragments, tracking parameters, the
// versions and formats of an arXiv paper, doi.org, PubMed and PMC addresses. Parameters that are not
// tracking are kept and sorted, because watch?v=A and watch?v=B are two documents. The function never
// fails: an address that cannot be parsed is its own key.
func CanonicalKey(rawURL, doi string) string {
	if d := NormalizeDOI(doi); d != "" {
		return doiKey(d)
	}
	raw := strings.TrimSpace(rawURL)
	if d, ok := strings.CutPrefix(strings.ToLower(raw), "doi:"); ok {
		if d := NormalizeDOI(d); d != "" {
			return doiKey(d)
		}
	}
	if id, ok := strings.CutPrefix(strings.ToLower(raw), "arxiv:"); ok && arxivID.MatchString(id) {
		return "arxiv:" + arxivVersion.ReplaceAllString(id, "")
	}
	u, err := url.Parse(raw)
	if err != nil || (u.Host == "" && u.Scheme != "file") {
		return "url:" + strings.ToLower(raw)
	}
	u = unwrapAMP(u)
	host := canonicalHost(u)
	if key := scholarlyKey(host, u); key != "" {
		return key
	}
	if d := doiInURL(u); d != "" {
		return doiKey(d)
	}
	p := canonicalPath(u)
	if strings.EqualFold(u.Scheme, "file") {
		return "file:" + p
	}
	key := "url:" + host + p
	if q := canonicalQuery(u); q != "" {
		key += "?" + q
	}
	return key
}

// NormalizeDOI returns the bare lower-case DOI in s ("10.1000/x"), or "" if there is none. It accepts
// "doi:10.1000/X", "https://doi.org/10.1000%2FX" and the bare form, and trims what publishers and authors
// put behind a DOI: /full, .pdf, a closing bracket without its opening one, punctuation.
func NormalizeDOI(s string) string {
	if s == "" {
		return ""
	}
	if un, err := url.PathUnescape(s); err == nil {
		s = un
	}
	d := doiPattern.FindString(s)
	if d == "" {
		return ""
	}
	d = strings.ToLower(d)
	if strings.HasPrefix(d, "10.1101/") || strings.HasPrefix(d, "10.64898/") { // bioRxiv and medRxiv put the version behind the DOI
		d = preprintVersion.ReplaceAllString(d, "")
	}
	for {
		before := d
		d = strings.TrimRight(d, ".,;:'\"»”’>]}*/")
		if strings.HasSuffix(d, ")") && strings.Count(d, ")") > strings.Count(d, "(") {
			d = strings.TrimSuffix(d, ")")
		}
		for _, suffix := range doiSuffixes {
			d = strings.TrimSuffix(d, suffix)
		}
		if d == before {
			break
		}
	}
	if !doiPattern.MatchString(d) {
		return ""
	}
	return d
}

var (
	// research-synthesis-loop's pattern, with '#', '<' and '>' excluded as well: no registrant uses them unescaped.
	doiPattern      = regexp.MustCompile(`(?i)\b10\.\d{4,9}/[^\s"&?#<>]+`)
	preprintVersion = regexp.MustCompile(`v\d+(\.(full|abstract|article-info|supplementary-material))*(\.pdf|-text|\.full-text)?(/.*)?$`)
	doiSuffixes     = []string{"/full/html", "/fulltext", "/full-text", "/full", "/abstract", "/summary", "/pdf", "/epdf", "/epub", "/html", "/meta", "/references", "/figures", "/citation", ".pdf", ".full", ".html", ".xml"}

	arxivID      = regexp.MustCompile(`(?i)^(\d{4}\.\d{4,5}|[a-z-]+(\.[a-z]{2})?/\d{7})(v\d+)?$`)
	arxivVersion = regexp.MustCompile(`v\d+$`)
	arxivPath    = regexp.MustCompile(`(?i)^/(?:abs|pdf|html|format|ps|e-print|src)/(.+?)(?:\.pdf)?/?$`)
	pmidPath     = regexp.MustCompile(`^/(?:pubmed/)?(\d{1,9})/?$`)
	pmcPath      = regexp.MustCompile(`(?i)^/(?:pmc/)?articles/(pmc\d+)`)
	europePath   = regexp.MustCompile(`(?i)^/(?:article|abstract)/(med|pmc)/(?:pmc)?(\d+)`)
	ampPath      = regexp.MustCompile(`(?i)(/amp|\.amp)$`)
)

func doiKey(doi string) string {
	if id, ok := strings.CutPrefix(doi, "10.48550/arxiv."); ok && arxivID.MatchString(id) {
		return "arxiv:" + arxivVersion.ReplaceAllString(id, "")
	}
	return "doi:" + doi
}

// doiInURL finds a DOI that names the page itself: in the path, or in a parameter that publishers use for
// the document's id. A DOI in a search parameter names something else.
func doiInURL(u *url.URL) string {
	if d := NormalizeDOI(u.Path); d != "" {
		return d
	}
	for _, name := range []string{"doi", "id", "DOI"} {
		if v := u.Query().Get(name); strings.HasPrefix(strings.TrimPrefix(strings.ToLower(v), "doi:"), "10.") {
			return NormalizeDOI(v)
		}
	}
	return ""
}

// scholarlyKey recognises the addresses of archives whose ids are identities of their own.
func scholarlyKey(host string, u *url.URL) string {
	switch host {
	case "arxiv.org", "export.arxiv.org", "ar5iv.org", "ar5iv.labs.arxiv.org", "alphaxiv.org":
		if m := arxivPath.FindStringSubmatch(u.Path); m != nil && arxivID.MatchString(m[1]) {
			return "arxiv:" + arxivVersion.ReplaceAllString(strings.ToLower(m[1]), "")
		}
	case "pubmed.ncbi.nlm.nih.gov":
		if m := pmidPath.FindStringSubmatch(u.Path); m != nil {
			return "pmid:" + m[1]
		}
	case "ncbi.nlm.nih.gov", "pmc.ncbi.nlm.nih.gov":
		if m := pmcPath.FindStringSubmatch(u.Path); m != nil {
			return "pmcid:" + strings.ToUpper(m[1])
		}
		if m := pmidPath.FindStringSubmatch(u.Path); m != nil && strings.HasPrefix(u.Path, "/pubmed/") {
			return "pmid:" + m[1]
		}
	case "europepmc.org":
		if m := europePath.FindStringSubmatch(u.Path); m != nil {
			if strings.EqualFold(m[1], "med") {
				return "pmid:" + m[2]
			}
			return "pmcid:PMC" + m[2]
		}
	}
	return ""
}

// unwrapAMP returns the address that an AMP cache stands for.
func unwrapAMP(u *url.URL) *url.URL {
	host := strings.ToLower(u.Hostname())
	p := u.Path
	var inner string
	switch {
	case (host == "www.google.com" || host == "google.com") && strings.HasPrefix(p, "/amp/"):
		inner = strings.TrimPrefix(strings.TrimPrefix(p, "/amp/"), "s/")
	case strings.HasSuffix(host, ".cdn.ampproject.org"):
		for _, prefix := range []string{"/c/s/", "/v/s/", "/c/", "/v/"} {
			if rest, ok := strings.CutPrefix(p, prefix); ok {
				inner = rest
				break
			}
		}
	}
	if inner == "" {
		return u
	}
	v, err := url.Parse("https://" + inner)
	if err != nil || !strings.Contains(v.Host, ".") {
		return u
	}
	v.RawQuery = u.RawQuery
	return v
}

// canonicalHost lower-cases, writes international names in ASCII, drops the default port and the labels that
// only choose a rendering (www., m., mobile., amp., and the m of en.m.wikipedia.org).
func canonicalHost(u *url.URL) string {
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	for _, prefix := range []string{"www.", "m.", "mobile.", "amp."} {
		if rest, ok := strings.CutPrefix(host, prefix); ok && strings.Contains(rest, ".") {
			host = rest
			break
		}
	}
	if lang, rest, ok := strings.Cut(host, "."); ok {
		if site, ok := strings.CutPrefix(rest, "m."); ok && strings.Contains(site, ".") {
			host = lang + "." + site
		}
	}
	if strings.Contains(host, ":") { // IPv6
		host = "[" + host + "]"
	}
	port := u.Port()
	if port != "" && port != "80" && port != "443" {
		host += ":" + port
	}
	return host
}

func canonicalPath(u *url.URL) string {
	p := u.Path
	if p != "" {
		p = path.Clean("/" + p)
	}
	if !strings.EqualFold(u.Scheme, "file") {
		p = ampPath.ReplaceAllString(p, "")
	}
	p = strings.TrimRight(p, "/")
	return (&url.URL{Path: p}).EscapedPath()
}

// trackingParams only tell the site where a reader came from. The list begins with the five of
// research-synthesis-loop; the rest are those that the large mail, ad and social services add.
var trackingParams = map[string]bool{
	"ref": true, "fbclid": true, "gclid": true, "gclsrc": true, "dclid": true, "gbraid": true, "wbraid": true,
	"msclkid": true, "yclid": true, "twclid": true, "ttclid": true, "li_fat_id": true, "igshid": true, "igsh": true,
	"mc_cid": true, "mc_eid": true, "mkt_tok": true, "_hsenc": true, "_hsmi": true, "hsctatracking": true,
	"oly_anon_id": true, "oly_enc_id": true, "vero_id": true, "wickedid": true, "rb_clickid": true, "s_cid": true,
	"ref_src": true, "ref_url": true, "_ga": true, "_gl": true, "spm": true, "cmpid": true, "ncid": true,
	"amp": true,
}

func canonicalQuery(u *url.URL) string {
	values := u.Query()
	keys := make([]string, 0, len(values))
	for k := range values {
		low := strings.ToLower(k)
		if trackingParams[low] || strings.HasPrefix(low, "utm_") || strings.HasPrefix(low, "pk_") || strings.HasPrefix(low, "mtm_") {
			continue
		}
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var parts []string
	for _, k := range keys {
		vs := values[k]
		sort.Strings(vs)
		for _, v := range vs {
			part := url.QueryEscape(k)
			if v != "" {
				part += "=" + url.QueryEscape(v)
			}
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "&")
}
