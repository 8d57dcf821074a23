package docid

import (
	"net/url"
	"path"
	"sort"
	"strings"

	"golang.org/x/net/idna"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// hostFirst is an address as people write it, without a scheme: "example.org/page".
var hostFirst = lazyregexp.New(`^[^\s/:?#@\[\]]+\.[^\s/:?#@\[\]]+(:\d+)?([/?#]|$)`)

// parseAddress reads an address that has a host, or names a file; nil for anything else.
func parseAddress(raw string) *url.URL {
	if hostFirst.MatchString(raw) {
		raw = "https://" + raw
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil:
		return nil
	case u.Scheme == "file" && u.Path != "":
		return u
	case u.Scheme == "file" || u.Host == "":
		return nil
	}
	return u
}

// canonicalHost lower-cases the host, converts international names to ASCII, and drops the default port and the labels
// that only select a rendering (www., m., mobile., and the m of en.m.wikipedia.org). It returns "" for an invalid
// host.
func canonicalHost(u *url.URL) string {
	host := u.Hostname()
	for before := ""; host != before; {
		before = host
		host = plainerHost(host)
	}
	if strings.Contains(host, ":") { // IPv6; the zone is local to one machine
		if !strings.HasPrefix(u.Host, "[") {
			return ""
		}
		host, _, _ = strings.Cut(host, "%")
		host = "[" + host + "]"
	}
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host += ":" + port
	}
	return strings.TrimPrefix((&url.URL{Host: host}).String(), "//") // escaped
}

func plainerHost(host string) string {
	host = strings.TrimRight(strings.ToLower(host), ".")
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	for _, prefix := range []string{"www.", "m.", "mobile."} {
		if rest, ok := strings.CutPrefix(host, prefix); ok && strings.Contains(rest, ".") {
			return rest
		}
	}
	if lang, rest, ok := strings.Cut(host, "."); ok {
		if site, ok := strings.CutPrefix(rest, "m."); ok && strings.Contains(site, ".") {
			return lang + "." + site
		}
	}
	return host
}

func cleanPath(p string) string { return strings.TrimRight(path.Clean("/"+p), "/") }

// canonicalFile returns the path of a file, after the host if the address has one other than localhost.
func canonicalFile(u *url.URL) string {
	p := (&url.URL{Path: cleanPath(u.Path)}).EscapedPath()
	if host := strings.ToLower(u.Host); host != "" && host != "localhost" {
		return "//" + host + p
	}
	return p
}

// trackingParams tell the site where a reader came from. The large mail, ad and social services add them.
var trackingParams = map[string]bool{
	"ref": true, "fbclid": true, "gclid": true, "gclsrc": true, "dclid": true, "gbraid": true, "wbraid": true,
	"msclkid": true, "yclid": true, "twclid": true, "ttclid": true, "li_fat_id": true, "igshid": true, "igsh": true,
	"mc_cid": true, "mc_eid": true, "mkt_tok": true, "_hsenc": true, "_hsmi": true, "hsctatracking": true,
	"oly_anon_id": true, "oly_enc_id": true, "vero_id": true, "wickedid": true, "rb_clickid": true, "s_cid": true,
	"ref_src": true, "ref_url": true, "_ga": true, "_gl": true, "spm": true, "cmpid": true, "ncid": true,
	"amp": true,
}

// pair is one unescaped parameter of an address.
type pair struct{ key, value string }

// queryPairs parses parameters like [url.ParseQuery], but drops none: a semicolon is part of its parameter
// (?p=git.git;a=commit;h=1f2e and …;h=3d4c are two documents), and invalid escapes stay unchanged.
func queryPairs(raw string) []pair {
	var pairs []pair
	for part := range strings.SplitSeq(raw, "&") {
		k, v, _ := strings.Cut(part, "=")
		if p := (pair{queryText(k), queryText(v)}); p != (pair{}) {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

func queryText(s string) string {
	if text, err := url.QueryUnescape(s); err == nil {
		return text
	}
	return s
}

func canonicalQuery(pairs []pair) string {
	var parts []string
	for _, p := range pairs {
		low := strings.ToLower(p.key)
		if trackingParams[low] || strings.HasPrefix(low, "utm_") || strings.HasPrefix(low, "pk_") || strings.HasPrefix(low, "mtm_") ||
			p.value == "readme-ov-file" { // the tab of a repository that GitHub opens with
			continue
		}
		part := url.QueryEscape(p.key)
		if p.value != "" {
			part += "=" + url.QueryEscape(p.value)
		}
		parts = append(parts, part)
	}
	sort.Strings(parts)
	return strings.Join(parts, "&")
}
