package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/loops"
)

type listChannelsIn struct {
	All bool `json:"all"`
}

type listChannelsOut struct {
	Channels []channelInfo `json:"channels"`
	Left     string        `json:"left_out,omitempty"`
}

// channelInfo has the fields from needs_key on only with all: true.
type channelInfo struct {
	Name         string    `json:"name"`
	Description  string    `json:"description"`
	Configured   *bool     `json:"configured,omitempty"` // false: it cannot be searched; health says what is missing
	Health       string    `json:"health,omitempty"`
	Files        string    `json:"files,omitempty"`
	Experimental bool      `json:"experimental,omitempty"` // never run against the live service, and no recorded answers of it
	OpenUntil    time.Time `json:"open_until,omitzero"`
	NeedsKey     bool      `json:"needs_key,omitempty"`
	Last         string    `json:"last,omitempty"`
	GoodFor      []string  `json:"good_for,omitempty"`
	RateLimit    string    `json:"rate_limit,omitempty"`
	SourceTypes  []string  `json:"source_types,omitempty"`
	Tested       string    `json:"tested,omitempty"`
}

func listChannels(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, "list_channels", func(_ context.Context, in listChannelsIn) (listChannelsOut, error) {
		out := listChannelsOut{Channels: []channelInfo{}}
		left := 0
		for _, c := range svc.Channels() {
			info := channelInfo{Name: c.Name, Description: c.Description.Description, Experimental: c.Experimental, Health: c.Health,
				Files: c.Files, OpenUntil: c.OpenUntil.UTC().Truncate(time.Second)}
			switch {
			case in.All:
				info.Configured, info.NeedsKey, info.Last, info.Tested = &c.Configured, c.NeedsKey, c.Last.Words(), c.Trial()
				info.GoodFor, info.RateLimit, info.SourceTypes = c.GoodFor, c.RateLimit, c.SourceTypes
			case !c.Configured || c.OpenUntil.After(time.Now()):
				left++
				continue
			default:
				info.Description = shortDescription(c.Description)
				if c.Health == "untried" || c.Health == string(channels.StatusOK) {
					info.Health = ""
				}
			}
			out.Channels = append(out.Channels, info)
		}
		if left > 0 {
			out.Left = fmt.Sprintf("%d channels need a key or a setting, or failed and wait; all: true lists them, with all details", left)
		}
		return out, nil
	})
}

// shortDescription shortens a description to whole phrases of 60 characters, without the channel's name. The local channel has all of
// it, for its query syntax.
func shortDescription(c channels.Description) string {
	text := c.Description
	if c.Name == "local" {
		return text
	}
	if name, rest, named := strings.Cut(text, ": "); named && !strings.Contains(name, ",") {
		text = rest
	}
	runes := []rune(text)
	if len(runes) <= 60 {
		return text
	}
	text = string(runes[:60])
	if end := strings.LastIndexAny(text, ",;."); end > 0 {
		return text[:end] + ", …"
	}
	return text[:strings.LastIndex(text, " ")] + " …"
}
