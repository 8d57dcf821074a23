package cli

import (
	"context"
	"fmt"
	"net/url"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/loops"
)

// openHit opens a hit in the browser, by its number. It opens only web addresses, because hits are untrusted.
func openHit(ctx context.Context, p console.Process, found loops.Found, place int) error {
	if place > len(found.Hits) {
		return fmt.Errorf("--open=%d: the search found %s", place, console.Counted(len(found.Hits), "hit", "hits"))
	}
	address := found.Hits[place-1].URL
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("--open: not an http or https address: %s; open it by hand if you trust it", console.Printable(address))
	}
	if err := p.Show(ctx, u.String()); err != nil {
		return fmt.Errorf("--open: %w; open %s by hand", err, u)
	}
	return nil
}
