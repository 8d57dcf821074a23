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
			env := map[string]string{"CITELOOP_READER_URL": endpoint.URL + "/v1", "CITELOOP_READER_MODEL": "small", "CITELOOP_READER_KEY": "hunter2"}
			var stdout, stderr bytes.Buffer
			home := t.TempDir()
			code := Main(t.Context(), console.Process{Args: []string{"init", "--client", "none", "--reader", "model", "--yes"}, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
				LookupEnv: func(name string) (string, bool) {
					if name == "CITELOOP_DATA" || name == "HOME" {
						return home, true
					}
					v, ok := env[name]
					return v, ok
				}})
			if code != want || asked == 0 {
				t.Fatalf("exit %d, asked %d times: %s%s", code, asked, stdout.String(), stderr.String())
			}
			body, err := os.ReadFile(project.Name)
			if (err == nil) != (want == console.ExitOK) {
				t.Fatalf("the file: %v", err)
			}
			if all := stdout.String() + stderr.String(); strings.Contains(string(body), endpoint.URL) || strings.Contains(string(body)+all, "hunter2") {
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
		var stderr bytes.Buffer
		code := Main(ctx, console.Process{Args: []string{"init"}, Stdin: in, Stdout: io.Discard, Stderr: &stderr, LookupEnv: func(name string) (string, bool) {
			return home, name == "HOME" || name == "CITELOOP_DATA"
		}})
		_ = answer.Close()
		if code != console.ExitInterrupted || !strings.Contains(stderr.String(), "interrupted; nothing was written") {
			t.Errorf("after %d answers: exit %d, %s", answers, code, stderr.String())
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
