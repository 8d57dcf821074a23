package telemetry

import (
	"context"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"go.opentelemetry.io/otel/attribute"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
)

// Watch records tool calls. Metrics, Audit and Traces may each be nil.
type Watch struct {
	Metrics *Metrics
	Audit   *Audit
	Traces  *Traces
	Now     func() time.Time
}

// Middleware records the tool calls of a server.
func (w Watch) Middleware(next server.ToolHandlerFunc) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		c := describe(ctx, req)
		c.at = w.Now()
		w.Metrics.begin()
		ctx, end := w.Traces.call(ctx, c, req)
		result, err := next(ctx, req)
		c.took, c.outcome, c.out = w.Now().Sub(c.at), outcomeOf(ctx, result, err), weight(result)
		end(c)
		w.Metrics.end(c)
		w.Audit.write(ctx, c)
		return result, err
	}
}

// Searcher wraps a searcher to record its outcomes.
func (w Watch) Searcher(next loops.Searcher) loops.Searcher {
	if w.Metrics == nil && w.Traces == nil {
		return next
	}
	return searcher{next, w}
}

type searcher struct {
	loops.Searcher
	watch Watch
}

func (s searcher) Search(ctx context.Context, names []string, q channels.Query, done func(channels.Outcome)) (channels.Answer, error) {
	ctx, end := s.watch.Traces.step(ctx, "search", attribute.StringSlice("citeloop.channels", names))
	answer, err := s.Searcher.Search(ctx, names, q, done)
	var ended []string
	for _, o := range answer.Outcomes {
		s.watch.Metrics.searched(o)
		ended = append(ended, o.Name+" "+string(o.Status))
	}
	end(attribute.StringSlice("citeloop.outcomes", ended))
	return answer, err
}

// Reader wraps a reader to record its outcomes.
func (w Watch) Reader(next loops.Reader) loops.Reader {
	if w.Metrics == nil && w.Traces == nil {
		return next
	}
	return reader{next, w}
}

type reader struct {
	loops.Reader
	watch Watch
}

func (r reader) ReadAll(ctx context.Context, urls []string, each func(i int, p fetch.Page)) []fetch.Page {
	ctx, end := r.watch.Traces.step(ctx, "read", attribute.Int("citeloop.pages", len(urls)))
	pages := r.Reader.ReadAll(ctx, urls, each)
	read := 0
	for _, p := range pages {
		r.watch.Metrics.read(p.Status)
		if p.Status == fetch.StatusRead {
			read++
		}
	}
	end(attribute.Int("citeloop.read", read))
	return pages
}
