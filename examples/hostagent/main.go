// Hostagent runs a research loop with your model: the agent of package research in one small program. It starts citeloop as
// an MCP server over stdio, connects to it, and runs the agent. research/round.go has the steps of the agent.
//
//	MODEL_URL=http://127.0.0.1:11434/v1 MODEL=qwen3 go run ./examples/hostagent "Does a four-day week raise output?"
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client"

	"github.com/citeloop/citeloop/internal/llm"
	"github.com/citeloop/citeloop/internal/research"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, `usage: hostagent "question" [command that serves MCP over stdio; default: citeloop serve]`)
		os.Exit(2)
	}
	serve := []string{"citeloop", "serve"}
	if len(os.Args) > 2 {
		serve = os.Args[2:]
	}
	model := llm.Config{URL: os.Getenv("MODEL_URL"), Model: os.Getenv("MODEL"), Key: os.Getenv("MODEL_KEY")}
	if err := run(ctx, os.Args[1], model, "report", serve...); err != nil {
		fmt.Fprintln(os.Stderr, "hostagent:", err)
		os.Exit(1)
	}
}

// run researches one question and writes the report into a folder.
func run(ctx context.Context, question string, endpoint llm.Config, folder string, serve ...string) error {
	// Any model with an OpenAI-compatible endpoint and tool calls works.
	model, err := llm.New(endpoint)
	if err != nil {
		return err
	}
	// citeloop searches, reads, checks and keeps the state.
	c, err := client.NewStdioMCPClient(serve[0], os.Environ(), serve[1:]...)
	if err != nil {
		return fmt.Errorf("starting %s: %w", strings.Join(serve, " "), err)
	}
	defer c.Close()
	server, err := research.Connect(ctx, c, "hostagent", "1")
	if err != nil {
		return err
	}
	// The model decides what to search, claim and criticise. The server verifies and decides when to stop. A run with
	// Resume continues a loop.
	result, err := research.Run(ctx, research.Config{
		Question: question,
		Server:   server,
		Model:    model,
		Channels: []string{"auto"},
		Rounds:   4,
		Tokens:   300_000,
		Time:     30 * time.Minute,
		OutDir:   folder,
		Out:      os.Stdout,
		Now:      time.Now,
	})
	if err != nil {
		return err
	}
	fmt.Println(strings.Join(result.Files, "\n"))
	return nil
}
