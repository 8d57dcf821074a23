package fetch

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/citeloop/citeloop/fetch/address"
	"github.com/citeloop/citeloop/internal/datafile"
)

// rule is a range of addresses that is never dialled, and its name.
type rule struct {
	prefix netip.Prefix
	name   string
}

//go:embed forbidden.txt
var forbiddenRanges string

// rules are the ranges of forbidden.txt. The first match is the reason of a refusal.
var rules = func() []rule {
	var all []rule
	for line := range datafile.Lines(forbiddenRanges) {
		prefix, name, _ := strings.Cut(line, " ")
		all = append(all, rule{netip.MustParsePrefix(prefix), strings.TrimSpace(name)})
	}
	return all
}()

var (
	nat64         = netip.MustParsePrefix("64:ff9b::/96")
	globalUnicast = netip.MustParsePrefix("2000::/3")
)

// refusal returns the rule that refuses addr, or "" if it may be dialled.
//
// IPv6 is an allow-list: 2000::/3 without its special ranges, as in code.dny.dev/ssrf. A test checks that this table is at
// least as strict as that package, which is not used for three reasons. A refusal must name its rule. NAT64 addresses
// (64:ff9b::/96) are checked by the IPv4 address inside them, because networks with IPv6 only reach all IPv4 sites by
// them. IPv4-mapped addresses (::ffff:a.b.c.d) are checked in the same way.
func refusal(addr netip.Addr) string {
	why := firstMatch(addr)
	switch {
	case !addr.IsValid():
		return "it is not an IP address"
	case addr.Zone() != "":
		return "addresses with a zone are local"
	case addr.Is4In6():
		return mapped(addr.Unmap(), "IPv4-mapped")
	case nat64.Contains(addr):
		b := addr.As16()
		return mapped(netip.AddrFrom4([4]byte(b[12:])), "NAT64")
	case why == "" && addr.Is6() && !globalUnicast.Contains(addr):
		return "it is outside of the public IPv6 range (2000::/3)"
	}
	return why
}

func mapped(inner netip.Addr, form string) string {
	if why := firstMatch(inner); why != "" {
		return fmt.Sprintf("it is the %s form of %s, and %s", form, inner, why)
	}
	return ""
}

func firstMatch(addr netip.Addr) string {
	for _, r := range rules {
		if r.prefix.Contains(addr) {
			return r.name
		}
	}
	return ""
}

// localName returns the rule that refuses a host by its name alone, or "". The dialled address is checked too, but behind
// a proxy there may be no address to check.
func localName(host string) string {
	host = strings.TrimSuffix(host, ".")
	if !strings.Contains(host, ".") && !strings.Contains(host, ":") {
		return "a name without a dot belongs to the local network"
	}
	for _, suffix := range []string{".localhost", ".local", ".localdomain", ".internal", ".intranet", ".home.arpa", ".lan",
		".corp", ".home"} {
		if strings.HasSuffix(host, suffix) {
			return "names under " + suffix + " belong to the local network"
		}
	}
	return ""
}

// cloudMetadata is the rule for addresses where a cloud serves the credentials of a machine.
const cloudMetadata = "it is the cloud metadata address"

// forbidden refuses an address by a rule. The error describes how to allow it, except for cloud metadata: citeloop
// never needs it, and the advice would help a page that makes a model request it.
func forbidden(shown, why, hostport string) *address.ForbiddenError {
	e := &address.ForbiddenError{Address: shown, Rule: why, Allow: hostport}
	if strings.Contains(why, cloudMetadata) {
		e.Allow = ""
	}
	return e
}

// resolvedForbidden refuses the address to which the host of hostport resolves. It does not say which address that is:
// a caller who names hosts must not learn the answers of an internal name server.
func resolvedForbidden(addr netip.Addr, why, hostport string) *address.ForbiddenError {
	host, _, _ := net.SplitHostPort(hostport)
	e := forbidden(host, why, hostport)
	if host != addr.String() {
		e.Rule = "its name resolves to an address that is not public"
	}
	return e
}

