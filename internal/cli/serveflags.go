package cli

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/citeloop/citeloop/server"
	"github.com/citeloop/citeloop/server/access"
	"github.com/citeloop/citeloop/server/telemetry"
)

// serveFlags are the flags of serve. Each can also be given by the environment, as CITELOOP_ and its name in
// capitals with underscores, which is how containers are set up.
type serveFlags struct {
	http             string
	tokens           string
	tlsCert, tlsKey  string
	hosts, origins   []string
	publicURL        string
	issuer, jwks     string
	keyFile          string
	limits           string
	metrics          string
	audit            string
	noUI             bool
	ignoreRobots     bool
	tracesConfigured bool
	parsedLimits     limits
	meter            *access.Meter
}

func (f *serveFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.http, "http", "", "listen on this address, such as 127.0.0.1:8080, instead of stdio")
	flags.StringVar(&f.tokens, "tokens", "", "file of tokens, made by 'citeloop token': who may call over HTTP (default everybody on this machine, as you)")
	flags.StringVar(&f.tlsCert, "tls-cert", "", "PEM file of the certificate chain, for HTTPS; a renewed one is used without a restart")
	flags.StringVar(&f.tlsKey, "tls-key", "", "PEM file of its key")
	flags.StringSliceVar(&f.hosts, "allow-host", nil, "name under which the server answers, beside loopback's; repeatable")
	flags.StringSliceVar(&f.origins, "allow-origin", nil, "web site whose pages may call, as https://app.example.org; repeatable")
	flags.StringVar(&f.publicURL, "public-url", "", "address by which clients reach the server, such as https://citeloop.example.org/mcp: the audience of OAuth tokens; its host is allowed")
	flags.StringVar(&f.issuer, "oauth-issuer", "", "OAuth 2.1 authorization server whose tokens are taken")
	flags.StringVar(&f.jwks, "oauth-jwks", "", "address of its keys (JWKS)")
	flags.StringVar(&f.keyFile, "key-file", "", "file with 32 random bytes or more, in hex or base64, shared by replicas that answer each other's calls")
	flags.StringVar(&f.limits, "limits", "", "what one owner may ask for with a token, such as calls=3000,parallel=64,loops=10000,streams=100,bytes=50GB: calls a minute, calls at a time, loops, open event streams, what the loops keep; 0 is no limit")
	flags.BoolVar(&f.noUI, "no-ui", false, "leave out the page for people at /ui/, which --http serves beside the endpoint")
	flags.BoolVar(&f.ignoreRobots, "ignore-robots", false, "read the addresses that are asked for although a site's robots.txt forbids it to programs; each such source says so")
	flags.StringVar(&f.metrics, "metrics", "", "answer figures for Prometheus on this address, such as 127.0.0.1:9090")
	flags.StringVar(&f.audit, "audit", "", "append a line of JSON for each tool call to this file; - is stderr")
}

