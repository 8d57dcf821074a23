//lint:file-ignore SA1019 the suite asks for sampling in the older era, and citeloop does not

package conformance

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/tools"
)

type object = map[string]any

func form(properties object, required ...string) object {
	schema := object{"type": "object", "properties": properties}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// askingTools returns tools that ask the user like the product's tools, in both eras, with signed states.
func askingTools() []server.ServerTool {
	user := form(object{"username": object{"type": "string", "description": "User's response"}, "email": object{"type": "string", "description": "User's email address"}}, "username", "email")
	defaults := form(object{
		"name": object{"type": "string", "default": "John Doe"}, "age": object{"type": "integer", "default": 30}, "score": object{"type": "number", "default": 95.5},
		"status": object{"type": "string", "enum": []string{"active", "inactive", "pending"}, "default": "active"}, "verified": object{"type": "boolean", "default": true},
	})
	titled := []any{object{"const": "value1", "title": "First"}, object{"const": "value2", "title": "Second"}}
	enums := form(object{
		"untitledSingle": object{"type": "string", "enum": []string{"option1", "option2", "option3"}},
		"titledSingle":   object{"type": "string", "oneOf": titled},
		"legacyEnum":     object{"type": "string", "enum": []string{"opt1", "opt2"}, "enumNames": []string{"One", "Two"}},
		"untitledMulti":  object{"type": "array", "items": object{"type": "string", "enum": []string{"option1", "option2", "option3"}}},
		"titledMulti":    object{"type": "array", "items": object{"anyOf": titled}},
	})
	confirm := form(object{"ok": object{"type": "boolean"}}, "ok")
	return []server.ServerTool{
		fixture("test_elicitation", "Asks the user", asks(user, "User response"), mcp.WithString("message", mcp.Required(), mcp.Description("What to ask"))),
		fixture("test_elicitation_sep1034_defaults", "Asks with defaults", asks(defaults, "Elicitation completed")),
		fixture("test_elicitation_sep1330_enums", "Asks for choices", asks(enums, "Elicitation completed")),
		fixture("test_input_required_result_request_state", "Asks with a state", asks(confirm, "state-ok")),
		fixture("test_input_required_result_tampered_state", "Asks with a state that nobody else can make", asks(confirm, "state-ok")),
		fixture("test_streaming_elicitation", "Asks while its answer is a stream", asks(confirm, "confirmed")),
		fixture("test_sampling", "Asks the client's model", samples, mcp.WithString("prompt", mcp.Required(), mcp.Description("What to ask"))),
	}
}

func asks(schema object, said string) handler {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		asker := tools.AskerFrom(ctx)
		if asker == nil {
			return mcp.NewToolResultError("this client cannot ask its user"), nil
		}
		answer, err := asker.Ask(ctx, tools.Question{Message: req.GetString("message", "Please fill in"), Schema: schema})
		if err != nil {
			return nil, err
		}
		action := "accept"
		if !answer.Accepted {
			action = "decline"
		}
		return mcp.NewToolResultText(fmt.Sprintf("%s: action=%s, content=%v", said, action, answer.Content)), nil
	}
}

func samples(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var ask mcp.CreateMessageRequest
	ask.Messages = []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.NewTextContent(req.GetString("prompt", ""))}}
	ask.MaxTokens = 100
	said, err := server.ServerFromContext(ctx).RequestSampling(ctx, ask)
	if err != nil {
		return mcp.NewToolResultError(err.Error()), nil
	}
	return mcp.NewToolResultText("LLM response: " + textOf(said.Content)), nil
}

func textOf(content any) string {
	switch c := content.(type) {
	case mcp.TextContent:
		return c.Text
	case map[string]any:
		text, _ := c["text"].(string)
		return text
	}
	return ""
}
