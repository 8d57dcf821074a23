package llm

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// Config configures a Client. URL and Model are required; zero means the default in all other fields.
type Config struct {
	URL   string // base address, such as https://api.openai.com/v1 or http://127.0.0.1:11434
	Model string
	Key   Key

	Temperature   float64
	AnswerTokens  int           // of one answer, reasoning included; default 8,000, at most 100,000
	AnswerTime    time.Duration // of one attempt; default 5 min: a model without a GPU needs that long
	IdleTime      time.Duration // between two pieces of an answer; default 90 s
	MaxRetries    int           // after the first attempt; default 2
	MaxRetryDelay time.Duration // longest wait between attempts; default 2 min. An endpoint that asks for more is not retried
	MaxConcurrent int           // concurrent requests, over all calls; default 4

	HTTPClient *http.Client // default: a new client
	Logger     *slog.Logger // default: no log
}

const (
	maxModelChars   = 200
	maxAnswerTokens = 100_000
)

// ConfigError is an invalid setting. It never contains the key, or an address, which may contain a password.
type ConfigError struct {
	Setting string // the field of Config
	Problem string
	Next    string // what to do; may be empty
}

func (e *ConfigError) Error() string {
	return strings.TrimSuffix(fmt.Sprintf("%s: %s; %s", e.Setting, e.Problem, e.Next), "; ")
}

// withDefaults returns the configuration with defaults, or an error for an invalid value.
func (c Config) withDefaults() (Config, error) {
	c.Model = strings.TrimSpace(c.Model)
	switch {
	case c.Model == "":
		return c, &ConfigError{"Model", "missing", "name a model that the endpoint serves"}
	case len(c.Model) > maxModelChars || sanitize.Line(c.Model) != c.Model:
		return c, &ConfigError{"Model", "invalid name", "name a model that the endpoint serves"}
	case !c.Key.valid():
		return c, &ConfigError{"Key", "invalid characters", "remove line breaks and quotation marks from it"}
	case c.AnswerTokens < 0 || c.AnswerTokens > maxAnswerTokens:
		return c, &ConfigError{"AnswerTokens", fmt.Sprintf("invalid value %d", c.AnswerTokens),
			fmt.Sprintf("use 1 to %d", maxAnswerTokens)}
	}
	c.AnswerTokens = cmp.Or(c.AnswerTokens, 8_000)
	c.MaxRetries = cmp.Or(c.MaxRetries, 2)
	c.MaxConcurrent = cmp.Or(c.MaxConcurrent, 4)
	c.AnswerTime = cmp.Or(c.AnswerTime, 5*time.Minute)
	c.IdleTime = cmp.Or(c.IdleTime, 90*time.Second)
	c.MaxRetryDelay = cmp.Or(c.MaxRetryDelay, 2*time.Minute)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c, nil
}
