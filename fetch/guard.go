package fetch

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"

	"github.com/citeloop/citeloop/fetch/address"
)

// rule is a range of addresses that is never dialled, and its name.
type rule struct {
	prefix netip.Prefix
	name   string
}

// rules4 are the ranges of the IANA IPv4 special-purpose registry that are not globally reachable, relays to other
// networks, multicast and reserved addresses. The first match is the reason of a refusal.
var rules4 = []rule{
	{netip.MustParsePrefix("127.0.0.0/8"), "it is a loopback address"},
	{netip.MustParsePrefix("169.254.169.254/32"), cloudMetadata},
	{netip.MustParsePrefix("169.254.0.0/16"), "it is a link-local address"},
	{netip.MustParsePrefix("10.0.0.0/8"), "it is a private address (10.0.0.0/8)"},
	{netip.MustParsePrefix("172.16.0.0/12"), "it is a private address (172.16.0.0/12)"},
	{netip.MustParsePrefix("192.168.0.0/16"), "it is a private address (192.168.0.0/16)"},
	{netip.MustParsePrefix("100.64.0.0/10"), "it is a carrier's shared address (100.64.0.0/10)"},
	{netip.MustParsePrefix("0.0.0.0/8"), "it is an unspecified address (0.0.0.0/8)"},
	{netip.MustParsePrefix("192.0.0.0/24"), "it is reserved for protocols (192.0.0.0/24)"},
	{netip.MustParsePrefix("192.0.2.0/24"), "it is a documentation address (192.0.2.0/24)"},
	{netip.MustParsePrefix("198.51.100.0/24"), "it is a documentation address (198.51.100.0/24)"},
	{netip.MustParsePrefix("203.0.113.0/24"), "it is a documentation address (203.0.113.0/24)"},
	{netip.MustParsePrefix("198.18.0.0/15"), "it is a benchmarking address (198.18.0.0/15)"},
	{netip.MustParsePrefix("192.31.196.0/24"), "it belongs to AS112 (192.31.196.0/24)"},
	{netip.MustParsePrefix("192.175.48.0/24"), "it belongs to AS112 (192.175.48.0/24)"},
	{netip.MustParsePrefix("192.52.193.0/24"), "it is a multicast relay (192.52.193.0/24)"},
	{netip.MustParsePrefix("192.88.99.0/24"), "it is a 6to4 relay (192.88.99.0/24)"},
	{netip.MustParsePrefix("224.0.0.0/4"), "it is a multicast address"},
	{netip.MustParsePrefix("255.255.255.255/32"), "it is the broadcast address"},
	{netip.MustParsePrefix("240.0.0.0/4"), "it is a reserved address (240.0.0.0/4)"},
}

// rules6 are the reasons for refusing IPv6 addresses. Addresses outside 2000::/3 are refused even without a reason here.
var rules6 = []rule{
	{netip.MustParsePrefix("::1/128"), "it is the loopback address"},
	{netip.MustParsePrefix("::/128"), "it is the unspecified address"},
	{netip.MustParsePrefix("::/96"), "it is an IPv4-compatible address"},
	{netip.MustParsePrefix("fe80::/10"), "it is a link-local address"},
	{netip.MustParsePrefix("fec0::/10"), "it is a site-local address"},
	{netip.MustParsePrefix("fd00:ec2::254/128"), cloudMetadata},
	{netip.MustParsePrefix("fc00::/7"), "it is a private address (fc00::/7)"},
	{netip.MustParsePrefix("ff00::/8"), "it is a multicast address"},
	{netip.MustParsePrefix("100::/64"), "it is a discard address (100::/64)"},
	{netip.MustParsePrefix("64:ff9b:1::/48"), "it is a local NAT64 address (64:ff9b:1::/48)"},
	{netip.MustParsePrefix("2001::/32"), "it is a Teredo address (2001::/32)"},
	{netip.MustParsePrefix("2001:db8::/32"), "it is a documentation address (2001:db8::/32)"},
	{netip.MustParsePrefix("2001::/23"), "it is reserved for protocols (2001::/23)"},
	{netip.MustParsePrefix("2002::/16"), "it is a 6to4 address (2002::/16)"},
	{netip.MustParsePrefix("2620:4f:8000::/48"), "it belongs to AS112 (2620:4f:8000::/48)"},
	{netip.MustParsePrefix("3fff::/20"), "it is a documentation address (3fff::/20)"},
}

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
	if !addr.IsValid() {
		return "it is not an IP address"
	}
	if addr.Zone() != "" {
		return "addresses with a zone are local"
	}
	if addr.Is4In6() {
		return mapped(addr.Unmap(), "IPv4-mapped")
	}
	if addr.Is4() {
		return firstMatch(rules4, addr)
	}
	if nat64.Contains(addr) {
		b := addr.As16()
		return mapped(netip.AddrFrom4([4]byte(b[12:])), "NAT64")
	}
	if why := firstMatch(rules6, addr); why != "" {
		return why
	}
	if !globalUnicast.Contains(addr) {
		return "it is outside of the public IPv6 range (2000::/3)"
	}
	return ""
}

func mapped(inner netip.Addr, form string) string {
	if why := firstMatch(rules4, inner); why != "" {
		return fmt.Sprintf("it is the %s form of %s, and %s", form, inner, why)
	}
	return ""
}

func firstMatch(rules []rule, addr netip.Addr) string {
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
	for _, suffix := range []string{".localhost", ".local", ".localdomain", ".internal", ".intranet", ".home.arpa", ".lan", ".corp", ".home"} {
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

func newGuard(pairs []string) (guard, error) {
	g := guard{allow: make(map[string]bool, len(pairs))}
	for _, pair := range pairs {
		host, port, err := net.SplitHostPort(strings.TrimSpace(pair))
		if err != nil || host == "" || port == "" {
			return g, fmt.Errorf("fetch: %q in the allowed private addresses is not host:port", pair)
		}
		plain, err := address.Host(host)
		if err != nil {
			return g, fmt.Errorf("fetch: %q in the allowed private addresses: %w", pair, err)
		}
		g.allow[net.JoinHostPort(plain, port)] = true
	}
	return g, nil
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

// dialTimeout bounds one connection without its TLS handshake. Chosen.
const dialTimeout = 10 * time.Second

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

// checkResolved refuses a name if any of its addresses is forbidden. It is for requests through a proxy. The proxy
// resolves the name itself, so this check guarantees nothing. A name that does not resolve here is left to the proxy,
// because networks behind a proxy often have no public DNS.
func (g guard) checkResolved(ctx context.Context, resolver *net.Resolver, hostport string) error {
	if err := g.checkHost(hostport); err != nil || g.allow[hostport] {
		return err
	}
	_, err := g.lookup(ctx, resolver, hostport)
	return err
}

// lookup returns the addresses of a host, or none if it does not resolve here. It fails if one of them is forbidden,
// because any of them may be dialled.
func (g guard) lookup(ctx context.Context, resolver *net.Resolver, hostport string) ([]netip.Addr, error) {
	host, _, _ := net.SplitHostPort(hostport)
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	ctx, cancel := context.WithTimeout(ctx, dialTimeout/2)
	defer cancel()
	addrs, err := resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, nil
	}
	for i, addr := range addrs {
		addrs[i] = addr.Unmap()
		if why := refusal(addrs[i]); why != "" && !g.allow[hostport] {
			return nil, resolvedForbidden(addrs[i], why, hostport)
		}
	}
	return addrs, nil
}
