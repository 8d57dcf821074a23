package llm

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// Config configures a Client. URL and Model are required; zero means the default in all other fields.
type Config struct {
	URL        string // base address, such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1
	Model      string
	Key        Key
	Timeout    time.Duration // of one attempt; default 5 min: a model without a GPU needs that long
	Retries    int           // after the first attempt; default 2, negative for none
	Parallel   int           // requests at a time, over all calls; default 4
	HTTPClient *http.Client  // default: a new client
}

// ConfigError is an invalid setting. It contains neither the key nor an address, which may have a password.
type ConfigError struct {
	Setting string // the field of Config
	Problem string
	Next    string // what to do
}

func (e *ConfigError) Error() string { return fmt.Sprintf("%s: %s; %s", e.Setting, e.Problem, e.Next) }

func (c Config) withDefaults() (Config, error) {
	c.Model = strings.TrimSpace(c.Model)
	if c.Model == "" {
		return c, &ConfigError{"Model", "missing", "name a model that the endpoint serves"}
	}
	if strings.IndexFunc(c.Key.secret(), func(r rune) bool { return r <= ' ' || r > '~' }) >= 0 {
		return c, &ConfigError{"Key", "invalid characters", "remove line breaks and quotation marks from it"}
	}
	c.Timeout, c.Retries, c.Parallel = cmp.Or(c.Timeout, 5*time.Minute), max(cmp.Or(c.Retries, 2), 0), cmp.Or(c.Parallel, 4)
	client := http.Client{Transport: http.DefaultTransport}
	if c.HTTPClient != nil {
		client = *c.HTTPClient
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // texts are meant for one host
	c.HTTPClient = &client
	return c, nil
}

// parseAddress reads the base address of an API. One without a path gets /v1. Plain HTTP is for this machine only, unless the
// scheme is http+insecure: anyone on the network could read the key.
func parseAddress(raw string) (*url.URL, error) {
	const example = "use the base address of an OpenAI-compatible API, such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1"
	u, err := url.Parse(strings.TrimSuffix(strings.TrimRight(strings.TrimSpace(raw), "/"), "/chat/completions"))
	problem, next := "", example
	switch {
	case strings.TrimSpace(raw) == "":
		problem = "missing"
	case err != nil || u.Hostname() == "":
		problem = "invalid address"
	case u.Scheme != "https" && u.Scheme != "http" && u.Scheme != "http+insecure":
		problem = "must begin with https:// or http://"
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		problem, next = "must not contain a user name, password, query or fragment", "set the secret as the key"
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		problem, next = "plain http would send the key and the texts unencrypted to another machine", "use https, or http+insecure:// for a network that you trust"
	}
	if problem != "" {
		return nil, &ConfigError{"URL", problem, next}
	}
	return &url.URL{Scheme: strings.TrimSuffix(u.Scheme, "+insecure"), Host: u.Host, Path: cmp.Or(strings.TrimRight(u.Path, "/"), "/v1") + "/"}, nil
}

func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && addr.Unmap().IsLoopback()
}

// Key is the secret for an endpoint. It prints as "[key]" with every verb and encoder: the secret is behind a pointer, because fmt
// does not call the methods of a value in an unexported field. The zero Key sends no Authorization header.
type Key struct{ value *string }

// NewKey wraps a secret, without the white space around it.
func NewKey(secret string) Key {
	if secret = strings.TrimSpace(secret); secret == "" {
		return Key{}
	}
	return Key{&secret}
}

// IsZero reports whether there is no key.
func (k Key) IsZero() bool { return k.value == nil }

func (k Key) secret() string {
	if k.value == nil {
		return ""
	}
	return *k.value
}

// String returns a placeholder, or "" without a key.
func (k Key) String() string {
	if k.IsZero() {
		return ""
	}
	return "[key]"
}

// Format handles every verb, also those that do not call String.
func (k Key) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, k.String()) }

// LogValue implements slog.LogValuer.
func (k Key) LogValue() slog.Value { return slog.StringValue(k.String()) }

// MarshalText implements encoding.TextMarshaler.
func (k Key) MarshalText() ([]byte, error) { return []byte(k.String()), nil }
