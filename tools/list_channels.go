package tools

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/loops"
)

type listChannelsIn struct {
	All bool `json:"all,omitempty"`
}

type listChannelsOut struct {
	Channels []channelInfo `json:"channels"`
	Left     string        `json:"left_out,omitempty"`
}

// channelInfo has the fields from needs_key on only with all: true.
type channelInfo struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Configured  *bool  `json:"configured,omitempty" jsonschema:"false: it cannot be searched; health says what is missing. Absent: true"`
	Health      string `json:"health,omitempty"`
	Files       string `json:"files,omitempty"`
	// Experimental: never run against the live service, and no recorded answers of it.
	Experimental bool     `json:"experimental,omitempty"`
	OpenUntil    string   `json:"open_until,omitempty"`
	NeedsKey     bool     `json:"needs_key,omitempty"`
	Last         string   `json:"last,omitempty"`
	GoodFor      []string `json:"good_for,omitempty"`
	RateLimit    string   `json:"rate_limit,omitempty"`
	SourceTypes  []string `json:"source_types,omitempty"`
	Tested       string   `json:"tested,omitempty" jsonschema:"how it was tested"`
}

func listChannels(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, manual{
		name: "list_channels", title: "List search channels",
		description: `List the channels of run_channel; with all, also those not set up and what they need. configured: set up, not ` +
			`tested.`,
		hints: hints{readOnly: true, idempotent: true},
	}, func(_ context.Context, in listChannelsIn) (listChannelsOut, error) {
		var out listChannelsOut
		left := map[string]int{}
		for _, c := range svc.Channels() {
			switch {
			case in.All:
				out.Channels = append(out.Channels, channelInfo{Name: c.Name, Description: c.Description.Description, NeedsKey: c.NeedsKey,
					Configured: &c.Configured, Experimental: c.Experimental,
					Health: c.Health, Files: c.Files, Last: c.Last.Words(), OpenUntil: moment(c.OpenUntil), GoodFor: c.GoodFor,
					RateLimit: c.RateLimit, SourceTypes: c.SourceTypes, Tested: c.Trial()})
			case !c.Configured && c.NeedsKey:
				left["need a key"]++
			case !c.Configured && c.BestEffort:
				left["are off by default"]++
			case !c.Configured:
				left["need a setting"]++
			case c.OpenUntil.After(time.Now()):
				left["failed and wait"]++
			default:
				line := channelInfo{Name: c.Name, Description: shortDescription(c.Description), Experimental: c.Experimental,
					Files: c.Files, OpenUntil: moment(c.OpenUntil)}
				if c.Health != "untried" && c.Health != string(channels.StatusOK) {
					line.Health = c.Health
				}
				out.Channels = append(out.Channels, line)
			}
		}
		var why []string
		for _, reason := range slices.Sorted(maps.Keys(left)) {
			why = append(why, fmt.Sprintf("%d %s", left[reason], reason))
		}
		if len(why) > 0 {
			out.Left = "unusable channels: " + strings.Join(why, ", ") + "; all: true lists them, with all details"
		}
		return out, nil
	})
}

// shortDescriptionChars bounds a description on one line. The local channel has all of it, for its query syntax.
const shortDescriptionChars = 60

// shortDescription shortens a description to whole phrases, without the channel's name.
func shortDescription(c channels.Description) string {
	text := c.Description
	if name, rest, named := strings.Cut(text, ": "); named && !strings.Contains(name, ",") && c.Name != "local" {
		text = rest
	}
	runes := []rune(text)
	if len(runes) <= shortDescriptionChars || c.Name == "local" {
		return text
	}
	text = string(runes[:shortDescriptionChars])
	if end := strings.LastIndexAny(text, ",;."); end > 0 {
		return text[:end] + ", …"
	}
	return text[:strings.LastIndex(text, " ")] + " …"
}

// moment formats a time for machines, or returns "" for the zero time.
func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
