package fetch

import (
	"context"
	"errors"
	"net/url"
)

// permission is the state of the robots.txt checks of one page and its redirects.
type permission struct {
	ignore  bool // read pages that robots.txt forbids
	ignored bool // a forbidden page was read
}

// permitted checks an address against its site's robots.txt.
func (r *Reader) permitted(ctx context.Context, target *url.URL, p *permission) error {
	err := r.robots.allows(ctx, target)
	if p.ignore && errors.Is(err, errRobots) {
		p.ignored = true
		return nil
	}
	return err
}
