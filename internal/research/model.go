package research

import (
	"github.com/citeloop/citeloop/internal/llm"
)

// NewModel returns a client with defaults for research: low temperature, and retries for about half a minute.
func NewModel(cfg llm.Config) (*llm.Client, error) {
	if cfg.Temperature == 0 {
		cfg.Temperature = 0.2
	}
	if cfg.MaxRetries == 0 {
		cfg.MaxRetries = 6
	}
	if cfg.MaxConcurrent == 0 {
		cfg.MaxConcurrent = maxSearchers
	}
	return llm.New(cfg)
}
