package telemetry

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"go.opentelemetry.io/otel/trace"
)

// Audit writes a line of JSON for each tool call: time, owner, tool, loop and outcome.
type Audit struct {
	lines *slog.Logger
	close func() error
}

// NewAudit returns an audit log that writes to w.
func NewAudit(w io.Writer) *Audit {
	return &Audit{close: func() error { return nil }, lines: slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if len(groups) == 0 && (a.Key == slog.LevelKey || a.Key == slog.MessageKey) {
			return slog.Attr{}
		}
		return a
	}}))}
}

// OpenAudit opens an audit log that appends to a file with mode 0600. Each line is one write, so that processes can share
// the file and log rotation works.
func OpenAudit(path string) (*Audit, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("audit file: %w", err)
	}
	a := NewAudit(f)
	a.close = f.Close
	return a, nil
}

// Close closes the file.
func (a *Audit) Close() error {
	if a == nil {
		return nil
	}
	return a.close()
}

func (a *Audit) write(ctx context.Context, c call) {
	if a == nil {
		return
	}
	r := slog.NewRecord(c.at.UTC(), slog.LevelInfo, "", 0)
	r.AddAttrs(slog.String("owner", c.owner), slog.String("tool", c.tool), slog.String("outcome", c.outcome),
		slog.Int64("took_ms", int64(c.took/time.Millisecond)), slog.Int("bytes_in", c.in), slog.Int("bytes_out", c.out))
	for _, a := range []struct{ key, value string }{{"state_id", c.loop}, {"operation_id", c.operation}, {"client", c.client}, {"protocol", c.protocol}} {
		if a.value != "" {
			r.AddAttrs(slog.String(a.key, a.value))
		}
	}
	if span := trace.SpanContextFromContext(ctx); span.HasTraceID() {
		r.AddAttrs(slog.String("trace_id", span.TraceID().String()))
	}
	// A full disk must not fail all calls, and the server's own log is on the same disk.
	_ = a.lines.Handler().Handle(context.WithoutCancel(ctx), r)
}
