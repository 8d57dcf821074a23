package server

import (
	"slices"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/server/access"
	"github.com/citeloop/citeloop/tools"
)

// Option configures a [Server].
type Option func(*settings)

type settings struct {
	key    []byte
	meter  *access.Meter
	around []server.ToolHandlerMiddleware
	extras Extras

	only     []string // the tools to serve; nil: all
	readOnly bool
}

// WithKey sets the key that signs request states and session ids: at least MinKeyBytes random bytes, the same for all
// replicas. By default each server generates its own.
func WithKey(key []byte) Option { return func(s *settings) { s.key = key } }

// WithMeter limits the tool calls of each owner.
func WithMeter(m *access.Meter) Option { return func(s *settings) { s.meter = m } }

// WithTools serves only these tools, and the prompts that need no other.
func WithTools(names []string) Option { return func(s *settings) { s.only = names } }

// WithReadOnly serves only the tools that write nothing, and lets the local owner only read. Over HTTP, the authenticator must be
// an [access.ReadOnly].
func WithReadOnly() Option { return func(s *settings) { s.readOnly = true } }

// WithMiddleware adds a middleware around every tool call, outside of all others: it sees rejected calls too.
func WithMiddleware(m server.ToolHandlerMiddleware) Option {
	return func(s *settings) { s.around = append(s.around, m) }
}

// Extras are tools, prompts and options that another program adds to the product's own, behind the same access checks.
// The product has none.
type Extras struct {
	Tools   []server.ServerTool
	Prompts []server.ServerPrompt
	Library []server.ServerOption // such as capabilities that the product does not have
}

// WithExtras adds tools, prompts and options.
func WithExtras(e Extras) Option { return func(s *settings) { s.extras = e } }

func (s *settings) serves(tool string) bool {
	return (s.only == nil || slices.Contains(s.only, tool)) && !(s.readOnly && tools.WritesLog(tool))
}
