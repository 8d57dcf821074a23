// Citeloop keeps the state of a research loop for MCP clients, and checks that every sentence of the result
// leads to text that was read.
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
	context.AfterFunc(ctx, stop) // calls under way may take a while to finish: a second signal does not wait
	os.Exit(cli.Main(ctx, cli.Process{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, LookupEnv: os.LookupEnv}))
}
