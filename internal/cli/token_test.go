package cli

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The server accepts tokens in its file and rejects others.
func TestServeWithTokens(t *testing.T) {
	dir := t.TempDir()
	tokens := filepath.Join(dir, "tokens")
	none := func(string) (string, bool) { return "", false }
	var made, said bytes.Buffer
	if code := Main(t.Context(), Process{Args: []string{"token", "anna", "--file", tokens}, Stdout: &made, Stderr: &said, LookupEnv: none}); code != exitOK {
		t.Fatalf("token: %d, %s", code, said.String())
	}

	ctx, stop := context.WithCancel(t.Context())
	stderr, log := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- Main(ctx, Process{Args: []string{"serve", "--http", "127.0.0.1:0", "--tokens", tokens, "--data", filepath.Join(dir, "data")}, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: log, LookupEnv: none})
	}()
	t.Cleanup(func() {
		stop()
		if code := <-done; code != exitOK {
			t.Errorf("serve: %d", code)
		}
	})
	line, err := bufio.NewReader(stderr).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, stderr) }()
	url := regexp.MustCompile(`http://\S+`).FindString(line)
	call := func(token string) int {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		return resp.StatusCode
	}
	token := strings.TrimSpace(made.String())
	for name, tt := range map[string]struct {
		token string
		want  int
	}{"the token": {token, http.StatusOK}, "none": {"", http.StatusUnauthorized}, "another": {token + "A", http.StatusUnauthorized}} {
		if got := call(tt.token); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}

	// A revoked token stops working within a second.
	if err := os.WriteFile(tokens, []byte("# nobody\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(20 * time.Second); call(token) != http.StatusUnauthorized; {
		if time.Now().After(deadline) {
			t.Fatal("a revoked token still works")
		}
	}
}
