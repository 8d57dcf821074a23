// Package metrics counts calls, searches and pages for Prometheus, and logs a line for each call.
package metrics

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are metrics for Prometheus. Callers cannot invent label values, so the number of series is bounded.
type Metrics struct {
	registry *prometheus.Registry
	calls    *prometheus.CounterVec   // tool, outcome
	seconds  *prometheus.HistogramVec // tool
	running  prometheus.Gauge
	searches *prometheus.CounterVec // channel, status
	pages    *prometheus.CounterVec // status
	requests *prometheus.CounterVec // code
}

// New makes the metrics of one process.
func New(version string) *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		calls: counter("citeloop_calls_total", "Tool calls that ended, by tool and outcome (ok, error, cancelled, failed).", "tool",
			"outcome"),
		// From a read of the brief (about 1 ms) to the 25 s limit of a call.
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "citeloop_call_seconds", Help: "Duration of tool calls.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 25}}, []string{"tool"}),
		running:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "citeloop_calls_running", Help: "Tool calls in progress."}),
		searches: counter("citeloop_searches_total", "Searches, by channel and outcome.", "channel", "status"),
		pages:    counter("citeloop_pages_total", "Requested pages, by outcome.", "status"),
		requests: counter("citeloop_http_requests_total", "HTTP requests, by response status.", "code"),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "citeloop_build_info", Help: "1, with the version.",
		ConstLabels: prometheus.Labels{"version": version}})
	build.Set(1)
	m.registry.MustRegister(m.calls, m.seconds, m.running, m.searches, m.pages, m.requests, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler serves the metrics. Use a separate listener, because callers of tools must not see them.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

// Requests counts HTTP responses by status. A nil Metrics counts nothing.
func (m *Metrics) Requests(next http.Handler) http.Handler {
	if m == nil {
		return next
	}
	return promhttp.InstrumentHandlerCounter(m.requests, next)
}