// complete takes what the environment says for flags that were not given, and checks that all fit together.
func (f *serveFlags) complete(flags *pflag.FlagSet, p Process) (err error) {
	given := map[string]bool{} // on the command line: those must fit together
	flags.Visit(func(flag *pflag.Flag) { given["--"+flag.Name] = true })
	flags.VisitAll(func(flag *pflag.Flag) {
		name := "CITELOOP_" + strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_"))
		if value := p.env(name); value != "" && !flag.Changed && flag.Name != "help" {
			if setErr := flags.Set(flag.Name, value); setErr != nil {
				err = errors.Join(err, fmt.Errorf("%s=%s is none: --%s takes %s", name, value, flag.Name, taken(flag)))
			}
		}
	})
	f.tracesConfigured = firstOf(p.env("OTEL_EXPORTER_OTLP_ENDPOINT"), p.env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")) != "" && p.env("OTEL_SDK_DISABLED") != "true"
	if err != nil {
		return err
	}
	if f.parsedLimits, err = parseLimits(f.limits); err != nil {
		return err
	}
	for _, needs := range []struct{ flag, value, other, otherValue string }{
		{"--tokens", f.tokens, "--http", f.http},
		{"--oauth-issuer", f.issuer, "--http", f.http},
		{"--tls-cert", f.tlsCert, "--http", f.http},
		{"--tls-cert", f.tlsCert, "--tls-key", f.tlsKey},
		{"--tls-key", f.tlsKey, "--tls-cert", f.tlsCert},
		{"--oauth-issuer", f.issuer, "--oauth-jwks", f.jwks},
		{"--oauth-issuer", f.issuer, "--public-url", f.publicURL},
		{"--oauth-jwks", f.jwks, "--oauth-issuer", f.issuer},
	} {
		// What the environment says for all commands, such as CITELOOP_TOKENS, may stay without use in one.
		if (given[needs.flag] || f.http != "") && needs.value != "" && needs.otherValue == "" {
			return fmt.Errorf("%s needs %s as well", needs.flag, needs.other)
		}
	}
	return nil
}

// taken says what a flag takes.
func taken(flag *pflag.Flag) string {
	if flag.Value.Type() == "bool" {
		return "true or false"
	}
	return "a " + flag.Value.Type()
}

// guarded says whether callers are asked who they are.
func (f *serveFlags) guarded() bool { return f.http != "" && (f.tokens != "" || f.issuer != "") }

// watch opens what records calls, as far as it is asked for.
func (f *serveFlags) watch(ctx context.Context, p Process) (w telemetry.Watch, err error) {
	w.Now = time.Now
	if f.metrics != "" {
		w.Metrics = telemetry.NewMetrics(Version)
	}
	switch f.audit {
	case "":
	case "-":
		w.Audit = telemetry.NewAudit(p.Stderr)
	default:
		if w.Audit, err = telemetry.OpenAudit(f.audit); err != nil {
			return w, usageError{fmt.Errorf("--audit: %w", err)}
		}
	}
	if f.tracesConfigured {
		if w.Traces, err = telemetry.OpenTraces(ctx, Version); err != nil {
			return w, err
		}
	}
	return w, nil
}

// countCalls is the one meter of the tools and the page, or nil where nobody is asked who they are.
func (f *serveFlags) countCalls() *access.Meter {
	if f.meter == nil && f.guarded() {
		f.meter = access.NewMeter(access.Limits{CallsPerMinute: f.parsedLimits.callsPerMinute, Parallel: f.parsedLimits.parallel}, time.Now)
	}
	return f.meter
}

// options are those of the server beneath every transport.
func (f *serveFlags) options() ([]server.Option, error) {
	var options []server.Option
	if meter := f.countCalls(); meter != nil {
		options = append(options, server.WithMeter(meter))
	}
	if f.keyFile != "" {
		key, err := readKey(f.keyFile)
		if err != nil {
			return nil, usageError{fmt.Errorf("--key-file: %w", err)}
		}
		options = append(options, server.WithKey(key))
	}
	return options, nil
}

// readKey reads a key in hex or base64. Its words are never repeated.
func readKey(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	text := strings.TrimSpace(string(data))
	for _, decode := range []func(string) ([]byte, error){hex.DecodeString, base64.StdEncoding.DecodeString, base64.RawURLEncoding.DecodeString} {
		if key, err := decode(text); err == nil && len(key) >= server.MinKeyBytes {
			return key, nil
		}
	}
	return nil, fmt.Errorf("%s does not hold at least %d bytes in hex or base64; 'openssl rand -hex 32' makes some", path, server.MinKeyBytes)
}

// web is how the server stands on the network.
func (f *serveFlags) web(s settings) (h server.HTTP, err error) {
	var auth access.Authenticators
	if f.tokens != "" {
		tokens, err := access.OpenTokens(f.tokens, time.Now, s.logger)
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w; 'citeloop token OWNER --file %s' makes it", err, f.tokens)
		}
		if err != nil {
			return h, fmt.Errorf("--tokens: %w", err)
		}
		auth = append(auth, tokens)
	}
	hosts := f.hosts
	if f.publicURL != "" {
		host, err := publicHost(f.publicURL)
		if err != nil {
			return h, usageError{err}
		}
		hosts = append(hosts, host)
	}
	if f.issuer != "" {
		oauth, err := access.NewOAuth(access.OAuthConfig{Issuer: f.issuer, JWKS: f.jwks, Resource: f.publicURL, Client: &http.Client{Timeout: 10 * time.Second}, Now: time.Now, Logger: s.logger})
		if err != nil {
			return h, usageError{fmt.Errorf("--oauth-issuer, --oauth-jwks and --public-url: %w", err)}
		}
		auth = append(auth, oauth)
		h.Resource = &access.Resource{Address: f.publicURL, Issuers: []string{f.issuer}}
	}
	each := 0
	if len(auth) > 0 {
		h.Auth, each = auth, f.parsedLimits.streams
	}
	h.Streams = access.NewStreams(each, server.MaxStreams)
	if h.Sites, err = access.NewSites(append(hosts, listenHost(f.http)...), f.origins); err != nil {
		return h, usageError{err}
	}
	if f.tlsCert != "" {
		if h.TLS, err = server.TLS(f.tlsCert, f.tlsKey, time.Now, s.logger); err != nil {
			return h, usageError{fmt.Errorf("--tls-cert and --tls-key: %w", err)}
		}
	}
	return h, nil
}

// publicHost is the host of the public address.
func publicHost(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", fmt.Errorf("--public-url %q is not an address like https://citeloop.example.org%s", address, server.Endpoint)
	}
	return u.Hostname(), nil
}

// listenHost is the one address that is listened on, which is a name for the server; all addresses at once are
// none.
func listenHost(address string) []string {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || ip == nil || ip.IsUnspecified() {
		return nil
	}
	return []string{host}
}
