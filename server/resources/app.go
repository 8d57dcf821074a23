package resources

import (
	"context"
	"maps"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/server/apps"
)

// app returns the page of a loop, for hosts that support MCP Apps.
func (h *Handler) app(ctx context.Context, a address) ([]mcp.ResourceContents, error) {
	detail, err := h.svc.Detail(ctx, a.loop, 0)
	if err != nil {
		return nil, err
	}
	page, err := apps.Page(detail)
	if err != nil {
		return nil, err
	}
	meta := apps.Meta()
	maps.Copy(meta, untrustedMeta())
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: a.String(), MIMEType: apps.MediaType, Text: page, Meta: meta}}, nil
}
