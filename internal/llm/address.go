package llm

import (
	"net/netip"
	"net/url"
	"strings"
)

// insecureScheme allows plain HTTP to another machine.
const insecureScheme = "http+insecure"

const chatPath = "/chat/completions"

// parseAddress reads the base address of an API. An address without a path gets /v1, where servers have the API; the
// full address of chat completions is accepted too. Plain HTTP is for this machine only, unless the scheme is
// http+insecure, because anyone on the network could read the key. The error never repeats the address, which may contain a password.
func parseAddress(raw string) (*url.URL, error) {
	invalid := func(problem, next string) (*url.URL, error) { return nil, &ConfigError{"URL", problem, next} }
	const example = "use the base address of an OpenAI-compatible API, such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1"
	raw = strings.TrimSpace(raw)
	if raw == "" {
		return invalid("missing", example)
	}
	u, err := url.Parse(raw)
	if err != nil {
		return invalid("invalid address", example)
	}
	switch {
	case u.Scheme != "https" && u.Scheme != "http" && u.Scheme != insecureScheme:
		return invalid("must begin with https:// or http://", example)
	case u.Hostname() == "" || u.Opaque != "":
		return invalid("missing host", example)
	case u.User != nil:
		return invalid("must not contain a user name or password", "set the secret as the key")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return invalid("must not contain a query or fragment", "remove what follows ? or #; set a secret as the key")
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return invalid("plain http would send the key and the texts unencrypted to another machine",
			"use https, or "+insecureScheme+":// for a network that you trust")
	}
	if u.Scheme == insecureScheme {
		u.Scheme = "http"
	}
	path := strings.TrimRight(u.Path, "/")
	if full := strings.HasSuffix(path, chatPath); full {
		path = strings.TrimSuffix(path, chatPath)
	} else if path == "" {
		path = "/v1"
	}
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: path + "/"}, nil
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}
