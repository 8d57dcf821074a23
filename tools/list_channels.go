package tools

import (
	"context"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/channels"
)

type listChannelsIn struct{}

type listChannelsOut struct {
	Channels []channelInfo `json:"channels"`
}

type channelInfo struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	NeedsKey    bool     `json:"needs_key"`
	Configured  bool     `json:"configured" jsonschema:"false: it cannot be asked; health says what is missing"`
	Health      string   `json:"health"`
	Last        string   `json:"last,omitempty"`
	OpenUntil   string   `json:"open_until,omitempty"`
	Remaining   string   `json:"remaining,omitempty"`
	Proxy       string   `json:"proxy,omitempty"`
	GoodFor     []string `json:"good_for"`
	RateLimit   string   `json:"rate_limit"`
	SourceTypes []string `json:"source_types"`
	Tested      string   `json:"tested" jsonschema:"against what it was tried"`
}

type channelLister interface {
	Channels() []channels.Info
}

func listChannels(d *definer, svc channelLister) server.ServerTool {
	return define(d, manual{
		name: "list_channels", title: "List search channels",
		description: `List the channels that run_channel can search: what each is good for, whether it is set up, and how it has answered lately. It asks nobody.`,
		hints:       hints{readOnly: true, idempotent: true},
	}, func(context.Context, listChannelsIn) (listChannelsOut, error) {
		var out listChannelsOut
		for _, c := range svc.Channels() {
			out.Channels = append(out.Channels, channelInfo{Name: c.Name, Description: c.Description.Description, NeedsKey: c.NeedsKey, Configured: c.Configured,
				Health: c.Health, Last: c.Last.Words(), OpenUntil: moment(c.OpenUntil), Remaining: c.Remaining, Proxy: c.Proxy, GoodFor: c.GoodFor, RateLimit: c.RateLimit, SourceTypes: c.SourceTypes, Tested: c.Trial()})
		}
		return out, nil
	})
}

// moment is a time as machines read it; "" for none.
func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
