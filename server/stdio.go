package server

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log"

	"github.com/mark3labs/mcp-go/server"
)

// stdioWorkers is how many calls run at the same time. With the library's default of five, a few slow fetches would
// delay all other calls of a host.
const stdioWorkers = 32

// ServeStdio serves MCP over a pair of streams until in or ctx ends, on behalf of the local owner. out receives only
// JSON-RPC; everything else is logged.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	stdio := server.NewStdioServer(s.MCP)
	server.WithWorkerPoolSize(stdioWorkers)(stdio)
	stdio.SetErrorLogger(log.New(logWriter{s.logger}, "", 0))
	calls := newInflight()
	answers := &responseWriter{out: out, all: calls}
	err := stdio.Listen(calls.context(s.asLocal(ctx)), &requestReader{in: bufio.NewReader(in), all: calls, out: answers}, answers)
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
