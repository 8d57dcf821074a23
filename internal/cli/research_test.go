package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
)

// TestModelSettings checks which model is used, and the errors. An address and a key come from one group of variables.
func TestModelSettings(t *testing.T) {
	tests := []struct {
		name      string
		env       map[string]string
		flag      string
		url, key  string
		model     string
		wantError string
	}{
		{"nothing", nil, "", "", "", "", "no model configured: set CITELOOP_RESEARCH_URL"},
		{"its own", map[string]string{"CITELOOP_RESEARCH_URL": "http://127.0.0.1:1/v1", "CITELOOP_RESEARCH_MODEL": "a",
			"OPENAI_API_KEY": "sk-o"}, "", "http://127.0.0.1:1/v1", "", "a", ""},
		{"the flag wins", map[string]string{"CITELOOP_RESEARCH_URL": "http://127.0.0.1:1/v1", "CITELOOP_RESEARCH_MODEL": "a"}, "e",
			"http://127.0.0.1:1/v1", "", "e", ""},
		{"no model", map[string]string{"CITELOOP_RESEARCH_URL": "http://127.0.0.1:1/v1"}, "", "", "", "",
			"set CITELOOP_RESEARCH_MODEL or --model"},
		{"a key without an address", map[string]string{"CITELOOP_RESEARCH_KEY": "sk-r", "OPENAI_BASE_URL": "http://127.0.0.1:3/v1"}, "a",
			"", "", "", "missing CITELOOP_RESEARCH_URL: CITELOOP_RESEARCH_KEY is set"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := setup.ResearchModel(console.Process{LookupEnv: lookupIn(test.env)}, test.flag)
			if test.wantError != "" {
				if err == nil || !strings.Contains(err.Error(), test.wantError) || !strings.Contains(err.Error(), "127.0.0.1") &&
					strings.Contains(test.wantError, "no model configured") {
					t.Errorf("%v", err)
				}
				return
			}
			if err != nil || got.Url != test.url || (got.Key == "") != (test.key == "") || got.Name != test.model {
				t.Errorf("%q %q %q, %v", got.Url, got.Key, got.Name, err)
			}
		})
	}
}

// With a rejected key, research prints what is sent to which address, then the error and how to continue.
func TestResearchAnnouncesItsRequests(t *testing.T) {
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"error":{"message":"Incorrect API key provided: sk-hunter2"}}`))
	}))
	defer endpoint.Close()
	data := t.TempDir()
	env := map[string]string{"CITELOOP_RESEARCH_URL": endpoint.URL, "CITELOOP_RESEARCH_MODEL": "m", "CITELOOP_RESEARCH_KEY": "sk-hunter2",
		"CITELOOP_DATA": data, "CITELOOP_CACHE": t.TempDir()}
	code, stdout, stderr := ran(t.Context(), env, "research", "What is so?", "--time", "10m", "--rounds", "3")
	for _, want := range []string{"What is so?", "m at 127.0.0.1", "with a key", "3 rounds", "10m0s", "passages of the pages"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("stdout lacks %q:\n%s", want, stdout)
		}
	}
	for _, want := range []string{"401 Unauthorized: Incorrect API key provided: [key]", "citeloop research --resume "} {
		if !strings.Contains(stderr, want) {
			t.Errorf("stderr lacks %q:\n%s", want, stderr)
		}
	}
	if code != console.ExitFailed || strings.Contains(stdout+stderr, "hunter2") {
		t.Errorf("code %d\n%s%s", code, stdout, stderr)
	}

}

const fact = "Ships enter the harbour of Port Arden at high water only, because the channel is shallow."

// oneFact answers like a model that knows one document, by its brief.
func oneFact(system, brief string, turns int) (message string) {
	content := func(text string) string {
		body, _ := json.Marshal(text)
		return `"content":` + string(body)
	}
	calls := func(tool, arguments string) string {
		if turns > 0 {
			return content("done")
		}
		body, _ := json.Marshal(arguments)
		return `"content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"` + tool + `","arguments":` + string(body) +
			`}}]`
	}
	switch {
	case strings.HasPrefix(system, "You write the final text"):
		return content("# Answer\n\n" + strings.TrimSuffix(fact, ".") + " [S1].\n")
	case strings.Contains(brief, "COMPLETENESS CRITIC"):
		return calls("loop_reflect", `{"signoff": true, "coverage": {"overall": 0.9}}`)
	case strings.HasPrefix(brief, "You write the synthesis"):
		return calls("loop_update", fmt.Sprintf(`{"claims": [{"claim": %q, "source_ids": ["S1"]}]}`, fact))
	case turns == 0:
		return `"content":null,"tool_calls":[{"id":"c0","type":"function","function":{"name":"run_channel","arguments":"{\"query\": ` +
			`\"ships harbour Port Arden\"}"}}]`
	case turns == 2:
		return `"content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"fetch","arguments":"{\"urls\": ` +
			`[\"tides.md\"]}"}}]`
	}
	return content("done")
}

// Ctrl-C ends a run with a message on how to continue; --resume continues it and finishes the report.
func TestResearchResumes(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	asked := 0
	var mu sync.Mutex
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if asked++; asked == 9 {
			cancel()
		}
		var in struct {
			Messages []struct{ Role, Content string }
		}
		if json.NewDecoder(r.Body).Decode(&in) != nil {
			return // the run ended while it asked
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,`+
			`"message":{"role":"assistant",%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":500,"completion_tokens":50,`+
			`"total_tokens":550}}`,
			oneFact(in.Messages[0].Content, in.Messages[1].Content, len(in.Messages)-2))
	}))
	defer endpoint.Close()
	corpus, out := t.TempDir(), t.TempDir()
	text := "# Tides\n\nThe tide at Port Arden rises 4 metres twice a day. " + fact +
		" The pilots keep a table of the tides for every day of the year, and it hangs at the customs hall.\n"
	put(t, filepath.Join(corpus, "tides.md"), text)
	env := map[string]string{"CITELOOP_RESEARCH_URL": endpoint.URL, "CITELOOP_RESEARCH_MODEL": "m", "CITELOOP_DATA": t.TempDir(),
		"CITELOOP_CACHE": t.TempDir()}
	command := []string{"research", "When can ships enter Port Arden?", "--corpus", corpus, "--channels", "local", "--out", out}
	code, stdout, stderr := ran(ctx, env, command...)
	_, id, _ := strings.Cut(stderr, "citeloop: stopped\nThe progress is stored. Continue with: citeloop research --resume ")
	if code != console.ExitInterrupted || id == "" {
		t.Fatalf("code %d\n%s%s", code, stdout, stderr)
	}
	code, stdout, stderr = ran(t.Context(), env, "research", "--resume", strings.TrimSpace(id), "--corpus", corpus, "--channels", "local",
		"--out", out)
	if code != console.ExitOK || stderr != "" || !strings.Contains(stdout, "report.html") {
		t.Fatalf("code %d\n%s%s", code, stdout, stderr)
	}
	report, err := os.ReadFile(filepath.Join(out, "report.md"))
	if err != nil || !strings.Contains(string(report), "at high water only") {
		t.Errorf("%v: %s", err, report)
	}
	if _, stdout, _ = ran(t.Context(), env, "loops", "list"); strings.Count(stdout, "Port Arden") != 1 {
		t.Errorf("not one loop:\n%s", stdout)
	}
}
