package access

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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
		{"tabs and CRLF", "anna\t" + hashes[0] + "\r\nben\t\t" + hashes[1] + "\r\n", map[string]string{"token0": "anna", "token1": "ben"},
			""},
		{"the local user", "local " + hashes[0], nil, `line 1: reserved owner "local"`},
		{"capitals in the name", "Anna " + hashes[0], nil, `line 1: invalid owner "Anna"`},
		{"no hash", "\nanna", nil, "line 2: unexpected number of fields: 1"},
		{"a token for its hash", "anna citeloop_0123456789", nil, "line 1: invalid SHA-256 in the second field: use 64 hex digits"},
		{"a long hash", "anna " + hashes[0] + "00", nil, "invalid SHA-256"},
		{"no time", "anna " + hashes[0] + " yesterday", nil, "line 1: invalid time in the third field"},
		{"four fields", "anna " + hashes[0] + " 2026-11-21T09:30:00Z admin", nil,
			`line 1: the fourth field: unknown scope "admin": use read, write, web`},
		{"with scopes", "anna " + hashes[0] + " 2026-11-21T09:30:00Z write,read", map[string]string{"token0": "anna read,write"}, ""},
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
			auth, got := &Tokens{tokens: tokens, now: func() time.Time { return noon }, checked: noon}, map[string]string{}
			for i := range hashes {
				token := fmt.Sprint("token", i)
				if caller, err := auth.Authenticate(t.Context(), token); err == nil {
					got[token] = strings.TrimSuffix(caller.Owner+" "+caller.Scopes.String(), " read,write,web")
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("tokens (-want +got):\n%s", diff)
			}
			for _, wrong := range []string{"", "token", "token00", hashes[0], "TOKEN0"} {
				if caller, err := auth.Authenticate(t.Context(), wrong); err == nil {
					t.Errorf("%q authenticates %s", wrong, caller.Owner)
				}
			}
		})
	}
}

func TestNewTokens(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Date(2026, 11, 21, 10, 30, 0, 0, time.FixedZone("CET", 3600))
	path := filepath.Join(dir, "tokens")
	token, err := AddToken(path, "anna", All, strings.NewReader(strings.Repeat("\x00", tokenBytes)), now)
	if err != nil {
		t.Fatal(err)
	}
	if want := "citeloop_" + strings.Repeat("A", 43); token != want || !token68.MatchString(token) || len(token) > maxBearerBytes {
		t.Errorf("token %q, want %q", token, want)
	}
	line, err := os.ReadFile(path)
	if want := fmt.Sprintf("anna %x 2026-11-21T09:30:00Z\n", sha256.Sum256([]byte(token))); err != nil || string(line) != want {
		t.Errorf("line %q, want %q", line, want)
	}
	for name, random := range map[string]io.Reader{"no randomness": iotest.ErrReader(errors.New("none")),
		"five random bytes": strings.NewReader("short")} {
		if _, err := AddToken(path, "anna", All, random, now); err == nil {
			t.Errorf("a token with %s", name)
		}
	}
	for _, owner := range []string{"", "local", "Anna", "a b", "a\nb", "ä", strings.Repeat("a", 65), "../x", "a#b"} {
		if _, err := AddToken(path, owner, All, rand.Reader, now); err == nil {
			t.Errorf("a token for %q", owner)
		}
	}
}

// No token file causes a panic, and parsed tokens can be written and parsed again.
func FuzzParseTokens(f *testing.F) {
	for _, seed := range []string{"", "# x\n", "anna " + hashes[0] + " 2026-11-21T09:30:00Z # y\n", "local " + hashes[0], "anna zz",
		"a b c d"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tokens, err := parseTokens(data)
		if err != nil {
			return
		}
		var written bytes.Buffer
		for _, token := range tokens {
			fmt.Fprintf(&written, "%s %x 2026-11-21T09:30:00Z %s\n", token.Owner, token.hash, token.Scopes)
		}
		again, err := parseTokens(written.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tokens, again, cmpopts.IgnoreFields(Token{}, "Made", "at"), cmp.AllowUnexported(Token{})); diff != "" {
			t.Errorf("(-read +written and read):\n%s", diff)
		}
	})
}
