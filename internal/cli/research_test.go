package cli

import (
	"net/http"
	"net/http/httptest"
	"strings"
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
