package tools

import (
	"context"

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
			out.Channels = append(out.Channels, channelInfo{Name: c.Name, Description: c.Description.Description, NeedsKey: c.NeedsKey, Configured: c.Configured, Health: c.Health, GoodFor: c.GoodFor, RateLimit: c.RateLimit, SourceTypes: c.SourceTypes, Tested: c.Trial()})
		}
		return out, nil
	})
}
