package access

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
)

var hashes = func() (h [4]string) {
	for i := range h {
		h[i] = fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, "token", i)))
	}
	return h
}()

func TestParseTokens(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, file string
		want       map[string]string // token -> owner
		err        string
	}{
		{"nothing", "", map[string]string{}, ""},
		{"comments alone", "# the team\n\n   # more\n", map[string]string{}, ""},
		{"one", "anna " + hashes[0] + "\n", map[string]string{"token0": "anna"}, ""},
		{"with the time", "anna " + hashes[0] + " 2026-11-21T09:30:00Z", map[string]string{"token0": "anna"}, ""},
		{"capitals in the hash", "anna " + strings.ToUpper(hashes[0]), map[string]string{"token0": "anna"}, ""},
		{"tabs and CRLF", "anna\t" + hashes[0] + "\r\nben\t\t" + hashes[1] + "\r\n", map[string]string{"token0": "anna", "token1": "ben"}, ""},
		{"the local user", "local " + hashes[0], nil, `line 1: reserved owner "local"`},
		{"capitals in the name", "Anna " + hashes[0], nil, `line 1: invalid owner "Anna"`},
		{"no hash", "\nanna", nil, "line 2: unexpected number of fields: 1"},
		{"a token for its hash", "anna citeloop_0123456789", nil, "line 1: invalid SHA-256 in the second field: use 64 hex digits"},
		{"a long hash", "anna " + hashes[0] + "00", nil, "invalid SHA-256"},
		{"no time", "anna " + hashes[0] + " yesterday", nil, "line 1: invalid time in the third field"},
		{"four fields", "anna " + hashes[0] + " 2026-11-21T09:30:00Z admin", nil, `line 1: the fourth field: unknown scope "admin": use read, write, web`},
		{"with scopes", "anna " + hashes[0] + " 2026-11-21T09:30:00Z write,read", map[string]string{"token0": "anna read,write"}, ""},
		{"one token twice", "anna " + hashes[0] + "\n# and\nben " + hashes[0], nil, "line 3: duplicate token; it is already in line 1"},
		{"a long line", "anna " + strings.Repeat("0", 1<<20), nil, "too long"},
		{"too many", manyTokens(maxTokens + 1), nil, "line 10001: there are more than 10000 tokens"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tokens, err := parseTokens([]byte(tt.file))
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Fatalf("error %v, want one with %q", err, tt.err)
			}
			if err != nil {
				return
			}
			got := map[string]string{}
			for i := range hashes {
				token := fmt.Sprint("token", i)
				if caller, ok := callerOf(tokens, token); ok {
					got[token] = strings.TrimSuffix(caller.Owner+" "+caller.Scopes.String(), " read,write,web")
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("tokens (-want +got):\n%s", diff)
			}
			for _, wrong := range []string{"", "token", "token00", hashes[0], "TOKEN0"} {
				if caller, ok := callerOf(tokens, wrong); ok {
					t.Errorf("%q authenticates %s", wrong, caller.Owner)
				}
			}
		})
	}
}

func manyTokens(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "owner%d %x\n", i, sha256.Sum256(fmt.Append(nil, i)))
	}
	return b.String()
}

func TestNewToken(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 10, 30, 0, 0, time.FixedZone("CET", 3600))
	token, line, err := newToken("anna", All, strings.NewReader(strings.Repeat("\x00", tokenBytes)), now)
	if err != nil {
		t.Fatal(err)
	}
	if want := "citeloop_" + strings.Repeat("A", 43); token != want {
		t.Errorf("token %q, want %q", token, want)
	}
	if want := fmt.Sprintf("anna %x 2026-11-21T09:30:00Z\n", sha256.Sum256([]byte(token))); line != want {
		t.Errorf("line %q, want %q", line, want)
	}
	if !token68.MatchString(token) || len(token) > maxBearerBytes {
		t.Errorf("invalid in a header: %q", token)
	}
	another, _, err := newToken("anna", All, rand.Reader, now)
	if err != nil || another == token {
		t.Errorf("another token %q, %v", another, err)
	}
	if _, _, err := newToken("anna", All, iotest.ErrReader(errors.New("no randomness")), now); err == nil {
		t.Error("a token without randomness")
	}
	if _, _, err := newToken("anna", All, strings.NewReader("short"), now); err == nil {
		t.Error("a token of five random bytes")
	}
	for _, owner := range []string{"", "local", "Anna", "a b", "a\nb", "ä", strings.Repeat("a", 65), "../x", "a#b"} {
		if _, _, err := newToken(owner, All, rand.Reader, now); err == nil {
			t.Errorf("a token for %q", owner)
		}
	}
}

// No token file causes a panic, and parsed tokens can be written and parsed again.
func FuzzParseTokens(f *testing.F) {
	for _, seed := range []string{"", "# x\n", "anna " + hashes[0] + " 2026-11-21T09:30:00Z # y\n", "local " + hashes[0], "anna zz", "a b c d"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tokens, err := parseTokens(data)
		if err != nil {
			return
		}
		var written bytes.Buffer
		for _, token := range tokens {
			fmt.Fprintf(&written, "%s %x 2026-11-21T09:30:00Z %s\n", token.owner, token.hash, token.scopes)
		}
		again, err := parseTokens(written.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tokens, again, cmp.AllowUnexported(hashedToken{})); diff != "" {
			t.Errorf("(-read +written and read):\n%s", diff)
		}
	})
}

func BenchmarkCallerOf(b *testing.B) {
	tokens, err := parseTokens([]byte(manyTokens(maxTokens)))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		callerOf(tokens, "citeloop_0123456789012345678901234567890123456789012")
	}
}
