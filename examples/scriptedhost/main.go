// Command scriptedhost is a minimal host: it starts citeloop over stdio and runs one loop with three rounds and a report, by
// a fixed script instead of a model.
//
//	go run ./examples/scriptedhost "go run ." ./docs "What does citeloop promise?" "what it cannot do"
//
// The arguments are the command that starts citeloop, a folder of documents, the question, and the next question of a
// critic.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, `usage: scriptedhost "COMMAND" FOLDER QUESTION NEXT-QUESTION`)
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	if err := run(ctx, strings.Fields(os.Args[1]), os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, "scriptedhost:", err)
		os.Exit(1)
	}
}

type object = map[string]any

// host is a connection to citeloop and its loop.
type host struct {
	mcp   *client.Client
	state string
}

func run(ctx context.Context, command []string, folder, question, next string) error {
	c, err := client.NewStdioMCPClient(command[0], os.Environ(), append(command[1:], "serve", "--corpus", folder)...)
	if err != nil {
		return err
	}
	defer c.Close()
	var hello mcp.InitializeRequest
	hello.Params.ClientInfo = mcp.Implementation{Name: "scriptedhost", Version: "1"}
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	if _, err := c.Initialize(ctx, hello); err != nil {
		return err
	}
	h := &host{mcp: c}

	// All other calls have the id of the loop.
	var started struct {
		StateID string `json:"state_id"`
	}
	if err := h.call(ctx, "loop_init", object{"query": question}, &started); err != nil {
		return err
	}
	h.state = started.StateID

	// Round 1 searches the question, round 2 the gap of the critic, round 3 confirms.
	var claims []object
	for round, query := range []string{question, next, next} {
		fresh, err := h.gather(ctx, query)
		if err != nil {
			return err
		}
		claims = append(claims, fresh...)
		reflection := object{"signoff": round > 0}
		if round == 0 {
			reflection["gaps"] = []object{{"gap": next, "query": next, "material": true}}
		} else {
			reflection["answered_gaps"] = []string{next}
		}
		var closed struct {
			Decision struct {
				NextAction string `json:"next_action"`
				Because    string
			}
		}
		if err := h.call(ctx, "loop_reflect", reflection, &closed); err != nil {
			return err
		}
		fmt.Printf("round %d: %s. %s\n", round+1, closed.Decision.NextAction, closed.Decision.Because)
	}

	// The final text cites source ids; loop_report replaces them by numbers and adds the sources.
	var text strings.Builder
	for _, c := range claims {
		fmt.Fprintf(&text, "%s [%s]\n\n", c["claim"], c["source_ids"].([]string)[0])
	}
	var report struct{ Report string }
	if err := h.call(ctx, "loop_report", object{"draft": text.String(), "allow_unverified": true, "inline": true}, &report); err != nil {
		return err
	}
	fmt.Println(report.Report)
	return nil
}

// gather searches, reads the best hit, and takes the best passage as a claim.
func (h *host) gather(ctx context.Context, query string) ([]object, error) {
	var found struct {
		Evidence []struct{ URL string }
	}
	if err := h.call(ctx, "run_channel", object{"channel_name": "local", "query": query}, &found); err != nil {
		return nil, err
	}
	if len(found.Evidence) == 0 {
		return nil, nil
	}
	var read struct{ Sources []struct{ Status string } }
	if err := h.call(ctx, "fetch", object{"url": found.Evidence[0].URL, "query": query}, &read); err != nil {
		return nil, err
	}
	var best struct {
		Passages []struct {
			SourceID string `json:"source_id"`
			Lines    string
			Text     string
		}
	}
	if err := h.call(ctx, "find_passages", object{"query": query, "limit": 1}, &best); err != nil || len(best.Passages) == 0 {
		return nil, err
	}
	sentence, _, _ := strings.Cut(best.Passages[0].Text, "\n")
	claim := object{"claim": sentence, "source_ids": []string{best.Passages[0].SourceID + ":" + best.Passages[0].Lines}}
	var verdict struct {
		Verdict string
		Claims  []struct{ Status string } `json:"verified_claims"`
	}
	if err := h.call(ctx, "verify_citations", object{"claims": []object{claim}, "all": true}, &verdict); err != nil {
		return nil, err
	}
	fmt.Printf("  %s: %.100s\n", verdict.Claims[0].Status, sentence)
	if verdict.Verdict == "fail" { // until somebody has read it, the verdict is review
		return nil, nil
	}
	return []object{claim}, nil
}

// call calls a tool for the loop and decodes its structured result.
func (h *host) call(ctx context.Context, tool string, arguments object, out any) error {
	if h.state != "" {
		arguments["state_id"] = h.state
	}
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = tool, arguments
	result, err := h.mcp.CallTool(ctx, req)
	if err != nil {
		return err
	}
	if result.IsError {
		return fmt.Errorf("%s: %v", tool, result.Content)
	}
	body, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return err
	}
	return json.Unmarshal(body, out)
}
