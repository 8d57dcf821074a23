package judge

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// Config says whom to ask, and how much. URL and Model are needed; zero means the default in all others.
type Config struct {
	URL   string // the base address, such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1
	Model string
	Key   Key

	Timeout        time.Duration // of one Opine; default 18 s: a tool call ends within 25 s and has more to do
	RequestTimeout time.Duration // of one attempt; default 12 s
	MaxConcurrent  int           // requests under way at once, over all calls; default 4, at most 32
	MaxClaims      int           // questions asked in one Opine; default 40, at most 500
	MaxTokens      int           // of one answer, thinking included; default 2,000, at most 32,000

	HTTPClient *http.Client // default: a client of its own; redirects are never followed
	Logger     *slog.Logger // default: nothing is logged
}

// The defaults are chosen: an answer has about 150 tokens and takes a hosted model one to three seconds, so that
// four at once answer 40 questions in the time of a call; thinking models need the rest of the 2,000 tokens.
const (
	defaultTimeout        = 18 * time.Second
	defaultRequestTimeout = 12 * time.Second
	defaultMaxConcurrent  = 4
	defaultMaxClaims      = 40
	defaultMaxTokens      = 2_000

	mostConcurrent = 32
	mostClaims     = 500
	mostTokens     = 32_000
	mostTime       = 10 * time.Minute
	mostModelChars = 200
)

// ConfigError is a setting that cannot be used. Problem and Next never hold the key, nor what was written in place of an
// address, in which there may be a password.
type ConfigError struct {
	Setting string // the name of the field of Config
	Problem string
	Next    string // what to do; may be empty
}

func (e *ConfigError) Error() string {
	if e.Next == "" {
		return fmt.Sprintf("judge: %s %s", e.Setting, e.Problem)
	}
	return fmt.Sprintf("judge: %s %s: %s", e.Setting, e.Problem, e.Next)
}

// completed fills in the defaults and refuses what makes no sense.
func (c Config) completed() (Config, error) {
	c.Model = strings.TrimSpace(c.Model)
	switch {
	case c.Model == "":
		return c, &ConfigError{"Model", "is empty", "name a model that the endpoint serves"}
	case len(c.Model) > mostModelChars || cleaned(c.Model, mostModelChars) != c.Model:
		return c, &ConfigError{"Model", "is not the name of a model", ""}
	case !c.Key.usable():
		return c, &ConfigError{"Key", "has characters that no key has", "look for a line break or a quotation mark in it"}
	}
	for _, d := range []struct {
		name  string
		value *time.Duration
		usual time.Duration
	}{{"Timeout", &c.Timeout, defaultTimeout}, {"RequestTimeout", &c.RequestTimeout, defaultRequestTimeout}} {
		if *d.value == 0 {
			*d.value = d.usual
		}
		if *d.value < 0 || *d.value > mostTime {
			return c, &ConfigError{d.name, fmt.Sprintf("%s is not between 0 and %s", *d.value, mostTime), fmt.Sprintf("leave it out for %s", d.usual)}
		}
	}
	for _, n := range []struct {
		name        string
		value       *int
		usual, most int
	}{
		{"MaxConcurrent", &c.MaxConcurrent, defaultMaxConcurrent, mostConcurrent},
		{"MaxClaims", &c.MaxClaims, defaultMaxClaims, mostClaims},
		{"MaxTokens", &c.MaxTokens, defaultMaxTokens, mostTokens},
	} {
		if *n.value == 0 {
			*n.value = n.usual
		}
		if *n.value < 0 || *n.value > n.most {
			return c, &ConfigError{n.name, fmt.Sprintf("%d is not between 1 and %d", *n.value, n.most), fmt.Sprintf("leave it out for %d", n.usual)}
		}
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c, nil
}

// String names the endpoint and the model, and whether there is a key.
func (c Config) String() string {
	key := "without a key"
	if !c.Key.IsZero() {
		key = "with a key"
	}
	host := "an unusable address"
	if e, err := readEndpoint(c.URL); err == nil {
		host = e.base.Host
	}
	return fmt.Sprintf("judge %s at %s, %s", c.Key.redact(c.Model), host, key)
}

// Format answers every verb, also those that would print the fields one by one.
func (c Config) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, c.String()) }

// LogValue implements slog.LogValuer.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }
