package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// Client calls tools and reads their structured answers.
type Client struct {
	mcp      *client.Client
	mu       sync.Mutex
	progress map[string]func(message string) // by progress token
	calls    int
}

// Connect makes the handshake over a started MCP client.
func Connect(ctx context.Context, c *client.Client, version string) (*Client, error) {
	out := &Client{mcp: c, progress: map[string]func(string){}}
	c.OnNotification(out.notified)
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = mcp.LATEST_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: "citeloop-demo", Version: version}
	if _, err := c.Initialize(ctx, hello); err != nil {
		return nil, fmt.Errorf("the server did not answer the handshake: %w", err)
	}
	return out, nil
}

// ToolError is an answer that says isError.
type ToolError struct {
	Tool string
	Text string
	body json.RawMessage
}

func (e *ToolError) Error() string { return e.Tool + ": " + e.Text }

// AsToolError finds a tool's own error in err.
func AsToolError(err error) (*ToolError, bool) {
	var e *ToolError
	ok := errors.As(err, &e)
	return e, ok
}

// verification reads the verdict that an error of verify_citations carries.
func (e *ToolError) verification() (v verification) {
	if json.Unmarshal(e.body, &v) != nil {
		return verification{}
	}
	return v
}

// Call calls a tool and reads its answer into out.
func (c *Client) Call(ctx context.Context, tool string, arguments args, out any) error {
	return c.call(ctx, tool, arguments, out, nil)
}

// CallWithProgress is Call for work that takes a while: told hears of each step.
func (c *Client) CallWithProgress(ctx context.Context, tool string, arguments args, out any, told func(message string)) error {
	return c.call(ctx, tool, arguments, out, told)
}

func (c *Client) call(ctx context.Context, tool string, arguments args, out any, told func(string)) error {
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = tool, arguments
	if told != nil {
		c.mu.Lock()
		c.calls++
		token := fmt.Sprintf("demo-%d", c.calls)
		c.progress[token] = told
		c.mu.Unlock()
		defer func() {
			c.mu.Lock()
			delete(c.progress, token)
			c.mu.Unlock()
		}()
		req.Params.Meta = &mcp.Meta{ProgressToken: token}
	}
	result, err := c.mcp.CallTool(ctx, req)
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
		return &ToolError{Tool: tool, Text: text, body: body}
	}
	if err := json.Unmarshal(body, out); err != nil {
		return fmt.Errorf("reading the answer of %s: %w", tool, err)
	}
	return nil
}

func (c *Client) notified(n mcp.JSONRPCNotification) {
	if n.Method != "notifications/progress" {
		return
	}
	token, _ := n.Params.AdditionalFields["progressToken"].(string)
	message, _ := n.Params.AdditionalFields["message"].(string)
	c.mu.Lock()
	told := c.progress[token]
	c.mu.Unlock()
	if told != nil {
		told(message)
	}
}
