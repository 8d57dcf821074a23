// Package telemetry lets those who run a server see what it does: figures for Prometheus, traces for
// OpenTelemetry, and an audit line for each tool call.
//
// None of it holds a text, a query, an address that was read, or a token. What is recorded is who called which
// tool for which loop, how it ended, and how long it took. Nothing is recorded, and nothing leaves the machine,
// unless it is asked for.
package telemetry
