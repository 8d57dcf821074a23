package telemetry

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Traces sends a span for each tool call, with child spans for searches and reads.
type Traces struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
	carried  propagation.TextMapPropagator
}

// OpenTraces sends spans by OTLP over HTTP to the endpoint in the OTEL_EXPORTER_OTLP_… variables.
func OpenTraces(ctx context.Context, version string) (*Traces, error) {
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	return newTraces(version, sdktrace.WithBatcher(exporter))
}

func newTraces(version string, to sdktrace.TracerProviderOption) (*Traces, error) {
	about, err := resource.New(context.Background(), resource.WithFromEnv(), resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.version", version)))
	if err != nil {
		return nil, fmt.Errorf("traces: %w", err)
	}
	if _, named := about.Set().Value("service.name"); !named {
		about, err = resource.Merge(about, resource.NewSchemaless(attribute.String("service.name", "citeloop")))
		if err != nil {
			return nil, fmt.Errorf("traces: %w", err)
		}
	}
	provider := sdktrace.NewTracerProvider(to, sdktrace.WithResource(about))
	return &Traces{provider: provider, tracer: provider.Tracer("github.com/citeloop/citeloop", trace.WithInstrumentationVersion(version)), carried: propagation.TraceContext{}}, nil
}

// Close sends the remaining spans.
func (t *Traces) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// call starts the span of a tool call as a child of the client's span, which is in the request's _meta (2026-07-28) or in
// its HTTP headers.
func (t *Traces) call(ctx context.Context, c call, req mcp.CallToolRequest) (context.Context, func(call)) {
	if t == nil {
		return ctx, func(call) {}
	}
	if req.Params.Meta != nil {
		ctx = t.carried.Extract(ctx, metaCarrier(req.Params.Meta.AdditionalFields))
	}
	if !trace.SpanContextFromContext(ctx).IsValid() && req.Header != nil {
		ctx = t.carried.Extract(ctx, propagation.HeaderCarrier(req.Header))
	}
	ctx, span := t.tracer.Start(ctx, "tools/call "+c.tool, trace.WithSpanKind(trace.SpanKindServer), trace.WithTimestamp(c.at),
		trace.WithAttributes(attribute.String("mcp.method.name", "tools/call"), attribute.String("gen_ai.tool.name", c.tool)))
	if c.loop != "" {
		span.SetAttributes(attribute.String("citeloop.state_id", c.loop))
	}
	return ctx, func(c call) {
		span.SetAttributes(attribute.String("citeloop.outcome", c.outcome))
		if c.outcome != outcomeOK {
			span.SetStatus(codes.Error, c.outcome)
		}
		span.End(trace.WithTimestamp(c.at.Add(c.took)))
	}
}

// step starts a span within a call.
func (t *Traces) step(ctx context.Context, name string, of ...attribute.KeyValue) (context.Context, func(...attribute.KeyValue)) {
	if t == nil {
		return ctx, func(...attribute.KeyValue) {}
	}
	ctx, span := t.tracer.Start(ctx, name, trace.WithAttributes(of...))
	return ctx, func(found ...attribute.KeyValue) {
		span.SetAttributes(found...)
		span.End()
	}
}

// metaCarrier reads trace headers from the _meta of a request.
type metaCarrier map[string]any

func (m metaCarrier) Get(key string) string {
	s, _ := m[key].(string)
	return s
}

func (m metaCarrier) Set(string, string) {}

func (m metaCarrier) Keys() []string { return nil }
