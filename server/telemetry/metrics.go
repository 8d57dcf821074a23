package telemetry

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/fetch"
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

// NewMetrics makes the metrics of one process.
func NewMetrics(version string) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		calls:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: "citeloop_calls_total", Help: "Tool calls that ended, by tool and outcome (ok, error, cancelled, failed)."}, []string{"tool", "outcome"}),
		// From a read of the brief (about 1 ms) to the 25 s limit of a call.
		seconds:  prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "citeloop_call_seconds", Help: "Duration of tool calls.", Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 25}}, []string{"tool"}),
		running:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "citeloop_calls_running", Help: "Tool calls in progress."}),
		searches: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "citeloop_searches_total", Help: "Searches, by channel and outcome."}, []string{"channel", "status"}),
		pages:    prometheus.NewCounterVec(prometheus.CounterOpts{Name: "citeloop_pages_total", Help: "Requested pages, by outcome."}, []string{"status"}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "citeloop_http_requests_total", Help: "HTTP requests, by response status."}, []string{"code"}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{Name: "citeloop_build_info", Help: "1, with the version.", ConstLabels: prometheus.Labels{"version": version}})
	build.Set(1)
	m.registry.MustRegister(m.calls, m.seconds, m.running, m.searches, m.pages, m.requests, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Handler serves the metrics. Use a separate listener, because callers of tools must not see them.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

func (m *Metrics) begin() {
	if m != nil {
		m.running.Inc()
	}
}

func (m *Metrics) end(c call) {
	if m == nil {
		return
	}
	m.running.Dec()
	m.calls.WithLabelValues(c.tool, c.outcome).Inc()
	m.seconds.WithLabelValues(c.tool).Observe(c.took.Seconds())
}

func (m *Metrics) searched(o channels.Outcome) {
	if m != nil {
		m.searches.WithLabelValues(o.Name, string(o.Status)).Inc()
	}
}

func (m *Metrics) read(status fetch.Status) {
	if m != nil {
		m.pages.WithLabelValues(string(status)).Inc()
	}
}

// Requests counts HTTP responses by status.
func (m *Metrics) Requests(next http.Handler) http.Handler {
	if m == nil {
		return next
	}
	return promhttp.InstrumentHandlerCounter(m.requests, next)
}
