package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/project"
)

// The model is asked about one sentence before it is written down; its key and address are not.
func TestInitAsksTheModel(t *testing.T) {
	for answer, want := range map[string]int{"supported": console.ExitOK, "contradicted": console.ExitUsage, "": console.ExitUsage} {
		t.Run(answer, func(t *testing.T) {
			asked := 0
			endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked++
				body, _ := io.ReadAll(r.Body)
				if !bytes.Contains(body, []byte("311 steps")) {
					t.Errorf("asked %s", body)
				}
				if answer == "" {
					w.WriteHeader(http.StatusUnauthorized)
					return
				}
				fmt.Fprintf(w, `{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":%q},"finish_reason":"stop"}]}`,
					`{"answers":[{"item":"R1-1","answer":"`+answer+`","quote":"311 steps"}]}`)
			}))
			defer endpoint.Close()
			t.Chdir(t.TempDir())
			home := t.TempDir()
			env := map[string]string{"CITELOOP_READER_URL": endpoint.URL + "/v1", "CITELOOP_READER_MODEL": "small", "CITELOOP_READER_KEY": "hunter2", "HOME": home, "CITELOOP_DATA": home}
			code, stdout, stderr := ran(t.Context(), env, "init", "--client", "none", "--reader", "model", "--yes")
			if code != want || asked == 0 {
				t.Fatalf("exit %d, asked %d times: %s%s", code, asked, stdout, stderr)
			}
			body, err := os.ReadFile(project.Name)
			if (err == nil) != (want == console.ExitOK) {
				t.Fatalf("the file: %v", err)
			}
			if all := stdout + stderr; strings.Contains(string(body), endpoint.URL) || strings.Contains(string(body)+all, "hunter2") {
				t.Errorf("the address or the key is written:\n%s%s", body, all)
			}
			if want == console.ExitOK && !strings.Contains(string(body), `reader = "model"`) {
				t.Errorf("wrote %s", body)
			}
		})
	}
}

// Ctrl-C at any question writes nothing.
func TestInitInterrupted(t *testing.T) {
	for answers := range 4 {
		home := t.TempDir()
		t.Chdir(filepath.Join(home, mkdir(t, home, "project")))
		mkdir(t, home, ".cursor")
		in, answer := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for _, line := range []string{"none", "cursor", "none"}[:answers] {
				fmt.Fprintln(answer, line)
			}
			cancel()
		}()
		code, _, stderr := ranWith(ctx, in, map[string]string{"HOME": home, "CITELOOP_DATA": home}, "init")
		_ = answer.Close()
		if code != console.ExitInterrupted || !strings.Contains(stderr, "interrupted; nothing was written") {
			t.Errorf("after %d answers: exit %d, %s", answers, code, stderr)
		}
		for _, name := range []string{project.Name, "../.cursor/mcp.json"} {
			if _, err := os.Stat(name); err == nil {
				t.Errorf("after %d answers: %s was written", answers, name)
			}
		}
	}
}

func mkdir(t *testing.T, folder, name string) string {
	t.Helper()
	if err := os.Mkdir(filepath.Join(folder, name), 0o755); err != nil {
		t.Fatal(err)
	}
	return name
}
