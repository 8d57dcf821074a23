package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/tools/progress"
)

// Mechanisms of the seed documents that no other test shows (docs/mechanisms.md).

func request(arguments map[string]any) mcp.CallToolRequest {
	raw, _ := json.Marshal(arguments) // of texts and lists
	return mcp.CallToolRequest{Params: mcp.CallToolParams{RawArguments: raw}}
}

// threeChannels reports three channels, one after the other.
type threeChannels struct{}

func (threeChannels) Search(_ context.Context, in loops.SearchInput) (loops.Found, error) {
	outcomes := []channels.Outcome{
		{Name: in.Channels[0], Status: channels.StatusOK, Count: 2},
		{Name: in.Channels[1], Status: channels.StatusEmpty},
		{Name: in.Channels[2], Status: channels.StatusRateLimited, RetryAfter: 5 * time.Second, Message: "the source answered 429"},
	}
	for _, o := range outcomes {
		in.Done(o)
	}
	return loops.Found{Outcomes: outcomes}, nil
}

// A client that requests progress gets a report when each channel ends, and the answer has the outcome of each
// (mechanisms 135 and 137).
func TestProgressAsChannelsEnd(t *testing.T) {
	t.Parallel()
	var heard []string
	ctx := progress.To(t.Context(), func(done float64, total int, message string) {
		heard = append(heard, fmt.Sprintf("%.0f/%d %s", done, total, message))
	})
	tool := runChannel(&definer{logger: slog.New(slog.DiscardHandler)}, threeChannels{})
	result, err := tool.Handler(ctx, request(map[string]any{"query": "tides", "channels": []any{"a", "b", "c"}}))
	if err != nil || result.IsError {
		t.Fatalf("%+v, %v", result, err)
	}
	if diff := cmp.Diff([]string{"1/3 a: ok, 2 hits", "2/3 b: empty, 0 hits", "3/3 c: rate_limited, 0 hits"}, heard); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	var out runChannelOut
	if err := json.Unmarshal([]byte(result.Content[0].(mcp.TextContent).Text), &out); err != nil {
		t.Fatal(err)
	}
	want := []channelOut{{Name: "a", Status: "ok", Count: 2}, {Name: "b", Status: "empty"},
		{Name: "c", Status: "rate_limited", RetryAfter: 5, Message: "the source answered 429"}}
	if diff := cmp.Diff(want, out.Channels); diff != "" {
		t.Errorf("channels (-want +got):\n%s", diff)
	}
}

// endless answers only when the call is cancelled.
type endless struct{}

func (endless) Search(ctx context.Context, _ loops.SearchInput) (loops.Found, error) {
	<-ctx.Done()
	return loops.Found{}, ctx.Err()
}

// Every call ends within CallTimeout, with an error that says what to do next (mechanism 138).
func TestCallTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tool := runChannel(&definer{logger: slog.New(slog.DiscardHandler)}, endless{})
		begun := time.Now()
		result, err := tool.Handler(t.Context(), request(map[string]any{"channel_name": "a", "query": "x"}))
		if err != nil || !result.IsError || !strings.Contains(result.Content[0].(mcp.TextContent).Text, "took longer than 25s") {
			t.Errorf("%+v, %v", result, err)
		}
		if took := time.Since(begun); took != CallTimeout || CallTimeout >= 30*time.Second {
			t.Errorf("it took %s; a client gives up after 30 s", took)
		}
	})
}
