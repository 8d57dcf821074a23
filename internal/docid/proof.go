package docid

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Reading is what is known about where a text comes from.
type Reading struct {
	Asked     string   // the requested address
	Final     string   // the address that answered; empty: Asked
	Redirects []string // addresses between them, the first one first
	Claimed   string   // the DOI that the page or the file states about itself
	Proven    string   // a DOI that the registry, or the user's library, has for this address
}

// Identity is what a text is, proven or claimed.
type Identity struct {
	Key     string   // canonical key
	DOI     string   // proven, or ""
	Claimed string   // the DOI that the text states about itself, if nothing proves it
	Keys    []string // all keys under which the text may be found: Key and those of its addresses, without keys that they do not prove
}

// Identify returns the identity of a text. An identifier counts only where it is proven:
//   - the address is one of doi.org, or was reached from it,
//   - the host is the one that the registry names for the DOI (see [Registered]), or
//   - the address is one of an archive that gives the id (arXiv, PubMed, PMC).
//
// What a page says of itself, in metadata, in its path or in its query, proves nothing.
func Identify(r Reading) Identity {
	if r.Final == "" {
		r.Final = r.Asked
	}
	claimed, host := NormalizeDOI(r.Claimed), Host(r.Final)
	final := CanonicalKey(r.Final, "")
	id := Identity{Key: final, Keys: []string{final}}
	hops := append([]string{r.Asked}, r.Redirects...)
	slices.Reverse(hops)
	byRegistry := ""
	for _, hop := range hops {
		if key := CanonicalKey(hop, ""); isIdentifier(key) && (IsRegistry(hop) || SameSite(hop, r.Final)) {
			byRegistry = key
			break
		}
	}
	switch proven := NormalizeDOI(r.Proven); {
	case proven != "":
		id.Key = doiKey(proven)
	case isIdentifier(final):
	case claimed != "" && Registered(host, claimed):
		id.Key = doiKey(claimed)
	case byRegistry != "":
		id.Key = byRegistry
	}
	id.Keys = append(id.Keys, id.Key)
	if byRegistry != "" {
		id.Keys = append(id.Keys, byRegistry)
	}
	if asked := CanonicalKey(r.Asked, ""); !isIdentifier(asked) || IsRegistry(r.Asked) || SameSite(r.Asked, r.Final) {
		id.Keys = append(id.Keys, asked)
	}
	slices.Sort(id.Keys)
	id.Keys = slices.DeleteFunc(slices.Compact(id.Keys), func(key string) bool { return key == "" })
	if doi, ok := strings.CutPrefix(id.Key, "doi:"); ok {
		id.DOI = doi
	} else if proven := NormalizeDOI(r.Proven); proven != "" {
		id.DOI = proven
	} else if claimed != "" && (Archive(host) || Registered(host, claimed) && doiKey(claimed) == id.Key) {
		id.DOI = claimed
	}
	if claimed != "" && claimed != id.DOI && doiKey(claimed) != id.Key {
		id.Claimed = claimed
	}
	return id
}

// isIdentifier reports whether a canonical key is that of an identifier, which several addresses can have.
func isIdentifier(key string) bool {
	kind, _, _ := strings.Cut(key, ":")
	return kind == "doi" || kind == "arxiv" || kind == "acl" || kind == "pmid" || kind == "pmcid"
}

// IsRegistry reports whether an address is one of doi.org, or an identifier itself.
func IsRegistry(address string) bool {
	low := strings.ToLower(strings.TrimSpace(address))
	return strings.HasPrefix(low, "doi:") || strings.HasPrefix(low, "arxiv:") || onSite(Host(address), []string{"doi.org"})
}

// Host returns the host of an address in lower case, without www. and its port, or "".
func Host(address string) string {
	u := webAddress(address)
	if u == nil {
		return ""
	}
	return strings.TrimPrefix(plainerHost(u.Hostname()), "www.")
}

// webAddress reads an address that has a host; nil for anything else.
func webAddress(address string) *url.URL {
	if u := parseAddress(strings.TrimSpace(address)); u != nil && u.Scheme != "file" {
		return u
	}
	return nil
}

// SameSite reports whether two addresses have the same registered domain.
func SameSite(a, b string) bool {
	one, other := Host(a), Host(b)
	return one != "" && other != "" && site(one) == site(other)
}

// site returns the registered domain of a host.
func site(host string) string {
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}

// AddressKey returns the key of an address as such, whatever identifier it has.
func AddressKey(address string) string {
	if u := webAddress(address); u != nil && canonicalHost(u) != "" {
		return addressKey(u, canonicalHost(u))
	}
	return CanonicalKey(address, "")
}

// AddressDOI returns the DOI in the path or the query of an address. The host may have invented it.
func AddressDOI(address string) string {
	if u := webAddress(address); u != nil {
		return doiIn(u)
	}
	return ""
}
