// Package metrics counts calls for Prometheus, and logs a line for each call.
package metrics

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/VictoriaMetrics/metrics"
)

// Metrics are metrics for Prometheus. Callers cannot invent label values, so the number of series is bounded.
type Metrics struct {
	set     *metrics.Set
	running atomic.Int64 // tool calls in progress
}

// seconds are the limits of the buckets: from a read of the brief (about 1 ms) to the 25 s limit of a call.
var seconds = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 25}

// New makes the metrics of one process.
func New(version string) *Metrics {
	m := &Metrics{set: metrics.NewSet()}
	m.set.NewGauge("citeloop_calls_running", func() float64 { return float64(m.running.Load()) })
	m.set.NewGauge(fmt.Sprintf("citeloop_build_info{version=%q}", version), func() float64 { return 1 })
	return m
}

// called counts a tool call that ended as ok, error, cancelled or failed.
func (m *Metrics) called(tool, outcome string, took time.Duration) {
	m.set.GetOrCreateCounter(fmt.Sprintf("citeloop_calls_total{outcome=%q,tool=%q}", outcome, tool)).Inc()
	m.set.GetOrCreatePrometheusHistogramExt(fmt.Sprintf("citeloop_call_seconds{tool=%q}", tool), seconds).Update(took.Seconds())
}

// Handler serves the metrics, with those of the process. Use a separate listener, because callers of tools must not see them.
func (m *Metrics) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		m.set.WritePrometheus(w)
		metrics.WriteProcessMetrics(w)
	})
}
