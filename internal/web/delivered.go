package web

import (
	"context"

	"golang.org/x/sync/singleflight"

	"github.com/citeloop/citeloop/internal/report"
)

// maxDelivered bounds the delivered texts that are checked at a time for pages (chosen: the check of a draft of 400,000
// characters takes a second of one core and 100 MB).
const maxDelivered = 2

// deliveries checks delivered texts for the pages of loops. Requests for the same page share one check.
type deliveries struct {
	shared singleflight.Group
	places chan struct{}
}

func newDeliveries() *deliveries { return &deliveries{places: make(chan struct{}, maxDelivered)} }

// report returns what check returns for a page, whose key says which loop it shows, and at which version. The check does not end
// with the request that began it: others may wait for it.
func (d *deliveries) report(ctx context.Context, key string, check func(context.Context) (report.Document, error)) (report.Document, error) {
	doc, err, _ := d.shared.Do(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), callTimeout)
		defer cancel()
		select {
		case d.places <- struct{}{}:
			defer func() { <-d.places }()
			return check(ctx)
		case <-ctx.Done():
			return report.Document{}, ctx.Err()
		}
	})
	return doc.(report.Document), err
}
