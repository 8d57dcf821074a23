package conformance

import (
	"context"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func promptFixtures() []server.ServerPrompt {
	says := func(content ...mcp.Content) *mcp.GetPromptResult {
		result := &mcp.GetPromptResult{}
		for _, c := range content {
			result.Messages = append(result.Messages, mcp.NewPromptMessage(mcp.RoleUser, c))
		}
		return result
	}
	argument := func(name string) mcp.PromptOption {
		return mcp.WithArgument(name, mcp.ArgumentDescription("A word"), mcp.RequiredArgument())
	}
	return []server.ServerPrompt{
		{Prompt: mcp.NewPrompt("test_simple_prompt", mcp.WithPromptDescription("Says one thing")),
			Handler: func(context.Context, mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				return says(mcp.NewTextContent("This is a simple prompt for testing.")), nil
			}},
		{Prompt: mcp.NewPrompt("test_prompt_with_arguments", mcp.WithPromptDescription("Says two words"), argument("arg1"),
			argument("arg2")), Handler: func(_ context.Context, req mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return says(mcp.NewTextContent(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", req.Params.Arguments["arg1"],
				req.Params.Arguments["arg2"]))), nil
		}},
		{Prompt: mcp.NewPrompt("test_prompt_with_embedded_resource", mcp.WithPromptDescription("Carries a resource"),
			argument("resourceUri")), Handler: func(_ context.Context, req mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			resource := mcp.TextResourceContents{URI: req.Params.Arguments["resourceUri"], MIMEType: "text/plain",
				Text: "Embedded resource content for testing."}
			return says(mcp.NewEmbeddedResource(resource), mcp.NewTextContent("Please process the embedded resource above.")), nil
		}},
		{Prompt: mcp.NewPrompt("test_prompt_with_image", mcp.WithPromptDescription("Carries a picture")),
			Handler: func(context.Context, mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				return says(mcp.NewImageContent(onePixel(), "image/png"), mcp.NewTextContent("Please analyze the image above.")), nil
			}},
	}
}
