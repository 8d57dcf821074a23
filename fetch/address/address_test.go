package address

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

func TestParseTarget(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"plain", "https://Example.COM/A?b=c#d", "https://example.com/A?b=c#d"},
		{"white space around", "  http://example.com/ \n", "http://example.com/"},
		{"user info is dropped", "https://user:secret@example.com/", "https://example.com/"},
		{"trailing dot", "https://example.com./x", "https://example.com/x"},
		{"port", "http://example.com:8080/", "http://example.com:8080/"},
		{"empty port", "http://example.com:/", "http://example.com/"},
		{"international name", "https://münchen.example/", "https://xn--mnchen-3ya.example/"},
		{"underscore", "https://my_host.example.com/", "https://my_host.example.com/"},
		{"IPv4", "http://93.184.216.34/", "http://93.184.216.34/"},
		{"IPv6", "http://[2606:2800:220:1::]:80/", "http://[2606:2800:220:1::]:80/"},
		{"IPv6 in long form", "http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"},
		{"fullwidth digits", "http://127．0．0．1/", "http://127.0.0.1/"},
		{"a query with a space and an umlaut", "https://example.com/a b?q=tide tables ü&c=%20+",
			"https://example.com/a%20b?q=tide%20tables%20%C3%BC&c=%20+"},
		{"circled digits", "http://①②⑦.⓪.⓪.①/", "http://127.0.0.1/"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u, err := Parse(tt.raw)
			if err != nil {
				t.Fatal(err)
			}
			if got := u.String(); got != tt.want {
				t.Errorf("parseTarget(%q) = %s, want %s", tt.raw, got, tt.want)
			}
		})
	}
}

func TestParseTargetRefuses(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"no scheme", "example.com/x", "no scheme"},
		{"no scheme, with a port", "example.com:8080/x", "no scheme"},
		{"no scheme, an address with a port", "127.0.0.1:8080/x", "no scheme"},
		{"empty", "", "no scheme"},
		{"no host", "https:///x", "no host"},
		{"opaque", "http:example.com", "no host"},
		{"gopher", "gopher://example.com/", "only http and https"},
		{"ftp", "ftp://example.com/", "only http and https"},
		{"javascript", "javascript:alert(1)", "only http and https"},
		{"data", "data:text/html,x", "only http and https"},
		{"one number", "http://2130706433/", "no standard spelling"},
		{"hexadecimal", "http://0x7f.1/", "no standard spelling"},
		{"one hexadecimal number", "http://0x7f000001/", "no standard spelling"},
		{"octal", "http://0177.0.0.1/", "no standard spelling"},
		{"short", "http://127.1/", "no standard spelling"},
		{"three parts", "http://127.0.1/", "no standard spelling"},
		{"short, trailing dot", "http://127.1./", "no standard spelling"},
		{"five parts", "http://1.2.3.4.5/", "no standard spelling"},
		{"too large", "http://4294967296/", "no standard spelling"},
		{"zone", "http://[::1%25lo]/", "zone"},
		{"encoded dot", "http://127%2e0%2e0%2e1/", "ambiguous"},
		{"backslash", `http://127.0.0.1\@example.com/`, "ambiguous"},
		{"space in the host", "http://exa mple.com/", "ambiguous"},
		{"empty label", "http://example..com/", "not a host name"},
		{"port 0", "http://example.com:0/", "not a port"},
		{"port beyond the range", "http://example.com:70000/", "not a port"},
		{"too long", "http://example.com/" + strings.Repeat("a", maxBytes), "longer than"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u, err := Parse(tt.raw)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("parseTarget(%q) = %v, %v; want an error that holds %q", tt.raw, u, err, tt.want)
			}
		})
	}
}

func TestRedact(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"none", "https://example.com/@user", "https://example.com/@user"},
		{"password", "https://u:p@example.com/x", "https://example.com/x"},
		{"at in the password", "https://u:p@q@example.com", "https://example.com"},
		{"not an address", "u:p@example.com", "u:p@example.com"},
		{"broken", "http://u:p@[::1/x", "http://[::1/x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Redact(tt.raw); got != tt.want {
				t.Errorf("redact(%q) = %q, want %q", tt.raw, got, tt.want)
			}
		})
	}
}

// Accepted addresses are normalised: parsing them again changes nothing, they have no user info, and a host that any
// program could read as an IPv4 address is one.
func FuzzParseTarget(f *testing.F) {
	for _, seed := range []string{
		"https://example.com/a?b#c", "http://user:pw@host.example:80/", "http://2130706433/", "http://0x7f.1/",
		"http://[::ffff:127.0.0.1]/", "http://127。0。0。1/", "http://[fe80::1%25eth0]/", "http://a\\b/", "HTTP://EXAMPLE.com.",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := Parse(raw)
		if err != nil {
			return
		}
		if u.User != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" || !isASCII(u.Host) {
			t.Fatalf("parseTarget(%q) = %q", raw, u)
		}
		again, err := Parse(u.String())
		if err != nil || again.Host != u.Host {
			t.Fatalf("parseTarget(%q) = %q, and again %v, %v", raw, u, again, err)
		}
		if std, err := url.Parse(u.String()); err != nil || std.Host != u.Host {
			t.Fatalf("%q is read as host %q", u, std.Host)
		}
		if _, err := netip.ParseAddr(u.Hostname()); err != nil && endsInNumber(u.Hostname()) {
			t.Fatalf("parseTarget(%q) accepts the host %q", raw, u.Hostname())
		}
	})
}
