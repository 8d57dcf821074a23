package report

import (
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// snapshot returns the address of the Wayback Machine's snapshot closest to the time of reading. It is "" for addresses
// without a public host, and for pages that were read from the Wayback Machine.
func snapshot(address string, read time.Time) string {
	link := sanitize.Link(address)
	if link == "" || read.IsZero() {
		return ""
	}
	u, err := url.Parse(link)
	if err != nil || !publicHost(u.Hostname()) || u.Hostname() == "web.archive.org" {
		return ""
	}
	link, _, _ = strings.Cut(link, "#")
	return "https://web.archive.org/web/" + read.UTC().Format("20060102150405") + "/" + link
}

// publicHost reports whether a host may be public: a name with a dot that is not reserved for local networks.
func publicHost(host string) bool {
	if net.ParseIP(host) != nil || !strings.Contains(strings.Trim(host, "."), ".") {
		return false
	}
	for _, local := range []string{".local", ".localhost", ".internal", ".lan", ".home.arpa", ".test", ".invalid"} {
		if strings.HasSuffix(strings.ToLower(host), local) {
			return false
		}
	}
	return true
}
