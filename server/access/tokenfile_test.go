package access

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

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

func write(t *testing.T, path, text string, written time.Time) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, written, written); err != nil {
		t.Fatal(err)
	}
}

// tokenfile creates a token file that was last written a minute ago.
func tokenfile(t *testing.T, text string) (tokens *Tokens, path string, clock *hand) {
	t.Helper()
	path, clock = filepath.Join(t.TempDir(), "tokens"), &hand{at: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}
	write(t, path, text, clock.at.Add(-time.Minute))
	tokens, err := OpenTokens(path, clock.now)
	if err != nil {
		t.Fatal(err)
	}
	return tokens, path, clock
}

func requireOwner(t *testing.T, tokens *Tokens, token, want string) {
	t.Helper()
	caller, err := tokens.Authenticate(t.Context(), token)
	if caller.Owner != want || (err == nil) != (want != "") || err != nil && !errors.Is(err, ErrUnknownToken) {
		t.Errorf("%s authenticates %q, %v; want %q", token, caller.Owner, err, want)
	}
}

// Added and removed tokens take effect within a second, also in a file of the same length and time.
func TestTokensRotate(t *testing.T) {
	t.Parallel()
	tokens, path, clock := tokenfile(t, "anna "+hashes[0]+"\n")
	requireOwner(t, tokens, "token0", "anna")
	write(t, path+".new", "anna "+hashes[1]+"\n", clock.now().Add(-time.Minute))
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
	clock.forward(tokenCheckEvery - 1)
	requireOwner(t, tokens, "token0", "anna") // not checked yet
	clock.forward(1)
	requireOwner(t, tokens, "token0", "")
	requireOwner(t, tokens, "token1", "anna")
}

// While the file is missing, damaged or readable by others, no token is accepted.
func TestTokensFailClosed(t *testing.T) {
	t.Parallel()
	right := "anna " + hashes[0] + "\n"
	for _, tt := range []struct {
		name  string
		spoil func(path string) error
		fault string
	}{
		{"gone", os.Remove, "no such file"},
		{"damaged", func(path string) error { return os.WriteFile(path, []byte(right+"ben\n"), 0o600) }, "line 2"},
		{"too large", func(path string) error { return os.Truncate(path, maxTokenFileBytes+1) }, "larger than 1048576 bytes"},
		{"readable by all", func(path string) error { return os.Chmod(path, 0o644) }, "has mode 0644"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if runtime.GOOS == "windows" && strings.Contains(tt.fault, "mode") {
				t.Skip("Windows has no such modes")
			}
			tokens, path, clock := tokenfile(t, right)
			if err := tt.spoil(path); err != nil {
				t.Fatal(err)
			}
			clock.forward(tokenCheckEvery)
			for range 2 {
				if caller, err := tokens.Authenticate(t.Context(), "token0"); err == nil || errors.Is(err, ErrUnknownToken) ||
					!strings.Contains(err.Error(), tt.fault) || !strings.Contains(err.Error(), path) {
					t.Errorf("authenticates %q, %v; want an error with %q and the path", caller.Owner, err, tt.fault)
				}
				clock.forward(tokenCheckEvery)
			}
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			write(t, path, right, clock.now())
			clock.forward(tokenCheckEvery)
			requireOwner(t, tokens, "token0", "anna")
		})
	}
}

func TestRejectedTokenFiles(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	dir := t.TempDir()
	for mode, ok := range map[fs.FileMode]bool{0o600: true, 0o400: true, 0o640: true, 0o440: true, 0o644: false, 0o604: false, 0o660: false,
		0o602: false, 0o666: false, 0o777: false} {
		path := filepath.Join(dir, mode.String())
		write(t, path, "anna "+hashes[0]+"\n", time.Now())
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		_, err := OpenTokens(path, time.Now)
		if (err == nil) != ok || err != nil && (!strings.Contains(err.Error(), "chmod 600") || !strings.Contains(err.Error(), path)) {
			t.Errorf("%v: %v", mode, err)
		}
		if _, err := AddToken(path, "ben", All, rand.Reader, time.Now()); !ok && err == nil {
			t.Errorf("%v: a token is added to a rejected file", mode)
		}
	}
	for name, path := range map[string]string{"a folder": dir, "nothing": filepath.Join(dir, "none")} {
		if _, err := OpenTokens(path, time.Now); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAddToken(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tokens")
	first, err := AddToken(path, "anna", All, rand.Reader, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v, %v", info.Mode(), err)
	}
	// An editor may leave the last line without a line end.
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, string(text)+"# and ben", time.Now())
	second, err := AddToken(path, "ben", All, rand.Reader, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := OpenTokens(path, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	requireOwner(t, tokens, first, "anna")
	requireOwner(t, tokens, second, "ben")
	if text, err = os.ReadFile(path); err != nil || strings.Contains(string(text), first) || strings.Contains(string(text), second) {
		t.Errorf("the file holds a token: %s, %v", text, err)
	}

	// Concurrent additions keep every line whole.
	var wg sync.WaitGroup
	var mu sync.Mutex
	var made []string
	for range 20 {
		wg.Go(func() {
			token, err := AddToken(path, "many", All, rand.Reader, time.Now())
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			made = append(made, token)
		})
	}
	wg.Wait()
	if tokens, err = OpenTokens(path, time.Now); err != nil {
		t.Fatal(err)
	}
	for _, token := range made {
		requireOwner(t, tokens, token, "many")
	}

	write(t, path, "anna\n", time.Now())
	if _, err := AddToken(path, "ben", All, rand.Reader, time.Now()); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("a token is added to an invalid file: %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "anna\n" {
		t.Errorf("the damaged file was changed: %q, %v", text, err)
	}
}
