package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/cli"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/llm"
)

// The binary of the tests is the server as well, which takes seconds to link.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "serve" {
		os.Exit(cli.Main(context.Background(), console.Process{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
			LookupEnv: os.LookupEnv}))
	}
	os.Exit(m.Run())
}

const fact = "Ships enter the harbour of Port Arden at high water only, because the channel is shallow."

// scripted answers like a model that knows one document.
func scripted(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Messages []struct{ Role, Content string }
	}
	_ = json.NewDecoder(r.Body).Decode(&in)
	system, brief, turns := in.Messages[0].Content, in.Messages[1].Content, len(in.Messages)
	content := func(text string) string {
		body, _ := json.Marshal(text)
		return `"content":` + string(body)
	}
	calls := func(tool, arguments string) string {
		body, _ := json.Marshal(arguments)
		return `"content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"` + tool + `","arguments":` + string(body) +
			`}}]`
	}
	var said string
	switch {
	case strings.HasPrefix(system, "You write the final text"):
		said = content("# Answer\n\n" + strings.TrimSuffix(fact, ".") + " [S1].\n")
	case strings.Contains(brief, "COMPLETENESS CRITIC"):
		said = calls("loop_reflect", `{"signoff": true, "coverage": {"overall": 0.9}}`)
	case strings.HasPrefix(brief, "You write the synthesis"):
		said = calls("loop_update", fmt.Sprintf(`{"claims": [{"claim": %q, "source_ids": ["S1"]}]}`, fact))
	default:
		said = calls("run_channel", `{"query": "ships harbour Port Arden"}`)
	}
	if turns > 2 {
		said = content("done")
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant",`+
		`%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":500,"completion_tokens":50,"total_tokens":550}}`, said)
}

// The example runs with a scripted model against the real server, on a small document.
func TestMainJob(t *testing.T) {
	corpus, out := t.TempDir(), t.TempDir()
	text := "# Tides\n\nThe tide at Port Arden rises 4 metres twice a day. " + fact +
		" The pilots keep a table of the tides for every day of the year, and it hangs at the customs hall.\n"
	if err := os.WriteFile(filepath.Join(corpus, "tides.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	nowhere := httptest.NewServer(http.NotFoundHandler()) // in place of the web
	defer nowhere.Close()
	t.Setenv("CITELOOP_DATA", t.TempDir())
	for _, channel := range []string{"WIKIPEDIA", "WIKIDATA"} {
		t.Setenv("CITELOOP_"+channel+"_URL", nowhere.URL)
	}
	model := httptest.NewServer(http.HandlerFunc(scripted))
	defer model.Close()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const question = "In our documents, when can ships enter the harbour of Port Arden?"
	if err := run(t.Context(), question, llm.Config{URL: model.URL, Model: "m"}, out, program, "serve", "--corpus", corpus); err != nil {
		t.Fatal(err)
	}
	report, err := os.ReadFile(filepath.Join(out, "report.md"))
	if err != nil || !strings.Contains(string(report), "at high water only") {
		t.Errorf("%v: %s", err, report)
	}
}
