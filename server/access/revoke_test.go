package access

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A revoked token is rejected; the other tokens, the file and its mode do not change.
func TestRevokeToken(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tokens")
	made := time.Date(2026, 11, 21, 9, 30, 0, 0, time.UTC)
	if err := os.WriteFile(path, []byte("# the team's tokens\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var secrets []string
	for range 3 {
		token, err := AddToken(path, "anna", Read, rand.Reader, made)
		if err != nil {
			t.Fatal(err)
		}
		secrets = append(secrets, token)
	}
	listed, err := ListTokens(path)
	if err != nil || len(listed) != 3 {
		t.Fatalf("%v %v", listed, err)
	}
	before, _ := os.Stat(path)
	got, err := RevokeToken(path, strings.ToUpper(listed[1].ID))
	if want := (Token{ID: listed[1].ID, Caller: Caller{"anna", Read}, Made: made}); err != nil || got.ID != want.ID ||
		got.Caller != want.Caller || !got.Made.Equal(made) {
		t.Errorf("revoked %v, %v, want %v", got, err, want)
	}
	auth, err := OpenTokens(path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []error{nil, ErrUnknownToken, nil} {
		if _, err := auth.Authenticate(t.Context(), secrets[i]); err != want {
			t.Errorf("token %d: %v, want %v", i, err, want)
		}
	}
	if after, _ := os.Stat(path); !os.SameFile(before, after) || after.Mode() != before.Mode() || after.Size() != before.Size() {
		t.Errorf("the file is another: %v, before %v", after, before)
	}
	for _, id := range []string{listed[1].ID, "", "anna", "zz"} {
		if _, err := RevokeToken(path, id); err == nil || !strings.Contains(err.Error(), "no token \"") {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// A prefix of several hashes revokes none of them.
func TestRevokeNamesOneToken(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tokens")
	text := "anna " + strings.Repeat("ab", 32) + "\nben " + strings.Repeat("ab", 31) + "cd\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := RevokeToken(path, "abab"); err == nil || !strings.Contains(err.Error(), "2 tokens") {
		t.Errorf("%v", err)
	}
	if got, _ := os.ReadFile(path); string(got) != text {
		t.Errorf("the file was changed: %s", got)
	}
}
