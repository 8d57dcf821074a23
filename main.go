// Citeloop keeps the state of a research loop for MCP clients, and traces every sentence of the result to text that was
// actually read.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/citeloop/citeloop/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // calls in progress may take a while to finish; a second signal ends the process at once
	os.Exit(cli.Main(ctx, cli.Process{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, LookupEnv: os.LookupEnv}))
}
