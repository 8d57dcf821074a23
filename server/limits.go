package server

import (
	"time"

	"github.com/citeloop/citeloop/tools"
	"github.com/citeloop/citeloop/tools/arguments"
)

const (
	// Endpoint is the path of the MCP endpoint.
	Endpoint = "/mcp"
	// maxBodyBytes leaves room for JSON around the largest arguments.
	maxBodyBytes = arguments.MaxBytes + 1<<20
	// shutdownGrace lets calls in progress finish; none takes longer than tools.CallTimeout.
	shutdownGrace = tools.CallTimeout + 2*time.Second
	// sessionIdle is when an idle session of the older era is dropped. State lives in loops, so nothing is lost.
	sessionIdle = 30 * time.Minute
)

// timeouts are the server's limits for connections and requests.
type timeouts struct {
	connections int           // at the same time, see sharedListener
	header      time.Duration // for a request's header, and for a new connection to send one
	request     time.Duration // for a whole request
	unknown     time.Duration // for a whole body before its caller is known
	idle        time.Duration // between two requests
	write       time.Duration // for a client to accept a piece of a response, see maxPiece
	probe       time.Duration // for a readiness probe to notice the shutdown
}

// defaultTimeouts returns the production limits. A 10 MB draft arrives over a slow line within a minute. A connection
// costs some 20 kB of memory. A proxy that probes readiness every few seconds notices the shutdown in time.
func defaultTimeouts() timeouts {
	return timeouts{connections: 4096, header: 5 * time.Second, request: 60 * time.Second, unknown: 10 * time.Second, idle: 2 * time.Minute, write: 30 * time.Second, probe: 5 * time.Second}
}
