package conformance

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func addResources(s *server.MCPServer) {
	fixed := func(contents mcp.ResourceContents) server.ResourceHandlerFunc {
		return func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{contents}, nil
		}
	}
	s.AddResource(mcp.NewResource("test://static-text", "text", mcp.WithResourceDescription("A text"), mcp.WithMIMEType("text/plain")),
		fixed(mcp.TextResourceContents{URI: "test://static-text", MIMEType: "text/plain",
			Text: "This is the content of the static text resource."}))
	s.AddResource(mcp.NewResource("test://static-binary", "picture", mcp.WithResourceDescription("A picture"),
		mcp.WithMIMEType("image/png")),
		fixed(mcp.BlobResourceContents{URI: "test://static-binary", MIMEType: "image/png", Blob: onePixel()}))
	s.AddResourceTemplate(mcp.NewResourceTemplate("test://template/{id}/data", "template",
		mcp.WithTemplateDescription("A text with its id"), mcp.WithTemplateMIMEType("application/json")),
		func(_ context.Context, req mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(req.Params.URI, "test://template/"), "/data")
			body, err := json.Marshal(object{"id": id, "templateTest": true, "data": "Data for ID: " + id})
			if err != nil {
				return nil, err
			}
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: req.Params.URI, MIMEType: "application/json", Text: string(body)}},
				nil
		})
}
