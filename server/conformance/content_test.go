package conformance

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"image"
	"image/png"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

type object = map[string]any

// handler implements a fixture.
type handler func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error)

func fixture(name, description string, h handler, options ...mcp.ToolOption) server.ServerTool {
	options = append([]mcp.ToolOption{mcp.WithDescription(description)}, options...)
	return server.ServerTool{Tool: mcp.NewTool(name, options...), Handler: server.ToolHandlerFunc(h)}
}

func answers(content ...mcp.Content) handler {
	return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: content}, nil
	}
}

// contentTools returns the tools of the suite that ask neither the user nor the client's model.
func contentTools() []server.ServerTool {
	embedded := mcp.TextResourceContents{URI: "test://embedded-resource", MIMEType: "text/plain",
		Text: "This is an embedded resource content."}
	mixed := mcp.TextResourceContents{URI: "test://mixed-content-resource", MIMEType: "application/json",
		Text: `{"test":"data","value":123}`}
	picture := mcp.NewImageContent(onePixel(), "image/png")
	return []server.ServerTool{
		fixture("test_simple_text", "Answers a text", answers(mcp.NewTextContent("This is a simple text response for testing."))),
		fixture("test_image_content", "Answers a picture", answers(picture)),
		fixture("test_audio_content", "Answers a sound", answers(mcp.NewAudioContent(oneSample(), "audio/wav"))),
		fixture("test_embedded_resource", "Answers a resource", answers(mcp.NewEmbeddedResource(embedded))),
		fixture("test_multiple_content_types", "Answers a text, a picture and a resource",
			answers(mcp.NewTextContent("Multiple content types test:"), picture, mcp.NewEmbeddedResource(mixed))),
		fixture("test_error_handling", "Fails on purpose", func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultError("This tool intentionally returns an error for testing"), nil
		}),
		fixture("test_tool_with_progress", "Tells of its progress", progress),
		fixture("test_tool_with_logging", "Logs to the client", logging),
		fixture("test_logging_tool", "Logs to a client that asked for it", logging),
	}
}

// between is the pause between two notifications that the suite requires.
const between = 50 * time.Millisecond

func progress(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.Params.Meta != nil && req.Params.Meta.ProgressToken != nil {
		for _, done := range []int{0, 50, 100} {
			params := map[string]any{"progressToken": req.Params.Meta.ProgressToken, "progress": done, "total": 100}
			if err := server.ServerFromContext(ctx).SendNotificationToClient(ctx, string(mcp.MethodNotificationProgress),
				params); err != nil {
				return nil, err
			}
			time.Sleep(between) // also after the last one: the library would drop it
		}
	}
	return mcp.NewToolResultText("done"), nil
}

func logging(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	for _, line := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		if err := server.ServerFromContext(ctx).SendLogMessageToClient(ctx, mcp.NewLoggingMessageNotification(mcp.LoggingLevelInfo,
			"conformance", line)); err != nil {
			return nil, err
		}
		time.Sleep(between)
	}
	return mcp.NewToolResultText("logged"), nil
}

// onePixel returns an image of one pixel, in base64.
func onePixel() string {
	var b bytes.Buffer
	_ = png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))) // writing to a buffer cannot fail
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// oneSample returns a sound of one 8-bit sample, in base64.
func oneSample() string {
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt " +
		"\x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\x01\x00\x00\x00\x80\x00")
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)-8))
	return base64.StdEncoding.EncodeToString(b)
}
