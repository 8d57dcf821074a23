package fetch

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"code.dny.dev/ssrf"

	"github.com/citeloop/citeloop/fetch/address"
)

// The rule that refuses an address, by its words; "" if it may be dialled.
func TestRefusal(t *testing.T) {
	for addr, want := range map[string]string{
		"93.184.216.34": "", "127.0.0.1": "loopback", "10.1.2.3": "private", "172.32.0.0": "", "192.168.1.1": "private",
		"100.64.0.1": "carrier", "169.254.1.1": "link-local", "169.254.169.254": "metadata", "0.0.0.0": "unspecified",
		"224.0.0.251": "multicast", "2606:2800:220:1:248:1893:25c8:1946": "", "::1": "loopback", "::": "unspecified",
		"::ffff:127.0.0.1": "IPv4-mapped form of 127.0.0.1", "::ffff:93.184.216.34": "", "::127.0.0.1": "IPv4-compatible",
		"64:ff9b::a00:1": "NAT64 form of 10.0.0.1", "64:ff9b::5db8:d822": "", "64:ff9b:1::a00:1": "local NAT64", "2002:7f00:1::": "6to4",
		"2001:0:4136:e378:8000:63bf:3fff:fdd2": "Teredo", "fd12:3456:789a::1": "private", "fd00:ec2::254": "metadata",
		"fe80::1%lo": "zone", "2001:db8::1": "documentation", "4000::1": "outside",
	} {
		if got := refusal(netip.MustParseAddr(addr)); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("refusal(%s) = %q, want it to hold %q", addr, got, want)
		}
	}
	// The table must be at least as strict as that of a maintained package.
	for _, prefix := range slices.Concat(ssrf.IPv4DeniedPrefixes, ssrf.IPv6DeniedPrefixes) {
		for _, addr := range []netip.Addr{prefix.Masked().Addr(), lastOf(prefix)} {
			if refusal(addr) == "" {
				t.Errorf("%s, of %s, would be dialled; code.dny.dev/ssrf refuses it", addr, prefix)
			}
		}
	}
}

func lastOf(p netip.Prefix) netip.Addr {
	b := p.Masked().Addr().AsSlice()
	for i := p.Bits(); i < len(b)*8; i++ {
		b[i/8] |= 0x80 >> (i % 8)
	}
	addr, _ := netip.AddrFromSlice(b)
	return addr
}

// Control checks the dialled address, independent of earlier answers of name resolution.
func TestControl(t *testing.T) {
	g, err := newGuard([]string{"intranet.example:8080", "127.0.0.1:9000"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, hostport, network, dialled string
		refused                          bool
	}{
		{"public", "example.com:443", "tcp4", "93.184.216.34:443", false},
		{"a name that turned private", "example.com:443", "tcp4", "127.0.0.1:443", true},
		{"an allowed name", "intranet.example:8080", "tcp4", "10.0.0.5:8080", false},
		{"an allowed name on another port", "intranet.example:80", "tcp4", "10.0.0.5:80", true},
		{"an allowed address", "127.0.0.1:9000", "tcp4", "127.0.0.1:9000", false},
		{"another name for an allowed address", "evil.example:9000", "tcp4", "127.0.0.1:9000", true},
		{"UDP", "example.com:443", "udp4", "93.184.216.34:443", true},
		{"a zone", "example.com:443", "tcp6", "[fe80::1%eth0]:443", true},
	} {
		if err := g.control(tt.hostport)(tt.network, tt.dialled, nil); errors.Is(err, address.ErrForbidden) != tt.refused {
			t.Errorf("%s: control = %v, want refused %v", tt.name, err, tt.refused)
		}
	}
}

// An invalid pair is named, and a refusal says how to allow it, unless it is of cloud metadata.
func TestGuardSays(t *testing.T) {
	for _, bad := range []string{"127.0.0.1", "http://127.0.0.1:80", ":80", "127.1:80", "host:"} {
		if _, err := newGuard([]string{"127.0.0.1:1", bad}); err == nil || !strings.Contains(err.Error(), bad) {
			t.Errorf("newGuard(%q) = %v, want an error that names it", bad, err)
		}
	}
	g, _ := newGuard(nil)
	want := "10.0.0.5 is not dialled: it is a private address (10.0.0.0/8); to allow it, add 10.0.0.5:8080 to CITELOOP_ALLOW_PRIVATE"
	if err := g.checkHost("10.0.0.5:8080"); err == nil || err.Error() != want {
		t.Errorf("checkHost = %v\nwant %s", err, want)
	}
	for _, host := range []string{"169.254.169.254:80", "[fd00:ec2::254]:80", "[::ffff:169.254.169.254]:80"} {
		if err := g.checkHost(host); err == nil || strings.Contains(err.Error(), "to allow it") {
			t.Errorf("checkHost(%s) = %v, want a refusal without advice", host, err)
		}
	}
}
