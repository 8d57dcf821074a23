package research

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/openai/openai-go"

	"github.com/citeloop/citeloop/internal/llm"
)

// Server is citeloop behind an MCP client: its tools and its prompts.
type Server struct {
	mcp   *client.Client
	tools map[string]mcp.Tool
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
	s := &Server{c, map[string]mcp.Tool{}}
	for _, t := range listed.Tools {
		s.tools[t.Name] = t
	}
	if _, ok := s.tools["loop_reflect"]; !ok {
		return nil, fmt.Errorf("missing tool loop_reflect: the server is not citeloop")
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
	_, err := s.call(ctx, tool, arguments, out)
	return err
}

// call also returns the text of the result, as a model reads it.
func (s *Server) call(ctx context.Context, tool string, arguments args, out any) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = tool, arguments
	result, err := s.mcp.CallTool(ctx, req)
	if err == nil {
		err = ctx.Err() // some transports return a result anyway
	}
	if err != nil {
		return "", fmt.Errorf("calling %s: %w", tool, err)
	}
	text := ""
	for _, part := range result.Content {
		if t, ok := part.(mcp.TextContent); ok {
			text += t.Text
		}
	}
	body, err := json.Marshal(result.StructuredContent)
	switch {
	case err != nil:
	case result.IsError:
		return "", &ToolError{tool, text, body}
	default:
		err = json.Unmarshal(body, out)
	}
	if err != nil {
		return "", fmt.Errorf("reading the answer of %s: %w", tool, err)
	}
	return text, nil
}

// prompt returns the text of a prompt.
func (s *Server) prompt(ctx context.Context, name string, given map[string]string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	var req mcp.GetPromptRequest
	req.Params.Name, req.Params.Arguments = name, given
	result, err := s.mcp.GetPrompt(ctx, req)
	if err != nil {
		return "", fmt.Errorf("getting the prompt %s: %w", name, err)
	}
	text := ""
	for _, m := range result.Messages {
		if t, ok := m.Content.(mcp.TextContent); ok {
			text += t.Text
		}
	}
	return text, nil
}

// offered returns a tool for the model: the server's description, and those arguments that the model sets.
func (s *Server) offered(name string, keep []string) llm.Tool {
	about, _, _ := strings.Cut(s.tools[name].Description, "\nExample:")
	var schema struct {
		InputSchema struct{ Properties map[string]any } `json:"inputSchema"`
	}
	if body, err := json.Marshal(s.tools[name]); err == nil {
		_ = json.Unmarshal(body, &schema) // without properties, the model goes by the description
	}
	properties := args{}
	for _, k := range keep {
		properties[k] = schema.InputSchema.Properties[k]
	}
	return llm.Tool{Function: openai.FunctionDefinitionParam{Name: name, Description: openai.String(about),
		Parameters: openai.FunctionParameters{"type": "object", "properties": properties, "required": keep[:1]}}}
}
