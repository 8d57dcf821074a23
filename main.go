// Citeloop keeps the state of a research loop for MCP clients, and traces every sentence of the result to text that was
// actually read.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/citeloop/citeloop/internal/cli"
)

// memoryLimit is where the garbage collector works harder rather than let the heap double; what a text of 400 kB needs stays below.
const memoryLimit = 240 << 20 // bytes

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // calls in progress may take a while to finish; a second signal ends the process at once
	os.Exit(cli.Main(ctx, cli.Process{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, LookupEnv: os.LookupEnv}))
}
