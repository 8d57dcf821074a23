package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/internal/loops"
)

// stdioWorkers is how many calls run at the same time. With the library's default of five, a few slow fetches would
// delay all other calls of a host.
const stdioWorkers = 32

// ServeStdio serves MCP over a pair of streams until in or ctx ends, on behalf of the local owner. out receives only
// JSON-RPC; everything else is logged.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	stdio := server.NewStdioServer(s.MCP)
	server.WithWorkerPoolSize(stdioWorkers)(stdio)
	stdio.SetErrorLogger(slog.NewLogLogger(s.logger.Handler(), slog.LevelWarn))
	responses := &responseWriter{out: out}
	err := stdio.Listen(loops.WithOwner(ctx, loops.LocalOwner), &messageReader{in: bufio.NewReader(in), responses: responses}, responses)
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// messageReader reads a client's messages, one a line. It answers those that are too large itself.
type messageReader struct {
	in        *bufio.Reader
	responses *responseWriter
	begun     bool
	rest      []byte // of the line being passed on
}

func (m *messageReader) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, size, err := m.line()
		if !m.begun {
			line, m.begun = bytes.TrimPrefix(line, byteOrderMark), true
		}
		switch problem := checkValues(line); {
		case size > maxBodyBytes:
			m.refuse(line, fmt.Errorf("request too large: %d bytes; send at most %d bytes in one request", size, maxBodyBytes))
		case problem != nil:
			m.refuse(line, problem)
		default:
			m.rest = passLongIDs(line)
		}
		if err != nil && len(m.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// line reads the next line. Of one that exceeds maxBodyBytes it returns only the beginning.
func (m *messageReader) line() (line []byte, size int, err error) {
	for {
		part, err := m.in.ReadSlice('\n')
		if size += len(part); size <= maxBodyBytes {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, size, err
		}
	}
}

// refuse answers a message that is not decoded under its id, or under null if the id is not in what was kept of it.
func (m *messageReader) refuse(line []byte, problem error) {
	id := json.RawMessage("null")
	if given := gjson.GetBytes(line, "id"); given.Type == gjson.Number || given.Type == gjson.String {
		id = json.RawMessage(given.Raw)
	}
	answer, err := json.Marshal(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "id": id, "error": map[string]any{
		"code": mcp.INVALID_REQUEST, "message": problem.Error()}})
	if err == nil {
		_, _ = m.responses.Write(append(answer, '\n'))
	}
}

// responseWriter writes whole lines to a client, one at a time.
type responseWriter struct {
	mu  sync.Mutex
	out io.Writer
}

func (w *responseWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.out.Write(restoreLongID(line)); err != nil {
		return 0, err
	}
	return len(line), nil
}
