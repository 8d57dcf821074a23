package cli

import (
	"context"
	"fmt"
	"net/url"
	"os/exec"
	"runtime"

	"github.com/citeloop/citeloop/internal/loops"
)

// openHit shows a hit, by its place in the list, in the user's browser. Only addresses of the web are opened: what a
// search found may name anything.
func openHit(ctx context.Context, p Process, found loops.Found, place int) error {
	if place > len(found.Hits) {
		return fmt.Errorf("--open=%d: there are %d hits", place, len(found.Hits))
	}
	address := found.Hits[place-1].URL
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("--open: %s is no http or https address; open it by hand if you trust it", printable(address))
	}
	open := p.Open
	if open == nil {
		open = systemOpener
	}
	if err := open(ctx, u.String()); err != nil {
		return fmt.Errorf("--open: %w; open %s by hand", err, u)
	}
	return nil
}

// systemOpener hands an address to the program by which the system opens addresses, and does not wait for its end.
func systemOpener(ctx context.Context, address string) error {
	name, args := "xdg-open", []string{address}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", address}
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), name, args...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s could not be started: %w", name, err)
	}
	return cmd.Process.Release()
}
