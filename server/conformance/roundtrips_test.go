package conformance

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// Requests of 2026-07-28 that the suite tests and the product does not make: several questions at once, several rounds,
// sampling and roots. These fixtures have their own states.

// Keys of the questions, defined by the suite.
const (
	keyName   = "user_name"
	keyModel  = "capital_question"
	keyFolder = "client_roots"
	keyFirst  = "step1"
	keySecond = "step2"
)

func textForm(message, field string) mcp.ElicitationParams {
	return mcp.ElicitationParams{Message: message, RequestedSchema: form(object{field: object{"type": "string"}}, field)}
}

func modelIsAsked(text string, tokens int) (p mcp.CreateMessageParams) {
	p.Messages = []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.NewTextContent(text)}}
	p.MaxTokens = tokens
	return p
}

func roundTripTools() []server.ServerTool {
	return []server.ServerTool{
		fixture("test_input_required_result_elicitation", "Asks for a name", func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if said := server.ElicitationResponse(req.Params.InputResponses, keyName); said != nil && said.Action == mcp.ElicitationResponseActionAccept {
				content, _ := said.Content.(map[string]any)
				name, _ := content["name"].(string)
				return mcp.NewToolResultText("Hello, " + name + "!"), nil
			}
			return server.NewInputRequestBuilder("").Elicit(keyName, textForm("What is your name?", "name")).ToolResult(), nil
		}),
		fixture("test_input_required_result_sampling", "Asks the client's model", func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if said := server.SamplingResponse(req.Params.InputResponses, keyModel); said != nil {
				return mcp.NewToolResultText(textOf(said.Content)), nil
			}
			return server.NewInputRequestBuilder("").Sample(keyModel, modelIsAsked("What is the capital of France?", 100)).ToolResult(), nil
		}),
		fixture("test_input_required_result_list_roots", "Asks for the client's folders", func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if said := server.RootsResponse(req.Params.InputResponses, keyFolder); said != nil {
				text := "Folders:"
				for _, r := range said.Roots {
					text += " " + r.URI
				}
				return mcp.NewToolResultText(text), nil
			}
			return server.NewInputRequestBuilder("").Roots(keyFolder).ToolResult(), nil
		}),
		fixture("test_input_required_result_multiple_inputs", "Asks three things at once", func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			given := req.Params.InputResponses
			if server.ElicitationResponse(given, keyName) != nil && server.SamplingResponse(given, "greeting") != nil && server.RootsResponse(given, keyFolder) != nil {
				return mcp.NewToolResultText("All three are there."), nil
			}
			return server.NewInputRequestBuilder("asked for three").Elicit(keyName, textForm("What is your name?", "name")).
				Sample("greeting", modelIsAsked("Generate a greeting", 50)).Roots(keyFolder).ToolResult(), nil
		}),
		fixture("test_input_required_result_multi_round", "Asks twice", func(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			given := req.Params.InputResponses
			switch {
			case req.Params.RequestState == "asked for a color" && server.ElicitationResponse(given, keySecond) != nil:
				return mcp.NewToolResultText("Both are there."), nil
			case req.Params.RequestState == "asked for a name" && server.ElicitationResponse(given, keyFirst) != nil:
				return server.NewInputRequestBuilder("asked for a color").Elicit(keySecond, textForm("Step 2: What is your favorite color?", "color")).ToolResult(), nil
			}
			return server.NewInputRequestBuilder("asked for a name").Elicit(keyFirst, textForm("Step 1: What is your name?", "name")).ToolResult(), nil
		}),
		fixture("test_input_required_result_capabilities", "Asks what the client can answer", func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			info := server.RequestProtocolInfoFromContext(ctx)
			if info == nil || info.ClientCapabilities == nil {
				return mcp.NewToolResultText("This client can answer nothing."), nil
			}
			ask, can := server.NewInputRequestBuilder(""), info.ClientCapabilities
			if can.Elicitation != nil {
				ask.Elicit(keyName, textForm("What is your name?", "name"))
			}
			if can.Sampling != nil {
				ask.Sample(keyModel, modelIsAsked("What is the capital of France?", 100))
			}
			return ask.ToolResult(), nil
		}),
		fixture("test_missing_capability", "Needs a client with a model", func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if info := server.RequestProtocolInfoFromContext(ctx); info == nil || info.ClientCapabilities == nil || info.ClientCapabilities.Sampling == nil {
				return nil, mcp.MissingRequiredClientCapabilityError{Capability: "sampling"}
			}
			return mcp.NewToolResultText("There is one."), nil
		}),
	}
}
