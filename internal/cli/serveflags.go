package cli

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/server"
	"github.com/citeloop/citeloop/server/access"
)

// serveFlags are the flags of serve. CITELOOP_HTTP and CITELOOP_TOKENS stand for two of them.
type serveFlags struct {
	http            string
	tokens          string
	tlsCert, tlsKey string
	hosts           []string
	publicURL       string
	issuer          string
	limits          string
	metrics         string
	setup.ToolFlags
	parsedLimits limits
}

func (f *serveFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.http, "http", "", "listen on this address, such as 127.0.0.1:8080, instead of stdio")
	flags.StringVar(&f.tokens, "tokens", "",
		"token file for HTTP clients, see 'citeloop token' (default: every program on this machine has your access)")
	flags.StringVar(&f.tlsCert, "tls-cert", "", "PEM file of the certificate chain, for HTTPS")
	flags.StringVar(&f.tlsKey, "tls-key", "", "PEM file of the private key")
	flags.StringSliceVar(&f.hosts, "allow-host", nil,
		"host name that clients may use, or origin of a web page that may call, such as https://app.example.org; repeatable")
	flags.StringVar(&f.publicURL, "public-url", "",
		"public address of the server, such as https://citeloop.example.org/mcp: the audience of OAuth tokens; its host is allowed")
	flags.StringVar(&f.issuer, "oauth-issuer", "", "OAuth 2.1 authorization server whose tokens are accepted")
	flags.StringVar(&f.limits, "limits", "", "limits of one owner with a token, and connections of the server; 0 is no limit "+
		"(default calls=3000,parallel=64,connections=1024)")
	flags.StringVar(&f.metrics, "metrics", "", "serve Prometheus metrics on this address, such as 127.0.0.1:9090")
	f.ToolFlags.Register(flags)
}

// complete sets flags from the environment and checks their combination.
func (f *serveFlags) complete(p console.Process) (err error) {
	tokensGiven := f.tokens != ""
	f.http = cmp.Or(f.http, p.Env("CITELOOP_HTTP"))
	f.tokens = cmp.Or(f.tokens, p.Env(tokensVariable))
	if f.parsedLimits, err = parseLimits(f.limits); err != nil {
		return err
	}
	if err := f.Check(); err != nil {
		return err
	}
	for _, needs := range []struct{ flag, value, other, otherValue string }{
		{"--tokens", f.tokens, "--http", f.http},
		{"--oauth-issuer", f.issuer, "--http", f.http},
		{"--tls-cert", f.tlsCert, "--http", f.http},
		{"--tls-cert", f.tlsCert, "--tls-key", f.tlsKey},
		{"--tls-key", f.tlsKey, "--tls-cert", f.tlsCert},
		{"--oauth-issuer", f.issuer, "--public-url", f.publicURL},
	} {
		// CITELOOP_TOKENS is set for all commands and may be unused in one.
		if needs.value != "" && needs.otherValue == "" && (needs.flag != "--tokens" || tokensGiven) {
			return fmt.Errorf("%s needs %s", needs.flag, needs.other)
		}
	}
	return nil
}

// web returns the HTTP settings.
func (f *serveFlags) web(s setup.Settings) (h server.HTTP, err error) {
	if f.tokens != "" {
		tokens, err := access.OpenTokens(f.tokens, time.Now)
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w; create it with 'citeloop token OWNER --file %s'", err, f.tokens)
		}
		if err != nil {
			return h, fmt.Errorf("--tokens: %w", err)
		}
		h.Auth = tokens
	}
	if h.Sites, err = f.sites(f.http); err != nil {
		return h, console.Usage(err)
	}
	if f.issuer != "" {
		if h.Auth != nil {
			return h, console.Usagef("--oauth-issuer and --tokens exclude each other: unset CITELOOP_TOKENS, or run a server for each")
		}
		oauth, err := access.NewOAuth(access.OAuthConfig{Issuer: f.issuer, Resource: f.publicURL, Now: time.Now, Logger: s.Logger})
		if err != nil {
			return h, console.Usagef("--oauth-issuer and --public-url: %w", err)
		}
		h.Auth, h.PublicURL, h.Issuer = oauth, f.publicURL, f.issuer
	}
	h.Connections = f.parsedLimits.connections
	if h.Auth != nil {
		h.Meter = access.NewMeter(f.parsedLimits.callsPerMinute, f.parsedLimits.parallel, time.Now)
	}
	if f.tlsCert != "" {
		pair, err := tls.LoadX509KeyPair(f.tlsCert, f.tlsKey)
		if err != nil {
			return h, console.Usagef("--tls-cert and --tls-key: %w", err)
		}
		h.TLS = &tls.Config{Certificates: []tls.Certificate{pair}}
	}
	return h, nil
}

// sites returns the hosts and origins that a listener on an address accepts.
func (f *serveFlags) sites(address string) (*access.Sites, error) {
	hosts := append(slices.Clone(f.hosts), listenHost(address)...)
	if f.publicURL != "" {
		host, err := publicHost(f.publicURL)
		if err != nil {
			return nil, err
		}
		hosts = append(hosts, host)
	}
	return access.NewSites(hosts)
}

// publicHost returns the host of the public address.
func publicHost(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", fmt.Errorf("invalid --public-url %q: use an address such as https://citeloop.example.org%s", address, server.Endpoint)
	}
	return u.Hostname(), nil
}

// listenHost returns the address that the server listens on, unless it listens on all addresses.
func listenHost(address string) []string {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || ip == nil || ip.IsUnspecified() {
		return nil
	}
	return []string{host}
}

// limits bound one owner, and the connections of all; 0 means no limit.
type limits struct {
	callsPerMinute, parallel, connections int
}

// defaultLimits only stop a client that is out of control: a busy host makes about 60 calls a minute.
func defaultLimits() limits {
	return limits{callsPerMinute: 3_000, parallel: 64, connections: server.DefaultConnections}
}

// parseLimits reads --limits. Limits that are not named keep their defaults.
func parseLimits(text string) (limits, error) {
	l := defaultLimits()
	if text == "" {
		return l, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		n, err := strconv.Atoi(value)
		into, known := map[string]*int{"calls": &l.callsPerMinute, "parallel": &l.parallel,
			"connections": &l.connections}[name]
		if err != nil || n < 0 || !known {
			return l, fmt.Errorf("--limits %q: %q is not calls=N, parallel=N or connections=N", text, part)
		}
		*into = n
	}
	return l, nil
}
