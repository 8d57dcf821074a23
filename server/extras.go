package server

import (
	"github.com/mark3labs/mcp-go/server"
)

// Extras are what another program mounts beside the product's own, on the very same stack: behind the same
// guards, refused, counted, asked for and answered alike. The product mounts none.
type Extras struct {
	Tools   []server.ServerTool
	Prompts []server.ServerPrompt
	Library []server.ServerOption // such as capabilities that the product does not have
}

// WithExtras mounts them.
func WithExtras(e Extras) Option { return func(s *settings) { s.extras = e } }

// promptNames are the names of the prompts.
func (e Extras) promptNames() []string {
	var names []string
	for _, p := range e.Prompts {
		names = append(names, p.Prompt.Name)
	}
	return names
}
