package report

import (
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// snapshot is the address at which the Wayback Machine shows what it kept of a page nearest to the time of reading:
// it answers with the nearest snapshot when there is none of that second. "" where there can be none: for what is on
// no public host, and for what was read there in the first place.
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

// publicHost reports whether a host may be one that everybody reaches: a name with a dot, not of a local network.
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
