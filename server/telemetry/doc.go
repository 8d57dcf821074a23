// Package telemetry provides metrics for Prometheus, traces for OpenTelemetry, and an audit log of tool calls.
//
// None of it contains texts, queries, addresses of sources, or tokens. It records who called which tool for which loop,
// the outcome, and the duration. All of it is off by default.
package telemetry
