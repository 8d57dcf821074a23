package research

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/openai/openai-go"

	"github.com/citeloop/citeloop/internal/llm"
)

// Server is citeloop behind an MCP client: its tools and its prompts.
type Server struct {
	mcp   *client.Client
	tools map[string]llm.Tool // as a model is offered them
}

// callTime bounds a call. The server itself ends each within 25 s and reports unfinished items.
const callTime = time.Minute

// Connect initializes a started MCP client under a name and version, and lists the tools of the server.
func Connect(ctx context.Context, c *client.Client, name, version string) (*Server, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	hello := mcp.InitializeParams{ProtocolVersion: mcp.LATEST_PROTOCOL_VERSION,
		ClientInfo: mcp.Implementation{Name: name, Version: version}}
	if _, err := c.Initialize(ctx, mcp.InitializeRequest{Params: hello}); err != nil {
		return nil, fmt.Errorf("initializing the server: %w", err)
	}
	listed, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, fmt.Errorf("listing the tools: %w", err)
	}
	s := &Server{c, map[string]llm.Tool{}}
	for _, t := range listed.Tools {
		s.tools[t.Name] = llm.Tool{Function: openai.FunctionDefinitionParam{Name: t.Name, Description: openai.String(t.Description),
			Parameters: openai.FunctionParameters{"type": "object", "properties": t.InputSchema.Properties}}}
	}
	return s, nil
}

type args = map[string]any

// ToolError is the error result of a tool.
type ToolError struct {
	Tool string
	Text string
	Body json.RawMessage // the structured content
}

func (e *ToolError) Error() string { return e.Tool + ": " + e.Text }

// Call calls a tool, decodes its structured result into out, and returns its text, as a model reads it. An error result is a
// [*ToolError].
func (s *Server) Call(ctx context.Context, tool string, arguments args, out any) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	result, err := s.mcp.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool, Arguments: arguments}})
	if err == nil {
		err = ctx.Err() // some transports return a result anyway
	}
	if err != nil {
		return "", fmt.Errorf("calling %s: %w", tool, err)
	}
	text := ""
	for _, part := range result.Content {
		text += mcp.GetTextFromContent(part)
	}
	body, err := json.Marshal(result.StructuredContent)
	if result.IsError {
		return "", &ToolError{tool, text, body}
	}
	if err == nil {
		err = json.Unmarshal(body, out)
	}
	if err != nil {
		return "", fmt.Errorf("reading the answer of %s: %w", tool, err)
	}
	return text, nil
}

// Verification is what a host reads of an answer of verify_citations.
type Verification struct {
	Verdict string
	Counts  map[string]int
	Claims  []struct {
		Claim, Status, Because string
		Read                   bool
		Line                   int
		Remarks                []struct{ Claim, Lines, Text string }
	} `json:"verified_claims"`
	Hallucinated []struct{ Claim, Citation, Why string } `json:"hallucinated_citations"`
	Uncited      []struct {
		Text string
		Line int
	} `json:"uncited_sentences"`
}

// Verify checks claims or a draft. Citations of unread sources make the result an error, which has the verdicts too.
func (s *Server) Verify(ctx context.Context, in args) (v Verification, err error) {
	in["all"] = true
	_, err = s.Call(ctx, "verify_citations", in, &v)
	if refused, ok := errors.AsType[*ToolError](err); ok && json.Unmarshal(refused.Body, &v) == nil && v.Verdict != "" {
		err = nil
	}
	return v, err
}

// WriteReport writes the report of a loop with a text into a folder, as report.md and report.html, and returns their paths.
func (s *Server) WriteReport(ctx context.Context, loop, text, folder string) (files []string, err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("the report's folder: %w", err)
	}
	for _, as := range [][2]string{{"markdown", "report.md"}, {"html", "report.html"}} {
		var out struct{ Report string }
		in := args{"state_id": loop, "draft": text, "format": as[0], "inline": true}
		if _, err := s.Call(ctx, "loop_report", in, &out); err != nil {
			return nil, err
		}
		file := filepath.Join(folder, as[1])
		if err := os.WriteFile(file, []byte(out.Report), 0o644); err != nil {
			return nil, fmt.Errorf("writing the report: %w", err)
		}
		files = append(files, file)
	}
	return files, nil
}

// prompt returns the text of a prompt.
func (s *Server) prompt(ctx context.Context, name string, given map[string]string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	result, err := s.mcp.GetPrompt(ctx, mcp.GetPromptRequest{Params: mcp.GetPromptParams{Name: name, Arguments: given}})
	if err != nil {
		return "", fmt.Errorf("getting the prompt %s: %w", name, err)
	}
	text := ""
	for _, m := range result.Messages {
		text += mcp.GetTextFromContent(m.Content)
	}
	return text, nil
}
