package llm

import (
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
	MaxRetries    int           // after the first attempt; default 2, at most 10
	MaxRetryDelay time.Duration // longest wait between attempts; default 2 min. An endpoint that asks for more is not retried
	MaxConcurrent int           // concurrent requests, over all calls; default 4, at most 32

	HTTPClient *http.Client // default: a new client
	Logger     *slog.Logger // default: no log
}

const (
	maxModelChars = 200
	maxTime       = time.Hour
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
	case !(c.Temperature >= 0 && c.Temperature <= 2):
		return c, &ConfigError{"Temperature", fmt.Sprintf("invalid value %g", c.Temperature), "use 0 to 2"}
	}
	for _, n := range []struct {
		name         string
		value        *int
		usual, limit int
	}{{"AnswerTokens", &c.AnswerTokens, 8_000, 100_000}, {"MaxRetries", &c.MaxRetries, 2, 10}, {"MaxConcurrent", &c.MaxConcurrent, 4, 32}} {
		if *n.value == 0 {
			*n.value = n.usual
		}
		if *n.value < 0 || *n.value > n.limit {
			return c, &ConfigError{n.name, fmt.Sprintf("invalid value %d", *n.value), fmt.Sprintf("use 1 to %d", n.limit)}
		}
	}
	for _, d := range []struct {
		name  string
		value *time.Duration
		usual time.Duration
	}{{"AnswerTime", &c.AnswerTime, 5 * time.Minute}, {"IdleTime", &c.IdleTime, 90 * time.Second}, {"MaxRetryDelay", &c.MaxRetryDelay, 2 * time.Minute}} {
		if *d.value == 0 {
			*d.value = d.usual
		}
		if *d.value < 0 || *d.value > maxTime {
			return c, &ConfigError{d.name, fmt.Sprintf("invalid value %s", *d.value), fmt.Sprintf("use at most %s", maxTime)}
		}
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c, nil
}
