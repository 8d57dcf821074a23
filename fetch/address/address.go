// Package address normalises web addresses and refuses those that two programs may parse differently.
//
// A guard is bypassed when the checker and the dialler parse an address differently, so the checked text must be the
// dialled text. Which hosts may be dialled is decided later, when the name is resolved
// (package fetch, guard.go).
package address

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// maxBytes bounds an address. 8,000 octets is what RFC 9110, 4.1 asks implementations to support.
const maxBytes = 8000

// Parse parses an address for fetching over HTTP and normalises it: the host in lower-case ASCII, no user info. The error is
// a *ForbiddenError for addresses that the rules refuse, and a plain error for invalid ones.
func Parse(raw string) (*url.URL, error) {
	raw = strings.TrimSpace(raw)
	if len(raw) > maxBytes {
		return nil, fmt.Errorf("the address is longer than %d bytes", maxBytes)
	}
	u, err := url.Parse(raw)
	head, rest, _ := strings.Cut(raw, ":")
	hostFirst := strings.Contains(head, ".") && !strings.HasPrefix(rest, "//") && !strings.ContainsAny(head, "/?#") // example.org:8080/x
	if err == nil && u.Scheme == "" || hostFirst {
		return nil, errors.New("no file of a corpus folder has this name, and the address has no scheme: give the full path of a file " +
			"in a corpus folder, or write https:// in front of it")
	}
	if err != nil {
		return nil, Forbid(Redact(raw), "the address is ambiguous (%s)", parseProblem(err))
	}
	return Check(u)
}

// Check is Parse for a parsed address, such as the next hop of a redirect.
func Check(u *url.URL) (*url.URL, error) {
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, Forbid(u.Scheme+":", "only http and https addresses are read from the network")
	}
	if u.Opaque != "" || u.Host == "" || u.Hostname() == "" {
		return nil, errors.New("the address names no host")
	}
	host, err := Host(u.Hostname())
	if err != nil {
		return nil, err
	}
	if p := u.Port(); p != "" {
		if n, err := strconv.ParseUint(p, 10, 16); err != nil || n == 0 {
			return nil, fmt.Errorf("%s is not a port", p)
		}
	}
	clean := *u
	clean.User = nil
	clean.Host = joinHost(host, u.Port())
	clean.RawQuery = escapedQuery(u.RawQuery)
	return &clean, nil
}

// escapedQuery escapes what a request line may not contain, such as spaces, as browsers do. net/url escapes paths only.
func escapedQuery(query string) string {
	var b strings.Builder
	for i := range len(query) {
		if c := query[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`"<>`, c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Host normalises a host name. It fails for names that other programs may read differently: numbers that inet_aton reads as
// IPv4 addresses, zones, and characters that host names do not have.
func Host(host string) (string, error) {
	if strings.Contains(host, "%") {
		return "", Forbid(host, "addresses with a zone, and encoded host names, are not read")
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.String(), nil
	}
	if strings.Contains(host, ":") {
		return "", Forbid(host, "it is not an IPv6 address")
	}
	ascii := strings.ToLower(host)
	if !isASCII(host) {
		// net/http maps names in the same way before it dials: fullwidth digits and dots become ASCII.
		mapped, err := idna.Lookup.ToASCII(host)
		if err != nil {
			return "", Forbid(host, "it is not a host name")
		}
		ascii = mapped
	}
	bare := strings.TrimSuffix(ascii, ".")
	if addr, err := netip.ParseAddr(bare); err == nil { // 127.0.0.1. and 127。0。0。1
		return addr.String(), nil
	}
	if endsInNumber(bare) {
		return "", Forbid(host, "it is no host name and no standard spelling of an IP address")
	}
	for _, label := range strings.Split(bare, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return "", Forbid(host, "it is not a host name")
		}
	}
	if len(bare) > 253 {
		return "", Forbid(host[:63]+"…", "it is not a host name")
	}
	return bare, nil
}

// endsInNumber is the check of the WHATWG URL standard for hosts that must be IPv4 addresses.
func endsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" {
		return false
	}
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	return strings.HasPrefix(last, "0x") && strings.Trim(last[2:], "0123456789abcdef") == ""
}

// HostPort returns the "host:port" of a checked address, with the default port of its scheme.
func HostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = "443"
		if u.Scheme == "http" {
			port = "80"
		}
	}
	return net.JoinHostPort(u.Hostname(), port)
}

func joinHost(host, port string) string {
	if port != "" {
		return net.JoinHostPort(host, port)
	}
	if strings.Contains(host, ":") {
		return "[" + host + "]"
	}
	return host
}

// Redact removes user info from a valid or invalid address, so that no password appears in an answer or a log.
func Redact(raw string) string {
	raw = strings.TrimSpace(raw)
	start := strings.Index(raw, "//")
	if start < 0 {
		return raw
	}
	start += 2
	end := len(raw)
	if i := strings.IndexAny(raw[start:], "/?#"); i >= 0 {
		end = start + i
	}
	if at := strings.LastIndexByte(raw[start:end], '@'); at >= 0 {
		return raw[:start] + raw[start+at+1:]
	}
	return raw
}

// parseProblem returns the error of url.Parse without the address.
func parseProblem(err error) string {
	if ue, ok := errors.AsType[*url.Error](err); ok {
		err = ue.Err
	}
	if strings.Contains(err.Error(), "@") || strings.Contains(err.Error(), "userinfo") {
		return "invalid user info"
	}
	return err.Error()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
