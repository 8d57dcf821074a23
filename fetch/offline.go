package fetch

import (
	"cmp"
	"context"
	"errors"
	"net"
	"syscall"
	"time"
)

// offlineReason says why no address can be read.
const offlineReason = "no network connection: no public host name can be looked up"

// knownHosts exist as long as the web does. If none of them can be looked up, the fault is not the address's.
func knownHosts() []string { return []string{"doi.org", "archive.org"} }

// offlineTime is how long the look-up of each known host may take (chosen).
const offlineTime = 2 * time.Second

// failedThere is [failed] for a request. Without a network, every host seems not to exist: name servers of machines that are
// offline differ in what they answer.
func (r *Reader) failedThere(ctx context.Context, err error) Page {
	page := failed(err)
	var dns *net.DNSError
	switch {
	case errors.Is(err, syscall.ENETUNREACH):
		page.Offline, page.Reason = true, "no network connection: no route to the host"
	case errors.As(err, &dns) && r.offline(ctx):
		page = Page{Status: StatusError, Offline: true, Reason: offlineReason}
	}
	return page
}

// offline reports whether none of the known hosts can be looked up.
func (r *Reader) offline(ctx context.Context) bool {
	for _, host := range knownHosts() {
		looking, cancel := context.WithTimeout(ctx, offlineTime)
		_, err := cmp.Or(r.cfg.Resolver, net.DefaultResolver).LookupHost(looking, host)
		cancel()
		if err == nil {
			return false
		}
	}
	return ctx.Err() == nil
}
