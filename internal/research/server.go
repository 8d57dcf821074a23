package research

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/llm"
)

// Server is citeloop behind an MCP client: its tools and its prompts.
type Server struct {
	// Progress receives the progress messages of calls, if it is set before the first one.
	Progress func(message string)

	mcp     *client.Client
	manuals map[string]mcp.Tool // by name
}

// callTime bounds a call. The server itself ends each within 25 s and reports unfinished items.
const callTime = time.Minute

// Connect initializes a started MCP client under a name and version, and lists the tools of the server.
func Connect(ctx context.Context, c *client.Client, name, version string) (*Server, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: name, Version: version}
	if _, err := c.Initialize(ctx, hello); err != nil {
		return nil, fmt.Errorf("initializing the server: %w", err)
	}
	listed, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, fmt.Errorf("listing the tools: %w", err)
	}
	s := &Server{mcp: c, manuals: map[string]mcp.Tool{}}
	c.OnNotification(func(n mcp.JSONRPCNotification) {
		if message, ok := n.Params.AdditionalFields["message"].(string); ok && s.Progress != nil && n.Method == "notifications/progress" {
			s.Progress(message)
		}
	})
	for _, t := range listed.Tools {
		s.manuals[t.Name] = t
	}
	for _, name := range []string{"loop_init", "loop_update", "loop_reflect", "loop_get_state", "loop_list", "loop_get_gaps", "run_channel", "fetch", "find_passages", "verify_citations", "loop_report"} {
		if _, ok := s.manuals[name]; !ok {
			return nil, fmt.Errorf("missing tool %s: the server is not citeloop", name)
		}
	}
	return s, nil
}

// args are the arguments of a call.
type args = map[string]any

// ToolError is the error result of a tool.
type ToolError struct {
	Tool string
	Text string
	Body json.RawMessage // the structured content
}

func (e *ToolError) Error() string { return e.Tool + ": " + e.Text }

// Call calls a tool and decodes its structured result into out. An error result is a [*ToolError].
func (s *Server) Call(ctx context.Context, tool string, arguments args, out any) error {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = tool, arguments
	if s.Progress != nil {
		req.Params.Meta = &mcp.Meta{ProgressToken: tool}
	}
	result, err := s.mcp.CallTool(ctx, req)
	if err == nil {
		err = ctx.Err() // some transports return a result anyway
	}
	if err != nil {
		return fmt.Errorf("calling %s: %w", tool, err)
	}
	body, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return fmt.Errorf("calling %s: %w", tool, err)
	}
	if result.IsError {
		text := "failed"
		if len(result.Content) > 0 {
			if t, ok := result.Content[0].(mcp.TextContent); ok {
				text = t.Text
			}
		}
		return &ToolError{Tool: tool, Text: text, Body: body}
	}
	if err := json.Unmarshal(body, out); err != nil {
		return fmt.Errorf("reading the answer of %s: %w", tool, err)
	}
	return nil
}

// callTwice repeats an idempotent call once if no result arrived.
func (s *Server) callTwice(ctx context.Context, tool string, arguments args, out any) error {
	err := s.Call(ctx, tool, arguments, out)
	if _, ok := errors.AsType[*ToolError](err); err == nil || ok || ctx.Err() != nil {
		return err
	}
	return s.Call(ctx, tool, arguments, out)
}

// prompt gets the text of a prompt.
func (s *Server) prompt(ctx context.Context, name string, given map[string]string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	var req mcp.GetPromptRequest
	req.Params.Name, req.Params.Arguments = name, given
	result, err := s.mcp.GetPrompt(ctx, req)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return "", fmt.Errorf("getting the prompt %s: %w", name, err)
	}
	var text strings.Builder
	for _, m := range result.Messages {
		if t, ok := m.Content.(mcp.TextContent); ok {
			text.WriteString(t.Text)
		}
	}
	if text.Len() == 0 {
		return "", fmt.Errorf("the prompt %s is empty", name)
	}
	return text.String(), nil
}

// offered returns a tool for the model: with the server's description and those arguments that the model sets. The host
// sets ids, angles and channels.
func (s *Server) offered(name, hint string, keep ...string) llm.Tool {
	manual := s.manuals[name]
	about, _, _ := strings.Cut(manual.Description, "\nExample:")
	var schema struct {
		InputSchema struct{ Properties map[string]any } `json:"inputSchema"`
	}
	if body, err := json.Marshal(manual); err != nil || json.Unmarshal(body, &schema) != nil {
		schema.InputSchema.Properties = map[string]any{}
	}
	properties := map[string]any{}
	for _, k := range keep {
		if p, ok := schema.InputSchema.Properties[k]; ok {
			properties[k] = p
		}
	}
	return llm.Tool{Name: name, Description: strings.TrimSpace(about + "\n" + hint),
		Parameters: map[string]any{"type": "object", "properties": properties, "required": keep[:1]}}
}
