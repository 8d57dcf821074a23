package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"
)

// One call checks an answer with links: the server reads what it cites, and keeps it in a loop of its own.
func TestOneCallChecksAnAnswerWithLinks(t *testing.T) {
	var asked atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var hall int
		if _, err := fmt.Sscanf(r.URL.Path, "/hall/%d", &hall); err != nil || hall == 11 {
			http.NotFound(w, r)
			return
		}
		asked.Add(1)
		fmt.Fprintf(w, "<html><head><title>Hall %d</title></head><body><main><p>The pump of hall %d was renewed in the spring of %d.</p>%s</main></body></html>",
			hall, hall, 1900+hall, strings.Repeat("<p>The board of the waterworks of Arden kept a record of each hall, and of its keeper.</p>", 6))
	}))
	t.Cleanup(site.Close)
	var draft strings.Builder
	draft.WriteString("# Pumps of Arden\n\n")
	for hall := range 12 {
		fmt.Fprintf(&draft, "The pump of hall %d was renewed in the spring of %d [record](%s/hall/%d).\n\n", hall, 1900+hall, site.URL, hall)
	}
	data := t.TempDir()
	p := startServer(t, []string{"CITELOOP_ALLOW_PRIVATE=" + strings.TrimPrefix(site.URL, "http://")}, "--data", data)
	p.initialize()
	call := map[string]any{"draft": draft.String(), "operation_id": "one call"}
	began := time.Now()
	answer, fault := p.tool("verify_citations", call)
	t.Logf("%v, %d characters", time.Since(began), utf8.RuneCountInString(fault))
	if answer["verdict"] != "fail" || len(answer["hallucinated_citations"].([]any)) != 1 || !strings.Contains(fault, "/hall/11: there is no page at this address (HTTP 404)") {
		t.Errorf("%.2000s", fault)
	}
	if flags := fmt.Sprint(answer["flags"]); !strings.Contains(flags, "read_at_check: 11 cited sources (S1, S2, ") || answer["review"].(map[string]any)["pending"] != 11.0 || asked.Load() != 11 {
		t.Errorf("%s, %v, %d requests", flags, answer["review"], asked.Load())
	}
	again, _ := p.tool("verify_citations", call)
	if again["state_id"] != answer["state_id"] || again["cycle"] != answer["cycle"] || asked.Load() != 11 {
		t.Errorf("repeated: %v of %v, %d requests", again["cycle"], again["state_id"], asked.Load())
	}
	sources, err := json.Marshal(p.mustTool("loop_get_state", map[string]any{"state_id": answer["state_id"], "view": "sources"}))
	if err != nil || strings.Count(string(sources), `"shown_chars":0`) != 11 {
		t.Errorf("%.1000s, %v", sources, err)
	}
	p.kill()

	// Without the user's word, a check reaches no private address.
	p = startServer(t, nil, "--data", t.TempDir())
	p.initialize()
	answer = p.mustTool("verify_citations", map[string]any{"draft": draft.String()})
	if answer["verdict"] != "review" || !strings.Contains(fmt.Sprint(answer["flags"]), "not_read: "+site.URL) || asked.Load() != 11 {
		t.Errorf("%v, %v, %d requests", answer["verdict"], answer["flags"], asked.Load())
	}
}
