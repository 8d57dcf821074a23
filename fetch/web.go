package fetch

import (
	"context"
	"net/url"
	"time"

	"github.com/citeloop/citeloop/fetch/address"
)

// readWeb reads an address of the web. Concurrent reads of it share one request, if they know the same version or none.
func (r *Reader) readWeb(ctx context.Context, rawURL string, known validators) Page {
	target, err := address.Parse(rawURL)
	if err != nil {
		return failed(err)
	}
	if err := r.guard.checkHost(address.HostPort(target)); err != nil {
		return failed(err)
	}
	target.Fragment, target.RawFragment = "", ""
	page, err := r.reading.do(ctx, target.String()+" "+known.tag+" "+known.modified, r.cfg.Timeout, func(ctx context.Context) Page {
		return r.guarded(target.String(), func() Page { return r.readHTTP(ctx, target, known) })
	})
	if err != nil {
		return failed(err)
	}
	return page
}

// readHTTP reads a checked target, or a copy of it if it cannot be read.
func (r *Reader) readHTTP(ctx context.Context, target *url.URL, known validators) Page {
	if r.cfg.Copies == nil {
		return r.readDirect(ctx, target, &permission{ignore: r.cfg.IgnoreRobots}, known)
	}
	direct, cancel := context.WithTimeout(ctx, time.Duration(directShare*float64(r.cfg.Timeout)))
	page := r.readDirect(direct, target, &permission{ignore: r.cfg.IgnoreRobots}, known)
	cancel()
	switch page.Status {
	case StatusUnchanged:
		return page
	case StatusRead:
		return r.prove(ctx, target, page)
	}
	return r.copyOf(ctx, target, page)
}
