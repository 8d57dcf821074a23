package fetch

import (
	"context"
	"errors"
	"net/url"
)

// permission is what robots.txt has to say about one reading, its redirects among it.
type permission struct {
	ignore  bool // what it forbids is read all the same
	ignored bool // and that happened
}

// permitted asks a site's robots.txt.
func (r *Reader) permitted(ctx context.Context, target *url.URL, p *permission) error {
	err := r.robots.allows(ctx, target)
	if p.ignore && errors.Is(err, errRobots) {
		p.ignored = true
		return nil
	}
	return err
}
