package telemetry

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
)

// Outcomes of a call.
const (
	outcomeOK        = "ok"
	outcomeRefused   = "error"     // a result with isError: an invalid argument, a failed draft, a limit
	outcomeCancelled = "cancelled" // by its client
	outcomeFailed    = "failed"    // no result
)

// call is the record of a tool call.
type call struct {
	at        time.Time
	owner     string
	tool      string
	loop      string // state_id, if the arguments have a valid one
	operation string // operation_id, likewise
	client    string // name and version, as the client reports them
	protocol  string // protocol version, if the request has one
	outcome   string
	took      time.Duration
	in, out   int // bytes of the arguments and of the result's text
}

func outcomeOf(ctx context.Context, result *mcp.CallToolResult, err error) string {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return outcomeCancelled
	case err != nil:
		return outcomeFailed
	case result != nil && result.IsError:
		return outcomeRefused
	}
	return outcomeOK
}

func weight(result *mcp.CallToolResult) (bytes int) {
	if result == nil {
		return 0
	}
	for _, content := range result.Content {
		if text, ok := content.(mcp.TextContent); ok {
			bytes += len(text.Text)
		}
	}
	return bytes
}

// describe extracts the recorded fields of a request. It validates the ids, because an invalid one can contain any
// text.
func describe(ctx context.Context, req mcp.CallToolRequest) call {
	c := call{owner: loops.OwnerOf(ctx), tool: req.Params.Name, in: len(req.Params.RawArguments)}
	var ids struct {
		StateID     string `json:"state_id"`
		OperationID string `json:"operation_id"`
	}
	raw := []byte(req.Params.RawArguments)
	if len(raw) == 0 {
		raw, _ = json.Marshal(req.Params.Arguments) // invalid arguments name no loop
		c.in = len(raw)
	}
	if json.Unmarshal(raw, &ids) == nil {
		c.loop, c.operation = wellFormed(ids.StateID), wellFormed(ids.OperationID)
	}
	if info := server.RequestProtocolInfoFromContext(ctx); info != nil {
		c.protocol = info.ProtocolVersion
		if info.ClientInfo != nil {
			c.client = clientName(*info.ClientInfo)
		}
	}
	if session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithClientInfo); ok && c.client == "" {
		c.client = clientName(session.GetClientInfo())
	}
	return c
}

func wellFormed(id string) string {
	if uuid.Validate(id) != nil {
		return ""
	}
	return id
}

// clientName returns a client's name and version, at most 80 visible characters.
func clientName(info mcp.Implementation) string {
	name := strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return -1
		}
		return r
	}, strings.TrimSpace(info.Name+" "+info.Version))
	if r := []rune(name); len(r) > 80 {
		name = string(r[:80])
	}
	return name
}
