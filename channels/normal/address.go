package normal

import (
	"net/url"
	"strings"
)

const MaxURL = 4_096 // bytes

// ValidURL reports whether an address can be opened.
func ValidURL(s string) bool {
	if len(s) > MaxURL {
		return false
	}
	u, err := url.Parse(s)
	if err != nil {
		return false
	}
	switch u.Scheme {
	case "http", "https":
		return u.Host != ""
	case "file":
		return u.Path != ""
	}
	return false
}

// RegisteredURL returns the address of a DOI as registered, or "" if doi is not a DOI. Normalising a DOI removes a
// final character that a few have.
func RegisteredURL(doi string) string {
	bare := strings.ToLower(strings.TrimSpace(doi))
	if !strings.HasPrefix(bare, "10.") {
		return ""
	}
	return DOIURL(bare)
}

// DOIURL returns the address that resolves a DOI. A DOI may contain any printable character.
func DOIURL(doi string) string {
	return (&url.URL{Scheme: "https", Host: "doi.org", Path: "/" + doi}).String()
}