// guard decides what may be dialled. Its allow list has host:port pairs as in URLs.
type guard struct {
	allow map[string]bool
}

// newGuard returns a guard that allows the valid pairs. The error names the invalid ones, which allow nothing.
func newGuard(pairs []string) (guard, error) {
	g := guard{allow: make(map[string]bool, len(pairs))}
	var invalid []error
	for _, pair := range pairs {
		host, port, err := net.SplitHostPort(strings.TrimSpace(pair))
		if err != nil || host == "" || port == "" {
			invalid = append(invalid, fmt.Errorf("fetch: %q in the allowed private addresses is not host:port", pair))
			continue
		}
		plain, err := address.Host(host)
		if err != nil {
			invalid = append(invalid, fmt.Errorf("fetch: %q in the allowed private addresses: %w", pair, err))
			continue
		}
		g.allow[net.JoinHostPort(plain, port)] = true
	}
	return g, errors.Join(invalid...)
}

// checkHost applies the rules that need no resolved name. hostport is that of a checked target.
func (g guard) checkHost(hostport string) error {
	if g.allow[hostport] {
		return nil
	}
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		return address.Forbid(hostport, "it is not host:port")
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		if why := refusal(addr); why != "" {
			return forbidden(host, why, hostport)
		}
		return nil
	}
	if why := localName(host); why != "" {
		return forbidden(host, why, hostport)
	}
	return nil
}

// control returns a function for net.Dialer.Control. It runs for every address that is tried, after the name is resolved
// and before the connection is made. Nothing can change between the check and the connection, so DNS rebinding fails.
func (g guard) control(hostport string) func(network, dialled string, _ syscall.RawConn) error {
	return func(network, dialled string, _ syscall.RawConn) error {
		if network != "tcp4" && network != "tcp6" {
			return address.Forbid(dialled, "%s is not TCP", network)
		}
		ap, err := netip.ParseAddrPort(dialled)
		if err != nil {
			return address.Forbid(dialled, "it is not an IP address and a port")
		}
		if g.allow[hostport] {
			return nil
		}
		if why := refusal(ap.Addr()); why != "" {
			return resolvedForbidden(ap.Addr(), why, hostport)
		}
		return nil
	}
}

// dial returns a dial function that applies the rules. Its hostport is that of the URL.
func (g guard) dial(resolver *net.Resolver) func(ctx context.Context, network, hostport string) (net.Conn, error) {
	return func(ctx context.Context, network, hostport string) (net.Conn, error) {
		if err := g.checkHost(hostport); err != nil {
			return nil, err
		}
		d := net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second, Resolver: resolver, Control: g.control(hostport)}
		return d.DialContext(ctx, network, hostport)
	}
}

// checkNames fails if one of the addresses of a host is forbidden, because any of them may be dialled. A name that does not
// resolve here is left to the proxy.
func (g guard) checkNames(ctx context.Context, resolver *net.Resolver, hostport string) error {
	host, _, _ := net.SplitHostPort(hostport)
	ctx, cancel := context.WithTimeout(ctx, dialTimeout/2)
	defer cancel()
	addrs, err := cmp.Or(resolver, net.DefaultResolver).LookupNetIP(ctx, "ip", host)
	if err != nil || g.allow[hostport] {
		return nil
	}
	for _, addr := range addrs {
		if why := refusal(addr.Unmap()); why != "" {
			return resolvedForbidden(addr.Unmap(), why, hostport)
		}
	}
	return nil
}

// isPublic reports whether the name of a host may be sent to a service: it is no address or name of a private network, and
// not allowed by CITELOOP_ALLOW_PRIVATE only.
func (g guard) isPublic(u *url.URL) bool {
	if g.allow[address.HostPort(u)] || localName(u.Hostname()) != "" {
		return false
	}
	_, err := netip.ParseAddr(u.Hostname())
	return err != nil
}
