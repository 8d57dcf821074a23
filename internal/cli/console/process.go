// Package console is what every command has of the world: its arguments, streams and environment, its exit codes and errors, and
// how it writes for people and for the logs of CI systems.
package console

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"runtime"
)

// Show opens an address or a file in the system's program for it. It does not wait, because that program may be the
// browser itself.
func (p Process) Show(ctx context.Context, address string) error {
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

// Either reads a variable with one of two values, and reports whether it has the usual one, which is the default.
func (p Process) Either(name, usual, other string) (bool, error) {
	switch word := p.Env(name); word {
	case "", usual:
		return true, nil
	case other:
		return false, nil
	default:
		return false, Usagef("invalid %s=%q: use %s or %s", name, word, usual, other)
	}
}

// Process is the interface of a run to the operating system; tests replace it.
type Process struct {
	Args      []string
	Stdin     io.Reader
	Stdout    io.Writer
	Stderr    io.Writer
	LookupEnv func(string) (string, bool)
	// Open shows a web address to the user; nil uses the system's browser.
	Open func(ctx context.Context, address string) error
}

func (p Process) Env(name string) string {
	v, _ := p.LookupEnv(name)
	return v
}

// Version of citeloop, in semantic versioning.
const Version = "0.1.0"

// Homepage is named in the User-Agent.
const Homepage = "https://github.com/citeloop/citeloop"
