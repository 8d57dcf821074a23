package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server"
)

// toolHost drives the assembled server by its tools, like a host.
type toolHost struct {
	t   *testing.T
	mcp *client.Client
}

// newToolHost assembles citeloop over a data folder and a corpus, as serve does.
func newToolHost(t *testing.T, dataDir string, corpus ...string) *toolHost {
	t.Helper()
	logger := slog.New(slog.NewTextHandler(io.Discard, nil))
	svc, err := setup.Assemble(t.Context(), setup.Settings{Owner: loops.LocalOwner, DataDir: dataDir, Corpus: corpus, Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { svc.Close() })
	srv, err := server.New(svc.Service, "test", logger)
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.NewInProcessClient(srv.MCP)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: "test", Version: "1"}
	if _, err := c.Initialize(t.Context(), hello); err != nil {
		t.Fatal(err)
	}
	return &toolHost{t: t, mcp: c}
}

type object = map[string]any

// call calls a tool, which must answer without an error, and reads its structured answer into out.
func (h *toolHost) call(tool string, arguments object, out any) {
	h.t.Helper()
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = tool, arguments
	result, err := h.mcp.CallTool(h.t.Context(), req)
	if err != nil {
		h.t.Fatalf("%s: %v", tool, err)
	}
	if result.IsError {
		h.t.Fatalf("%s: %v", tool, result.Content)
	}
	body, err := json.Marshal(result.StructuredContent)
	if err == nil && out != nil {
		err = json.Unmarshal(body, out)
	}
	if err != nil {
		h.t.Fatalf("%s: %v in %s", tool, err, body)
	}
}

type nextStep struct {
	NextAction  string   `json:"next_action"`
	Rule        string   `json:"rule"`
	StopReason  string   `json:"stop_reason"`
	NextQueries []string `json:"next_queries"`
	Target      string   `json:"target"`
	TargetGap   string   `json:"target_gap"`
}

// A host that forgets everything after each round, even the loop's id, continues with loop_list and the brief alone,
// and finishes with a valid report.
func TestForgetfulHostFinishes(t *testing.T) {
	corpus, data := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"light.txt": "The light of Arden tower. The tower of Arden stands on a rock of granite. Its lamp burns colza oil, and a keeper lives in it all the year. Ships that come from the south see the light first, and steer by it into the harbour. The oil is brought by boat four times a year.",
		"build.txt": "How the tower was built. The tower of Arden was built in 1874 by two brothers named Holt. They brought the stones over the ice in the winter, because no boat could carry them. The work took three summers, and eleven men lost their lives in a storm.",
		"cost.txt":  "What the tower costs. The upkeep of the Arden tower costs 900 crowns a year. The harbour pays two thirds of it, and the parish pays the rest. In 1901 the parish refused to pay, and the light was dark for a month until the council gave in.",
	} {
		if err := os.WriteFile(filepath.Join(corpus, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	first := newToolHost(t, data, corpus)
	first.call("loop_init", object{"query": "What lamp does the tower of Arden burn?", "gaps": []string{"In which year was the tower built?", "What does the upkeep of the tower cost?"}}, nil)

	for forgotten := 0; ; forgotten++ {
		if forgotten == 8 {
			t.Fatal("the loop does not finish")
		}
		h := newToolHost(t, data, corpus) // a new process, an empty context
		var list struct {
			Loops []struct {
				StateID string `json:"state_id"`
			}
		}
		h.call("loop_list", object{}, &list)
		id := list.Loops[0].StateID
		var view struct {
			Query    string
			Decision nextStep
			Brief    struct {
				OpenGaps []struct {
					GapID    string `json:"gap_id"`
					Gap      string
					Material bool
				} `json:"open_gaps"`
			}
		}
		h.call("loop_get_state", object{"state_id": id}, &view)
		if view.Decision.NextAction == "finalize" {
			h.finish(id)
			if forgotten < 3 {
				t.Errorf("it ended after %d rounds", forgotten)
			}
			return
		}
		query := view.Query
		if len(view.Decision.NextQueries) > 0 {
			query = view.Decision.NextQueries[0]
		}
		claimed := h.round(id, query)
		material := slices.DeleteFunc(view.Brief.OpenGaps, func(g struct {
			GapID    string `json:"gap_id"`
			Gap      string
			Material bool
		}) bool {
			return !g.Material
		})
		reflection := object{"state_id": id, "signoff": len(material) == 0}
		if claimed && view.Decision.TargetGap != "" {
			reflection["answered_gaps"] = []string{view.Decision.TargetGap}
		}
		h.call("loop_reflect", reflection, nil)
	}
}

// round searches, reads the best hit, and records its best sentence as a claim if it passes.
func (h *toolHost) round(id, query string) bool {
	h.t.Helper()
	var found struct{ Evidence []struct{ URL string } }
	h.call("run_channel", object{"state_id": id, "channel_name": "local", "query": query}, &found)
	if len(found.Evidence) == 0 {
		return false
	}
	h.call("fetch", object{"state_id": id, "url": found.Evidence[0].URL}, nil)
	var best struct {
		Passages []struct {
			SourceID string `json:"source_id"`
			Text     string
		}
	}
	h.call("find_passages", object{"state_id": id, "query": query, "limit": 1}, &best)
	if len(best.Passages) == 0 {
		return false
	}
	sentences := strings.SplitAfter(best.Passages[0].Text, ". ")
	h.call("verify_citations", object{"state_id": id, "all": true, "claims": []object{{"claim": strings.TrimSpace(sentences[min(1, len(sentences)-1)]), "source_ids": []string{best.Passages[0].SourceID}}}}, nil)
	return true
}

// finish writes the text from the loop's claims and requests the report.
func (h *toolHost) finish(id string) {
	h.t.Helper()
	var view struct {
		Claims []struct {
			Claim     string
			SourceIDs []string `json:"source_ids"`
		}
	}
	h.call("loop_get_state", object{"state_id": id, "view": "claims"}, &view)
	var text strings.Builder
	cited := map[string]bool{}
	for _, c := range view.Claims {
		fmt.Fprintf(&text, "%s [%s]\n\n", c.Claim, c.SourceIDs[0])
		cited[c.SourceIDs[0]] = true
	}
	var report struct {
		Report  string
		Verdict string
	}
	h.call("loop_report", object{"state_id": id, "draft": text.String(), "inline": true}, &report)
	for _, want := range []string{"1874", "900 crowns", "rock of granite"} {
		if !strings.Contains(report.Report, want) {
			h.t.Errorf("the report lacks %q:\n%s", want, report.Report)
		}
	}
	if len(cited) != 3 {
		h.t.Errorf("%d sources are cited, want 3", len(cited))
	}
}
