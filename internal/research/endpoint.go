package research

import (
	"net/netip"
	"net/url"
	"strings"
)

// insecureScheme is how an address says that texts and key may travel in clear to another machine.
const insecureScheme = "http+insecure"

// readEndpoint reads the base address of an API, to whose path "chat/completions" is added. Plain http is for this
// machine alone, unless the address says http+insecure: whoever listens on the way would have the key. The error
// never repeats the address, in which there may be a password.
func readEndpoint(raw string) (*url.URL, error) {
	refuse := func(problem, next string) (*url.URL, error) { return nil, &ConfigError{"URL", problem, next} }
	const example = "give the base address of an OpenAI-compatible API, such as https://api.openai.com/v1 or http://127.0.0.1:11434/v1"
	raw = strings.TrimSpace(raw)
	if raw == "" {
		return refuse("is empty", example)
	}
	u, err := url.Parse(raw)
	if err != nil {
		return refuse("is not an address", example)
	}
	switch {
	case u.Scheme != "https" && u.Scheme != "http" && u.Scheme != insecureScheme:
		return refuse("does not begin with https:// or http://", example)
	case u.Hostname() == "" || u.Opaque != "":
		return refuse("names no host", example)
	case u.User != nil:
		return refuse("holds a user name or password", "give the secret as the key")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return refuse("has something behind its path", "leave out what begins with ? or #; give a secret as the key")
	case u.Scheme == "http" && !isLoopback(u.Hostname()):
		return refuse("is plain http to another machine, so the key and the texts would travel in clear",
			"use https, or write "+insecureScheme+":// for a network that you trust")
	}
	if u.Scheme == insecureScheme {
		u.Scheme = "http"
	}
	path := strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions") // the whole address is often given
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimRight(path, "/") + "/"}, nil
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}
