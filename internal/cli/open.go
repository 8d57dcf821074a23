package cli

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"runtime"

	"github.com/citeloop/citeloop/internal/loops"
)

// openHit opens a hit in the browser, by its number. It opens only web addresses, because hits are untrusted.
func openHit(ctx context.Context, p Process, found loops.Found, place int) error {
	if place > len(found.Hits) {
		return fmt.Errorf("--open=%d: the search found %s", place, counted(len(found.Hits), "hit", "hits"))
	}
	address := found.Hits[place-1].URL
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("--open: not an http or https address: %s; open it by hand if you trust it", printable(address))
	}
	if err := p.show(ctx, u.String()); err != nil {
		return fmt.Errorf("--open: %w; open %s by hand", err, u)
	}
	return nil
}

// show opens an address or a file in the system's program for it. It does not wait, because that program may be the
// browser itself.
func (p Process) show(ctx context.Context, address string) error {
	if p.Open != nil {
		return p.Open(ctx, address)
	}
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), name, args...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("cannot start %s: %w", name, err)
	}
	return cmd.Process.Release()
}
