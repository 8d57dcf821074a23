package access

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// hand is a clock that the test sets.
type hand struct {
	mu sync.Mutex
	at time.Time
}

func (h *hand) now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.at
}

func (h *hand) forward(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at = h.at.Add(d)
}

// hash returns the hash of a token as a file has it.
func hash(token string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(token))) }

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func requireOwner(t *testing.T, tokens *Tokens, token, want string) {
	t.Helper()
	owner, err := tokens.Authenticate(t.Context(), token)
	if owner != want || (err == nil) != (want != "") || err != nil && !errors.Is(err, ErrUnknownToken) {
		t.Errorf("%s authenticates %q, %v; want %q", token, owner, err, want)
	}
}

func TestParseTokens(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, file, want string }{
		{"comments alone", "# the team\n\n   # more\n", ""},
		{"with the time", "anna " + hash("0") + " 2026-11-21T09:30:00Z", "anna"},
		{"tabs, CRLF and capitals", "anna\t" + strings.ToUpper(hash("0")) + "\r\nben\t\t" + hash("1") + "\r\n",
			"anna; ben"},
		{"the local user", "local " + hash("0"), `line 1: reserved owner "local"`},
		{"capitals in the name", "Anna " + hash("0"), `line 1: invalid owner "Anna"`},
		{"no hash", "\nanna", "line 2: unexpected number of fields: 1"},
		{"a token for its hash", "anna citeloop_0123456789", "line 1: invalid SHA-256 in the second field: use 64 hex digits"},
		{"a long hash", "anna " + hash("0") + "00", "line 1: invalid SHA-256"},
		{"no time", "anna " + hash("0") + " yesterday", "line 1: invalid time in the third field"},
		{"scopes of an earlier build", "anna " + hash("0") + " 2026-11-21T09:30:00Z read", "line 1: unexpected number of fields: 4"},
	} {
		tokens, err := parseTokens([]byte(tt.file))
		var got []string
		for _, token := range tokens {
			got = append(got, token.Owner)
		}
		if says := strings.Join(got, "; "); err == nil && says != tt.want || err != nil && !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %s, %v; want %s", tt.name, says, err, tt.want)
		}
	}
}

// Tokens are added to a file of any form, revoked without changing another byte, and take effect within a second.
func TestTokensOfAFile(t *testing.T) {
	t.Parallel()
	path, clock := filepath.Join(t.TempDir(), "tokens"), &hand{at: noon}
	write(t, path, "# the team's tokens") // without the end of the line
	add := func(owner string) string {
		t.Helper()
		token, err := AddToken(path, owner, noon)
		if err != nil {
			t.Error(err)
		}
		return token
	}
	anna := add("anna")
	tokens, err := OpenTokens(path, clock.now)
	if err != nil {
		t.Fatal(err)
	}
	var added sync.WaitGroup
	many := make([]string, 20)
	for i := range many {
		added.Go(func() { many[i] = add("ben") })
	}
	added.Wait()
	clock.forward(tokenCheckEvery - 1)
	requireOwner(t, tokens, many[0], "") // not read yet
	clock.forward(1)
	for _, token := range many {
		requireOwner(t, tokens, token, "ben")
	}
	for _, wrong := range []string{"", "citeloop_", anna[:len(anna)-1], hash(anna), strings.ToUpper(anna)} {
		requireOwner(t, tokens, wrong, "")
	}
	before, _ := os.ReadFile(path)
	if bytes.Contains(before, []byte(anna)) {
		t.Errorf("the token %s in %s", anna, before)
	}
	revoked, err := RevokeToken(path, strings.ToUpper(hash(anna)[:idDigits]))
	if err != nil || revoked.ID != hash(anna)[:idDigits] || revoked.Owner != "anna" || !revoked.Made.Equal(noon) {
		t.Errorf("revoked %+v, %v", revoked, err)
	}
	after, _ := os.ReadFile(path)
	if want := strings.Replace(string(before), "\nanna", "\n#nna", 1); string(after) != want {
		t.Errorf("the file is %s, before %s", after, before)
	}
	clock.forward(tokenCheckEvery)
	requireOwner(t, tokens, anna, "")
	requireOwner(t, tokens, many[19], "ben")
	for _, id := range []string{revoked.ID, "", "anna", hash(many[19])[:4]} {
		if _, err := RevokeToken(path, id); err == nil || !strings.Contains(err.Error(), "no token") {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// While the file is missing, damaged or open to others, no token is accepted, and none is added.
func TestTokensFailClosed(t *testing.T) {
	t.Parallel()
	right := "anna " + hash("0") + "\n"
	mode := func(mode fs.FileMode) func(string) error {
		return func(path string) error { return os.Chmod(path, mode) }
	}
	for name, tt := range map[string]struct {
		spoil func(path string) error
		fault string // "" if it is accepted
	}{
		"gone":    {os.Remove, "no such file"},
		"damaged": {func(path string) error { return os.WriteFile(path, []byte(right+"ben\n"), 0o600) }, "line 2"},
		"large":   {func(path string) error { return os.Truncate(path, maxTokenFileBytes+1) }, "larger than 1048576 bytes"},
		"0400":    {mode(0o400), ""}, "0640": {mode(0o640), ""}, "0644": {mode(0o644), "mode 0644"}, "0604": {mode(0o604), "mode 0604"},
		"0660": {mode(0o660), "mode 0660"}, "0602": {mode(0o602), "mode 0602"},
	} {
		t.Run(name, func(t *testing.T) {
			if runtime.GOOS == "windows" && name[0] == '0' {
				t.Skip("Windows has no such modes")
			}
			path, clock := filepath.Join(t.TempDir(), "tokens"), &hand{at: noon}
			write(t, path, right)
			tokens, err := OpenTokens(path, clock.now)
			if err = errors.Join(err, tt.spoil(path)); err != nil {
				t.Fatal(err)
			}
			clock.forward(tokenCheckEvery)
			_, err = tokens.Authenticate(t.Context(), "0")
			if (err == nil) != (tt.fault == "") || err != nil && (errors.Is(err, ErrUnknownToken) ||
				!strings.Contains(err.Error(), tt.fault) || !strings.Contains(err.Error(), path)) {
				t.Errorf("%v; want an error with %q and the path", err, tt.fault)
			}
			if _, err := AddToken(path, "ben", noon); err == nil && tt.fault != "" && name != "gone" {
				t.Error("a token is added")
			}
		})
	}
	if _, err := OpenTokens(t.TempDir(), time.Now); err == nil {
		t.Error("a folder is read")
	}
}

func TestRefusedOwners(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tokens")
	for _, owner := range []string{"", "local", "Anna", "a b", "a\nb", "ä", strings.Repeat("a", 65), "../x", "a#b"} {
		if _, err := AddToken(path, owner, noon); err == nil {
			t.Errorf("a token for %q", owner)
		}
	}
}
